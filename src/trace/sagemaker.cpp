#include "trace/sagemaker.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule sagemaker_rules[] = {
    {"eventMetadata.inferenceTime", LogField::arrival},
    {"captureData.endpointOutput.data.usage.prompt_tokens", LogField::prompt},
    {"captureData.endpointOutput.data.usage.completion_tokens", LogField::completion},
    {"captureData.endpointOutput.data.usage.prompt_tokens_details.cached_tokens", LogField::cached},
    {"captureData.endpointOutput.data.choices.message.content", LogField::completion_text},
    {"captureData.endpointOutput.data.choices.delta.content", LogField::completion_text},
    {"captureData.endpointOutput.data.choices.text", LogField::completion_text},
    {"captureData.endpointOutput.data.generated_text", LogField::completion_text},
    {"captureData.endpointOutput.data.error", LogField::error},
    {"captureData.endpointInput.data.max_completion_tokens", LogField::max_completion},
    {"captureData.endpointInput.data.max_tokens", LogField::max_completion},
    {"captureData.endpointInput.data.parameters.max_new_tokens", LogField::max_completion},
    {"captureData.endpointInput.data.messages", LogField::prompt_text},
    {"captureData.endpointInput.data.prompt", LogField::prompt_text},
    {"captureData.endpointInput.data.inputs", LogField::prompt_text},
};

}  // namespace

bool is_sagemaker(const LogHead& head) {
  return is_json_log(head) && has_all_json_keys(head.text(), {"captureData", "eventMetadata"});
}

void read_sagemaker(TextWindow& window, TraceBuilder& builder) {
  builder.remark(
      "SageMaker's inferenceTime is taken as the arrival, in whole seconds; it does not say whether it is the start or the "
      "end of a request.");
  read_record_log(window, builder, {.rules = sagemaker_rules});
}

}  // namespace loadline
