#pragma once
// Values as Python's repr() prints them, taken apart without copies: `Name(a=1, b='x')`, `{'a': 1}`, lists and texts.
// No Python: numbers and names stay text.

#include <string>
#include <string_view>

namespace loadline {

/// The pairs of what stands between the brackets of a call or a dict, in order.
class PythonPairs {
 public:
  explicit PythonPairs(std::string_view inside) : rest_(inside) {}

  /// The next pair; false at the end, and where what follows is no pair (then !sound()).
  bool next();
  std::string_view name() const { return name_; }
  std::string_view value() const { return value_; }
  /// Whether all was pairs so far.
  bool sound() const { return sound_; }

 private:
  std::string_view rest_, name_, value_;
  bool sound_ = true;
};

/// What stands between the outer brackets of a call, a dict or a list; empty where `value` is none of them.
std::string_view python_inside(std::string_view value);

/// Appends the text that a literal such as 'it\'s' stands for; false, and nothing said of `text`, where `literal` is
/// not one whole text.
bool append_python_text(std::string_view literal, std::string& text);

/// The same of a text without escapes, such as an id: without its quotes; empty where it is none.
std::string_view python_name(std::string_view literal);

}  // namespace loadline
