#include "trace/mooncake.h"

#include "trace/json_lines.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

constexpr std::uint32_t mooncake_block_size = 512;

struct MooncakeFields {
  ParsedSpan time;
  Parsed<Tokens> prompt, completion;
  bool ids_read = false;
  NumberState ids = NumberState::ok;
};

simdjson_result<bool> read_mooncake_ids(ondemand::value value, TraceBuilder& builder, MooncakeFields& fields) {
  builder.begin_row();  // a second hash_ids in one object replaces the first
  fields.ids = NumberState::ok;
  fields.ids_read = true;
  ondemand::array ids;
  if (const auto code = value.get_array().get(ids)) return code;
  for (auto element : ids) {
    ondemand::value item;
    if (const auto code = element.get(item)) return code;
    std::uint64_t plain = 0;
    if (item.get_uint64().get(plain) == simdjson::SUCCESS) {  // nearly always
      builder.add_block(plain);
      continue;
    }
    const std::string_view token = item.raw_json_token();
    Parsed<std::uint64_t> id = parse_id(token);
    if (id.ok() && token.starts_with('-')) id.state = NumberState::out_of_range;  // ids of blocks count from 0
    if (id.ok()) {
      builder.add_block(id.value);
    } else if (fields.ids != NumberState::malformed) {
      fields.ids = id.state;
    }
  }
  return true;
}

std::string_view judge_mooncake_row(const MooncakeFields& fields, const TraceBuilder& builder) {
  const bool readable = fields.prompt.state != NumberState::malformed &&
                        fields.completion.state != NumberState::malformed && fields.ids != NumberState::malformed &&
                        fields.ids_read;
  if (!readable) return refusal::malformed;
  if (!fields.time.ok() || fields.time.value < Nanos(0)) return refusal::bad_timestamp;
  if (!fields.prompt.ok() || !fields.completion.ok() || fields.ids != NumberState::ok) return refusal::out_of_range;
  const auto expected =
      static_cast<std::uint64_t>((fields.prompt.value.value() + mooncake_block_size - 1) / mooncake_block_size);
  if (fields.prompt.value.value() > 0 && builder.block_count() != expected) return refusal::hash_count;
  return {};
}

simdjson_result<std::string_view> read_mooncake_object(ondemand::object& object, TraceBuilder& builder,
                                                       MooncakeFields& fields) {
  fields = {};
  for (auto field : object) {
    ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    ondemand::value value;
    if (const auto code = field.value().get(value)) return code;
    if (key == "hash_ids") {
      if (const auto code = read_mooncake_ids(value, builder, fields).error()) return code;
    } else if (key == "timestamp") {
      fields.time = parse_span(value.raw_json_token(), std::chrono::milliseconds(1));
    } else if (key == "input_length") {
      fields.prompt = parse_length(value.raw_json_token());
    } else if (key == "output_length") {
      fields.completion = parse_length(value.raw_json_token());
    }
  }
  return judge_mooncake_row(fields, builder);
}

}  // namespace

bool is_mooncake(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    const auto has = [&](std::string_view key) { return line.find(key) != std::string_view::npos; };
    // Others use the same four keys for blocks of another size or times in another unit; they add a chat's identity.
    return line.starts_with('{') && has("\"timestamp\"") && has("\"input_length\"") && has("\"output_length\"") &&
           has("\"hash_ids\"") && !has("\"chat_id\"") && !has("\"session_id\"");
  });
}

void read_mooncake(TextWindow& window, TraceBuilder& builder) {
  Trace& trace = builder.trace();
  trace.has_times = true;
  trace.time_resolution_ms = 1;
  trace.block_size = mooncake_block_size;
  trace.partial_tail = true;
  trace.sharing = SharingOrigin::hashed;
  LineReader lines(window);
  MooncakeFields fields;
  read_json_lines(
      lines, builder, [&](ondemand::object& object) { return read_mooncake_object(object, builder, fields); },
      [&](std::uint64_t line) {
        ReadRow row;
        row.time = fields.time.value;
        row.prompt = fields.prompt.value;
        row.completion = fields.completion.value;
        builder.add(row, line);
      });
}

}  // namespace loadline
