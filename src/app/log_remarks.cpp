#include "app/log_remarks.h"

#include <fmt/format.h>

#include <cstdio>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/trace_stats_words.h"

namespace loadline {

void print_log_remarks(const Trace& trace) {
  fmt::print(stderr, "{}: read as {}: {} rows, {} used\n", escape_terminal(trace.source), trace.format,
             figure_count(trace.read), figure_count(trace.rows.size()));
  for (const auto& [reason, refused] : trace.refused) {
    fmt::print(stderr, "  {} refused: {} ({})\n", figure_count(refused.count), reason,
               escape_terminal(refused_lines(refused)));
  }
  for (const auto& [reason, count] : trace.filtered) {
    fmt::print(stderr, "  {} filtered: {}\n", figure_count(count), reason);
  }
  if (trace.tokens_estimated && trace.tokens_per_character) {
    fmt::print(stderr, "  lengths are estimated: {:.4g} tokens a character\n", *trace.tokens_per_character);
  }
  for (const std::string& sentence : trace.remarks) fmt::print(stderr, "  {}\n", escape_terminal(sentence));
}

}  // namespace loadline
