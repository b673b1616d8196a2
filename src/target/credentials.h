#pragma once
// Keys and headers that the user gives: into every request, and out of every text.

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

class Credentials {
 public:
  /// `headers` as "Name: value". Error naming the header (not its value) that is not one.
  Credentials(std::string_view api_key, const std::vector<std::string>& headers);

  /// Whole header lines for a request. An Authorization header of the user's replaces the bearer key.
  const std::string& header_lines() const { return header_lines_; }
  /// `text` without the key and without the values of the headers: servers like to repeat them in their
  /// errors.
  std::string scrubbed(std::string text) const;

 private:
  std::string header_lines_;
  std::vector<std::string> secrets_;
};

}  // namespace loadline
