#include <fmt/format.h>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/report_words.h"
#include "report/svg_level.h"

namespace loadline {
namespace {

constexpr std::string_view compute_reason = "the compute of this device is unknown";
constexpr std::string_view no_point_reason = "no operating point to compare with";

std::string bound_table(const Bound& bound) {
  constexpr std::string_view not_a_limit = "not compared with the result";
  HtmlTable table("What the hardware allows, and how much of it was reached at the operating point");
  table.column("bound", false).column("value").column("unit", false).column("reached");
  table.row({text_cell("one user, empty context (batch-1)"), number_cell(bound.batch_1_tokens_per_s),
             text_cell("tok/s"), percent_cell(bound.achieved_fraction_of_batch_1, no_point_reason)});
  table.row({text_cell("decode alone at the operating batch"), number_cell(bound.decode_tokens_per_s),
             text_cell("tok/s"), percent_cell(bound.achieved_fraction_of_decode, no_point_reason)});
  table.row({text_cell("request ceiling"), number_cell(bound.request_ceiling_tokens_per_s), text_cell("tok/s"),
             percent_cell(bound.achieved_fraction_of_request_ceiling, no_point_reason)});
  table.row({text_cell("no overlap of memory and compute"), number_cell(bound.serial_tokens_per_s, compute_reason),
             text_cell("tok/s"), absent_cell(not_a_limit)});
  table.row({text_cell("KV capacity"),
             number_cell(bound.kv_capacity_requests, "the memory of the device or the model's KV size is unknown"),
             text_cell("requests at the mean context"), absent_cell(not_a_limit)});
  return table.html();
}

std::string level_bounds(const RunReport& report) {
  HtmlTable table("Fractions of the bounds by level");
  table.column("load")
      .column("of batch-1")
      .column("of decode")
      .column("of the request ceiling")
      .column("binding", false);
  for (const LevelResult& level : report.levels) {
    if (!level.bound) continue;
    table.row({setting_cell(level.level.target, level_label(level.level)),
               percent_cell(level.bound->achieved_fraction_of_batch_1, compute_reason),
               percent_cell(level.bound->achieved_fraction_of_decode, compute_reason),
               percent_cell(level.bound->achieved_fraction_of_request_ceiling, compute_reason),
               text_cell(level.bound->binding)});
  }
  return table.empty() ? "" : table.sortable().html();
}

std::string missing_bound(const RunReport& report) {
  std::string body = "<p class=\"quiet\">No bound could be set beside this result.";
  if (!report.bound_missing.empty())
    body += " It needs:</p>\n<ul class=\"list\">\n";
  else
    return body + "</p>\n";
  for (const std::string& missing : report.bound_missing) body += "<li>" + escape_html(missing) + "</li>\n";
  return body + "</ul>\n";
}

std::string milliseconds_triple(const std::optional<double>& p50, const std::optional<double>& p99,
                                const std::optional<double>& max) {
  return figure_number(p50) + " / " + figure_number(p99) + " / " + figure_number(max);
}

HtmlCell lateness_cell(const std::optional<double>& p50, const std::optional<double>& p99,
                       const std::optional<double>& max) {
  if (!p50 && !p99 && !max) return absent_cell("not measured");
  return html_cell(milliseconds_triple(p50, p99, max));
}

std::string proven_words(const std::optional<ProvenLimit>& limit, std::string_view what) {
  if (!limit) return fmt::format("an unknown number of {}", what);
  return fmt::format("{}{:.0f} {}", limit->at_least ? "at least " : "", limit->value, what);
}

/// What the client was proven to carry; of a run that needed no client nothing.
std::string calibration_words(const RunReport& report) {
  if (report.virtual_time) return "";
  if (!report.calibration)
    return "This client was never calibrated on this machine (<code>loadline calibrate</code>): what it can carry is "
           "unknown, and only its lateness and its CPU were watched. ";
  const ClientCalibration& proven = *report.calibration;
  return fmt::format(
      "Proven on this machine ({}), per I/O thread: {}, {}, {}{}. ", escape_html(proven.calibrated_utc),
      proven_words(proven.events_per_s_per_thread, "events/s"), proven_words(proven.streams_per_thread, "streams"),
      proven_words(proven.requests_per_s_per_thread, "requests/s"),
      proven.ttft_error_p99_ms ? fmt::format(", with a TTFT error p99 of {:.3f} ms", *proven.ttft_error_p99_ms) : "");
}

}  // namespace

std::string bound_section(const RunReport& report) {
  if (!report.bound) return page_section("bound", "Bound", missing_bound(report));
  const Bound& bound = *report.bound;
  std::string body =
      bound.diagnosis.empty() ? "" : fmt::format("<p class=\"finding\">{}</p>\n", escape_html(bound.diagnosis));
  if (!bound.binding.empty()) body += fmt::format("<p>What binds: <b>{}</b>.</p>\n", escape_html(bound.binding));
  body += bound_table(bound) + level_bounds(report);
  if (!bound.inputs.empty()) {
    HtmlTable inputs("What the bound was made from");
    inputs.column("input", false).column("value", false);
    for (const auto& [key, value] : bound.inputs) inputs.row({text_cell(key), text_cell(value)});
    body += inputs.html();
  }
  return page_section("bound", "Bound", body);
}

std::string client_section(const RunReport& report) {
  if (report.levels.empty()) return "";
  HtmlTable table("The client itself, by level");
  table.column("load").column("send lateness p50 / p99 / max, ms").column("read lateness p50 / p99 / max, ms");
  table.column("CPU, busiest thread")
      .column("loop round p99 / max, ms")
      .column("kernel-stamped reads")
      .column("coalesced reads")
      .column("reconnects")
      .column("in flight, max");
  for (const LevelResult& level : report.levels) {
    const ClientSelf& client = level.client;
    table.row({setting_cell(level.level.target, level_label(level.level)),
               lateness_cell(client.send_lateness_p50_ms, client.send_lateness_p99_ms, client.send_lateness_max_ms),
               lateness_cell(client.read_lateness_p50_ms, client.read_lateness_p99_ms, client.read_lateness_max_ms),
               percent_cell(client.cpu_share, "not measured"),
               lateness_cell(std::nullopt, client.loop_turn_p99_ms, client.loop_turn_max_ms),
               percent_cell(client.kernel_stamped_share(), "not measured"),
               percent_cell(client.coalesced_share(), "not measured"), count_cell(client.reconnects),
               number_cell(level.over_window(level.in_flight_max), no_window_reason)});
  }
  const std::string host = report.host_cpu.empty() ? "" : "Client host: " + escape_html(report.host_cpu) + ". ";
  return page_section("client", "The client",
                      fmt::format("<p>{}{} I/O thread{}. {}A level at which the client was late or busy is marked "
                                  "<code>client_limited</code> and is no result about the server.</p>\n{}",
                                  host, report.client_threads, report.client_threads == 1 ? "" : "s",
                                  escape_html(limits_words(report.client_limits)) + calibration_words(report),
                                  table.sortable().html()));
}

}  // namespace loadline
