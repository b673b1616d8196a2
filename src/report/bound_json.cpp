#include "report/bound_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace loadline {
namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers print without a fraction.
Json bound_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return value;
}
Json bound_number(const std::optional<double>& value) { return value ? bound_number(*value) : Json(nullptr); }

Json request_object(const RequestBound& request) {
  return {{"memory_s", bound_number(request.memory_s)},
          {"compute_s", bound_number(request.compute_s)},
          {"ceiling_requests_per_s", bound_number(request.ceiling_requests_per_s)},
          {"serial_requests_per_s", bound_number(request.serial_requests_per_s)},
          {"ceiling_output_tokens_per_s", bound_number(request.ceiling_output_tokens_per_s)},
          {"serial_output_tokens_per_s", bound_number(request.serial_output_tokens_per_s)}};
}

Json row_object(const BoundRow& row) {
  return {{"concurrency", bound_number(row.concurrency)},
          {"batch_1_tokens_per_s", bound_number(row.batch_1_tokens_per_s)},
          {"weights_only_tokens_per_s", bound_number(row.weights_only_tokens_per_s)},
          {"decode_memory_tokens_per_s", bound_number(row.decode_memory_tokens_per_s)},
          {"decode_compute_tokens_per_s", bound_number(row.decode_compute_tokens_per_s)},
          {"decode_tokens_per_s", bound_number(row.decode_tokens_per_s)},
          {"step_memory_s", bound_number(row.step_memory_s)},
          {"step_compute_s", bound_number(row.step_compute_s)},
          {"weight_bytes_per_step", bound_number(row.weight_bytes_per_step)},
          {"kv_bytes_read_per_token", bound_number(row.kv_bytes_read_per_token)},
          {"distinct_experts", bound_number(row.distinct_experts)},
          {"kv_capacity", {{"tokens", row.kv_capacity.tokens}, {"requests", row.kv_capacity.requests}}},
          {"request", request_object(row.request)},
          {"binding", row.binding}};
}

}  // namespace

std::string bound_json(const BoundTable& table) {
  Json rows = Json::array();
  for (const BoundRow& row : table.rows) rows.push_back(row_object(row));
  const Json page = {
      {"model",
       {{"parameters_total", table.parameters_total}, {"parameters_read_per_token", table.parameters_read_per_token}}},
      {"weight_bytes_stored", bound_number(table.weight_bytes_stored)},
      {"kv_bytes_per_token", bound_number(table.kv_bytes_per_token)},
      {"kv_replication", bound_number(table.kv_replication)},
      {"rows", rows}};
  return page.dump(2) + "\n";
}

}  // namespace loadline
