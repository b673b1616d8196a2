#pragma once
// What a tokenizer's file asks for and this room cannot do.

#include <stdexcept>

namespace loadline {

/// `what()` names it, to stand in the middle of a sentence: "its model is Unigram". Becomes an Error where the file's
/// name is known.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace loadline
