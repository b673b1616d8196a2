// An HTTP/1.1 response of any bytes: the same however it is cut.
#include <string>

#include "fragments.h"
#include "wire/http_response.h"

namespace {

using namespace loadline;

struct Read {
  std::string body, problem, content_type;
  std::uint16_t status = 0;
  std::size_t left = 0;  ///< bytes that belong to nobody
  bool head_complete = false, complete = false, failed = false, reusable = false;
  friend bool operator==(const Read&, const Read&) = default;
};

Read read_response(const std::vector<std::string_view>& pieces, bool to_head_request) {
  HttpResponse http;
  http.reset(to_head_request);
  Read read;
  for (std::string_view piece : pieces) {
    while (!piece.empty() && !http.complete() && !http.failed()) read.body += http.feed(piece);
    read.left += http.complete() ? piece.size() : 0;
  }
  http.end_of_input();
  read.problem = http.problem();
  read.head_complete = http.head_complete();
  read.complete = http.complete();
  read.failed = http.failed();
  read.reusable = http.reusable();
  if (!http.head_complete()) return read;
  read.status = http.head().status;
  read.content_type = http.head().content_type;
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool to_head_request = (fuzz::take_byte(bytes) & 1) != 0;
  const std::uint64_t seed = fuzz::take_byte(bytes);
  const Read whole = read_response({bytes}, to_head_request);
  fuzz::must(whole == read_response(fuzz::fragments_of(bytes, seed), to_head_request), "fragments give the same");
  fuzz::must(whole == read_response(fuzz::single_bytes_of(bytes), to_head_request), "single bytes give the same");
  fuzz::must(whole.body.size() + whole.left <= bytes.size(), "nothing is read twice");
  fuzz::must(!(whole.complete && whole.failed), "complete or failed");
  fuzz::must(whole.failed != whole.problem.empty(), "a failure has words");
  fuzz::must(!whole.complete || whole.head_complete, "a body follows a head");
  return 0;
}
