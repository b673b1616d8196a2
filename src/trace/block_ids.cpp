#include "trace/block_ids.h"

namespace loadline {

namespace ondemand = simdjson::ondemand;

simdjson::simdjson_result<NumberState> read_block_ids(ondemand::value value, TraceBuilder& builder,
                                                      std::uint64_t base) {
  NumberState state = NumberState::ok;
  ondemand::array ids;
  if (const auto code = value.get_array().get(ids)) return code;
  for (auto element : ids) {
    ondemand::value item;
    if (const auto code = element.get(item)) return code;
    std::uint64_t plain = 0;
    if (item.get_uint64().get(plain) == simdjson::SUCCESS) {  // nearly always
      builder.add_block(base + plain);
      continue;
    }
    const std::string_view token = item.raw_json_token();
    Parsed<std::uint64_t> id = parse_id(token);
    if (id.ok() && token.starts_with('-')) id.state = NumberState::out_of_range;
    if (id.ok()) {
      builder.add_block(base + id.value);
    } else if (state != NumberState::malformed) {
      state = id.state;
    }
  }
  return state;
}

}  // namespace loadline
