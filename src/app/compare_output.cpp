#include "app/compare_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "app/outputs.h"
#include "core/error.h"
#include "report/comparison_html.h"
#include "report/comparison_json.h"
#include "report/comparison_text.h"

namespace loadline {
namespace {

const std::vector<std::string>& comparison_formats() {
  static const std::vector<std::string> formats = {"html", "json", "md"};
  return formats;
}

std::vector<std::string> formats_of(const ComparisonOutput& output) {
  if (output.format.empty()) return comparison_formats();
  std::vector<std::string> formats;
  for (std::size_t at = 0; at <= output.format.size();) {
    const std::size_t end = std::min(output.format.find(',', at), output.format.size());
    const std::string name = output.format.substr(at, end - at);
    if (std::ranges::find(comparison_formats(), name) == comparison_formats().end())
      throw Error(fmt::format("--format: '{}' is unknown; known are html, json, md", name));
    formats.push_back(name);
    at = end + 1;
  }
  return formats;
}

std::string draw_comparison(const std::string& format, const Comparison& comparison, const RunReport& a,
                            const RunReport& b, const std::optional<Gate>& gate) {
  if (format == "html") return comparison_html(comparison, a, b, gate);
  if (format == "json") return comparison_json(comparison, gate);
  return comparison_markdown(comparison, gate);
}

std::string file_of(const ComparisonOutput& output, const std::string& format) {
  return output.output_dir + "/comparison." + format;
}

}  // namespace

void check_output(const ComparisonOutput& output) {
  const std::vector<std::string> formats = formats_of(output);
  if (output.output_dir.empty()) {
    if (!output.format.empty() && formats.size() > 1)
      throw Error("--format: several formats need --output-dir FOLDER to be written to; one alone is printed");
    return;
  }
  for (const std::string& format : formats) {
    const std::string path = file_of(output, format);
    std::error_code error;
    if (std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::not_found && !error)
      throw Error(fmt::format("--output-dir: {} exists and nothing is overwritten; give another folder", path));
  }
}

void show_comparison(const Comparison& comparison, const RunReport& a, const RunReport& b,
                     const std::optional<Gate>& gate, const ComparisonOutput& output) {
  const std::vector<std::string> formats = formats_of(output);
  if (!output.output_dir.empty()) {
    for (const std::string& format : formats)
      write_file(file_of(output, format), draw_comparison(format, comparison, a, b, gate));
  }
  if (output.json) {
    fmt::print("{}", comparison_json(comparison, gate));
  } else if (output.output_dir.empty() && !output.format.empty()) {
    fmt::print("{}", draw_comparison(formats.front(), comparison, a, b, gate));
  } else if (!output.quiet) {
    fmt::print("{}", comparison_terminal(comparison, gate));
    const bool has_page = std::ranges::find(formats, "html") != formats.end();
    if (!output.output_dir.empty() && has_page) fmt::print("\nThe page: {}\n", file_of(output, "html"));
  }
}

}  // namespace loadline
