#pragma once
// How long the program itself keeps its user waiting: before the first request, and after the last answer.

#include <string>

namespace loadline::bench {

struct CommandTimes {
  double first_request_ms = 0;          ///< from the start of the process to its first request at the server
  double first_planned_request_ms = 0;  ///< to the first one of a level, after what it asks the server about itself
  double exit_ms = 0;                   ///< from the server's last byte to the end of the process
};

/// Runs `program` (the path of loadline) for a short level against the bench's server. Throws where it fails.
CommandTimes time_command(const std::string& program);

}  // namespace loadline::bench
