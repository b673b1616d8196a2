#pragma once
// One connection of the pool and the request that is on it, if any.

#include <cstdint>
#include <optional>
#include <string>

#include "load/answer.h"
#include "net/connection.h"
#include "wire/http2_exchange.h"

namespace loadline {

struct Exchange {
  std::size_t slot = 0;  ///< its place in the pool
  std::optional<Connection> connection;
  std::optional<Http2Exchange> http2;  ///< on the connection, where its destination speaks that
  std::size_t destination = 0;
  std::size_t address = 0;       ///< which of the destination's addresses
  std::uint32_t generation = 0;  ///< of the connection: readiness told for an earlier one is stale
  std::uint32_t retries = 0;     ///< attempts before this one, as --retries counts them

  bool watches_write = false;
  bool taken = false;             ///< by a request; not yet given back
  bool idle = false;              ///< open and without a request
  bool waited = false;            ///< idle since an earlier answer or since it was opened ahead: may be stale
  bool transmitted = false;       ///< the request was given to the connection
  bool reconnected = false;       ///< this attempt is on a second connection: the first was stale
  bool held = false;              ///< was due while as many as may be were in flight
  bool seen_first_token = false;  ///< told to the course

  std::optional<std::uint32_t> serial;  ///< the request in flight here
  std::string body;                     ///< kept until the answer begins, for a second attempt
  AnswerReader answer;
  std::uint64_t handed_before = 0;  ///< Connection::bytes_handed before this request
  RunTime connect_started{};
  RunTime released{};
  RunTime last_read{};             ///< or the send, before the first byte
  std::optional<RunTime> settled;  ///< when the answer's end was decided, only its framing is missing
};

}  // namespace loadline
