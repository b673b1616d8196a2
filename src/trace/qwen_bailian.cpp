#include "trace/qwen_bailian.h"

#include <string>
#include <unordered_map>

#include "trace/block_ids.h"
#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/json_scalars.h"
#include "trace/json_walk.h"
#include "trace/stamp_resolution.h"

namespace loadline {
namespace {

using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

constexpr std::uint32_t qwen_block_size = 16;
constexpr Nanos qwen_unit = std::chrono::seconds(1);

class QwenReader {
 public:
  explicit QwenReader(TraceBuilder& builder) : builder_(builder) {}

  simdjson_result<std::string_view> read(ondemand::object& object) {
    row_ = {};
    reason_ = {};
    chat_.reset();
    parent_.reset();
    ids_read_ = false;
    const auto read_one = [this](ondemand::raw_json_string key, ondemand::value& value) {
      return read_field(key, value);
    };
    if (const auto code = for_each_field(object, read_one)) return code;
    return reason_.empty() ? judge() : std::string_view(reason_);
  }

  /// Of the row that was just read; names its session.
  const ReadRow& row() {
    if (chat_) row_.session = session_of_chat();
    return row_;
  }
  double resolution_ms() const { return resolution_.step_ms(); }

 private:
  void note(std::string_view reason) {
    if (reason_.empty()) reason_ = reason;
  }

  simdjson::error_code read_field(ondemand::raw_json_string key, ondemand::value value) {
    if (key == "hash_ids") return read_ids(value);
    if (key == "timestamp") read_time(value);
    if (key == "input_length") note(take_length(value, row_.prompt));
    if (key == "output_length") note(take_length(value, row_.completion));
    if (key == "chat_id") read_chat(value, chat_);
    if (key == "parent_chat_id") read_chat(value, parent_);
    if (key == "turn") read_turn(value);
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_ids(ondemand::value value) {
    builder_.begin_row();
    NumberState state{};
    if (const auto code = read_block_ids(value, builder_).get(state)) return code;
    note(refusal_of(state));
    ids_read_ = true;
    return simdjson::SUCCESS;
  }

  void read_time(ondemand::value value) {
    const ParsedSpan time = parse_span(number_token(value), qwen_unit);
    if (!time.ok() || time.value < Nanos(0)) return note(refusal::bad_timestamp);
    resolution_.note(qwen_unit, time.decimals);
    row_.time = time.value;
  }

  void read_chat(ondemand::value value, std::optional<std::uint64_t>& chat) {
    const Parsed<std::uint64_t> id = parse_id(number_token(value));
    note(refusal_of(id.state));
    chat = id.value;
  }

  void read_turn(ondemand::value value) {
    const Parsed<std::uint64_t> turn = parse_id(number_token(value));
    if (!turn.ok() || turn.value < 1 || turn.value > 0xffffffff) return note(refusal::malformed);
    row_.turn = static_cast<std::uint32_t>(turn.value - 1);
  }

  std::string_view judge() {
    if (!ids_read_) return refusal::malformed;
    const bool covered =
        !row_.prompt || row_.prompt->value() == 0 || ids_cover(*row_.prompt, qwen_block_size, builder_.block_count());
    return covered ? std::string_view() : refusal::hash_count;
  }

  /// A conversation is named after its first chat that the log holds: a chain may begin before the log does.
  SessionIndex session_of_chat() {
    const auto before = parent_ ? session_of_.find(*parent_) : session_of_.end();
    const bool begins = before == session_of_.end();
    const SessionIndex session = begins ? builder_.session(std::to_string(*chat_)) : before->second;
    session_of_[*chat_] = session;
    return session;
  }

  TraceBuilder& builder_;
  ReadRow row_;
  std::string_view reason_;
  std::optional<std::uint64_t> chat_, parent_;
  bool ids_read_ = false;
  StampResolution resolution_;
  std::unordered_map<std::uint64_t, SessionIndex> session_of_;  ///< by chat
};

}  // namespace

bool is_qwen_bailian(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    return line.starts_with('{') && has_top_level_key(line, "chat_id") && has_top_level_key(line, "parent_chat_id") &&
           has_top_level_key(line, "input_length") && has_top_level_key(line, "output_length");
  });
}

void read_qwen_bailian(TextWindow& window, TraceBuilder& builder) {
  Trace& trace = builder.trace();
  trace.has_times = true;
  trace.block_size = qwen_block_size;
  trace.partial_tail = true;
  trace.sharing = SharingOrigin::hashed;
  QwenReader reader(builder);
  LineReader lines(window);
  read_json_lines(
      lines, builder, [&](ondemand::object& object) { return reader.read(object); },
      [&](std::uint64_t line) { builder.add(reader.row(), line); });
  trace.time_resolution_ms = reader.resolution_ms();
}

}  // namespace loadline
