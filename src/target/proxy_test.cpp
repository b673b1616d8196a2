#include "target/proxy.h"

#include <gtest/gtest.h>

#include <map>

#include "core/error.h"

namespace loadline {
namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(const Variables& variables) {
  return [&variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

/// "host:port", or "" for none, or the complaint.
std::string proxy_of(const char* url, const Variables& variables) {
  try {
    const std::optional<Proxy> proxy = proxy_for(parse_url(url), environment_of(variables));
    return proxy ? proxy->variable + " " + proxy->text() : "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Proxy, IsFoundInTheEnvironment) {
  struct Row {
    const char* url;
    Variables variables;
    const char* expected;
  };
  const Row rows[] = {
      {"http://a.example", {}, ""},
      {"http://a.example", {{"http_proxy", "http://p:3128"}}, "http_proxy p:3128"},
      {"http://a.example", {{"http_proxy", "p:3128/"}}, "http_proxy p:3128"},
      {"http://a.example", {{"http_proxy", "http://p"}}, "http_proxy p:1080"},
      {"http://a.example", {{"http_proxy", "HTTP://[2001:db8::1]:8080"}}, "http_proxy [2001:db8::1]:8080"},
      {"http://a.example", {{"http_proxy", "[2001:db8::1]"}}, "http_proxy [2001:db8::1]:1080"},
      {"http://a.example", {{"HTTP_PROXY", "http://p:3128"}}, ""},  // a CGI program's client could set it
      {"http://a.example", {{"https_proxy", "http://p:3128"}}, ""},
      {"https://a.example", {{"http_proxy", "http://p:3128"}}, ""},
      {"https://a.example", {{"https_proxy", "http://p:1"}, {"HTTPS_PROXY", "http://q:2"}}, "https_proxy p:1"},
      {"https://a.example", {{"https_proxy", ""}, {"HTTPS_PROXY", "http://q:2"}}, "HTTPS_PROXY q:2"},
      {"https://a.example", {{"all_proxy", "http://p:1"}, {"ALL_PROXY", "http://q:2"}}, "all_proxy p:1"},
      {"http://a.example", {{"ALL_PROXY", "http://q:2"}}, "ALL_PROXY q:2"},
      {"http://a.example", {{"http_proxy", "http://p:1"}, {"all_proxy", "http://q:2"}}, "http_proxy p:1"},
      {"http://a.example", {{"http_proxy", "http://p:1"}, {"no_proxy", "b.example, a.example"}}, ""},
      {"http://a.example", {{"http_proxy", "http://p:1"}, {"NO_PROXY", "example"}}, ""},
      {"http://a.example", {{"http_proxy", "http://p:1"}, {"no_proxy", "b"}, {"NO_PROXY", "*"}}, "http_proxy p:1"},
      // Nothing on this machine can be reached through another.
      {"http://localhost:8000", {{"http_proxy", "http://p:1"}}, ""},
      {"http://api.localhost:8000", {{"http_proxy", "http://p:1"}}, ""},
      {"http://127.3.2.1:8000", {{"http_proxy", "http://p:1"}}, ""},
      {"http://[::1]:8000", {{"http_proxy", "http://p:1"}}, ""},
      {"unix:/run/engine.sock", {{"http_proxy", "http://p:1"}, {"all_proxy", "http://p:1"}}, ""},
      {"http://128.0.0.1", {{"http_proxy", "http://p:1"}}, "http_proxy p:1"},
  };
  for (const Row& row : rows) EXPECT_EQ(proxy_of(row.url, row.variables), row.expected) << row.url;
}

TEST(Proxy, IsRefusedWithoutShowingItsPassword) {
  struct Row {
    const char* value;
    const char* words;
  };
  const Row rows[] = {
      {"socks5://user:hunter22@p:1080", "https_proxy=socks5://***@p:1080: only http:// proxies can be used"},
      {"https://user:hunter22@p", "itself reached over TLS"},
      {"http://user:hunter22@p:0", "from 1 to 65535"},
      {"http://user:hunter22@p:port", "from 1 to 65535"},
      {"http://user:hunter22@:3128", "host is missing"},
      {"http://user:hunter22@[::1:3128", "no closing bracket"},
  };
  for (const Row& row : rows) {
    const std::string said = proxy_of("https://a.example", {{"https_proxy", row.value}});
    EXPECT_NE(said.find(row.words), said.npos) << said;
    EXPECT_NE(said.find("no_proxy"), said.npos) << said;
    EXPECT_EQ(said.find("hunter22"), said.npos) << said;
  }
}

TEST(Proxy, IsAskedWithUserAndPassword) {
  struct Row {
    const char* value;
    const char* authorization;
    const char* password;
  };
  const Row rows[] = {
      // base64 as `printf 'user:...' | base64` has it
      {"http://user:hunter22@p:1", "Basic dXNlcjpodW50ZXIyMg==", "hunter22"},
      {"http://user:p%40ss%3Aw%2Ford@p:1", "Basic dXNlcjpwQHNzOncvb3Jk", "p@ss:w/ord"},
      {"http://user@p:1", "Basic dXNlcjo=", ""},
      {"http://user:50%zz@p:1", "Basic dXNlcjo1MCV6eg==", "50%zz"},
      {"http://user:a@b@p:1", "Basic dXNlcjphQGI=", "a@b"},
      {"http://p:1", "", nullptr},
  };
  for (const Row& row : rows) {
    const Variables variables{{"http_proxy", row.value}};
    const std::optional<Proxy> proxy = proxy_for(parse_url("http://a.example"), environment_of(variables));
    ASSERT_TRUE(proxy) << row.value;
    EXPECT_EQ(proxy->authorization, row.authorization) << row.value;
    EXPECT_EQ(proxy->text(), "p:1") << row.value;
    if (row.password == nullptr) {
      EXPECT_TRUE(proxy->secrets.empty());
    } else {
      EXPECT_EQ(proxy->secrets.back(), row.password) << row.value;
    }
  }
}

TEST(Proxy, IsLeftOutForWhatNoProxyNames) {
  struct Row {
    const char* host;
    const char* list;
    bool exempt;
  };
  const Row rows[] = {
      {"a.example", "", false},
      {"a.example", "*", true},
      {"a.example", "*.example", false},  // curl knows "*" only alone
      {"a.example", "a.example", true},
      {"A.Example", "a.eXAMPLE", true},
      {"a.example.", "a.example", true},
      {"a.example", "a.example.", true},
      {"a.example", ".example", true},
      {"example", ".example", true},
      {"bada.example", "a.example", false},
      {"x.a.example", "b.example,a.example", true},
      {"x.a.example", "b.example a.example", true},
      {"a.example", ",, ,", false},
      {"a.example", ".", false},
      {"example", "a.example", false},
      {"10.1.2.3", "10.1.2.3", true},
      {"10.1.2.3", "10.1.2.30", false},
      {"10.1.2.3", "2.3", false},
      {"10.1.2.3", "10.0.0.0/8", true},
      {"11.1.2.3", "10.0.0.0/8", false},
      {"10.1.2.3", "10.1.2.0/31", false},
      {"10.1.2.3", "10.1.2.2/31", true},
      {"10.1.2.3", "0.0.0.0/0", true},
      {"10.1.2.3", "10.1.2.3/33", false},
      {"10.1.2.3", "10.1.2.3/x", false},
      {"10.1.2.3", "::/0", false},
      {"2001:db8::7", "2001:db8::/32", true},
      {"2001:db9::7", "2001:db8::/32", false},
      {"2001:db8::7", "[2001:db8::7]", true},
      {"2001:db8:0:0::7", "2001:db8::7", true},
      {"a.example", "10.0.0.0/8", false},
  };
  for (const Row& row : rows) EXPECT_EQ(is_exempt(row.host, row.list), row.exempt) << row.host << " in " << row.list;
}

}  // namespace
}  // namespace loadline
