#pragma once
// Reads a run file again, also that of a run which was killed in the middle or still goes on. The file may come
// from anybody: every value is checked for type and range before it is used.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/doubt.h"
#include "core/fact.h"
#include "core/record.h"

namespace loadline {

/// A whole run in memory.
struct StoredRun {
  std::map<std::string, std::string> values;
  std::vector<Fact> facts;
  std::vector<LevelRecords> levels;  ///< by ordinal
  std::vector<Doubt> doubts;
};

/// One consistent view of a run, level by level so that memory stays bounded. One thread.
class RunReader {
 public:
  /// `folder`: the run's folder, or its run.sqlite itself. Error (exit 2) in one sentence: no such folder, no
  /// run.sqlite in it, not a SQLite database, a newer version, a table missing, a value out of its range.
  explicit RunReader(const std::string& folder);
  RunReader(RunReader&&) noexcept;
  ~RunReader();

  std::map<std::string, std::string> values() const;
  std::vector<Fact> facts() const;
  std::vector<Doubt> doubts() const;
  std::vector<std::uint32_t> ordinals() const;
  /// The level with its stored requests in order of serial. A level that was never ended comes back as "interrupted",
  /// `ended` then being its last known instant; serials that were in flight when the run was killed are missing.
  /// Without a plan there is no index in it: plan_index says nothing here.
  LevelRecords level(std::uint32_t ordinal) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

StoredRun read_run(const std::string& folder);

}  // namespace loadline
