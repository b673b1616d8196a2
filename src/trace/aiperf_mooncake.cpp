#include "trace/aiperf_mooncake.h"

#include "trace/block_ids.h"
#include "trace/chat_messages.h"
#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/json_scalars.h"
#include "trace/json_walk.h"
#include "trace/mooncake.h"

namespace loadline {
namespace {

using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

constexpr Nanos aiperf_unit = std::chrono::milliseconds(1);

/// Block ids and hashes of text are not of one kind: a log's first prompt decides which it has.
enum class PromptKind : std::uint8_t { unknown, ids, text };

class AiperfReader {
 public:
  explicit AiperfReader(TraceBuilder& builder) : builder_(builder) {}

  simdjson_result<std::string_view> read(ondemand::object& object) {
    row_ = {};
    reason_ = {};
    ids_read_ = text_read_ = false;
    const auto read_one = [this](ondemand::raw_json_string key, ondemand::value& value) {
      return read_field(key, value);
    };
    if (const auto code = for_each_field(object, read_one)) return code;
    return reason_.empty() ? judge() : std::string_view(reason_);
  }

  const ReadRow& row() const { return row_; }

 private:
  void note(std::string_view reason) {
    if (reason_.empty()) reason_ = reason;
  }

  simdjson::error_code read_field(ondemand::raw_json_string key, ondemand::value value) {
    if (key == "hash_ids") return read_ids(value);
    if (key == "text_input") return read_text(value);
    if (key == "messages") return read_messages(value);
    if (key == "session_id") return read_session(value);
    if (key == "timestamp") note(take_span(value, aiperf_unit, row_.time));
    if (key == "delay") note(take_span(value, aiperf_unit, row_.detail.delay));
    if (key == "input_length") note(take_length(value, row_.prompt));
    if (key == "output_length") note(take_length(value, row_.completion));
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_ids(ondemand::value value) {
    if (value.is_null()) return simdjson::SUCCESS;
    if (!is_kind(PromptKind::ids)) return simdjson::SUCCESS;
    builder_.begin_row();  // also a text that stood before the ids: they tell more
    NumberState state{};
    if (const auto code = read_block_ids(value, builder_).get(state)) return code;
    note(refusal_of(state));
    ids_read_ = true;
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_text(ondemand::value value) {
    if (value.is_null() || ids_read_ || !is_kind(PromptKind::text)) return simdjson::SUCCESS;
    std::string_view text;
    if (const auto code = value.get_string().get(text)) return code;
    builder_.add_text(text);
    text_read_ = true;
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_messages(ondemand::value value) {
    if (value.is_null() || ids_read_ || !is_kind(PromptKind::text)) return simdjson::SUCCESS;
    ondemand::array messages;
    if (const auto code = value.get_array().get(messages)) return code;
    return read_chat_prompt(messages, builder_).get(text_read_);
  }

  simdjson::error_code read_session(ondemand::value value) {
    std::string_view name;
    if (const auto code = name_token(value).get(name)) return code;
    if (!name.empty()) row_.session = builder_.session(name);
    return simdjson::SUCCESS;
  }

  bool is_kind(PromptKind kind) {
    if (kind_ == PromptKind::unknown) kind_ = kind;
    if (kind_ != kind) builder_.remark("the log mixes block ids and texts: only those that come first in it are used");
    return kind_ == kind;
  }

  std::string_view judge() {
    if (row_.time && *row_.time < Nanos(0)) return refusal::bad_timestamp;
    if (row_.detail.delay && *row_.detail.delay < Nanos(0)) return refusal::out_of_range;
    row_.completion_unknown = text_read_ && !row_.completion;
    if (!ids_read_) return {};
    builder_.trace().block_size = mooncake_block_size;
    builder_.trace().sharing = SharingOrigin::hashed;
    const bool covered = !row_.prompt || row_.prompt->value() == 0 ||
                         ids_cover(*row_.prompt, mooncake_block_size, builder_.block_count());
    return covered ? std::string_view() : refusal::hash_count;
  }

  TraceBuilder& builder_;
  ReadRow row_;
  std::string_view reason_;
  PromptKind kind_ = PromptKind::unknown;
  bool ids_read_ = false, text_read_ = false;
};

}  // namespace

bool is_aiperf_mooncake(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    if (!line.starts_with('{') || has_top_level_key(line, "chat_id") || !has_top_level_key(line, "output_length"))
      return false;
    if (is_aiperf_row(line)) return true;
    return has_top_level_key(line, "input_length") && !has_top_level_key(line, "hash_ids");
  });
}

bool is_aiperf_row(std::string_view line) {
  if (!has_top_level_key(line, "output_length") || has_top_level_key(line, "chat_id")) return false;
  return has_top_level_key(line, "session_id") || has_top_level_key(line, "delay") ||
         has_top_level_key(line, "text_input") || has_top_level_key(line, "messages");
}

void read_aiperf_mooncake(TextWindow& window, TraceBuilder& builder) {
  Trace& trace = builder.trace();
  const LogHead head(window.held());
  trace.has_times = head.any_line([](std::string_view line) { return has_top_level_key(line, "timestamp"); });
  if (trace.has_times) {
    trace.time_resolution_ms = 1;
  } else {
    builder.remark("the log has no timestamps: when requests arrive is for the run to say");
  }
  trace.partial_tail = true;
  AiperfReader reader(builder);
  LineReader lines(window);
  read_json_lines(
      lines, builder, [&](ondemand::object& object) { return reader.read(object); },
      [&](std::uint64_t line) { builder.add(reader.row(), line); });
}

}  // namespace loadline
