#include "plan/level_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace loadline {
namespace {

constexpr double most_users = 1e6;
// Below, nearly all gaps are nothing and one is the whole plan; above, gaps are as good as constant.
constexpr double least_burstiness = 0.01, most_burstiness = 1e6;
constexpr double least_scale = 1e-6, most_scale = 1e6;

void require_users(const Level& level) {
  const double users = level.target;
  if (!(users >= 1) || users > most_users || users != std::floor(users)) {
    throw Error(fmt::format("A concurrency of {} cannot be held: give a whole number of users from 1 to {}.", users,
                            most_users));
  }
  if (level.arrivals != Arrivals::closed) {
    throw Error(fmt::format("A level of {} users has no {} arrivals: each user sends when its last request has ended.",
                            users, name(level.arrivals)));
  }
}

void require_between(double value, double least, double most, const char* what) {
  if (value >= least && value <= most) return;
  throw Error(fmt::format("{} of {} cannot be: give a number from {} to {}.", what, value, least, most));
}

void require_rate(const Level& level) {
  if (!(level.target > 0) || !std::isfinite(level.target)) {
    throw Error(fmt::format("A request rate of {} cannot be offered: give requests per second above 0.", level.target));
  }
  if (level.arrivals == Arrivals::closed) {
    throw Error(
        fmt::format("A rate of {} requests/s needs an arrival process: constant, poisson or gamma.", level.target));
  }
  if (level.arrivals == Arrivals::gamma) {
    require_between(level.burstiness, least_burstiness, most_burstiness, "A burstiness");
  }
}

}  // namespace

void require_possible(const Level& level) {
  if (level.kind == LevelKind::concurrency) {
    require_users(level);
  } else if (level.arrivals == Arrivals::trace) {
    require_between(level.arrival_scale, least_scale, most_scale, "An arrival scale");
  } else {
    require_rate(level);
  }
}

}  // namespace loadline
