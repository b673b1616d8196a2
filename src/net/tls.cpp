// OpenSSL reads and writes two memory buffers (BIOs) instead of a socket. Every step is: give it bytes, let it go
// on, take what it wants sent.
//
// What a connection keeps is some 16 KiB, of which half is OpenSSL's own structure. To get there, buffers are given
// back whenever they are empty (a record's buffer alone is 16 KiB), and the certificates that a server shows on every
// connection, two or three of 4 KiB, are kept once.
#include "net/tls.h"

#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>

#include "core/error.h"
#include "net/ip_literal.h"

namespace loadline {
namespace {

using ContextPointer = std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)>;
using CertificatePointer = std::unique_ptr<X509, void (*)(X509*)>;
using SslPointer = std::unique_ptr<SSL, void (*)(SSL*)>;

std::string last_openssl_error() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "the connection was cut";
  const char* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "unknown error";
}

/// "h2" -> "\2h2" (RFC 7301): each name after its length.
std::string alpn_list(const std::vector<std::string>& protocols) {
  std::string list;
  for (const std::string& protocol : protocols) {
    list += static_cast<char>(protocol.size());
    list += protocol;
  }
  return list;
}

/// OpenSSL would ask at the terminal.
int no_passphrase(char*, int, int, void*) { return 0; }

void use_client_certificate(SSL_CTX* context, const TlsSettings& settings) {
  const std::string& file = settings.client_certificate_file;
  if (file.empty()) {
    if (settings.client_key_file.empty()) return;
    throw Error("--client-key: a key is of no use without its certificate; give it with --client-cert");
  }
  const std::string& key = settings.client_key_file.empty() ? file : settings.client_key_file;
  SSL_CTX_set_default_passwd_cb(context, &no_passphrase);
  if (SSL_CTX_use_certificate_chain_file(context, file.c_str()) != 1) {
    throw Error(
        fmt::format("--client-cert {}: cannot read a certificate: {}; give a PEM file with the certificate and "
                    "its chain",
                    file, last_openssl_error()));
  }
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) == 1) return;
  const unsigned long code = ERR_peek_last_error();
  const bool mismatch = ERR_GET_LIB(code) == ERR_LIB_X509 && (ERR_GET_REASON(code) == X509_R_KEY_VALUES_MISMATCH ||
                                                              ERR_GET_REASON(code) == X509_R_KEY_TYPE_MISMATCH);
  const std::string why = last_openssl_error();
  ERR_clear_error();
  if (mismatch) {
    throw Error(fmt::format(
        "--client-key {}: it is not the key of the certificate in {}; give the two that belong together", key, file));
  }
  throw Error(
      fmt::format("--client-key {}: cannot read a key: {}; give a PEM file with the certificate's key, without a "
                  "passphrase",
                  key, why));
}

/// A memory buffer keeps the room of the most it ever held: thousands of connections with that of a long prompt would
/// be gigabytes.
void let_go_of_room(BIO* bio) {
  BUF_MEM* memory = nullptr;
  BIO_get_mem_ptr(bio, &memory);
  if (memory == nullptr || memory->length > 0 || memory->max == 0) return;
  BIO_set_mem_buf(bio, BUF_MEM_new(), BIO_CLOSE);
}

int clamped_length(std::size_t length) { return static_cast<int>(std::min<std::size_t>(length, INT_MAX)); }

}  // namespace

struct TlsContext::State {
  TlsSettings settings;
  std::vector<CertificatePointer> seen;  ///< what servers have shown, each once
  ContextPointer context{nullptr, &SSL_CTX_free};

  X509* first_like(X509* certificate) {
    for (const CertificatePointer& known : seen) {
      if (X509_cmp(known.get(), certificate) == 0) return known.get();
    }
    if (seen.size() >= most_seen) return certificate;
    X509_up_ref(certificate);
    return seen.emplace_back(certificate, &X509_free).get();
  }

  /// OpenSSL's own verification, after which the chain is made of certificates that are shared.
  static int verify(X509_STORE_CTX* verification, void* state) {
    const int verdict = X509_verify_cert(verification);
    X509_STORE_CTX_set0_verified_chain(verification, nullptr);
    STACK_OF(X509)* shown = X509_STORE_CTX_get0_untrusted(verification);
    for (int i = 0; i < sk_X509_num(shown); ++i) {
      X509* own = sk_X509_value(shown, i);
      X509* shared = static_cast<State*>(state)->first_like(own);
      if (shared == own) continue;
      X509_up_ref(shared);
      sk_X509_set(shown, i, shared);
      X509_free(own);
    }
    return verdict;
  }

  static constexpr std::size_t most_seen = 64;
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
  const std::string protocols = alpn_list(state_->settings.protocols);
  SSL_CTX_set_alpn_protos(context, reinterpret_cast<const unsigned char*>(protocols.data()),
                          static_cast<unsigned>(protocols.size()));
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_cert_verify_callback(context, &State::verify, state_.get());
  use_client_certificate(context, state_->settings);
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
  bool established = false, peer_closed = false, failed = false, refused_protocols = false;
  std::string problem;

  void on_result(int result) {
    const int error = SSL_get_error(ssl.get(), result);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return;
    if (error == SSL_ERROR_ZERO_RETURN) {
      peer_closed = true;
      return;
    }
    failed = true;
    const int reason = ERR_GET_REASON(ERR_peek_error());
    refused_protocols = !established && reason == SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL;
    const long verdict = SSL_get_verify_result(ssl.get());
    problem = verdict != X509_V_OK && !established
                  ? fmt::format(
                        "the server's certificate is not trusted: {}; give its authority with --ca-file, or "
                        "turn verification off with --insecure",
                        X509_verify_cert_error_string(verdict))
              : reason == SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED
                  ? std::string("the server asks for a client certificate; give it with --client-cert and --client-key")
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
  if (ip_literal(server)) {
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
  let_go_of_room(state_->in);
  SSL_free_buffers(state_->ssl.get());  // does nothing while a record is incomplete
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
  let_go_of_room(state_->out);
}

bool TlsSession::established() const { return state_->established; }
std::string_view TlsSession::negotiated_protocol() const {
  const unsigned char* protocol = nullptr;
  unsigned length = 0;
  SSL_get0_alpn_selected(state_->ssl.get(), &protocol, &length);
  return {reinterpret_cast<const char*>(protocol), length};
}
bool TlsSession::refused_protocols() const { return state_->refused_protocols; }
bool TlsSession::peer_closed() const { return state_->peer_closed; }
bool TlsSession::failed() const { return state_->failed; }
const std::string& TlsSession::problem() const { return state_->problem; }

}  // namespace loadline
