#pragma once
// What the hardware could do. docs/method.md section 5.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

/// The bound at the operating point. What rests on unknown compute is absent.
struct Bound {
  std::vector<std::pair<std::string, std::string>> inputs;  ///< every input, printed, with its unit
  double batch_1_tokens_per_s = 0;
  double decode_tokens_per_s = 0;
  double request_ceiling_tokens_per_s = 0;
  std::optional<double> serial_tokens_per_s;  ///< no overlap of memory and compute
  std::optional<double> kv_capacity_requests;
  std::string binding;  ///< memory | compute
  std::optional<double> achieved_fraction_of_batch_1, achieved_fraction_of_decode, achieved_fraction_of_request_ceiling;
  std::string diagnosis;  ///< one sentence
};

/// What fits beside the weights, rounded down.
struct KvCapacity {
  std::int64_t tokens = 0;
  std::int64_t requests = 0;  ///< of the mean context
};

/// The bound of whole requests: M / BW and C / F of one request at that concurrency.
struct RequestBound {
  double memory_s = 0;
  std::optional<double> compute_s;              ///< absent: the peak of the compute type is unknown
  double ceiling_requests_per_s = 0;            ///< memory and compute overlap; memory alone where compute is unknown
  std::optional<double> serial_requests_per_s;  ///< no overlap
  double ceiling_output_tokens_per_s = 0;
  std::optional<double> serial_output_tokens_per_s;
};

/// The bounds at one concurrency B. Bytes are sums over the devices.
struct BoundRow {
  double concurrency = 1;
  double batch_1_tokens_per_s = 0;       ///< BW / W(1): one user, empty context
  double weights_only_tokens_per_s = 0;  ///< B BW / W(B)
  double decode_memory_tokens_per_s = 0;
  std::optional<double> decode_compute_tokens_per_s;
  double decode_tokens_per_s = 0;
  double step_memory_s = 0;
  std::optional<double> step_compute_s;
  std::optional<double> step_link_s;       ///< all-reduces of the step; absent on one device or an unknown link
  double weight_bytes_per_step = 0;        ///< W(B)
  double kv_bytes_read_per_token = 0;      ///< by one token generated at the context
  std::optional<double> distinct_experts;  ///< D(B); absent for a dense model
  KvCapacity kv_capacity;
  RequestBound request;
  std::string binding;  ///< memory | compute: what binds the request
};

/// `loadline bound`: one model on one hardware, a row per concurrency.
struct BoundTable {
  std::string model, hardware;
  std::int64_t parameters_total = 0, parameters_read_per_token = 0;
  double weight_bytes_stored = 0;
  double kv_bytes_per_token = 0;  ///< written for a token, one copy
  double kv_replication = 1;      ///< copies under tensor parallelism
  double context_tokens = 0, new_tokens = 0, cached_tokens = 0, out_tokens = 0;
  std::vector<BoundRow> rows;
  std::vector<std::pair<std::string, std::string>> inputs;  ///< every input, printed, with its unit and source
  std::vector<std::string> notes;  ///< what a reader must know: unknown compute, weights that do not fit
};

}  // namespace loadline
