#pragma once
// TLS for clients over memory: ciphertext in, plaintext out, no socket. So the receive stamp of the bytes stays
// with the caller. The server is verified unless the user says otherwise in so many words.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct TlsSettings {
  std::string server_name;                         ///< SNI and the name (or IP address) that the certificate must carry
  std::string ca_file;                             ///< PEM; empty: the system's authorities
  bool insecure = false;                           ///< no verification at all: anybody may answer
  std::vector<std::string> protocols{"http/1.1"};  ///< offered to the server (ALPN), the most wanted first
  std::string client_certificate_file{};           ///< PEM, with its chain: who we are; empty: nobody in particular
  std::string client_key_file{};                   ///< PEM, without a passphrase; empty: in the certificate's file
};

/// What all connections of a run share: settings, trusted authorities, our own certificate. Throws Error where a file
/// cannot be read, or the key is not the certificate's. Outlives its sessions, all of one thread.
class TlsContext {
 public:
  explicit TlsContext(TlsSettings settings);
  ~TlsContext();
  TlsContext(TlsContext&&) noexcept;
  TlsContext& operator=(TlsContext&&) noexcept;

 private:
  friend class TlsSession;
  struct State;
  std::unique_ptr<State> state_;
};

/// One connection's TLS. The handshake begins at once: `take_ciphertext` has its first flight.
class TlsSession {
 public:
  explicit TlsSession(const TlsContext& context);
  ~TlsSession();
  TlsSession(TlsSession&&) noexcept;
  TlsSession& operator=(TlsSession&&) noexcept;

  /// Takes bytes from the network, all of them.
  void give_ciphertext(std::string_view bytes);
  /// Decrypted bytes, up to the buffer's size; 0: none yet. What one call of `give_ciphertext` with n bytes makes
  /// readable is at most n plus one record (16 KiB).
  std::size_t read(std::span<char> buffer);
  /// Encrypts, after the handshake.
  void write(std::string_view plaintext);
  /// Appends what must be sent, if anything.
  void take_ciphertext(std::string& out);

  bool established() const;
  /// Of those offered; empty: the server did not choose. Once `established`.
  std::string_view negotiated_protocol() const;
  /// It failed because the server speaks none of those offered.
  bool refused_protocols() const;
  /// The peer said that it ends: an end of file after this is in good order, one before it is a cut.
  bool peer_closed() const;
  bool failed() const;
  /// Why it failed, in words ("self-signed certificate ...").
  const std::string& problem() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace loadline
