#include "target/refusal.h"

#include <fmt/format.h>

namespace loadline {

void refuse_target(const Credentials& credentials, std::string sentence, ExitStatus status) {
  throw Error(credentials.scrubbed(std::move(sentence)), status);
}

void refuse_unauthorized(const Credentials& credentials, const Server& server, unsigned http_status) {
  const char* reason = credentials.header_lines().empty() ? "it asks for a key" : "it does not accept this key";
  refuse_target(credentials, fmt::format("{} answered {}: {}; give the right one with --api-key or in OPENAI_API_KEY",
                                         server.url.text(), http_status, reason));
}

}  // namespace loadline
