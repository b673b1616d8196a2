#pragma once
// Keys and headers that the user gives: into every request, and out of every text.

#include <string>
#include <string_view>
#include <vector>

#include "target/endpoint.h"

namespace loadline {

class Credentials {
 public:
  /// `headers` as "Name: value". Error naming the header (not its value) that is not one, or that is the client's own:
  /// what frames the request and its answer (Host, Content-Length, Connection, ...) is not the user's to say.
  /// The endpoint's own headers are added where the user has none of their names.
  Credentials(std::string_view api_key, const std::vector<std::string>& headers, const EndpointHeaders& endpoint = {});

  /// Whole header lines for a request. An Authorization header of the user's replaces the bearer key, and so does the
  /// header that carries keys to the endpoint.
  const std::string& header_lines() const { return header_lines_; }
  /// Keeps these too out of every text.
  void hide(const std::vector<std::string>& secrets) {
    secrets_.insert(secrets_.end(), secrets.begin(), secrets.end());
  }
  /// The key, the values of all headers, and their last words ("Bearer k": k alone).
  const std::vector<std::string>& secrets() const { return secrets_; }
  /// `text` without them (core/secrets.h).
  std::string scrubbed(std::string text) const;

 private:
  std::string header_lines_;
  std::vector<std::string> secrets_;
};

}  // namespace loadline
