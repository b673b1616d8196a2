#pragma once
// From a planned request to the bytes of its body, for one target.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/plan.h"
#include "target/target.h"

namespace loadline {

/// Prompts come from the plan's recipes and `salt`: token ids where the target counts them exactly, else as
/// many words as make the length on average. The completion's length is asked for, and forced where the
/// engine obeys.
BodyWriter body_writer(const Target& target, std::uint64_t salt);

/// The JSON object of --extra-body as members without braces. Error where it is no object, or names a member
/// that the measurement itself decides (model, prompt, messages, stream, stream_options, max_tokens).
struct ExtraMembers {
  std::string text;
  bool has_temperature = false, has_ignore_eos = false, has_min_tokens = false;
};
ExtraMembers extra_members(std::string_view json_object);

}  // namespace loadline
