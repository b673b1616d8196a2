#include "report/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// "1234567.5" -> "1,234,567.5"; a sign becomes a true minus.
std::string with_separators(const std::string& digits) {
  const bool negative = !digits.empty() && digits.front() == '-';
  const std::string magnitude = negative ? digits.substr(1) : digits;
  const std::size_t whole = std::min(magnitude.find('.'), magnitude.size());
  std::string separated;
  for (std::size_t i = 0; i < magnitude.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0) separated += ',';
    separated += magnitude[i];
  }
  return negative ? "−" + separated : separated;
}

int decimals_for(double magnitude) {
  if (magnitude >= 99.95) return 0;
  if (magnitude >= 9.995) return 1;
  if (magnitude >= 0.9995) return 2;
  return std::min(9, 2 - static_cast<int>(std::floor(std::log10(magnitude))));
}

}  // namespace

std::string figure_number(double value) {
  if (!std::isfinite(value)) return "infinite";
  if (value == 0) return "0";
  if (std::abs(value) < 1e-9) return value < 0 ? "−0.000000001" : "< 0.000000001";
  return with_separators(fmt::format("{:.{}f}", value, decimals_for(std::abs(value))));
}

std::string figure_number(const std::optional<double>& value) { return value ? figure_number(*value) : absent_mark; }

std::string figure_count(std::uint64_t value) { return with_separators(fmt::format("{}", value)); }
std::string figure_count(std::int64_t value) { return with_separators(fmt::format("{}", value)); }

std::string figure_setting(double value) {
  if (!std::isfinite(value)) return "infinite";
  if (std::abs(value) >= 1e15) return fmt::format("{:.3g}", value);
  std::string digits = fmt::format("{:.3f}", value);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return with_separators(digits);
}

std::string figure_percent(double share) {
  if (!std::isfinite(share)) return "infinite";
  if (share >= 2) return figure_number(share) + " ×";
  const double percent = std::abs(share * 100);
  const int decimals = percent == 0 || percent >= 99.95 ? 0
                       : percent >= 0.995               ? 1
                       : percent >= 0.00995             ? 2
                                                        : decimals_for(percent);
  return with_separators(fmt::format("{:.{}f}", share * 100, decimals)) + "%";
}

std::string figure_percent(const std::optional<double>& share) { return share ? figure_percent(*share) : absent_mark; }

std::string figure_interval(const std::optional<double>& low, const std::optional<double>& high) {
  if (low && high) return "[" + figure_number(*low) + ", " + figure_number(*high) + "]";
  if (low) return "≥ " + figure_number(*low);
  if (high) return "≤ " + figure_number(*high);
  return absent_mark;
}

}  // namespace loadline
