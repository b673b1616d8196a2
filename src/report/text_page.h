#pragma once
// A page of text that is written line by line.

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace loadline {

class TextPage {
 public:
  template <class... Values>
  void say(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }
  std::string text() const { return fmt::to_string(text_); }

 private:
  fmt::memory_buffer text_;
};

}  // namespace loadline
