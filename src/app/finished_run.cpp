#include "app/finished_run.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/outputs.h"
#include "app/read_report.h"

namespace loadline {

void put_description(RunWriter& writer, const RunDescription& description) {
  for (const auto& [key, value] : to_values(description)) writer.put(key, value);
  writer.put_facts(description.facts);
  writer.put_doubts(description.doubts);
}

ExitStatus show_run(const RunSpec& spec, const std::string& folder) {
  const RunReport report = read_report(folder, {});
  write_files(report, all_formats(), folder);
  if (spec.json) {
    fmt::print("{}", draw(report, "json"));
  } else if (!spec.quiet) {
    fmt::print("{}\nThe page: {}/report.html\n", terminal_page(report), folder);
  }
  if (report.interrupted) return ExitStatus::interrupted;
  return report.valid ? ExitStatus::valid : ExitStatus::not_valid;
}

}  // namespace loadline
