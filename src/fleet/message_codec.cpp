#include "fleet/message_codec.h"

#include "fleet/batch_layout.h"
#include "fleet/byte_stream.h"
#include "fleet/plan_layout.h"

namespace loadline {
namespace {

template <class Stream>
void lay(Stream& s, Laid<CarryShares, Stream>& message) {
  s.item(message.level);
  s.each(message.shares, [&](auto& remote) {
    s.item(remote.share);
    lay_plan(s, remote.plan);
  });
}

template <class Stream>
void lay(Stream& s, Laid<SharesReady, Stream>& message) {
  s.item(message.level);
  s.item(message.shares);
}

template <class Stream>
void lay(Stream& s, Laid<StartLevel, Stream>& message) {
  s.item(message.level);
  s.item(message.at);
}

template <class Stream>
void lay(Stream& s, Laid<LevelPhase, Stream>& message) {
  s.item(message.level);
  s.item(message.phase, Phase::finished);
  s.item(message.window_start);
  s.item(message.window_end);
}

template <class Stream>
void lay(Stream& s, Laid<EndRun, Stream>& message) {
  s.item(message.why);
}

template <class Stream>
void lay(Stream& s, Laid<SharesFailed, Stream>& message) {
  s.item(message.level);
  s.item(message.why);
}

template <class Stream>
void lay(Stream& s, Laid<ShareBatch, Stream>& message) {
  s.item(message.level);
  s.item(message.share);
  lay_batch(s, message.batch);
}

/// Makes `message` of the kind with that number; false where there is none.
template <std::size_t Index = 0>
bool choose_kind(std::uint8_t number, FleetMessage& message) {
  if constexpr (Index == std::variant_size_v<FleetMessage>) {
    return false;
  } else {
    if (number != Index) return choose_kind<Index + 1>(number, message);
    message.emplace<Index>();
    return true;
  }
}

bool exist(std::uint64_t first, std::uint64_t count, std::uint64_t size) {
  return first <= size && count <= size - first;
}

}  // namespace

void check_read(const Plan& plan, const ByteReader& reader) {
  for (std::size_t i = 0; i < plan.requests.size(); ++i) {
    const PlannedRequest& planned = plan.requests[i];
    const Prompt& prompt = planned.request.prompt;
    if (!exist(prompt.first_block, prompt.block_count, plan.blocks.size())) reader.refuse("a prompt lacks its blocks");
    const auto* turn = std::get_if<AfterTurn>(&planned.due);
    if (turn != nullptr && turn->before >= i) reader.refuse("a turn lacks the one before");
  }
}

void check_read(const Batch& batch, const ByteReader& reader) {
  for (const ShareEvent& event : batch.events) {
    const bool has_record = event.kind == ShareEvent::Kind::ended || event.kind == ShareEvent::Kind::cancelled;
    if (has_record && event.record >= batch.records.size()) reader.refuse("an end lacks its record");
  }
  if (!batch.texts.empty() && batch.texts.size() != batch.records.size()) reader.refuse("a record lacks its text");
  for (const RequestRecord& record : batch.records) {
    if (!exist(record.gaps.first, record.gaps.count, batch.gaps.size())) reader.refuse("a record lacks its gaps");
  }
}

std::string encode(const FleetMessage& message) {
  ByteWriter writer;
  writer.item(fleet_message_version);
  writer.item(static_cast<std::uint8_t>(message.index()));
  std::visit([&](const auto& told) { lay(writer, told); }, message);
  return writer.take();
}

FleetMessage decode(std::string_view bytes) {
  ByteReader reader(bytes);
  std::uint8_t version = 0, kind = 0;
  reader.item(version);
  if (version != fleet_message_version) reader.refuse("it is of another version");
  reader.item(kind);
  FleetMessage message;
  if (!choose_kind(kind, message)) reader.refuse("its kind is unknown");
  std::visit([&](auto& told) { lay(reader, told); }, message);
  reader.end();
  return message;
}

void shift_instants(Batch& batch, Nanos span) {
  batch.up_to += span;
  for (ShareEvent& event : batch.events) {
    event.at += span;
    event.instant += span;
  }
  for (RequestRecord& record : batch.records) {
    for (std::optional<RunTime>* instant : {&record.due, &record.sent, &record.first_byte, &record.first_token,
                                            &record.first_answer, &record.last_token, &record.closed}) {
      if (*instant) **instant += span;
    }
  }
}

}  // namespace loadline
