#pragma once
// The workloads for those who have no log: each an assumption, and a sentence that says so.

#include <span>
#include <string_view>

#include "core/random.h"
#include "core/workload.h"

namespace loadline {

/// Lengths of one request, drawn jointly.
struct DrawnLengths {
  Tokens prompt{}, completion{};
};

struct Builtin {
  std::string_view name;        ///< without "builtin:"
  std::string_view assumption;  ///< one sentence: source, year, and what is not known or not reproduced
  Sampler sampler = Sampler::quantiles;
  DrawnLengths (*draw)(Random&) = nullptr;
};

/// All of them, the default (chat-azure-2023) first.
std::span<const Builtin> builtins();
/// By name, with or without "builtin:" before it. Throws Error naming the nearest, if one is near, and listing all.
const Builtin& find_builtin(std::string_view name);

}  // namespace loadline
