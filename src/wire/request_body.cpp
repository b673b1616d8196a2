#include "wire/request_body.h"

#include "core/error.h"
#include "wire/http_request.h"

namespace loadline {
namespace {

/// Writes members one after another, with commas between them.
class MemberList {
 public:
  explicit MemberList(std::string& out) : out_(out) { out_ += '{'; }

  /// Members as they stand; none where `text` is empty.
  void raw(std::string_view text) {
    if (text.empty()) return;
    separate();
    out_ += text;
  }
  /// The name and its colon; the value is the caller's to write.
  void open(std::string_view member) {
    separate();
    out_.append("\"").append(member).append("\":");
  }
  void number(std::string_view member, const std::optional<std::int64_t>& value) {
    if (member.empty() || !value) return;
    open(member);
    append_number(out_, *value);
  }
  void boolean(std::string_view member, const std::optional<bool>& value) {
    if (member.empty() || !value) return;
    open(member);
    out_ += *value ? "true" : "false";
  }
  /// What comes next is the first of an object.
  void begin_object(std::string_view member) {
    open(member);
    out_ += '{';
    first_ = true;
  }
  void end_object() {
    out_ += '}';
    first_ = false;
  }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

MemberList open_body(std::string& out, const BodyShape& shape, const SamplingMembers& members) {
  MemberList list(out);
  if (shape.names_model) {
    list.open("model");
    append_json_string(out, members.model);
  }
  return list;
}

void append_sampling(MemberList& list, const BodyShape& shape, const SamplingMembers& members) {
  list.number(shape.length, members.max_tokens);
  if (members.greedy) list.raw(shape.greedy);
}

void append_forcing(MemberList& list, const BodyShape& shape, const SamplingMembers& members) {
  list.boolean(shape.ignore_eos, members.ignore_eos);
  list.number(shape.least_length, members.min_tokens);
}

void close_body(MemberList& list, const BodyShape& shape, const SamplingMembers& members) {
  if (shape.container.empty()) {
    append_sampling(list, shape, members);
    list.raw(members.stream ? shape.stream : shape.whole);
    append_forcing(list, shape, members);
  } else {
    list.begin_object(shape.container);
    append_sampling(list, shape, members);
    append_forcing(list, shape, members);
    list.raw(shape.always_sampling);
    list.raw(members.extra_sampling);
    list.end_object();
    list.raw(members.stream ? shape.stream : shape.whole);
  }
  list.raw(shape.always);
  list.raw(members.extra);
  list.end_object();
}

}  // namespace

void append_text_body(std::string& out, const BodyShape& shape, const SamplingMembers& members, std::string_view text) {
  check(!shape.before_text.empty(), "the endpoint takes text");
  MemberList list = open_body(out, shape, members);
  list.raw(shape.before_text);
  append_json_string(out, text);
  out += shape.after_text;
  close_body(list, shape, members);
}

void append_token_body(std::string& out, const BodyShape& shape, const SamplingMembers& members,
                       std::span<const std::uint32_t> tokens) {
  check(!shape.token_ids.empty(), "the endpoint takes token ids");
  MemberList list = open_body(out, shape, members);
  list.open(shape.token_ids);
  out += '[';
  out.reserve(out.size() + tokens.size() * 7 + 256);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i != 0) out += ',';
    append_number(out, tokens[i]);
  }
  out += ']';
  close_body(list, shape, members);
}

void append_messages_body(std::string& out, const BodyShape& shape, const SamplingMembers& members,
                          std::string_view messages) {
  check(!shape.messages.empty(), "the endpoint takes messages");
  MemberList list = open_body(out, shape, members);
  list.open(shape.messages);
  out += messages;
  close_body(list, shape, members);
}

}  // namespace loadline
