#pragma once
// The files and pages of a report, by the names of --format.

#include <string>
#include <vector>

#include "core/run_report.h"

namespace loadline {

/// html, json, md, svg, csv.
const std::vector<std::string>& all_formats();
/// "html,json" -> known names; Error naming the known ones.
std::vector<std::string> parse_formats(const std::string& text);
std::string draw(const RunReport& report, const std::string& format);
/// Error where one of the files exists: nothing is overwritten.
void refuse_existing_files(const std::vector<std::string>& formats, const std::string& folder);
/// `content` as the file `path`, whole or not at all; its folder is made where there is none.
void write_file(const std::string& path, const std::string& content);
/// report.html, report.json, report.md, report.svg, report.csv (those of `formats`) in `folder`.
void write_files(const RunReport& report, const std::vector<std::string>& formats, const std::string& folder);
/// The terminal's page.
std::string terminal_page(const RunReport& report);

}  // namespace loadline
