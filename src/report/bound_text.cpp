#include "report/bound_text.h"

#include <fmt/format.h>

#include "report/text_page.h"

namespace loadline {
namespace {

std::string bound_ms(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.3f} ms", *seconds * 1e3) : "unknown";
}
std::string bound_rate(const std::optional<double>& rate, std::string_view unit) {
  return rate ? fmt::format("{:.2f} {}", *rate, unit) : "unknown";
}

void put_decode(TextPage& page, const BoundTable& table, const BoundRow& row) {
  const std::string users = fmt::format("{:g}", row.concurrency);
  page.say("\nB = {} in decode, context x = {:g} tokens\n", users, table.context_tokens);
  page.say("  batch-1        {:<43}{:>12.2f} tok/s\n", "BW / W(1)", row.batch_1_tokens_per_s);
  page.say("  weights only   {:<43}{:>12.2f} tok/s\n",
           fmt::format("B BW / W(B), W(B) = {:.3f} GB", row.weight_bytes_per_step / 1e9),
           row.weights_only_tokens_per_s);
  if (row.distinct_experts)
    page.say("                 D(B) = {:.3f} distinct experts a layer\n", *row.distinct_experts);
  page.say("  step           (W(B) + B KV(x)) / BW = {}, B flops(x) / F = {}\n", bound_ms(row.step_memory_s),
           bound_ms(row.step_compute_s));
  page.say("                 KV(x) = {:.3f} MB read per token\n", row.kv_bytes_read_per_token / 1e6);
  if (row.step_link_s) page.say("                 all-reduces {} more, without latency\n", bound_ms(row.step_link_s));
  page.say("  decode         B / the longer of both                     {:>12.2f} tok/s\n", row.decode_tokens_per_s);
  page.say("  KV capacity    {} tokens, {} requests of {:g} tokens\n", row.kv_capacity.tokens, row.kv_capacity.requests,
           table.context_tokens);
}

void put_request(TextPage& page, const BoundTable& table, const BoundRow& row) {
  const RequestBound& request = row.request;
  page.say("  request        {:g} new + {:g} cached + {:g} out: M/BW = {}, C/F = {}; {} binds\n", table.new_tokens,
           table.cached_tokens, table.out_tokens, bound_ms(request.memory_s), bound_ms(request.compute_s), row.binding);
  page.say("  ceiling        1 / max(M/BW, C/F) = {}, {}\n", bound_rate(request.ceiling_requests_per_s, "req/s"),
           bound_rate(request.ceiling_output_tokens_per_s, "tok/s"));
  page.say("  no overlap     1 / (M/BW + C/F)   = {}, {}\n", bound_rate(request.serial_requests_per_s, "req/s"),
           bound_rate(request.serial_output_tokens_per_s, "tok/s"));
}

}  // namespace

std::string bound_text(const BoundTable& table) {
  TextPage page;
  page.say("Bound of {} on {}\n\n", table.model, table.hardware);
  for (const auto& [name, value] : table.inputs) page.say("  {:<18} {}\n", name, value);
  for (const BoundRow& row : table.rows) {
    put_decode(page, table, row);
    put_request(page, table, row);
  }
  if (!table.notes.empty()) page.say("\n");
  for (const std::string& note : table.notes) page.say("Note: {}\n", note);
  return page.text();
}

}  // namespace loadline
