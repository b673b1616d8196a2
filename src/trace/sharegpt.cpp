#include "trace/sharegpt.h"

#include <array>
#include <string>
#include <vector>

#include "trace/characters.h"
#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/json_record_reader.h"
#include "trace/json_scalars.h"

namespace loadline {
namespace {

using simdjson::error_code;
using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

struct SharegptTurn {
  std::string role;  ///< as chat endpoints call it
  std::string text;
  std::string json;  ///< the text as JSON, quoted
};

std::string_view sharegpt_role(std::string_view from) {
  if (from == "human" || from == "user") return "user";
  constexpr std::array models{"gpt", "assistant", "chatgpt", "bing", "bard", "model"};
  for (const std::string_view model : models) {
    if (from == model) return "assistant";
  }
  return from;
}

class SharegptReader {
 public:
  explicit SharegptReader(TraceBuilder& builder) : builder_(builder) {}

  simdjson_result<std::string_view> read(ondemand::object& conversation) {
    turns_.clear();
    name_.clear();
    bool found = false;
    for (auto field : conversation) {
      ondemand::raw_json_string key;
      if (const auto code = field.key().get(key)) return code;
      ondemand::value value;
      if (const auto code = field.value().get(value)) return code;
      if (key == "id") {
        std::string_view name;
        if (const auto code = name_token(value).get(name)) return code;
        name_ = name;
      } else if (key == "conversations" || key == "conversation") {
        if (const auto code = read_turns(value)) return code;
        found = true;
      }
    }
    return std::string_view(found ? "" : refusal::malformed);
  }

  /// The requests of the conversation that was just read.
  void add(std::uint64_t line) {
    if (turns_.empty()) builder_.filter(filter::not_a_request);
    if (name_.empty()) name_ = "line " + std::to_string(line);
    std::uint32_t turn = 0;
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      if (turns_[i].role == "assistant") add_request(i, turn++, line);
    }
    // What nobody answered has no length to come out of the model.
    if (!turns_.empty() && turns_.back().role != "assistant") builder_.filter(filter::not_a_request);
  }

 private:
  error_code read_turns(ondemand::value value) {
    ondemand::array turns;
    if (const auto code = value.get_array().get(turns)) return code;
    for (auto element : turns) {
      ondemand::object turn;
      if (const auto code = element.get_object().get(turn)) return code;
      std::string_view from, text;
      SharegptTurn& read = turns_.emplace_back();
      ondemand::value said;
      if (const auto code = turn["from"].get_string().get(from)) return code;
      read.role = sharegpt_role(from);
      if (const auto code = turn["value"].get(said)) return code;
      read.json = trimmed(said.raw_json_token());
      if (const auto code = said.get_string().get(text)) return code;
      read.text = text;
    }
    return simdjson::SUCCESS;
  }

  void add_request(std::size_t answer, std::uint32_t turn, std::uint64_t line) {
    builder_.begin_row();
    std::string messages;
    for (std::size_t i = 0; i < answer; ++i) {
      builder_.add_message(turns_[i].role, turns_[i].text);
      messages +=
          (i > 0 ? ", {\"role\": \"" : "{\"role\": \"") + turns_[i].role + "\", \"content\": " + turns_[i].json + "}";
    }
    if (answer > 0) builder_.keep_messages("[" + messages + "]");
    ReadRow row;
    row.session = builder_.session(name_);
    row.turn = turn;
    row.completion_characters = count_characters(turns_[answer].text);
    if (row.completion_characters == 0) return builder_.refuse(refusal::completion_zero, line);
    builder_.add(row, line);
  }

  TraceBuilder& builder_;
  std::string name_;
  std::vector<SharegptTurn> turns_;
};

}  // namespace

bool is_sharegpt(const LogHead& head) {
  const auto is_conversation = [](std::string_view text) {
    const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return text.starts_with('{') &&
           (has_top_level_key(text, "conversations") || has_top_level_key(text, "conversation")) && has("\"from\"") &&
           has("\"value\"");
  };
  std::string_view text = trimmed(head.text());
  if (text.starts_with('[')) text = trimmed(text.substr(1));
  return is_conversation(text) || head.any_line(is_conversation);
}

void read_sharegpt(TextWindow& window, TraceBuilder& builder) {
  SharegptReader reader(builder);
  JsonRecordReader records(window);
  read_json_lines(
      records, builder, [&](ondemand::object& conversation) { return reader.read(conversation); },
      [&](std::uint64_t line) { reader.add(line); });
  builder.filter(filter::blank, records.take_blank_lines());
  builder.remark("the data set has no times: when requests arrive is for the run to say");
}

}  // namespace loadline
