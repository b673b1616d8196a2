#include "core/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace loadline {

// One row of the table at a time: row[j] is the distance of the letters of `a` read so far to the first j of `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string nearest_name(std::string_view text, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(text.size() / 2, 1) + 1;
  for (const std::string& candidate : candidates) {
    // A name broken off is as near as one wrong letter.
    const bool broken_off = text.size() >= 3 && std::string_view(candidate).starts_with(text);
    const std::size_t distance = broken_off ? 1 : edit_distance(text, candidate);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view text, const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(text, candidates);
  return near.empty() ? "" : ", did you mean " + near + "?";
}

}  // namespace loadline
