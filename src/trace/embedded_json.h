#pragma once
// JSON that a log carries as text: in a cell of a table, in a string, in base64, or as server-sent events.

#include <string>
#include <string_view>

namespace loadline {

class EmbeddedJson {
 public:
  /// Looks at `text`, which must stay where it is: an object, or events "data: {...}", or base64 of either.
  void open(std::string_view text);
  /// The text of the next object, with `padding` bytes behind it that may be read; empty where there is none. Valid
  /// until the next call.
  std::string_view next();

  static constexpr std::size_t padding = 64;

 private:
  std::string_view rest_;
  std::string decoded_, padded_;
};

}  // namespace loadline
