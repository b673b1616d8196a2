#include "statistics/share_verdict.h"

#include "statistics/dependence.h"
#include "statistics/distributions.h"

namespace loadline {

ShareVerdict share_verdict(std::uint64_t above, std::uint64_t n, double tau, double allowed) {
  ShareVerdict result;
  if (n == 0) return result;
  const double n_eff = static_cast<double>(n) / (tau * student_inflation);
  const double share = static_cast<double>(above) / static_cast<double>(n);
  const Interval interval = clopper_pearson(share * n_eff, n_eff);
  result.low = *interval.low;
  result.high = *interval.high;
  if (result.low > allowed) result.verdict = Verdict::over;
  if (result.high < allowed) result.verdict = Verdict::under;
  return result;
}

}  // namespace loadline
