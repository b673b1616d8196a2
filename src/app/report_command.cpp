#include <fmt/format.h>

#include <cstdio>

#include "app/commands.h"
#include "app/outputs.h"
#include "app/read_report.h"

namespace loadline {

ExitStatus report_command(const ReportSpec& spec) {
  const std::vector<std::string> formats =
      spec.format.empty() ? std::vector<std::string>{} : parse_formats(spec.format);
  if (formats.size() > 1 && spec.output_dir.empty()) {
    throw Error("--format: several formats need --output-dir FOLDER to be written to; one alone is printed");
  }
  const std::vector<std::string> written = formats.empty() ? all_formats() : formats;
  if (!spec.output_dir.empty()) refuse_existing_files(written, spec.output_dir);
  const RunReport report = read_report(spec.run, {spec.slo, spec.goodput, spec.window});
  if (!spec.output_dir.empty()) {
    write_files(report, written, spec.output_dir);
  } else if (formats.size() == 1) {
    fmt::print("{}", draw(report, formats.front()));
  }
  if (!spec.quiet && (formats.empty() || !spec.output_dir.empty())) fmt::print("{}", terminal_page(report));
  return report.valid ? ExitStatus::valid : ExitStatus::not_valid;
}

}  // namespace loadline
