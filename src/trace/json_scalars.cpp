#include "trace/json_scalars.h"

namespace loadline {

std::string_view number_token(simdjson::ondemand::value value) {
  std::string_view token = trimmed(value.raw_json_token());
  if (token == "null") return {};
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"') token = token.substr(1, token.size() - 2);
  return token;
}

simdjson::simdjson_result<std::string_view> name_token(simdjson::ondemand::value value) {
  simdjson::ondemand::json_type type{};
  if (const auto code = value.type().get(type)) return code;
  if (type == simdjson::ondemand::json_type::string) return value.get_string();
  const bool is_container =
      type == simdjson::ondemand::json_type::object || type == simdjson::ondemand::json_type::array;
  return is_container ? std::string_view() : number_token(value);
}

std::string_view refusal_of(NumberState state) {
  if (state == NumberState::ok) return {};
  return state == NumberState::out_of_range ? refusal::out_of_range : refusal::malformed;
}

std::string_view take_length(simdjson::ondemand::value value, std::optional<Tokens>& length) {
  length.reset();
  const std::string_view token = number_token(value);
  if (token.empty()) return {};
  const Parsed<Tokens> read = parse_length(token);
  if (read.ok()) length = read.value;
  return refusal_of(read.state);
}

std::string_view take_span(simdjson::ondemand::value value, Nanos unit, std::optional<Nanos>& span,
                           std::string_view wrong) {
  span.reset();
  const std::string_view token = number_token(value);
  if (token.empty()) return {};
  const ParsedSpan read = parse_span(token, unit);
  if (!read.ok()) return wrong;
  span = read.value;
  return {};
}

}  // namespace loadline
