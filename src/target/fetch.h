#pragma once
// One HTTP request, blocking, bounded in time and size: for what is asked of a server before and after the
// load, never during it.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/units.h"
#include "target/server.h"

namespace loadline {

struct HttpCall {
  std::string_view method = "GET";
  std::string path;                          ///< from the server's root: "/v1/models"
  std::string body;                          ///< JSON; sent with every method but GET
  Nanos timeout = std::chrono::seconds(10);  ///< for everything, connect to last byte
  std::size_t size_limit = 8 * 1024 * 1024;  ///< of the answer's body
};

enum class Reached : std::uint8_t {
  answered,       ///< a whole response came, whatever its status
  not_connected,  ///< refused, no such host, TLS not accepted: nothing was sent
  timed_out,
  broken,  ///< cut, not HTTP, or larger than the limit
};

struct HttpAnswer {
  Reached reached = Reached::not_connected;
  std::uint16_t status = 0;
  std::string body;
  std::string content_type;  ///< lower case, without parameters
  std::string server;        ///< the Server header
  std::string problem;       ///< why it was not answered, in words
  bool wants_http2 = false;  ///< perhaps because the server speaks nothing else: speak_http2, and try again

  bool ok() const { return reached == Reached::answered && status >= 200 && status < 300; }
};

/// Each of the host's addresses is tried until one connects. Never throws for what the server does; Error
/// where a TLS file cannot be read.
HttpAnswer fetch(const Server& server, const HttpCall& call);

}  // namespace loadline
