#include "trace/burstgpt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "trace/csv_rows.h"
#include "trace/json_scalars.h"
#include "trace/stamp_resolution.h"

namespace loadline {
namespace {

enum BurstgptColumn : std::uint8_t {
  burst_time,
  burst_prompt,
  burst_completion,
  burst_model,
  burst_kind,
  burst_session
};

class BurstgptReader {
 public:
  BurstgptReader(const CsvColumns& columns, TraceBuilder& builder) : columns_(columns), builder_(builder) {}

  std::string_view read(const std::vector<std::string_view>& fields) {
    row_ = {};
    const Parsed<Tokens> prompt = parse_length(field(fields, burst_prompt));
    const Parsed<Tokens> completion = parse_length(field(fields, burst_completion));
    const ParsedSpan time = parse_span(field(fields, burst_time), std::chrono::seconds(1));
    for (const NumberState state : {prompt.state, completion.state}) {
      if (state != NumberState::ok) return refusal_of(state);
    }
    if (!time.ok() || time.value < Nanos(0)) return refusal::bad_timestamp;
    if (completion.value.value() == 0) return refusal::failed;
    resolution_.note(std::chrono::seconds(1), time.decimals);
    row_.time = time.value;
    row_.prompt = prompt.value;
    row_.completion = completion.value;
    if (const std::string_view session = field(fields, burst_session); !session.empty()) {
      row_.session = builder_.session(session);
    }
    note_kind(fields);
    return {};
  }

  const ReadRow& row() const { return row_; }
  double resolution_ms() const { return resolution_.step_ms(); }
  /// Of logs of several kinds: "ChatGPT (Conversation log)", ...
  const std::vector<std::string>& kinds() const { return kinds_; }

 private:
  std::string_view field(const std::vector<std::string_view>& fields, BurstgptColumn column) const {
    const std::size_t at = columns_.at[column];
    return at == CsvColumns::absent ? std::string_view() : trimmed(fields[at]);
  }

  void note_kind(const std::vector<std::string_view>& fields) {
    constexpr std::size_t most = 16;
    const std::string_view model = field(fields, burst_model), kind = field(fields, burst_kind);
    if (model == last_model_ && kind == last_kind_) return;
    last_model_ = model;
    last_kind_ = kind;
    std::string name = fmt::format("{} ({})", model, kind);
    if (kinds_.size() < most && std::ranges::find(kinds_, name) == kinds_.end()) kinds_.push_back(std::move(name));
  }

  const CsvColumns& columns_;
  TraceBuilder& builder_;
  ReadRow row_;
  StampResolution resolution_;
  std::string last_model_, last_kind_;
  std::vector<std::string> kinds_;
};

}  // namespace

bool is_burstgpt(const LogHead& head) { return has_columns(head, {"Timestamp", "Request tokens", "Response tokens"}); }

void read_burstgpt(TextWindow& window, TraceBuilder& builder) {
  CsvReader csv(window);
  const CsvColumns columns =
      read_csv_header(csv, builder, window.name(), {"Timestamp", "Request tokens", "Response tokens"},
                      {"Model", "Log Type", "Session ID"});
  builder.trace().has_times = true;
  BurstgptReader reader(columns, builder);
  read_csv_rows(
      csv, columns, builder, [&](const auto& fields) { return reader.read(fields); },
      [&](std::uint64_t line) { builder.add(reader.row(), line); });
  builder.trace().time_resolution_ms = reader.resolution_ms();
  if (reader.kinds().size() < 2) return;
  builder.remark(
      fmt::format("the log mixes requests of {}, whose lengths differ: keep the lines of one in a file of "
                  "its own to run one of them",
                  fmt::join(reader.kinds(), ", ")));
}

}  // namespace loadline
