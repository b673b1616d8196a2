#pragma once
// What we send: a request head, and the pieces of JSON of its body (request_body.h), appended to strings that are used
// again. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// Appends an HTTP/1.1 head with its blank line. `host` as in the Host header ("example.org:8000"); `headers` are
/// whole extra lines, each ending in CRLF ("Authorization: Bearer x\r\n"); `content_length` for requests with a body.
void append_request_head(std::string& out, std::string_view method, std::string_view path, std::string_view host,
                         std::string_view headers, std::optional<std::size_t> content_length);

/// "name: value\r\n". Throws Error where a line break or other control byte in either would forge another header.
void append_header(std::string& out, std::string_view name, std::string_view value);

/// A JSON string with its quotes. Quotes, backslashes and control bytes are escaped; bytes that are not UTF-8
/// become U+FFFD, so that the body is always JSON.
void append_json_string(std::string& out, std::string_view text);
/// The text as it is; bytes that are not UTF-8 become U+FFFD.
void append_valid_utf8(std::string& out, std::string_view text);
/// A decimal number.
void append_number(std::string& out, std::int64_t number);

}  // namespace loadline
