#include "app/main.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>
#include <thread>

#include "app/options.h"
#include "core/error.h"
#include "fleet/launcher.h"
#include "report/escape.h"

namespace loadline {

namespace {

/// What was printed has arrived, or its reader has gone: a result that nobody could read is no result.
ExitStatus check_printed(ExitStatus status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  throw Error("standard output could not be written; check where it goes and the space there");
}

/// Of one command line that cannot be used every rank of a fleet finds the same fault: one of them says it. The others
/// wait for that, since a launcher ends all ranks when one of them ends.
bool is_said_by_rank_0(const Error& error) {
  const Launch launch = launch_of([](const char* variable) -> const char* { return std::getenv(variable); });
  if (launch.rank == 0 || error.status() != ExitStatus::unusable_input) return false;
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return true;
}

}  // namespace

int run_program(int argc, char** argv) {
  // A file that may not grow is a failed write with a message, not a death in the middle of it.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return static_cast<int>(check_printed(parse_and_run(argc, argv)));
  } catch (const Error& error) {
    if (is_said_by_rank_0(error)) return static_cast<int>(error.status());
    fmt::print(stderr, "loadline: {}\n", escape_terminal(error.what()));
    return static_cast<int>(error.status());
  } catch (const std::system_error& error) {  // fmt, of a page that could not be printed
    fmt::print(stderr, "loadline: {}; check the place that is written to\n", escape_terminal(error.what()));
    return static_cast<int>(ExitStatus::unusable_input);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "loadline: out of memory; use fewer requests a level (--num-prompts) or a smaller log\n");
    return static_cast<int>(ExitStatus::unusable_input);
  } catch (const std::exception& error) {  // a Bug, or what no library should have thrown
    fmt::print(stderr, "loadline: a bug in loadline itself, please report it: {}\n", error.what());
    return static_cast<int>(ExitStatus::bug);
  }
}

}  // namespace loadline
