#include "measure/saturation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "statistics/distributions.h"
#include "statistics/least_squares.h"

namespace loadline {
namespace {

constexpr std::uint64_t seconds_between_judgements = 10;
constexpr std::uint64_t queue_batches = 8;

}  // namespace

SaturationWatch::SaturationWatch(double rate, std::optional<Nanos> expected_e2e) : rate_(rate), first_judgement_(30) {
  if (!expected_e2e) return;
  const double fill = std::ceil(3 * seconds(*expected_e2e) / seconds_between_judgements) * seconds_between_judgements;
  first_judgement_ = std::max(first_judgement_, static_cast<std::uint64_t>(fill));
}

void SaturationWatch::lengthen(double in_flight, std::uint64_t seconds) {
  if (stretches_.empty() || stretches_.back().in_flight != in_flight) {
    const Stretch before = stretches_.empty() ? Stretch{} : stretches_.back();
    stretches_.push_back({before.end, in_flight, before.sum});
  }
  stretches_.back().end += seconds;
  stretches_.back().sum += in_flight * static_cast<double>(seconds);
}

void SaturationWatch::sample(double in_flight) {
  if (in_flight == 0) return sample_idle(1);
  lengthen(in_flight, 1);
  if (samples() >= first_judgement_ && samples() % seconds_between_judgements == 0) judge();
}

void SaturationWatch::sample_idle(std::uint64_t seconds) {
  if (seconds == 0) return;
  const std::uint64_t before = samples();
  lengthen(0, seconds);
  const bool holds_a_judgement = samples() / seconds_between_judgements > before / seconds_between_judgements;
  if (holds_a_judgement && samples() >= first_judgement_) grew_before_ = false;
}

// The numbers are whole, so that sums and their differences are exact.
double SaturationWatch::sum_of_first(std::uint64_t count) const {
  const auto stretch = std::ranges::lower_bound(stretches_, count, {}, &Stretch::end);
  return stretch->sum - stretch->in_flight * static_cast<double>(stretch->end - count);
}

void SaturationWatch::judge() {
  // The last two thirds in 8 batches; what does not divide is dropped at the early end.
  const std::uint64_t size = samples() * 2 / 3 / queue_batches;
  std::array<double, queue_batches> means{};
  std::uint64_t at = samples() - size * queue_batches;
  double sum = sum_of_first(at);
  for (double& mean : means) {
    at += size;
    const double next = sum_of_first(at);
    mean = (next - sum) / static_cast<double>(size);
    sum = next;
  }
  const Trend line = trend(means);
  const double correlation = std::clamp(line.residual_correlation, 0.0, 0.8);
  const double error = line.standard_error * std::sqrt((1 + correlation) / (1 - correlation));
  static const double strict = student_quantile(0.999, 6);
  // The trend is per batch; batches are `size` seconds apart.
  const double per_second = line.slope / static_cast<double>(size);
  const bool grows = line.slope > strict * error && per_second > 0.02 * rate_ && means.back() > 1.5 * means.front();
  if (grows) growth_ = per_second;
  grew_twice_ = grows && grew_before_;
  if (grew_twice_) saturated_ = true;
  grew_before_ = grows;
}

}  // namespace loadline
