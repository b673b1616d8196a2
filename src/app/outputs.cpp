#include "app/outputs.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "report/curve_svg.h"
#include "report/report_csv.h"
#include "report/report_html.h"
#include "report/report_json.h"
#include "report/report_markdown.h"
#include "report/report_terminal.h"

namespace loadline {
namespace {

struct Format {
  std::string_view name;
  std::string (*draw)(const RunReport&);
};
constexpr std::array<Format, 5> formats_known = {
    {{"html", report_html}, {"json", report_json}, {"md", report_markdown}, {"svg", curve_svg}, {"csv", report_csv}}};

const Format& output_format_named(std::string_view name) {
  for (const Format& format : formats_known) {
    if (format.name == name) return format;
  }
  throw Error(fmt::format("--format: '{}' is unknown; known are html, json, md, csv, svg", name));
}

}  // namespace

const std::vector<std::string>& all_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Format& format : formats_known) all.emplace_back(format.name);
    return all;
  }();
  return names;
}

std::vector<std::string> parse_formats(const std::string& text) {
  std::vector<std::string> formats;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    formats.emplace_back(output_format_named(text.substr(at, end - at)).name);
    at = end + 1;
  }
  return formats;
}

std::string draw(const RunReport& report, const std::string& format) {
  return output_format_named(format).draw(report);
}

void refuse_existing_files(const std::vector<std::string>& formats, const std::string& folder) {
  for (const std::string& format : formats) {
    const std::string path = folder + "/report." + format;
    std::error_code error;
    if (std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::not_found && !error) {
      throw Error(fmt::format("--output-dir: {} exists and nothing is overwritten; give another folder", path));
    }
  }
}

void write_file(const std::string& path, const std::string& content) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  // Written whole beside its place, then renamed: a reader never sees half a report, a full disk never eats the old
  // one.
  const std::string fresh = path + ".new";
  std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  if (!file) {
    std::filesystem::remove(fresh, error);
    throw Error(fmt::format("{}: cannot be written; check the folder's rights and the free space", path));
  }
  std::filesystem::rename(fresh, path, error);
  if (error) throw Error(fmt::format("{}: cannot be put in place: {}", path, error.message()));
}

void write_files(const RunReport& report, const std::vector<std::string>& formats, const std::string& folder) {
  for (const std::string& format : formats) write_file(folder + "/report." + format, draw(report, format));
}

std::string terminal_page(const RunReport& report) { return report_terminal(report, 120); }

}  // namespace loadline
