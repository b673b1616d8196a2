#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <ostream>

#include "app/commands.h"
#include "app/log_remarks.h"
#include "app/trace_output.h"
#include "core/nearest_name.h"
#include "report/escape.h"
#include "trace/anonymise.h"
#include "trace/canonical.h"
#include "trace/check_canonical.h"
#include "trace/export.h"
#include "trace/merge_traces.h"
#include "trace/opaque_name.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

struct ExportFormat {
  std::string_view name;
  void (*write)(const Trace&, std::ostream&);
  bool canonical = false, regroups = false;
};

constexpr std::array<ExportFormat, 4> export_formats = {{{"canonical", write_canonical, true},
                                                         {"mooncake", write_mooncake, false, true},
                                                         {"aiperf", write_aiperf, false, true},
                                                         {"csv", write_csv}}};

const ExportFormat& export_format_named(const std::string& name) {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats) {
    if (format.name == name) return format;
    names.emplace_back(format.name);
  }
  const std::string near = nearest_name(name, names);
  throw Error(fmt::format("--to: '{}' is unknown{}; known are {}", name,
                          near.empty() ? "" : ", did you mean " + near + "?", fmt::join(names, ", ")));
}

void print_foreign(const std::string& file, const CanonicalCheck& check) {
  for (const ForeignText& foreign : check.foreign) {
    fmt::print("{}: line {}: {}{}\n", escape_terminal(file), foreign.line,
               foreign.key.empty() ? "" : "`" + escape_terminal(foreign.key) + "` ", foreign.why);
  }
  if (check.foreign_count > check.foreign.size()) {
    fmt::print("{}: and {} more\n", escape_terminal(file), check.foreign_count - check.foreign.size());
  }
}

}  // namespace

ExitStatus trace_convert_command(const TraceSpec& spec) {
  const ExportFormat& format = export_format_named(spec.to);
  refuse_output(spec.output, "--output");
  Trace trace = read_trace(spec.files, read_options(spec));
  if (format.canonical) make_names_opaque(trace);
  if (const std::string lost = format.regroups ? regrouping_remark(trace) : ""; !lost.empty())
    trace.remarks.push_back(lost);
  print_log_remarks(trace);
  write_output(spec.output, "--output", [&](std::ostream& out) { format.write(trace, out); });
  return ExitStatus::valid;
}

ExitStatus trace_anonymize_command(const TraceSpec& spec) {
  refuse_output(spec.output, "--output");
  Trace trace = read_trace(spec.files, read_options(spec));
  print_log_remarks(trace);
  anonymise(trace);
  write_output(spec.output, "--output", [&](std::ostream& out) { write_canonical(trace, out); });
  return ExitStatus::valid;
}

ExitStatus trace_check_command(const TraceSpec& spec) {
  bool proven = true;
  for (const std::string& file : files_named(spec.files)) {
    ByteSource source = ByteSource::open(file);
    const CanonicalCheck check = check_canonical(source);
    print_foreign(source.name(), check);
    proven = proven && check.proven();
    fmt::print("{}: {} lines, {}\n", escape_terminal(source.name()), check.lines,
               check.proven()
                   ? "no text: every string is a word of the format or a short name"
                   : fmt::format("{} that a trace without text does not have",
                                 check.foreign_count == 1 ? "a place" : fmt::format("{} places", check.foreign_count)));
  }
  return proven ? ExitStatus::valid : ExitStatus::not_valid;
}

ExitStatus trace_merge_canonical(const TraceSpec& spec, const std::vector<std::string>& files) {
  refuse_output(spec.output, "--output");
  std::vector<Trace> traces;
  for (const std::string& file : files) {
    ReadOptions options;
    options.format = "canonical";
    traces.push_back(read_trace({file}, options));
  }
  Trace trace = merge_traces(std::move(traces), spec.same_ids);
  make_names_opaque(trace);
  print_log_remarks(trace);
  write_output(spec.output, "--output", [&](std::ostream& out) { write_canonical(trace, out); });
  return ExitStatus::valid;
}

}  // namespace loadline
