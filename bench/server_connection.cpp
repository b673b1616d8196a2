#include "bench/server_connection.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <array>

#include "core/error.h"
#include "net/time_source.h"

namespace loadline::bench {

ServerTls::ServerTls() : context_(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free) {
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), &X509_free);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  check(SSL_CTX_use_certificate(context_.get(), certificate.get()) == 1 &&
            SSL_CTX_use_PrivateKey(context_.get(), key.get()) == 1,
        "the bench's own certificate is usable");
  SSL_CTX_set_mode(context_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

std::unique_ptr<SSL, void (*)(SSL*)> ServerTls::session(int fd) const {
  std::unique_ptr<SSL, void (*)(SSL*)> session(SSL_new(context_.get()), &SSL_free);
  SSL_set_fd(session.get(), fd);
  SSL_set_accept_state(session.get());
  return session;
}

ServerConnection::ServerConnection(Socket socket, const ServerTls* tls)
    : socket_(std::move(socket)), tls_(nullptr, &SSL_free) {
  if (tls != nullptr) tls_ = tls->session(socket_.fd());
}

IoResult ServerConnection::receive(char* buffer, std::size_t size) {
  if (!tls_) return socket_.read({buffer, size});
  const int n = SSL_read(tls_.get(), buffer, static_cast<int>(size));
  if (n > 0) return {Io::done, static_cast<std::size_t>(n), 0, {}};
  const int why = SSL_get_error(tls_.get(), n);
  return {why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? Io::would_block : Io::closed, 0, 0, {}};
}

bool ServerConnection::read() {
  std::array<char, 16 * 1024> buffer;
  while (true) {
    const IoResult result = receive(buffer.data(), buffer.size());
    if (result.state == Io::would_block) return true;
    if (result.state != Io::done) return false;
    if (result.received) {
      // The offset between the clocks is read once: nobody sets the clock while the bench runs.
      static SystemTime clocks(1.0, Nanos(0));
      arrived_ = clocks.from_realtime(*result.received).time_since_epoch();
    }
    unread_.append(buffer.data(), result.bytes);
    if (!tls_ && result.bytes < buffer.size()) return true;
  }
}

bool ServerConnection::take_request() {
  while (!unread_.empty() && !answer) {
    std::string_view bytes = unread_;
    request_.feed(bytes);
    unread_.erase(0, unread_.size() - bytes.size());
    if (!request_.complete() && !request_.failed()) return false;
    const bool wants_tokens = on_request();
    request_.reset();
    if (wants_tokens) return true;
  }
  return false;
}

bool ServerConnection::on_request() {
  const std::string& path = request_.head().path;
  const bool chat = path == "/v1/chat/completions";
  if (path == "/v1/models") {
    write(plain_answer(200, "application/json",
                       fmt::format(R"({{"object":"list","data":[{{"id":"{}","object":"model","owned_by":"bench",)"
                                   R"("max_model_len":131072}}]}})",
                                   engine_model_name),
                       true));
    return false;
  }
  std::optional<Refusal> refusal;
  if (!chat && path != "/v1/completions") {
    refusal = {404, "there is nothing here"};
  } else {
    refusal = reader_.read_completion(request_.body(), chat, completion_);
  }
  if (refusal) {
    write(error_answer(*refusal, true));
    return false;
  }
  answer.emplace(completion_, answers, 1'790'000'000, "bench", true);
  emitted_ = 0;
  return true;
}

bool ServerConnection::flush() {
  if (unsent_.empty()) return true;
  const std::size_t sent = send_now(unsent_);
  unsent_.erase(0, sent);
  return unsent_.empty();
}

std::size_t ServerConnection::send_now(std::string_view bytes) {
  if (gone_) return bytes.size();
  if (tls_) {
    const int n = SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()));
    if (n > 0) return static_cast<std::size_t>(n);
    const int why = SSL_get_error(tls_.get(), n);
    gone_ = why != SSL_ERROR_WANT_WRITE && why != SSL_ERROR_WANT_READ;
    return 0;
  }
  const IoResult result = socket_.write(bytes);
  gone_ = result.state == Io::failed || result.state == Io::closed;
  return gone_ ? bytes.size() : result.bytes;
}

void ServerConnection::write(std::string_view bytes) {
  if (!unsent_.empty()) {
    unsent_.append(bytes);
    flush();
    return;
  }
  const std::size_t sent = send_now(bytes);
  if (sent < bytes.size()) unsent_.assign(bytes.substr(sent));
}

std::string ServerConnection::start_bytes() const {
  std::string bytes;
  answer->append_start(bytes);
  return bytes;
}

std::string ServerConnection::end_bytes() {
  std::string bytes;
  answer->append_end(0, bytes);
  return bytes;
}

bool ServerConnection::append_next(std::string& out) {
  if (!completion_.stream) {
    out += answer->whole(0);
    return true;
  }
  if (emitted_ == 0) answer->append_start(out);
  if (++emitted_ == completion_.max_tokens) {
    answer->append_end(0, out);
    return true;
  }
  out += answer->token();
  return false;
}

void ServerConnection::finish() {
  answer.reset();
  ++answers;
}

}  // namespace loadline::bench
