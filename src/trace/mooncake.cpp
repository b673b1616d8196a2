#include "trace/mooncake.h"

#include "trace/aiperf_mooncake.h"
#include "trace/block_ids.h"
#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

struct MooncakeFields {
  ParsedSpan time;
  Parsed<Tokens> prompt, completion;
  bool ids_read = false;
  NumberState ids = NumberState::ok;
};

std::string_view judge_mooncake_row(const MooncakeFields& fields, const TraceBuilder& builder) {
  const bool readable = fields.prompt.state != NumberState::malformed &&
                        fields.completion.state != NumberState::malformed && fields.ids != NumberState::malformed &&
                        fields.ids_read;
  if (!readable) return refusal::malformed;
  if (!fields.time.ok() || fields.time.value < Nanos(0)) return refusal::bad_timestamp;
  if (!fields.prompt.ok() || !fields.completion.ok() || fields.ids != NumberState::ok) return refusal::out_of_range;
  const Tokens prompt = fields.prompt.value;
  if (prompt.value() > 0 && !ids_cover(prompt, mooncake_block_size, builder.block_count())) return refusal::hash_count;
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
      builder.begin_row();  // a second hash_ids in one object replaces the first
      fields.ids_read = true;
      if (const auto code = read_block_ids(value, builder).get(fields.ids)) return code;
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
  const bool rows = head.any_line([](std::string_view line) {
    // Others use the same four keys for blocks of another size or times in another unit; they add a chat's identity.
    return line.starts_with('{') && has_top_level_key(line, "timestamp") && has_top_level_key(line, "input_length") &&
           has_top_level_key(line, "output_length") && has_top_level_key(line, "hash_ids") &&
           !has_top_level_key(line, "chat_id");
  });
  return rows && !head.any_line(is_aiperf_row);
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
