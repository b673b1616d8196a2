#include "trace/refused_books.h"

namespace loadline {

void name_file(RefusedByReason& refused, const std::string& file) {
  for (auto& [reason, rows] : refused) rows.first_files.resize(rows.first_lines.size(), file);
}

void add_refused(RefusedByReason& sum, const RefusedByReason& more) {
  for (const auto& [reason, rows] : more) {
    Refused& total = sum[reason];
    total.count += rows.count;
    for (std::size_t i = 0; i < rows.first_lines.size() && total.first_lines.size() < refused_lines_kept; ++i) {
      total.first_lines.push_back(rows.first_lines[i]);
      if (i < rows.first_files.size()) total.first_files.push_back(rows.first_files[i]);
    }
  }
}

}  // namespace loadline
