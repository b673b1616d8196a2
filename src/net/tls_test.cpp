#include "net/tls.h"

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "core/error.h"
#include "net/connection.h"
#include "net/poller.h"

namespace loadline {
namespace {

template <class T, void (*Free)(T*)>
struct Freed {
  void operator()(T* p) const { Free(p); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX, SSL_CTX_free>>;

/// A certificate for localhost and 127.0.0.1 that signs itself, made anew for this test.
struct Identity {
  Key key{EVP_EC_gen("P-256")};
  Certificate certificate{X509_new()};
  std::string file = ::testing::TempDir() + "loadline_tls_test_" + std::to_string(::getpid()) + ".pem";

  Identity() {
    X509* x = certificate.get();
    X509_set_version(x, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x), 3600);
    X509_set_pubkey(x, key.get());
    const auto* name = reinterpret_cast<const unsigned char*>("localhost");
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC, name, -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(x));
    add(NID_basic_constraints, "critical,CA:TRUE");
    add(NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
    X509_sign(x, key.get(), EVP_sha256());
    FILE* out = std::fopen(file.c_str(), "w");
    PEM_write_X509(out, x);
    std::fclose(out);
  }
  ~Identity() { ::unlink(file.c_str()); }

  void add(int nid, const char* value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate.get(), certificate.get(), nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
    X509_add_ext(certificate.get(), extension, -1);
    X509_EXTENSION_free(extension);
  }
};

/// Serves one connection: reads five bytes, answers `answer`, says farewell, closes.
class TlsServer {
 public:
  TlsServer(const Identity& identity, std::string answer) : listener_(listen_on_loopback()) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets without MSG_NOSIGNAL
    context_.reset(SSL_CTX_new(TLS_server_method()));
    SSL_CTX_use_certificate(context_.get(), identity.certificate.get());
    SSL_CTX_use_PrivateKey(context_.get(), identity.key.get());
    thread_ = std::thread([this, text = std::move(answer)] { serve(text); });
  }
  ~TlsServer() { thread_.join(); }
  Address address() const { return loopback_address(listener_.port); }

 private:
  void serve(const std::string& answer) {
    std::optional<Socket> socket;
    for (int i = 0; i < 5000 && !socket; ++i) {
      socket = accept_from(listener_.socket);
      if (!socket) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!socket) return;
    SSL* ssl = SSL_new(context_.get());
    SSL_set_fd(ssl, socket->fd());
    char request[5];
    int asked = 0;  // all of it is read: closing with unread bytes would be a reset
    const auto read_some = [&] { return SSL_read(ssl, request + asked, 5 - asked); };
    if (until_done(ssl, [&] { return SSL_accept(ssl); })) {
      while (asked < 5 && until_done(
                              ssl,
                              [&] {
                                const int n = read_some();
                                asked += std::max(n, 0);
                                return n;
                              })) {
      }
      std::size_t written = 0;
      while (written < answer.size() &&
             until_done(
                 ssl,
                 [&] {
                   const std::size_t piece = std::min<std::size_t>(answer.size() - written, 16'000);
                   const int n = SSL_write(ssl, answer.data() + written, static_cast<int>(piece));
                   if (n > 0) written += static_cast<std::size_t>(n);
                   return n;
                 })) {
      }
      SSL_shutdown(ssl);
    }
    ERR_clear_error();
    SSL_free(ssl);
  }
  template <class Step>
  bool until_done(SSL* ssl, Step step) {
    for (int i = 0; i < 5000; ++i) {
      ERR_clear_error();
      const int n = step();
      if (n > 0) return true;
      const int error = SSL_get_error(ssl, n);
      if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  Listener listener_;
  Context context_;
  std::thread thread_;
};

struct Fetched {
  std::string answer, problem;
  bool closed = false;
};

Fetched fetch(const Address& address, const TlsContext& tls) {
  Fetched fetched;
  Connection connection(address, &tls);
  Poller poller;
  if (!connection.failed()) poller.add(connection.fd(), 1, {.read = true, .write = true});
  std::vector<Ready> ready;
  std::vector<char> buffer(Connection::read_size);
  bool asked = false;
  while (!connection.failed() && !fetched.closed) {
    poller.wait(Nanos(std::chrono::seconds(5)), ready);
    if (ready.empty()) break;
    if (!connection.is_open() || connection.wants_write()) connection.progress();
    if (connection.is_open() && !asked) {
      asked = true;
      connection.send("as", "k!!");
    }
    if (connection.is_open()) {
      const IoResult result = connection.read(buffer);
      fetched.answer.append(buffer.data(), result.bytes);
      fetched.closed = result.state == Io::closed;
    }
    if (!connection.failed()) poller.modify(connection.fd(), 1, {.read = true, .write = connection.wants_write()});
  }
  fetched.problem = connection.problem();
  return fetched;
}

std::string long_answer() {
  std::string text;
  for (int i = 0; text.size() < 300'000; ++i) text += std::to_string(i) + ",";
  return text;
}

TEST(Tls, TrustsTheGivenAuthority) {
  const Identity identity;
  for (const char* server : {"localhost", "127.0.0.1"}) {
    TlsServer peer(identity, long_answer());
    const TlsContext tls({.server_name = server, .ca_file = identity.file});
    const Fetched fetched = fetch(peer.address(), tls);
    EXPECT_TRUE(fetched.answer == long_answer()) << fetched.answer.size() << " bytes came";
    EXPECT_TRUE(fetched.closed);
    EXPECT_EQ(fetched.problem, "");
  }
}

TEST(Tls, RefusesAnUnknownAuthorityUnlessInsecure) {
  const Identity identity;
  {
    TlsServer peer(identity, "never");
    const Fetched fetched = fetch(peer.address(), TlsContext({.server_name = "localhost"}));
    EXPECT_EQ(fetched.answer, "");
    EXPECT_NE(fetched.problem.find("not trusted"), std::string::npos) << fetched.problem;
  }
  TlsServer peer(identity, "hello");
  EXPECT_EQ(fetch(peer.address(), TlsContext({.server_name = "localhost", .insecure = true})).answer, "hello");
}

TEST(Tls, RefusesAnotherName) {
  const Identity identity;
  TlsServer peer(identity, "never");
  const Fetched fetched = fetch(peer.address(), TlsContext({.server_name = "example.org", .ca_file = identity.file}));
  EXPECT_EQ(fetched.answer, "");
  EXPECT_NE(fetched.problem.find("not trusted"), std::string::npos) << fetched.problem;
}

TEST(Tls, NeedsACaFileThatExists) {
  EXPECT_THROW(TlsContext({.server_name = "x", .ca_file = "/nonexistent/ca.pem"}), Error);
}

}  // namespace
}  // namespace loadline
