// An independent reader of HTTP/1.1, libcurl, gets the same bytes from the same server as our own: body, status and
// whether the response was whole must be the same.
#include <gtest/gtest.h>

#include "core/random.h"
#include "load/answer_shapes_test.h"
#include "load/scripted_server_test.h"

#if __has_include(<curl/curl.h>)
#include <curl/curl.h>

namespace loadline {
namespace {

using scripted::Peer;
using scripted::Server;

struct Fetched {
  std::string body;
  long status = 0;
  bool whole = false;
  friend bool operator==(const Fetched&, const Fetched&) = default;
};

std::size_t take_bytes(char* bytes, std::size_t size, std::size_t count, void* body) {
  static_cast<std::string*>(body)->append(bytes, size * count);
  return size * count;
}

Fetched fetch_with_curl(std::uint16_t port) {
  Fetched result;
  CURL* curl = curl_easy_init();
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/";
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &result.body);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 20L);
  result.whole = curl_easy_perform(curl) == CURLE_OK;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &result.status);
  curl_easy_cleanup(curl);
  return result;
}

Fetched read_ourselves(std::string_view bytes) {
  Fetched result;
  HttpResponse http;
  while (!bytes.empty() && !http.complete() && !http.failed()) result.body += http.feed(bytes);
  http.end_of_input();
  result.whole = http.complete();
  result.status = http.head_complete() ? http.head().status : 0;
  return result;
}

/// Responses of all framings, whole and cut at random.
std::vector<std::string> made_responses() {
  Random random(7);
  std::vector<std::string> responses;
  for (int i = 0; i < 60; ++i) {
    std::string body;
    for (std::uint64_t n = random.below(400); n > 0; --n) body.push_back(static_cast<char>(random.below(256)));
    std::string bytes;
    switch (i % 4) {
      case 0:
        bytes = shapes::with_length("text/plain", body);
        break;
      case 1:
        bytes = shapes::in_chunks(body, 1 + random.below(60));
        break;
      case 2:
        bytes = shapes::in_chunks(body, 1 + random.below(60), "X-Sum: 1\r\nX-More: 2\r\n");
        break;
      default:
        bytes = "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n" + shapes::head("text/plain") + body;
    }
    if (i % 3 == 2) {
      // Not behind the last chunk's size: libcurl takes a response without its last line for a whole one, we do not.
      const std::size_t last = bytes.rfind("\r\n0\r\n");
      const std::size_t most = last == std::string::npos ? bytes.size() : last;
      bytes.resize(most - random.below(std::min<std::uint64_t>(most, 40)));
    }
    responses.push_back(std::move(bytes));
  }
  return responses;
}

TEST(HttpOracle, LibcurlReadsTheSameBodies) {
  std::vector<std::string> responses = made_responses();
  for (const shapes::Shape& shape : shapes::sse_shapes()) responses.push_back(shape.bytes);
  Server server([&](Peer& peer, int number, const std::string&) {
    peer.send(responses.at(static_cast<std::size_t>(number)));
    peer.close();
  });
  int whole = 0;
  for (const std::string& bytes : responses) {
    const Fetched ours = read_ourselves(bytes);
    EXPECT_EQ(ours, fetch_with_curl(server.port())) << bytes.substr(0, 300);
    whole += ours.whole ? 1 : 0;
  }
  EXPECT_GT(whole, 50);
  EXPECT_LT(whole, static_cast<int>(responses.size())) << "some were cut";
}

}  // namespace
}  // namespace loadline

#else

TEST(HttpOracle, LibcurlReadsTheSameBodies) {
  GTEST_SKIP() << "libcurl4-openssl-dev is not installed: no oracle at hand";
}

#endif
