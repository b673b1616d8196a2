#include "app/main.h"

namespace loadline {

int run_program(int, char**) { return 0; }

}  // namespace loadline
