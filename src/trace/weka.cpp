#include "trace/weka.h"

#include <fmt/format.h>

#include <string>

#include "core/random.h"
#include "trace/block_ids.h"
#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/json_record_reader.h"
#include "trace/json_scalars.h"
#include "trace/record_place.h"

namespace loadline {
namespace {

using simdjson::error_code;
using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

constexpr Nanos weka_unit = std::chrono::seconds(1);

/// What holds for all requests of a session.
struct WekaScope {
  std::string id;
  std::uint32_t block_size = 0;
  std::uint64_t first_id = 0;  ///< what its ids are added to, so that those of two sessions differ
  std::uint64_t line = 0;
  bool local = true;
};

/// One conversation: the session's own, or that of a sub-agent.
struct WekaChain {
  std::string name;
  std::uint32_t turns = 0, subagents = 0;
};

class WekaReader {
 public:
  explicit WekaReader(TraceBuilder& builder) : builder_(builder) {}

  simdjson_result<std::string_view> read(ondemand::object& session, std::uint64_t line) {
    WekaScope scope;
    scope.line = line;
    std::string_view reason;
    if (const auto code = read_scope(session, scope).get(reason)) return code;
    if (!reason.empty()) return reason;
    if (const auto code = session.reset().error()) return code;
    WekaChain chain{scope.id};
    for (auto field : session) {
      if (const auto code = read_requests_field(field, scope, chain)) return code;
    }
    return std::string_view();
  }

 private:
  using Field = simdjson_result<ondemand::field>;

  /// Looks through the whole object: its facts may stand behind its requests, and a session that is cut off gives none.
  simdjson_result<std::string_view> read_scope(ondemand::object& session, WekaScope& scope) {
    std::string_view reason;
    bool has_requests = false;
    for (auto field : session) {
      ondemand::raw_json_string key;
      if (const auto code = field.key().get(key)) return code;
      ondemand::value value;
      if (const auto code = field.value().get(value)) return code;
      std::string_view text;
      if (key == "id") {
        if (const auto code = name_token(value).get(text)) return code;
        scope.id = text;
      } else if (key == "block_size") {
        std::optional<Tokens> size;
        reason = take_length(value, size);
        if (size) scope.block_size = static_cast<std::uint32_t>(size->value());
      } else if (key == "hash_id_scope") {
        if (const auto code = name_token(value).get(text)) return code;
        scope.local = text != "global";
      } else if (key == "requests") {
        has_requests = true;
      }
    }
    if (reason.empty() && (!has_requests || scope.block_size == 0)) reason = refusal::malformed;
    if (scope.local) scope.first_id = first_id_of(scope);
    return reason;
  }

  /// A place of its own in 64 bits for the ids of a session, which keep their order behind it. That two of a few
  /// thousand sessions come to overlap has odds below one in a billion.
  std::uint64_t first_id_of(const WekaScope& scope) const {
    std::uint64_t key = scope.line;
    for (const std::string_view text : {std::string_view(builder_.facts().source), std::string_view(scope.id)}) {
      for (const char c : text) key = mix(key, static_cast<unsigned char>(c));
    }
    return key;
  }

  error_code read_requests_field(Field field, const WekaScope& scope, WekaChain& chain) {
    ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    ondemand::value value;
    if (const auto code = field.value().get(value)) return code;
    if (key != "requests") return simdjson::SUCCESS;
    ondemand::array requests;
    if (const auto code = value.get_array().get(requests)) return code;
    for (auto element : requests) {
      ondemand::object entry;
      if (const auto code = element.get_object().get(entry)) return code;
      if (const auto code = read_entry(entry, scope, chain)) return code;
    }
    return simdjson::SUCCESS;
  }

  error_code read_entry(ondemand::object& entry, const WekaScope& scope, WekaChain& chain) {
    std::string_view type;
    if (entry["type"].get_string().get(type) != simdjson::SUCCESS) type = {};
    if (const auto code = entry.reset().error()) return code;
    if (type == "subagent") return read_subagent(entry, scope, chain);
    if (type == "n" || type == "s") return read_request(entry, scope, chain);
    builder_.filter(filter::not_a_request);
    return simdjson::SUCCESS;
  }

  error_code read_subagent(ondemand::object& entry, const WekaScope& scope, WekaChain& parent) {
    WekaChain chain{fmt::format("{}/{}", parent.name, ++parent.subagents)};
    for (auto field : entry) {
      if (const auto code = read_requests_field(field, scope, chain)) return code;
    }
    return simdjson::SUCCESS;
  }

  error_code read_request(ondemand::object& entry, const WekaScope& scope, WekaChain& chain) {
    builder_.begin_row();
    ReadRow row;
    std::string_view reason;
    bool ids_read = false;
    const auto note = [&](std::string_view what) { reason = reason.empty() ? what : reason; };
    for (auto field : entry) {
      ondemand::raw_json_string key;
      if (const auto code = field.key().get(key)) return code;
      ondemand::value value;
      if (const auto code = field.value().get(value)) return code;
      if (key == "in") note(take_length(value, row.prompt));
      if (key == "out") note(take_length(value, row.completion));
      if (key == "think_time") note(take_span(value, weka_unit, row.detail.delay, refusal::malformed));
      if (key == "hash_ids") {
        builder_.begin_row();
        NumberState state{};
        if (const auto code = read_block_ids(value, builder_, scope.first_id).get(state)) return code;
        note(refusal_of(state));
        ids_read = true;
      }
    }
    note(judge(row, ids_read, scope));
    add(row, reason, scope, chain);
    return simdjson::SUCCESS;
  }

  std::string_view judge(const ReadRow& row, bool ids_read, const WekaScope& scope) {
    if (row.detail.delay && *row.detail.delay < Nanos(0)) return refusal::out_of_range;
    std::uint32_t& block_size = builder_.trace().block_size;
    if (block_size == 0) block_size = scope.block_size;
    const bool fits = ids_read && block_size == scope.block_size &&
                      (!row.prompt || ids_fill(*row.prompt, block_size, builder_.block_count()));
    return fits ? std::string_view() : refusal::hash_count;
  }

  void add(ReadRow& row, std::string_view reason, const WekaScope& scope, WekaChain& chain) {
    row.turn = chain.turns++;
    if (!reason.empty()) return builder_.refuse(reason, scope.line);
    row.session = builder_.session(chain.name);
    if (row.turn == 0U) row.detail.delay.reset();  // nothing came before
    builder_.add(row, scope.line);
  }

  TraceBuilder& builder_;
};

}  // namespace

bool is_weka(const LogHead& head) {
  const auto is_session = [](std::string_view text) {
    const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return text.starts_with('{') && has_top_level_key(text, "requests") && has("\"hash_ids\"") && has("\"in\"") &&
           (has_top_level_key(text, "block_size") || has("\"think_time\""));
  };
  std::string_view text = trimmed(head.text());
  if (text.starts_with('[')) text = trimmed(text.substr(1));
  return head.any_line(is_session) || is_session(text);
}

void read_weka(TextWindow& window, TraceBuilder& builder) {
  Trace& trace = builder.trace();
  trace.has_times = false;
  trace.partial_tail = false;
  trace.sharing = SharingOrigin::hashed;
  builder.remark(
      "each session has a clock of its own: when sessions begin is for the run to say, and pauses inside them are the "
      "log's");
  WekaReader reader(builder);
  JsonRecordReader records(window);
  PlacedRecords<JsonRecordReader> placed(records);
  read_json_lines(
      placed, builder, [&](ondemand::object& session) { return reader.read(session, placed.line()); },
      [](std::uint64_t) {});
  builder.filter(filter::blank, records.take_blank_lines());
}

}  // namespace loadline
