#include "app/main.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "app/options.h"
#include "core/error.h"
#include "report/escape.h"

namespace loadline {

int run_program(int argc, char** argv) {
  try {
    return static_cast<int>(parse_and_run(argc, argv));
  } catch (const Error& error) {
    fmt::print(stderr, "loadline: {}\n", escape_terminal(error.what()));
    return static_cast<int>(error.status());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "loadline: out of memory; use fewer requests a level (--num-prompts) or a smaller log\n");
    return static_cast<int>(ExitStatus::unusable_input);
  } catch (const std::exception& error) {  // a Bug, or what no library should have thrown
    fmt::print(stderr, "loadline: a bug in loadline itself, please report it: {}\n", error.what());
    return static_cast<int>(ExitStatus::bug);
  }
}

}  // namespace loadline
