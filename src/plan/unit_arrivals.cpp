#include "plan/unit_arrivals.h"

#include <cmath>

#include "core/error.h"

namespace loadline {

UnitArrivals::UnitArrivals(const Level& level, std::uint64_t seed)
    : arrivals_(level.arrivals), shape_(level.burstiness), random_(seed) {}

double UnitArrivals::gap() {
  switch (arrivals_) {
    case Arrivals::constant:
      return 1;
    case Arrivals::poisson:
      return random_.exponential(1);
    case Arrivals::gamma:
      return gamma_variate(shape_, random_) / shape_;
    case Arrivals::closed:
    case Arrivals::trace:
      break;
  }
  throw Bug("no process makes these arrivals");
}

double gamma_variate(double shape, Random& random) {
  if (shape < 1) {
    const double above = gamma_variate(shape + 1, random);
    return above * std::pow(random.uniform(), 1 / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double normal = random.normal();
    const double root = 1 + c * normal;
    const double uniform = random.uniform();
    if (root <= 0) continue;
    const double cube = root * root * root;
    if (std::log(uniform) < normal * normal / 2 + d * (1 - cube + std::log(cube))) return d * cube;
  }
}

}  // namespace loadline
