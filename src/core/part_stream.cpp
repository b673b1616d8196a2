#include "core/part_stream.h"

#include <fmt/format.h>

#include <bit>
#include <istream>
#include <ostream>

#include "core/error.h"

namespace loadline {
namespace {

// FNV-1a, Fowler, Noll and Vo: it finds torn and mangled files and keeps up with a disk.
constexpr std::uint64_t empty_checksum = 0xcbf29ce484222325ULL;
std::uint64_t continued(std::uint64_t checksum, unsigned char byte) { return (checksum ^ byte) * 0x100000001b3ULL; }

}  // namespace

PartWriter::PartWriter(std::ostream& stream, const PartKind& kind) : stream_(stream), checksum_(empty_checksum) {
  check(kind.mark.size() == 8, "the mark of a part is eight bytes long");
  for (const char c : kind.mark) byte(static_cast<unsigned char>(c));
  number(kind.version);
}

void PartWriter::refuse_to_go_on() {
  stream_.setstate(std::ios::badbit);
  throw Error("the part could not be written to its end; look whether its disk is full");
}

// A buffer that could not be emptied has no room for another byte: putting one would write behind its end.
void PartWriter::byte(unsigned char value) {
  checksum_ = continued(checksum_, value);
  if (stream_.rdbuf()->sputc(static_cast<char>(value)) == std::char_traits<char>::eof()) refuse_to_go_on();
}

void PartWriter::word(std::uint64_t value) {
  for (int i = 0; i < 8; ++i) byte(static_cast<unsigned char>(value >> (8 * i)));
}

void PartWriter::number(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) byte(static_cast<unsigned char>(value | 0x80));
  byte(static_cast<unsigned char>(value));
}

void PartWriter::signed_number(std::int64_t value) {
  number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

void PartWriter::real(double value) { word(std::bit_cast<std::uint64_t>(value)); }

void PartWriter::text(std::string_view value) {
  number(value.size());
  for (const char c : value) byte(static_cast<unsigned char>(c));
}

void PartWriter::counts(const KeyCounts& value) {
  const std::vector<KeyCounts::Entry> entries = value.sorted();
  number(entries.size());
  std::uint64_t before = 0;
  for (const KeyCounts::Entry& entry : entries) {
    number(entry.key - before);
    number(entry.count);
    before = entry.key;
  }
}

void PartWriter::finish() {
  word(checksum_);
  stream_.flush();
  if (!stream_) refuse_to_go_on();
}

PartReader::PartReader(std::istream& stream, std::string name, const PartKind& kind)
    : stream_(stream), name_(std::move(name)), checksum_(empty_checksum) {
  for (const char c : kind.mark) {
    const auto found = stream_.rdbuf()->sbumpc();
    if (found != std::char_traits<char>::to_int_type(c)) {
      throw Error(
          fmt::format("{} is no part of a trace's statistics; name files that `loadline trace stats --part FILE` "
                      "has written",
                      name_));
    }
    checksum_ = continued(checksum_, static_cast<unsigned char>(c));
  }
  const std::uint64_t version = number();
  if (version == kind.version) return;
  throw Error(
      fmt::format("{} was written by {} loadline (version {} of parts, this one reads {}); {}", name_,
                  version > kind.version ? "a newer" : "an older", version, kind.version,
                  version > kind.version ? "join the parts with that one" : "write the part again from its log"));
}

void PartReader::refuse_damaged() const {
  throw Error(
      fmt::format("{} is damaged: its numbers do not agree with its checksum; copy or write the part again", name_));
}

unsigned char PartReader::byte() {
  const auto found = stream_.rdbuf()->sbumpc();
  if (found == std::char_traits<char>::eof()) {
    throw Error(
        fmt::format("{} ends too early: it was not written or copied to its end; copy or write the part again", name_));
  }
  const auto value = static_cast<unsigned char>(found);
  checksum_ = continued(checksum_, value);
  return value;
}

std::uint64_t PartReader::word() {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value |= std::uint64_t{byte()} << (8 * i);
  return value;
}

std::uint64_t PartReader::number() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const unsigned char next = byte();
    value |= std::uint64_t{next & 0x7fu} << shift;
    if (next < 0x80) return value;
  }
  refuse_damaged();
}

std::uint64_t PartReader::number_up_to(std::uint64_t most) {
  const std::uint64_t value = number();
  if (value > most) refuse_damaged();
  return value;
}

std::int64_t PartReader::signed_number() {
  const std::uint64_t value = number();
  return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
}

double PartReader::real() { return std::bit_cast<double>(word()); }

std::string PartReader::text() {
  std::string value;
  for (std::uint64_t left = number(); left > 0; --left) value += static_cast<char>(byte());
  return value;
}

KeyCounts PartReader::counts() {
  KeyCounts value;
  std::uint64_t key = 0;
  for (std::uint64_t left = number(); left > 0; --left) {
    key += number();
    value.add(key, number());
  }
  return value;
}

void PartReader::finish() {
  const std::uint64_t expected = checksum_;
  if (word() != expected) refuse_damaged();
}

}  // namespace loadline
