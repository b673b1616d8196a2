#pragma once
// `loadline bound` for a terminal: each bound with its formula and its inputs. Computes nothing.

#include <string>

#include "core/bound.h"

namespace loadline {

std::string bound_text(const BoundTable& table);

}  // namespace loadline
