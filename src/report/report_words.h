#pragma once
// What the terminal and the Markdown report say in sentences. The words may hold foreign text: escape them for
// where they are shown.

#include <string>
#include <vector>

#include "core/run_report.h"

namespace loadline {

/// "Valid.", or why not; then that it was interrupted, and whether the target is a simulated one.
std::vector<std::string> validity_words(const RunReport& report);
/// "drift (64 users): text"; the invalidating ones first.
std::vector<std::string> doubt_words(const RunReport& report);
/// Decision, objectives, target, input, cache state: one sentence each.
std::vector<std::string> question_words(const RunReport& report);
/// How the requests were drawn from the log and how far from it they are, whose words they hold, and what the server
/// adds to them. Empty where nothing of it is known.
std::string drawing_words(const RunReport& report);
/// The operating point, then the capacity of the other loop.
std::vector<std::string> capacity_words(const RunReport& report);
/// Empty where no level was measured.
std::string peak_words(const RunReport& report);
/// The bound with its three fractions and diagnosis, or what is missing for one.
std::vector<std::string> bound_words(const RunReport& report);
/// Which facts nobody said.
std::string facts_words(const RunReport& report);
/// Every limit of the client, in a sentence with a blank behind it; empty for a run in virtual time.
std::string limits_words(const std::optional<ClientLimits>& limits);
/// Which p99 rest on few requests; empty where none does.
std::string small_sample_words(const RunReport& report);

}  // namespace loadline
