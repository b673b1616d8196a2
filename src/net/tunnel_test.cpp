#include "net/tunnel.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Tunnel, AsksForOneHostAndPort) {
  EXPECT_EQ(connect_request({"example.org:443", "proxy:3128", ""}),
            "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\nUser-Agent: loadline/" LOADLINE_VERSION
            "\r\n\r\n");
  const std::string request = connect_request({"[2001:db8::1]:8443", "proxy:3128", "Basic dTpw"});
  EXPECT_NE(request.find("CONNECT [2001:db8::1]:8443 HTTP/1.1\r\n"), request.npos) << request;
  EXPECT_NE(request.find("\r\nProxy-Authorization: Basic dTpw\r\n"), request.npos) << request;
}

struct Case {
  const char* answer;
  const char* verdict;  ///< "opened", "reading", or the words of a refusal
  const char* left = "";
};

const Case cases[] = {
    {"HTTP/1.1 200 Connection established\r\n\r\n", "opened"},
    {"HTTP/1.0 200 OK\nVia: x\n\n", "opened"},
    {"HTTP/1.1 204 \r\nContent-Length: 7\r\n\r\nSERVER", "opened", "SERVER"},
    {"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\x16\x03", "opened", "\x16\x03"},
    {"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n<p>no",
     "407 Proxy Authentication Required", "<p>no"},
    {"HTTP/1.1 403\r\n\r\n", "403"},
    {"HTTP/1.1 502 \x1b[31mdown\xff\r\n\r\n", "502 ?[31mdown?"},
    {"SSH-2.0-OpenSSH\r\n\r\n", "with something that is not HTTP/1.x"},
    {"HTTP/1.1 200 OK\r\nVia: x\r\n", "reading"},
};

TEST(Tunnel, ReadsTheAnswerInAnyFragmentation) {
  for (const Case& c : cases) {
    const std::string_view answer(c.answer);
    for (std::size_t cut = 0; cut <= answer.size(); ++cut) {
      TunnelAnswer reader;
      std::string_view first = answer.substr(0, cut), second = answer.substr(cut);
      reader.feed(first);
      reader.feed(second);
      const std::string verdict = reader.opened() ? "opened" : reader.refused() ? reader.words() : "reading";
      EXPECT_EQ(verdict, c.verdict) << answer << " cut at " << cut;
      EXPECT_EQ(std::string(first) + std::string(second), c.left) << answer << " cut at " << cut;
    }
  }
}

TEST(Tunnel, GivesUpOnAHeadWithoutEnd) {
  TunnelAnswer reader;
  const std::string endless = "HTTP/1.1 200 OK\r\nX: " + std::string(TunnelAnswer::head_limit, 'x');
  std::string_view bytes = endless;
  reader.feed(bytes);
  EXPECT_TRUE(reader.refused());
}

}  // namespace
}  // namespace loadline
