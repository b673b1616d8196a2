#pragma once
// Values as bytes, the same on every machine. A layout is written down once, as a list of `item` calls that both
// streams understand: `template <class Stream> void layout(Stream& s, Thing& thing) { s.item(thing.size); ... }`.
//
// Whole numbers are LEB128 varints, signed ones zigzag first: small values take a byte. Instants are differences from
// the instant before. Doubles are 8 bytes, little endian. What is optional has a byte of 0 or 1 before it.

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/error.h"
#include "core/units.h"

namespace loadline {

constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1 ^ (difference >> 63 != 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::uint64_t unzigzag(std::uint64_t code) { return code >> 1 ^ (~(code & 1) + 1); }

class ByteWriter {
 public:
  static constexpr bool reads = false;

  template <std::unsigned_integral T>
  void item(const T& value) {
    put(value);
  }
  template <class E>
    requires std::is_enum_v<E>
  void item(const E& value, [[maybe_unused]] E last) {
    put(static_cast<std::uint64_t>(value));
  }
  void item(const double& value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<char>(bits >> shift & 0xff));
  }
  void item(const Nanos& value) { put(zigzag(static_cast<std::uint64_t>(value.count()))); }
  void item(const Tokens& value) { put(zigzag(static_cast<std::uint64_t>(value.value()))); }
  void item(const RunTime& value) {
    const auto instant = static_cast<std::uint64_t>(nanos_since_start(value));
    put(zigzag(instant - instant_before_));
    instant_before_ = instant;
  }
  void item(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T, class... More>
  void item(const std::optional<T>& value, More... more) {
    put(value ? 1 : 0);
    if (value) item(*value, more...);
  }
  template <class T, class One>
  void each(const std::vector<T>& values, One one) {
    put(values.size());
    for (const T& value : values) one(value);
  }

  std::string take() { return std::move(bytes_); }

 private:
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
  std::uint64_t instant_before_ = 0;
};

/// Throws Error where the bytes end too early or hold a value that cannot be.
class ByteReader {
 public:
  static constexpr bool reads = true;

  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <std::unsigned_integral T>
  void item(T& value) {
    const std::uint64_t number = get();
    if (number > std::numeric_limits<T>::max()) refuse("a number is too large");
    value = static_cast<T>(number);
  }
  template <class E>
    requires std::is_enum_v<E>
  void item(E& value, E last) {
    const std::uint64_t number = get();
    if (number > static_cast<std::uint64_t>(last)) refuse("a name is unknown");
    value = static_cast<E>(number);
  }
  void item(double& value) {
    std::uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{byte()} << shift;
    value = std::bit_cast<double>(bits);
  }
  void item(Nanos& value) { value = Nanos(static_cast<std::int64_t>(unzigzag(get()))); }
  void item(Tokens& value) { value = Tokens(static_cast<std::int64_t>(unzigzag(get()))); }
  void item(RunTime& value) {
    instant_before_ += unzigzag(get());
    value = run_time(static_cast<std::int64_t>(instant_before_));
  }
  void item(std::string& text) {
    const std::size_t size = count();
    text.assign(bytes_.substr(at_, size));
    at_ += size;
  }
  template <class T, class... More>
  void item(std::optional<T>& value, More... more) {
    bool present = false;
    item(present);
    value.reset();
    if (present) item(value.emplace(), more...);
  }
  /// Calls `one` for each of the values, made by default.
  template <class T, class One>
  void each(std::vector<T>& values, One one) {
    values.clear();
    for (std::size_t left = count(); left > 0; --left) one(values.emplace_back());
  }

  /// Everything must have been read.
  void end() const {
    if (at_ != bytes_.size()) refuse("it goes on after its end");
  }
  [[noreturn]] void refuse(std::string_view why) const {
    throw Error("a message between the ranks of this run cannot be read: " + std::string(why) + " (byte " +
                    std::to_string(at_) + " of " + std::to_string(bytes_.size()) +
                    "); start the same build of loadline on every machine",
                ExitStatus::not_valid);
  }

 private:
  std::uint8_t byte() {
    if (at_ == bytes_.size()) refuse("it ends too early");
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  std::uint64_t get() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      if (shift == 63 && part > 1) break;
      value |= std::uint64_t{part & 0x7fU} << shift;
      if (part < 0x80) return value;
    }
    refuse("a number is too long");
  }
  /// How many things follow: each takes a byte at least, so that no count asks for more memory than its message
  /// justifies.
  std::size_t count() {
    const std::uint64_t number = get();
    if (number > bytes_.size() - at_) refuse("it ends too early");
    return static_cast<std::size_t>(number);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t instant_before_ = 0;
};

}  // namespace loadline
