#include "net/tls.h"

#include <gtest/gtest.h>
#include <malloc.h>
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
  std::string file =
      ::testing::TempDir() + "loadline_tls_test_" + std::to_string(::getpid()) + "_" + std::to_string(made++) + ".pem";
  static inline int made = 0;

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
    write_key(nullptr, nullptr);
  }
  ~Identity() {
    ::unlink(file.c_str());
    ::unlink(key_file().c_str());
  }

  std::string key_file() const { return file + ".key"; }
  void write_key(const EVP_CIPHER* cipher, char* passphrase) {
    FILE* out = std::fopen(key_file().c_str(), "w");
    PEM_write_PrivateKey(out, key.get(), cipher, nullptr, 0, nullptr, passphrase);
    std::fclose(out);
  }

  void add(int nid, const char* value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate.get(), certificate.get(), nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
    X509_add_ext(certificate.get(), extension, -1);
    X509_EXTENSION_free(extension);
  }
};

/// What a server asks for beyond the usual.
struct Demands {
  const Identity* client = nullptr;  ///< its certificate must be shown
  bool behind_proxy = false;         ///< first it is asked, and gives, a tunnel
  std::string protocol{};            ///< the only one that the server speaks; empty: it has no opinion
};

/// Serves one connection: reads five bytes, answers `answer`, says farewell, closes.
class TlsServer {
 public:
  TlsServer(const Identity& identity, std::string answer, Demands demands = {})
      : listener_(listen_on_loopback()), behind_proxy_(demands.behind_proxy), protocol_(std::move(demands.protocol)) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets without MSG_NOSIGNAL
    context_.reset(SSL_CTX_new(TLS_server_method()));
    SSL_CTX_use_certificate(context_.get(), identity.certificate.get());
    SSL_CTX_use_PrivateKey(context_.get(), identity.key.get());
    if (demands.client != nullptr) {
      SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
      SSL_CTX_load_verify_file(context_.get(), demands.client->file.c_str());
    }
    if (!protocol_.empty()) SSL_CTX_set_alpn_select_cb(context_.get(), &TlsServer::choose, &protocol_);
    thread_ = std::thread([this, text = std::move(answer)] { serve(text); });
  }
  ~TlsServer() { thread_.join(); }
  Address address() const { return loopback_address(listener_.port); }

 private:
  static int choose(SSL*, const unsigned char** out, unsigned char* length, const unsigned char* in, unsigned in_length,
                    void* spoken) {
    const auto& protocol = *static_cast<const std::string*>(spoken);
    for (unsigned at = 0; at < in_length; at += in[at] + 1u) {
      if (std::string_view(reinterpret_cast<const char*>(in) + at + 1, in[at]) != protocol) continue;
      *out = in + at + 1;
      *length = in[at];
      return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }

  void serve(const std::string& answer) {
    std::optional<Socket> socket;
    for (int i = 0; i < 5000 && !socket; ++i) {
      socket = accept_from(listener_.socket);
      if (!socket) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!socket || (behind_proxy_ && !open_tunnel(*socket))) return;
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
  static bool open_tunnel(Socket& socket) {
    std::string head;
    for (int i = 0; i < 5000 && !head.ends_with("\r\n\r\n"); ++i) {
      char byte = 0;
      const IoResult result = socket.read({&byte, 1});
      if (result.state == Io::would_block) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      head.append(&byte, result.bytes);
    }
    return head.starts_with("CONNECT localhost:443 ") && socket.write("HTTP/1.1 200 OK\r\n\r\n").state == Io::done;
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
  bool behind_proxy_;
  std::string protocol_;
  Context context_;
  std::thread thread_;
};

struct Fetched {
  std::string answer, problem, protocol;
  bool closed = false, refused_protocols = false;
};

Fetched fetch(const Address& address, const TlsContext& tls, const Tunnel* tunnel = nullptr) {
  Fetched fetched;
  Connection connection(address, &tls, tunnel);
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
      fetched.protocol = connection.negotiated_protocol();
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
  fetched.refused_protocols = connection.refused_protocols();
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

TEST(Tls, GoesThroughATunnel) {
  const Identity identity;
  TlsServer peer(identity, long_answer(), {.behind_proxy = true});
  const TlsContext tls({.server_name = "localhost", .ca_file = identity.file});
  const Tunnel tunnel{"localhost:443", "proxy", ""};
  const Fetched fetched = fetch(peer.address(), tls, &tunnel);
  EXPECT_TRUE(fetched.answer == long_answer()) << fetched.answer.size() << " bytes came";
  EXPECT_EQ(fetched.problem, "");
}

TEST(Tls, RefusesAnotherName) {
  const Identity identity;
  TlsServer peer(identity, "never");
  const Fetched fetched = fetch(peer.address(), TlsContext({.server_name = "example.org", .ca_file = identity.file}));
  EXPECT_EQ(fetched.answer, "");
  EXPECT_NE(fetched.problem.find("not trusted"), std::string::npos) << fetched.problem;
}

TEST(Tls, ShowsTheClientsCertificate) {
  const Identity server, client;
  TlsServer peer(server, "hello", {.client = &client});
  const TlsContext tls({.server_name = "localhost",
                        .ca_file = server.file,
                        .client_certificate_file = client.file,
                        .client_key_file = client.key_file()});
  const Fetched fetched = fetch(peer.address(), tls);
  EXPECT_EQ(fetched.answer, "hello");
  EXPECT_EQ(fetched.problem, "");
}

TEST(Tls, SaysThatTheServerAsksForACertificate) {
  const Identity server, client;
  TlsServer peer(server, "never", {.client = &client});
  const Fetched fetched = fetch(peer.address(), TlsContext({.server_name = "localhost", .ca_file = server.file}));
  EXPECT_EQ(fetched.answer, "");
  EXPECT_NE(fetched.problem.find("--client-cert"), std::string::npos) << fetched.problem;
}

/// What is said of this pair; empty where it is taken.
std::string complaint(const std::string& certificate, const std::string& key) {
  try {
    TlsContext({.server_name = "x", .client_certificate_file = certificate, .client_key_file = key});
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Tls, RefusesAPairThatIsNone) {
  Identity one, other;
  EXPECT_EQ(complaint(one.file, one.key_file()), "");
  EXPECT_NE(complaint(one.file, other.key_file()).find("is not the key of the certificate"), std::string::npos);
  EXPECT_NE(complaint("/nonexistent.pem", one.key_file()).find("--client-cert /nonexistent.pem"), std::string::npos);
  EXPECT_NE(complaint(one.file, "/nonexistent.key").find("--client-key /nonexistent.key"), std::string::npos);
  EXPECT_NE(complaint(one.file, "").find("--client-key"), std::string::npos) << "no key in the certificate's file";
  EXPECT_NE(complaint("", one.key_file()).find("--client-cert"), std::string::npos);
  char passphrase[] = "secret";
  one.write_key(EVP_aes_128_cbc(), passphrase);
  EXPECT_NE(complaint(one.file, one.key_file()).find("without a passphrase"), std::string::npos);
}

TEST(Tls, AgreesOnAProtocol) {
  const Identity identity;
  const auto offer = [&](std::vector<std::string> protocols) {
    return TlsContext({.server_name = "localhost", .ca_file = identity.file, .protocols = std::move(protocols)});
  };
  {
    TlsServer peer(identity, "hello", {.protocol = "h2"});
    EXPECT_EQ(fetch(peer.address(), offer({"h2"})).protocol, "h2");
  }
  {
    TlsServer peer(identity, "hello", {.protocol = "http/1.1"});
    EXPECT_EQ(fetch(peer.address(), offer({"h2", "http/1.1"})).protocol, "http/1.1");
  }
  {
    TlsServer peer(identity, "hello");
    EXPECT_EQ(fetch(peer.address(), offer({"http/1.1"})).protocol, "") << "a server without an opinion";
  }
  TlsServer peer(identity, "never", {.protocol = "h2"});
  const Fetched fetched = fetch(peer.address(), offer({"http/1.1"}));
  EXPECT_TRUE(fetched.refused_protocols) << fetched.problem;
  EXPECT_EQ(fetched.answer, "");
}

/// A server's end of a session, in memory.
struct MemoryPeer {
  std::unique_ptr<SSL, Freed<SSL, SSL_free>> ssl;
  explicit MemoryPeer(SSL_CTX* context) : ssl(SSL_new(context)) {
    SSL_set_bio(ssl.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_accept_state(ssl.get());
  }
  /// Moves everything both ways until nothing moves.
  void talk(TlsSession& client) {
    std::string bytes;
    for (int round = 0; round < 8; ++round) {
      bytes.clear();
      client.take_ciphertext(bytes);
      if (!bytes.empty()) BIO_write(SSL_get_rbio(ssl.get()), bytes.data(), static_cast<int>(bytes.size()));
      SSL_do_handshake(ssl.get());
      char back[32 * 1024];
      const int n = BIO_read(SSL_get_wbio(ssl.get()), back, sizeof back);
      if (n > 0) client.give_ciphertext({back, static_cast<std::size_t>(n)});
    }
  }
  void write(std::string_view text) { SSL_write(ssl.get(), text.data(), static_cast<int>(text.size())); }
  void read_all() {
    char taken[16 * 1024];
    while (SSL_read(ssl.get(), taken, sizeof taken) > 0) {
    }
  }
};

TEST(Tls, KeepsTwentyKibibytesAStreamAtMost) {
  const std::size_t before_all = ::mallinfo2().uordblks;
  if (before_all == 0) GTEST_SKIP() << "this allocator does not count";
  const Identity identity;
  Context server(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_use_certificate(server.get(), identity.certificate.get());
  SSL_CTX_use_PrivateKey(server.get(), identity.key.get());
  const TlsContext tls({.server_name = "localhost", .ca_file = identity.file});
  const std::string prompt(100'000, 'p'), token(300, 't');
  constexpr std::size_t streams = 200;
  std::vector<TlsSession> sessions;
  sessions.reserve(streams);
  std::vector<char> buffer(Connection::read_size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < streams + 1; ++i) {
    if (i == 1) kept = ::mallinfo2().uordblks;  // what OpenSSL makes once is made
    TlsSession session(tls);
    MemoryPeer peer(server.get());
    peer.talk(session);
    ASSERT_TRUE(session.established()) << session.problem();
    session.write(prompt);
    peer.talk(session);
    peer.read_all();
    for (int event = 0; event < 20; ++event) {
      peer.write(token);
      peer.talk(session);
      EXPECT_EQ(session.read(buffer), token.size());
    }
    if (i > 0) sessions.push_back(std::move(session));
  }
  const double a_stream = static_cast<double>(::mallinfo2().uordblks - kept) / streams + sizeof(Connection);
  RecordProperty("bytes_a_stream", static_cast<int>(a_stream));
  EXPECT_LT(a_stream, 20 * 1024);
  EXPECT_GT(a_stream, 1024) << "the measure does not measure";
}

TEST(Tls, NeedsACaFileThatExists) {
  EXPECT_THROW(TlsContext({.server_name = "x", .ca_file = "/nonexistent/ca.pem"}), Error);
}

}  // namespace
}  // namespace loadline
