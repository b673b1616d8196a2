#pragma once
// A prediction as it is stored in run.sqlite.

#include <nlohmann/json_fwd.hpp>

#include "core/prediction.h"

namespace loadline {

nlohmann::json prediction_json(const Prediction& prediction);
/// A missing or malformed value is an exception of nlohmann::json.
Prediction prediction_from(const nlohmann::json& json);

}  // namespace loadline
