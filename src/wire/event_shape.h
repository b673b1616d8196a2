#pragma once
// Recognises events that differ from one already read only where it does not matter. Pure.
//
// A stream repeats itself: of {"id":"c-7","created":17,"choices":[{"delta":{"content":" token"}}]} the next event has
// another word, that of another stream another id. What the reader found in the first is true of both, and to compare
// is a tenth of the work of parsing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The text of one event with holes. A hole takes what leaves the event's meaning to StreamEventReader alone:
///
///   of "id", "text", "content", "reasoning" and "reasoning_content": the inside of a string, at least one character,
///   without an escape; of "created" and in "token_ids": a whole number.
///
/// All else must be equal to the byte.
class EventShape {
 public:
  /// Takes the shape of `data`, one valid JSON object of the format openai.
  void learn(std::string_view data);
  /// Whether `data` is of this shape, and so valid JSON with the same meaning. False before `learn`.
  bool matches(std::string_view data) const;

 private:
  enum class Hole : std::uint8_t { none, text, number };
  /// What must stand there, and the hole that follows.
  struct Part {
    std::size_t begin = 0, size = 0;  ///< of learned_
    Hole hole = Hole::none;
  };

  void add_hole(std::size_t begin, std::size_t end, Hole hole);
  void on_string(std::string_view key, std::size_t begin, std::size_t end);

  std::string learned_;
  std::vector<Part> parts_;
  std::size_t taken_ = 0;  ///< while learning: where the next part begins
};

}  // namespace loadline
