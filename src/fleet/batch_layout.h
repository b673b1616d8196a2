#pragma once
// The bytes of a batch: one list of items for both directions (byte_stream.h).

#include "fleet/batch.h"
#include "fleet/byte_stream.h"
#include "fleet/plan_layout.h"

namespace loadline {

template <class Stream>
void lay_event(Stream& s, Laid<ShareEvent, Stream>& event) {
  s.item(event.kind, ShareEvent::Kind::cancelled);
  s.item(event.at);
  s.item(event.serial);
  if (event.kind == ShareEvent::Kind::released) s.item(event.plan_index);
  if (event.kind == ShareEvent::Kind::released || event.kind == ShareEvent::Kind::first_token) {
    s.item(event.instant);
  } else {
    s.item(event.record);
  }
}

template <class Stream>
void lay_instants(Stream& s, Laid<RequestRecord, Stream>& record) {
  for (auto* instant : {&record.due, &record.sent, &record.first_byte, &record.first_token, &record.first_answer,
                        &record.last_token, &record.closed}) {
    s.item(*instant);
  }
}

template <class Stream>
void lay_record(Stream& s, Laid<RequestRecord, Stream>& record) {
  s.item(record.serial);
  s.item(record.plan_index);
  s.item(record.session);
  s.item(record.turn);
  s.item(record.client);
  s.item(record.planned_prompt);
  s.item(record.planned_completion);
  s.item(record.warmup);
  lay_instants(s, record);
  s.item(record.stamp, Stamp::kernel);
  s.item(record.prompt_tokens);
  s.item(record.completion_tokens);
  s.item(record.reasoning_tokens);
  s.item(record.cached_tokens);
  s.item(record.token_source, TokenSource::tokenizer);
  s.item(record.events);
  s.item(record.first_event_tokens);
  s.item(record.single_token_events);
  s.item(record.coalesced);
  s.item(record.gaps.chunk);
  s.item(record.gaps.first);
  s.item(record.gaps.count);
  s.item(record.http_status);
  s.item(record.outcome, Outcome::unsent);
  s.item(record.attempts);
  s.item(record.retry_after);
  s.item(record.message);
}

template <class Stream>
void lay_client(Stream& s, Laid<ClientSelf, Stream>& client) {
  s.item(client.threads);
  s.item(client.machines);
  for (auto* figure :
       {&client.send_lateness_p50_ms, &client.send_lateness_p99_ms, &client.send_lateness_max_ms,
        &client.read_lateness_p50_ms, &client.read_lateness_p99_ms, &client.read_lateness_max_ms,
        &client.loop_turn_p99_ms, &client.loop_turn_max_ms, &client.cpu_share, &client.clock_residual_us}) {
    s.item(*figure);
  }
  s.each(client.thread_cpu_shares, [&](auto& share) { s.item(share); });
  for (auto* count : {&client.reads, &client.stamped_reads, &client.coalesced_reads, &client.output_events}) {
    s.item(*count);
  }
  s.item(client.reconnects);
  s.item(client.retries);
  s.item(client.held_back);
  s.item(client.clock_stepped);
}

/// Throws Error where an event names a record, or a record gaps, that are not there.
void check_read(const Batch& batch, const ByteReader& reader);

template <class Stream>
void lay_batch(Stream& s, Laid<Batch, Stream>& batch) {
  s.item(batch.up_to);
  s.each(batch.events, [&](auto& event) { lay_event(s, event); });
  s.each(batch.records, [&](auto& record) { lay_record(s, record); });
  s.each(batch.gaps, [&](auto& gap) { s.item(gap); });
  s.each(batch.texts, [&](auto& text) { s.item(text); });
  s.item(batch.is_last);
  if (batch.is_last) lay_client(s, batch.client);
  if constexpr (Stream::reads) check_read(batch, s);
}

}  // namespace loadline
