#pragma once
// How complete the facts of a run are, and every doubt that stands: what each form of the report shows alike.

#include <cstdint>
#include <string>
#include <vector>

#include "core/doubt.h"
#include "core/fact.h"
#include "core/run_report.h"

namespace loadline {

/// Of the `needed` facts (core's needed_facts()), how many are known, and the grade by this rule:
///   A  all are known: the run can be compared with any other
///   B  those are known that alone change a result most: engine.name, engine.version, model.id,
///      model.quantization, hardware.name, hardware.count
///   C  at least half are known
///   D  fewer: the numbers cannot be placed
struct Completeness {
  std::uint64_t known = 0, needed = 0;
  char grade = 'D';
};
Completeness completeness(const std::vector<Fact>& facts);
/// Keys of the facts that are unknown, also of needed ones that `facts` does not hold.
std::vector<std::string> unknown_facts(const std::vector<Fact>& facts);

/// The doubts of the run, then those of its levels with their ordinals; one that stands in both lists comes once.
std::vector<Doubt> all_doubts(const RunReport& report);

}  // namespace loadline
