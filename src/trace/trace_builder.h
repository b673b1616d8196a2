#pragma once
// What every format's reader writes into: rows, and the books of what could not be a row. Knows no format.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace.h"
#include "trace/length_estimate.h"
#include "trace/numbers.h"
#include "trace/row_sink.h"
#include "trace/session_pauses.h"
#include "trace/text_blocks.h"

namespace loadline {

/// No row has more block ids: those of the longest prompt in blocks of 16 tokens, or of a million tokens in blocks of
/// one. A few bytes of a trace can name any number of them, so a row that does is refused before it fills the memory.
inline constexpr std::uint64_t most_row_blocks = static_cast<std::uint64_t>(longest_length) / 16;

/// One row as a reader found it. The caller fills it anew for every row.
struct ReadRow {
  std::optional<Nanos> time;  ///< of arrival, on any clock; absent: unknown
  std::optional<Tokens> prompt, completion;
  std::optional<std::int64_t> prompt_characters, completion_characters;  ///< for logs that count no tokens
  bool completion_unknown = false;  ///< a data set of prompts: usable without a completion
  std::optional<Nanos> duration;    ///< from arrival to end, as logged: pauses inside sessions come from it
  std::optional<Tokens> cached;
  SessionIndex session = no_session;
  std::optional<std::uint32_t> turn;  ///< as logged
  RowDetail detail;
};

struct BuilderSettings {
  const TextKey* key = nullptr;  ///< of the import; absent: the builder makes its own
  RowSink* sink = nullptr;       ///< rows go there and are not kept
  bool keep_texts = false;
  std::optional<double> tokens_per_character;
};

class TraceBuilder {
 public:
  explicit TraceBuilder(const BuilderSettings& settings = {}) : settings_(settings) {}

  /// Facts of the log that a reader sets once: format, has_times, time_resolution_ms, block_size, ...
  Trace& trace() { return trace_; }
  const Trace& facts() const { return trace_; }

  /// The block ids and the text of the row being read: cleared by begin_row, kept by add.
  void begin_row();
  /// Beyond most_row_blocks only that there are too many is kept.
  void add_block(std::uint64_t id) {
    if (block_count() <= most_row_blocks) trace_.blocks.push_back(id);
  }
  std::uint64_t block_count() const { return trace_.blocks.size() - row_blocks_; }

  /// The prompt goes on with `piece` of text: hashed in blocks (text_blocks.h), and kept only where the run sends it.
  /// Characters are counted here where the row names none. Not for formats that have block ids of their own.
  void add_text(std::string_view piece);
  /// The prompt goes on with token ids, as the log writes them: hashed like text, never kept, since nobody could send
  /// them.
  void add_token_ids(std::string_view ids);
  /// One chat message of the prompt: its role and content are hashed as text.
  void add_message(std::string_view role, std::string_view content);
  /// The prompt's messages as the log has them, a JSON array: what a chat endpoint is sent, where texts are kept.
  void keep_messages(std::string_view json);

  /// A usable row. What no row may lack is looked after here, so that no format forgets it: lengths of zero, lengths
  /// and times that are absent.
  void add(const ReadRow& row, std::uint64_t line);
  void refuse(std::string_view reason, std::uint64_t line, std::uint64_t count = 1);
  void filter(std::string_view reason, std::uint64_t count = 1);
  /// A sentence for people, once, however often it is said.
  void remark(std::string_view sentence);

  /// What is known of sharing is what `whole` says: the rows that told have gone there.
  void share_as(const Trace& whole) {
    trace_.sharing = whole.sharing;
    trace_.block_size = whole.block_size;
    trace_.partial_tail = whole.partial_tail;
  }

  /// The index of a session or client of that name, a new one for a new name.
  SessionIndex session(std::string_view name);
  ClientIndex client(std::string_view name);

  /// Rows had to wait for the end of the log: their lengths or block ids depend on all of it.
  bool holds_rows() const { return !trace_.rows.empty(); }
  /// All of `other`, another file of the same log, comes behind what is here: its rows that wait and its books. What it
  /// gave to its sink stays there; its facts and session names stay for them.
  void append(TraceBuilder&& other);

  /// The trace: rows in order of arrival (rows of one instant keep the log's order), first arrival 0, turns
  /// numbered from 0 in order of arrival where the log does not number them. Call once. With a sink: rows that had to
  /// wait go there, then the source's facts; the trace has no rows. Throws Error where lengths nobody counted cannot
  /// be estimated either.
  Trace finish();

 private:
  using Names = std::unordered_map<std::string, std::uint32_t>;
  void hash_text(std::string_view piece);
  static std::uint32_t index_of(std::string_view name, Names& known, std::vector<std::string>& names);
  std::string_view reason_against(const ReadRow& row) const;
  bool place_after_turn_before(const ReadRow& row, TraceRow& kept);
  void keep(const TraceRow& row, const RowDetail& detail);
  void forget_rows();
  void settle_lengths();
  void settle_text_blocks();
  void settle_sharing();
  void settle_pauses();
  void hand_over();
  void sort_rows();
  void number_turns();
  void start_at_zero();

  BuilderSettings settings_;
  Trace trace_;
  std::size_t row_blocks_ = 0;  ///< blocks of the rows already added
  bool turns_logged_ = false, any_cached_ = false, any_session_ = false;
  Names sessions_, clients_;
  std::vector<Nanos> last_of_session_;  ///< arrival of its latest turn, where stamps are missing

  std::optional<TextKey> own_key_;
  std::optional<TextBlocks> text_;
  bool row_has_text_ = false;
  PromptText row_text_;
  std::vector<std::int64_t> text_bytes_;  ///< by row, 0 without text; empty where no row has any
  LengthEstimate estimate_;
  SessionPauses pauses_;
};

}  // namespace loadline
