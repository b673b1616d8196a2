#pragma once
// One row per endpoint that asks for output: where it is, how its requests are spelled, and in which shape its answers
// come. docs/reference/endpoints.md names the sources.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wire/request_body.h"
#include "wire/stream_format.h"

namespace loadline {

enum class Endpoint : std::uint8_t {
  completions,
  chat,
  responses,
  messages,
  tgi,
  sglang,
  llamacpp,
  ollama,
  embeddings,
};

/// Headers that an endpoint asks for beside the user's own; what the user gives under the same name wins.
struct EndpointHeaders {
  std::string_view name, value;  ///< of every request; no name: none
  std::string_view key;          ///< carries the key too, beside the bearer token; empty: none
};

struct EndpointRow {
  Endpoint endpoint;
  std::string_view name;                  ///< as the user writes it: "chat"
  std::vector<std::string_view> aliases;  ///< what other tools call it, and its path
  std::string_view words;                 ///< in texts for people: "chat completions"
  bool below_api = true;                  ///< the paths stand below /v1, else beside it
  std::string_view path;                  ///< of answers in pieces
  std::string_view whole_path;            ///< of answers in one piece
  StreamFormat format = StreamFormat::openai;
  bool streams = true;           ///< it generates tokens, and can send them one by one
  bool needs_length = false;     ///< it ends an answer early, or refuses it, when nobody says how long it may be
  std::string_view engine = {};  ///< the dialect whose own route it is; empty: of many engines
  EndpointHeaders headers = {};
  BodyShape body;
  /// Members that the measurement decides, beside those of all bodies (model, stream, ...): of the body, and of its
  /// container.
  std::vector<std::string_view> reserved, reserved_sampling = {};
};

std::span<const EndpointRow> endpoints();
const EndpointRow& endpoint_row(Endpoint endpoint);

/// By name or alias, whatever its case; absent for "auto". Error naming the nearest one.
std::optional<Endpoint> endpoint_named(std::string_view text);

}  // namespace loadline
