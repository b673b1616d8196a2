#include "trace/known_sources.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "core/error.h"

namespace loadline {

void KnownSources::add(const SourceFingerprint& fingerprint, const std::string& name) {
  const auto [known, is_new] = names_.try_emplace(fingerprint, name);
  if (is_new) return;
  if (known->second == name) {
    throw Error(fmt::format("{} is there twice, with the same {} bytes, and would be counted twice; name it once", name,
                            fingerprint.bytes));
  }
  throw Error(
      fmt::format("{} and {} hold the same {} bytes, so their requests would be counted twice; name only one of them",
                  known->second, name, fingerprint.bytes));
}

void KnownSources::add_all(const KnownSources& more) {
  for (const auto& [fingerprint, name] : more.names_) add(fingerprint, name);
}

void KnownSources::write(PartWriter& part) const {
  part.number(names_.size());
  for (const auto& [fingerprint, name] : names_) {
    part.number(fingerprint.bytes);
    part.number(fingerprint.hash);
    part.text(name);
  }
}

void KnownSources::read(PartReader& part) {
  for (std::uint64_t left = part.number(); left > 0; --left) {
    SourceFingerprint fingerprint;
    fingerprint.bytes = part.number();
    fingerprint.hash = part.number();
    if (!names_.try_emplace(fingerprint, part.text()).second) part.refuse_damaged();
  }
}

void refuse_repeated_files(const std::vector<std::string>& files) {
  std::map<std::pair<dev_t, ino_t>, std::string> known;
  for (const std::string& file : files) {
    struct stat facts{};
    if (file == "-" || ::stat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    const auto [before, is_new] = known.try_emplace({facts.st_dev, facts.st_ino}, file);
    if (is_new) continue;
    const std::string which = before->second == file
                                  ? fmt::format("{} is named twice", file)
                                  : fmt::format("{} and {} are one file under two names", before->second, file);
    throw Error(fmt::format("{}, so its requests would be counted twice; name it once", which));
  }
}

}  // namespace loadline
