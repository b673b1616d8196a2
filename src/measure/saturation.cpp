#include "measure/saturation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "statistics/distributions.h"
#include "statistics/least_squares.h"

namespace loadline {
namespace {

constexpr std::size_t seconds_between_judgements = 10;
constexpr std::size_t queue_batches = 8;

}  // namespace

SaturationWatch::SaturationWatch(double rate, std::optional<Nanos> expected_e2e) : rate_(rate), first_judgement_(30) {
  if (!expected_e2e) return;
  const double fill = std::ceil(3 * seconds(*expected_e2e) / seconds_between_judgements) * seconds_between_judgements;
  first_judgement_ = std::max(first_judgement_, static_cast<std::size_t>(fill));
}

void SaturationWatch::sample(double in_flight) {
  samples_.push_back(in_flight);
  if (samples_.size() >= first_judgement_ && samples_.size() % seconds_between_judgements == 0) judge();
}

void SaturationWatch::judge() {
  // The last two thirds in 8 batches; what does not divide is dropped at the early end.
  const std::size_t size = samples_.size() * 2 / 3 / queue_batches;
  std::array<double, queue_batches> means{};
  auto at = samples_.end() - static_cast<std::ptrdiff_t>(size * queue_batches);
  for (double& mean : means) {
    for (std::size_t i = 0; i < size; ++i) mean += *at++;
    mean /= static_cast<double>(size);
  }
  const Trend line = trend(means);
  const double correlation = std::clamp(line.residual_correlation, 0.0, 0.8);
  const double error = line.standard_error * std::sqrt((1 + correlation) / (1 - correlation));
  static const double strict = student_quantile(0.999, 6);
  // The trend is per batch; batches are `size` seconds apart.
  const double per_second = line.slope / static_cast<double>(size);
  const bool grows = line.slope > strict * error && per_second > 0.02 * rate_ && means.back() > 1.5 * means.front();
  if (grows) growth_ = per_second;
  if (grows && grew_before_) saturated_ = true;
  grew_before_ = grows;
}

}  // namespace loadline
