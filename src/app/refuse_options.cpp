#include "app/refuse_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace loadline {

void refuse_options(const RunSpec& spec, const std::vector<std::string_view>& groups, std::string_view why) {
  const RunSpec defaults;
  for (const OptionRow<RunSpec>& row : run_option_rows()) {
    if (std::ranges::find(groups, row.group) == groups.end() || plan_key(row) == "fact" || plan_key(row) == "api_key")
      continue;
    const bool changed = std::visit([&](auto member) { return spec.*member != defaults.*member; }, row.member);
    if (changed) throw Error(fmt::format("{}: {}", row.names.substr(0, row.names.find(',')), why));
  }
}

}  // namespace loadline
