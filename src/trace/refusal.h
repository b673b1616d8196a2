#pragma once
// Why a row of a log cannot be used: one closed list of names, which reports and tests rely on.

#include <array>
#include <string_view>

namespace loadline {

namespace refusal {
inline constexpr std::string_view malformed = "malformed";            ///< not the structure of the format
inline constexpr std::string_view truncated = "truncated_last_line";  ///< the file ends inside the row
inline constexpr std::string_view not_utf8 = "not_utf8";
inline constexpr std::string_view bad_timestamp = "bad_timestamp";  ///< missing, unreadable or before the log began
inline constexpr std::string_view out_of_range = "out_of_range";    ///< a number that cannot be
inline constexpr std::string_view prompt_zero = "prompt_zero";
inline constexpr std::string_view completion_zero = "completion_zero";
inline constexpr std::string_view hash_count = "hash_count_disagrees";            ///< with the prompt's length
inline constexpr std::string_view too_many_blocks = "too_many_blocks";            ///< more ids than any prompt has
inline constexpr std::string_view no_prompt_length = "no_prompt_length";          ///< neither tokens nor text
inline constexpr std::string_view no_completion_length = "no_completion_length";  ///< neither tokens nor text
inline constexpr std::string_view failed = "failed";            ///< the log says that the request failed
inline constexpr std::string_view unpaired = "unpaired";        ///< half of a request: received or finished, not both
inline constexpr std::string_view row_missing = "row_missing";  ///< promised by the header, not in the file
}  // namespace refusal

namespace filter {
inline constexpr std::string_view blank = "blank";             ///< a line without content
inline constexpr std::string_view not_a_request = "other";     ///< a line or record that is about no request of a model
inline constexpr std::string_view streaming = "intermediate";  ///< an event of a request that another record describes
}  // namespace filter

}  // namespace loadline
