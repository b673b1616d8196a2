#pragma once
// A class of requests: what an objective may be limited to.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace loadline {

enum class ClassBy : std::uint8_t { prompt, turn, session, client };
/// "prompt", "turn", "session", "client".
std::string_view name(ClassBy by);

/// Requests whose planned prompt (in tokens) or turn (the first of a session is 1) lies in [from, to], or that belong
/// to the session or client of that name in the log.
struct RequestClass {
  static constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();
  static constexpr std::uint32_t unresolved = 0xffffffff;

  ClassBy by = ClassBy::prompt;
  std::int64_t from = 1, to = no_end;  ///< of prompt and turn
  std::string name{};                  ///< of session and client
  /// The log's index of `name`. Unresolved: nobody knows, so that no request belongs to it.
  std::uint32_t index = unresolved;
  /// Sessions that the log has: a later pass over it numbers its own from there on.
  std::uint32_t sessions_of_log = 0;

  /// The same class, whether resolved or not.
  bool same_as(const RequestClass& other) const {
    return by == other.by && from == other.from && to == other.to && name == other.name;
  }
};

/// As --slo has it behind `where`: "prompt<=2000", "prompt>8000", "turn=1", "session=NAME".
std::string class_text(const RequestClass& of);

}  // namespace loadline
