#pragma once
// What is known of a run before its first level.

#include <string>

#include "app/description.h"
#include "app/input.h"
#include "app/run_spec.h"
#include "engine/parameters.h"

namespace loadline {

/// A salt that no other run has.
std::string fresh_salt();

/// Everything but the target and its facts. The salt is drawn afresh where the user gave none.
RunDescription describe_run(const RunSpec& spec, const Input& input, const std::string& command_line);

/// The parameters of the embedded engine that the user asks for.
EngineParameters engine_parameters_of(const std::vector<std::string>& assignments);
/// Marks the target as loadline's own engine: its facts, and its own bound.
void describe_embedded_engine(const EngineParameters& parameters, RunDescription& description);

/// "key=value" texts of --fact as facts stated by the user.
std::vector<Fact> user_facts(const std::vector<std::string>& assignments);

}  // namespace loadline
