#include "report/bound_text.h"

#include <fmt/format.h>

#include <iterator>

namespace loadline {
namespace {

using Page = fmt::memory_buffer;

template <class... Values>
void put(Page& page, fmt::format_string<Values...> form, Values&&... values) {
  fmt::format_to(std::back_inserter(page), form, std::forward<Values>(values)...);
}

std::string bound_ms(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.3f} ms", *seconds * 1e3) : "unknown";
}
std::string bound_rate(const std::optional<double>& rate, std::string_view unit) {
  return rate ? fmt::format("{:.2f} {}", *rate, unit) : "unknown";
}

void put_decode(Page& page, const BoundTable& table, const BoundRow& row) {
  const std::string users = fmt::format("{:g}", row.concurrency);
  put(page, "\nB = {} in decode, context x = {:g} tokens\n", users, table.context_tokens);
  put(page, "  batch-1        {:<43}{:>12.2f} tok/s\n", "BW / W(1)", row.batch_1_tokens_per_s);
  put(page, "  weights only   {:<43}{:>12.2f} tok/s\n",
      fmt::format("B BW / W(B), W(B) = {:.3f} GB", row.weight_bytes_per_step / 1e9), row.weights_only_tokens_per_s);
  if (row.distinct_experts)
    put(page, "                 D(B) = {:.3f} distinct experts a layer\n", *row.distinct_experts);
  put(page, "  step           (W(B) + B KV(x)) / BW = {}, B flops(x) / F = {}\n", bound_ms(row.step_memory_s),
      bound_ms(row.step_compute_s));
  put(page, "                 KV(x) = {:.3f} MB read per token\n", row.kv_bytes_read_per_token / 1e6);
  if (row.step_link_s) put(page, "                 all-reduces {} more, without latency\n", bound_ms(row.step_link_s));
  put(page, "  decode         B / the longer of both                     {:>12.2f} tok/s\n", row.decode_tokens_per_s);
  put(page, "  KV capacity    {} tokens, {} requests of {:g} tokens\n", row.kv_capacity.tokens,
      row.kv_capacity.requests, table.context_tokens);
}

void put_request(Page& page, const BoundTable& table, const BoundRow& row) {
  const RequestBound& request = row.request;
  put(page, "  request        {:g} new + {:g} cached + {:g} out: M/BW = {}, C/F = {}; {} binds\n", table.new_tokens,
      table.cached_tokens, table.out_tokens, bound_ms(request.memory_s), bound_ms(request.compute_s), row.binding);
  put(page, "  ceiling        1 / max(M/BW, C/F) = {}, {}\n", bound_rate(request.ceiling_requests_per_s, "req/s"),
      bound_rate(request.ceiling_output_tokens_per_s, "tok/s"));
  put(page, "  no overlap     1 / (M/BW + C/F)   = {}, {}\n", bound_rate(request.serial_requests_per_s, "req/s"),
      bound_rate(request.serial_output_tokens_per_s, "tok/s"));
}

}  // namespace

std::string bound_text(const BoundTable& table) {
  Page page;
  put(page, "Bound of {} on {}\n\n", table.model, table.hardware);
  for (const auto& [name, value] : table.inputs) put(page, "  {:<18} {}\n", name, value);
  for (const BoundRow& row : table.rows) {
    put_decode(page, table, row);
    put_request(page, table, row);
  }
  if (!table.notes.empty()) put(page, "\n");
  for (const std::string& note : table.notes) put(page, "Note: {}\n", note);
  return fmt::to_string(page);
}

}  // namespace loadline
