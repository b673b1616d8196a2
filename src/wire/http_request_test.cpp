#include "wire/http_request.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace loadline {
namespace {

TEST(HttpRequest, WritesAHead) {
  std::string out;
  std::string headers;
  append_header(headers, "Authorization", "Bearer k");
  append_request_head(out, "POST", "/v1/completions", "h:8000", headers, 12);
  EXPECT_EQ(out,
            "POST /v1/completions HTTP/1.1\r\nHost: h:8000\r\nUser-Agent: loadline/" LOADLINE_VERSION
            "\r\nContent-Type: application/json\r\n"
            "Accept: text/event-stream, application/json\r\nContent-Length: 12\r\nAuthorization: Bearer k\r\n\r\n");
  out.clear();
  append_request_head(out, "GET", "/health", "[::1]:1", "", std::nullopt);
  EXPECT_EQ(out, "GET /health HTTP/1.1\r\nHost: [::1]:1\r\nUser-Agent: loadline/" LOADLINE_VERSION "\r\n\r\n");
}

TEST(HttpRequest, RefusesForgedHeaders) {
  std::string out;
  EXPECT_THROW(append_header(out, "A", "b\r\nC: d"), Error);
  EXPECT_THROW(append_header(out, "A\n", "b"), Error);
  EXPECT_THROW(append_header(out, "", "b"), Error);
  EXPECT_NO_THROW(append_header(out, "A", "caf\xC3\xA9\tx"));
}

TEST(HttpRequest, EscapesText) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "\"\""},
      {"plain", "\"plain\""},
      {"q\" b\\ n\n r\r t\t", R"("q\" b\\ n\n r\r t\t")"},
      {std::string("\0\x1f", 2), R"("\u0000\u001f")"},
      {"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "\"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\""},
      {"\xC3", "\"\xEF\xBF\xBD\""},
      {"\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
      {"\xFFx", "\"\xEF\xBF\xBDx\""},
  };
  for (const auto& [text, expected] : cases) {
    std::string out;
    append_json_string(out, text);
    EXPECT_EQ(out, expected);
  }
}

TEST(HttpRequest, RepairsText) {
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},
      {"q\" \\ \n\x01\x7F", "q\" \\ \n\x01\x7F"},
      {"caf\xC3\xA9 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xF0\x9F\x98\x80"},
      {"a\xC3", "a\xEF\xBF\xBD"},
      {"\xFFx\xC0\x80", "\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD"},
  };
  for (const auto& [text, expected] : cases) {
    std::string out = "before ";
    append_valid_utf8(out, text);
    EXPECT_EQ(out, "before " + expected);
  }
}

}  // namespace
}  // namespace loadline
