#pragma once
// Which files have been read: one that comes twice would count twice, and nobody would see it in the numbers.

#include <map>
#include <string>
#include <vector>

#include "core/part_stream.h"
#include "core/trace.h"

namespace loadline {

class KnownSources {
 public:
  /// Throws Error, with both names, where a file of the same bytes is known.
  void add(const SourceFingerprint& fingerprint, const std::string& name);
  void add_all(const KnownSources& more);

  void write(PartWriter& part) const;
  /// Into one without sources.
  void read(PartReader& part);

 private:
  std::map<SourceFingerprint, std::string> names_;
};

/// Throws Error where two of `files` are one: the same path, or two paths to one file. Pipes and "-" are not looked at.
void refuse_repeated_files(const std::vector<std::string>& files);

}  // namespace loadline
