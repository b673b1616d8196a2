#pragma once
// One line of llama-server's log, as far as it tells of a task. Layout: "0.12.467.074 I slot release: id  2 | task 122
// | stop processing: n_tokens = 4698, truncated = 0", with a clock since the server's start in newer builds, and behind
// whatever a supervisor puts in front.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/units.h"

namespace loadline {

struct LlamaServerLine {
  enum class Kind : std::uint8_t {
    other,            ///< about no task
    started,          ///< the server is listening: tasks and clock count from 0
    launched,         ///< a slot took the task
    prompt,           ///< `tokens`: of the whole prompt
    computed_prompt,  ///< `tokens`: those of the prompt that were not in the cache
    completion,       ///< `tokens`
    released,         ///< `tokens`: those in the slot; `truncated`: some were dropped
    cancelled,
    detail,  ///< of a task, of no use here
  };

  Kind kind = Kind::other;
  std::string_view task;       ///< empty: that of the detail line before (older builds)
  std::optional<Nanos> clock;  ///< since the server's start
  std::int64_t tokens = 0;
  bool truncated = false;
};

LlamaServerLine read_llama_server_line(std::string_view line);

}  // namespace loadline
