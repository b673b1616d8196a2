// OpenSSL reads and writes two memory buffers (BIOs) instead of a socket. Every step is: give it bytes, let it go
// on, take what it wants sent. SSL_MODE_RELEASE_BUFFERS keeps an idle connection at some KiB.
#include "net/tls.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>

#include "core/error.h"

namespace loadline {
namespace {

using ContextPointer = std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)>;
using SslPointer = std::unique_ptr<SSL, void (*)(SSL*)>;

std::string last_openssl_error() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "the connection was cut";
  const char* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "unknown error";
}

bool is_ip_literal(const std::string& name) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, name.c_str(), bytes) == 1 || inet_pton(AF_INET6, name.c_str(), bytes) == 1;
}

int clamped_length(std::size_t length) { return static_cast<int>(std::min<std::size_t>(length, INT_MAX)); }

}  // namespace

struct TlsContext::State {
  TlsSettings settings;
  ContextPointer context{nullptr, &SSL_CTX_free};
};

TlsContext::TlsContext(TlsSettings settings) : state_(std::make_unique<State>()) {
  if (settings.server_name.size() > 2 && settings.server_name.front() == '[') {
    settings.server_name = settings.server_name.substr(1, settings.server_name.size() - 2);
  }
  state_->settings = std::move(settings);
  state_->context.reset(SSL_CTX_new(TLS_client_method()));
  SSL_CTX* context = state_->context.get();
  check(context != nullptr, "OpenSSL makes a context");
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context,
                   SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  static constexpr unsigned char http_1_1[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  SSL_CTX_set_alpn_protos(context, http_1_1, sizeof http_1_1);
  if (state_->settings.insecure) return;
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  const std::string& file = state_->settings.ca_file;
  const int loaded = file.empty() ? SSL_CTX_set_default_verify_paths(context)
                                  : SSL_CTX_load_verify_locations(context, file.c_str(), nullptr);
  if (loaded != 1) {
    throw Error(fmt::format("cannot read certificates from '{}': {}; give a PEM file with the authority's certificate",
                            file.empty() ? "the system's store" : file, last_openssl_error()));
  }
}

TlsContext::~TlsContext() = default;
TlsContext::TlsContext(TlsContext&&) noexcept = default;
TlsContext& TlsContext::operator=(TlsContext&&) noexcept = default;

struct TlsSession::State {
  SslPointer ssl{nullptr, &SSL_free};
  BIO* in = nullptr;  ///< owned by ssl
  BIO* out = nullptr;
  bool established = false, peer_closed = false, failed = false;
  std::string problem;

  void on_result(int result) {
    const int error = SSL_get_error(ssl.get(), result);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return;
    if (error == SSL_ERROR_ZERO_RETURN) {
      peer_closed = true;
      return;
    }
    failed = true;
    const long verdict = SSL_get_verify_result(ssl.get());
    problem = verdict != X509_V_OK && !established
                  ? fmt::format(
                        "the server's certificate is not trusted: {}; give its authority with --ca-file, or "
                        "turn verification off with --insecure",
                        X509_verify_cert_error_string(verdict))
                  : fmt::format("TLS: {}", last_openssl_error());
    ERR_clear_error();
  }

  void shake_hands() {
    if (established || failed) return;
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl.get());
    if (result == 1) {
      established = true;
    } else {
      on_result(result);
    }
  }
};

TlsSession::TlsSession(const TlsContext& context) : state_(std::make_unique<State>()) {
  const TlsSettings& settings = context.state_->settings;
  state_->ssl.reset(SSL_new(context.state_->context.get()));
  SSL* ssl = state_->ssl.get();
  check(ssl != nullptr, "OpenSSL makes a session");
  state_->in = BIO_new(BIO_s_mem());
  state_->out = BIO_new(BIO_s_mem());
  SSL_set_bio(ssl, state_->in, state_->out);
  SSL_set_connect_state(ssl);
  const std::string& server = settings.server_name;
  if (is_ip_literal(server)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), server.c_str());
  } else if (!server.empty()) {
    SSL_set_tlsext_host_name(ssl, server.c_str());
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    SSL_set1_host(ssl, server.c_str());
  }
  check(settings.insecure || !server.empty(), "a verified TLS session knows the name it verifies");
  state_->shake_hands();
}

TlsSession::~TlsSession() = default;
TlsSession::TlsSession(TlsSession&&) noexcept = default;
TlsSession& TlsSession::operator=(TlsSession&&) noexcept = default;

void TlsSession::give_ciphertext(std::string_view bytes) {
  while (!bytes.empty()) {
    const int taken = BIO_write(state_->in, bytes.data(), clamped_length(bytes.size()));
    check(taken > 0, "a memory buffer takes bytes");
    bytes.remove_prefix(static_cast<std::size_t>(taken));
  }
  state_->shake_hands();
}

std::size_t TlsSession::read(std::span<char> buffer) {
  std::size_t total = 0;
  while (state_->established && !state_->failed && total < buffer.size()) {
    ERR_clear_error();
    const int n = SSL_read(state_->ssl.get(), buffer.data() + total, clamped_length(buffer.size() - total));
    if (n <= 0) {
      state_->on_result(n);
      break;
    }
    total += static_cast<std::size_t>(n);
  }
  return total;
}

void TlsSession::write(std::string_view plaintext) {
  while (!plaintext.empty() && !state_->failed) {
    ERR_clear_error();
    const int n = SSL_write(state_->ssl.get(), plaintext.data(), clamped_length(plaintext.size()));
    if (n <= 0) {
      state_->on_result(n);
      check(state_->failed || state_->peer_closed, "a memory buffer takes ciphertext");
      return;
    }
    plaintext.remove_prefix(static_cast<std::size_t>(n));
  }
}

void TlsSession::take_ciphertext(std::string& out) {
  char* data = nullptr;
  const long length = BIO_get_mem_data(state_->out, &data);
  if (length <= 0) return;
  out.append(data, static_cast<std::size_t>(length));
  BIO_reset(state_->out);
}

bool TlsSession::established() const { return state_->established; }
bool TlsSession::peer_closed() const { return state_->peer_closed; }
bool TlsSession::failed() const { return state_->failed; }
const std::string& TlsSession::problem() const { return state_->problem; }

}  // namespace loadline
