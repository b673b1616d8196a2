#include "workload/lognormal.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

double lognormal(double mean, double sigma, double normal) {
  const double mu = std::log(mean) - sigma * sigma / 2;
  return std::exp(mu + sigma * normal);
}

}  // namespace

DrawnLengths draw_worked_example(Random& random) {
  const double prompt_normal = random.normal();
  const double long_prompt = random.uniform();
  const double completion_normal = random.normal();

  std::int64_t prompt = std::llround(lognormal(725, 1.22, prompt_normal));
  prompt = std::clamp<std::int64_t>(prompt, 1, 25600);
  if (long_prompt < 0.008) prompt = std::max<std::int64_t>(prompt, 6000);
  const std::int64_t completion = std::llround(lognormal(740, 0.83, completion_normal));
  return {Tokens(prompt), Tokens(std::clamp<std::int64_t>(completion, 2, 4800))};
}

}  // namespace loadline
