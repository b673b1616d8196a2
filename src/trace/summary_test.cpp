#include "trace/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "core/random.h"
#include "trace/stats.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

struct LoggedRow {
  TraceRow row;
  RowDetail detail;
};

/// Lengths that repeat and depend on one another, arrivals with ties, some of them unknown, sessions and pauses.
std::vector<LoggedRow> random_log(std::uint64_t seed, int rows) {
  Random random(seed);
  std::vector<LoggedRow> log;
  Nanos now = 1'700'000'000s;
  for (int i = 0; i < rows; ++i) {
    LoggedRow& logged = log.emplace_back();
    now += random.below(3) * 250ms;
    logged.row.arrival = now;
    logged.row.arrival_known = random.below(10) != 0;
    const auto prompt = static_cast<std::int64_t>(1 + random.below(200) * random.below(40));
    logged.row.prompt = Tokens(prompt);
    logged.row.completion =
        Tokens(random.below(20) == 0 ? 0 : 1 + (prompt + static_cast<std::int64_t>(random.below(900))) / 7);
    if (random.below(3) > 0) logged.row.session = static_cast<SessionIndex>(random.below(60));
    if (random.below(4) == 0) logged.detail.delay = random.below(9000) * 1ms;
  }
  return log;
}

Trace facts_of_part(const std::string& name) {
  Trace facts;
  facts.source = name;
  facts.format = "test";
  facts.has_times = true;
  facts.time_resolution_ms = 250;
  facts.time_zone = "UTC";
  for (int i = 0; i < 50; ++i) facts.sessions.push_back("session " + std::to_string(i));  // ten have no name
  return facts;
}

TraceSummary summary_of(const std::vector<LoggedRow>& log, const Trace& facts) {
  TraceSummary summary;
  for (const LoggedRow& logged : log) summary.add(logged.row, logged.detail);
  summary.end_source(facts);
  return summary;
}

TraceSummary through_a_file(TraceSummary summary) {
  std::stringstream file;
  summary.write(file);
  return TraceSummary::read(file, "part");
}

void expect_equal(const LengthSummary& a, const LengthSummary& b) {
  EXPECT_EQ(a.n, b.n);
  for (const auto field : {&LengthSummary::min, &LengthSummary::p1, &LengthSummary::p5, &LengthSummary::p10,
                           &LengthSummary::p25, &LengthSummary::p50, &LengthSummary::p75, &LengthSummary::p90,
                           &LengthSummary::p95, &LengthSummary::p99, &LengthSummary::p99_9, &LengthSummary::max}) {
    EXPECT_EQ(a.*field, b.*field);
  }
  EXPECT_EQ(a.mean, b.mean);
}

void expect_equal(const ArrivalStats& a, const ArrivalStats& b) {
  EXPECT_EQ(a.span_s, b.span_s);
  EXPECT_EQ(a.rate_per_s, b.rate_per_s);
  EXPECT_EQ(a.gap_cv, b.gap_cv);
  EXPECT_EQ(a.dispersion_1s, b.dispersion_1s);
  EXPECT_EQ(a.dispersion_60s, b.dispersion_60s);
  EXPECT_EQ(a.busiest_1s, b.busiest_1s);
  EXPECT_EQ(a.busiest_60s, b.busiest_60s);
  EXPECT_EQ(a.stamped, b.stamped);
  EXPECT_EQ(a.equal_stamps, b.equal_stamps);
  EXPECT_EQ(a.coarse, b.coarse);
}

/// To the last bit, sessions apart.
void expect_equal(const TraceStats& a, const TraceStats& b) {
  EXPECT_EQ(a.read, b.read);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.time_resolution_ms, b.time_resolution_ms);
  EXPECT_EQ(a.time_zone, b.time_zone);
  EXPECT_EQ(a.started, b.started);
  expect_equal(a.prompt_tokens, b.prompt_tokens);
  expect_equal(a.completion_tokens, b.completion_tokens);
  EXPECT_EQ(a.pearson, b.pearson);
  EXPECT_EQ(a.spearman, b.spearman);
  ASSERT_EQ(a.completion_by_prompt.size(), b.completion_by_prompt.size());
  for (std::size_t i = 0; i < a.completion_by_prompt.size(); ++i) {
    const CompletionByPrompt &x = a.completion_by_prompt[i], &y = b.completion_by_prompt[i];
    EXPECT_EQ(std::tie(x.from, x.to, x.n, x.p50, x.p90), std::tie(y.from, y.to, y.n, y.p50, y.p90));
  }
  ASSERT_TRUE(a.arrivals && b.arrivals);
  expect_equal(*a.arrivals, *b.arrivals);
}

void expect_equal_sessions(const SessionStats& a, const SessionStats& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.single_turn_share, b.single_turn_share);
  expect_equal(a.turns, b.turns);
  EXPECT_EQ(a.think_time_p50_s, b.think_time_p50_s);
  EXPECT_EQ(a.think_time_p90_s, b.think_time_p90_s);
}

/// Merges parts of `log`, of which part_of(row number) tells the part, each through a file.
template <class PartOf>
TraceSummary merged_parts(const std::vector<LoggedRow>& log, std::size_t parts, PartOf part_of) {
  std::vector<std::vector<LoggedRow>> split(parts);
  for (std::size_t i = 0; i < log.size(); ++i) split[part_of(i)].push_back(log[i]);
  TraceSummary whole;
  for (const std::vector<LoggedRow>& part : split) whole.merge(through_a_file(summary_of(part, facts_of_part("part"))));
  return whole;
}

TEST(TraceSummary, PartsMergeExactly) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    std::vector<LoggedRow> log = random_log(seed, 3000);
    for (LoggedRow& logged : log) {
      if (logged.row.session != no_session) logged.row.session %= 50;  // a session without a name belongs to one source
    }
    const TraceStats whole = summary_of(log, facts_of_part("whole")).stats();
    Random random(seed + 100);
    const TraceStats by_row = merged_parts(log, 5, [&](std::size_t) { return random.below(5); }).stats();
    const TraceStats by_time = merged_parts(log, 4, [&](std::size_t i) { return i < 10 ? 0 : 1 + i / 1001; }).stats();
    for (const TraceStats* parts : {&by_row, &by_time}) {
      expect_equal(*parts, whole);
      expect_equal_sessions(*parts->sessions, *whole.sessions);
    }
  }
}

std::optional<double> two_pass_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xy / std::sqrt(xx * yy);
}

/// By counting, for each value, who is below and who is equal.
std::vector<double> slow_mean_ranks(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    const auto below = std::ranges::count_if(values, [&](double other) { return other < value; });
    const auto equal = std::ranges::count(values, value);
    ranks.push_back(static_cast<double>(below) + (static_cast<double>(equal) + 1) / 2);
  }
  return ranks;
}

TEST(TraceSummary, LengthsAgreeWithASlowComputation) {
  const std::vector<LoggedRow> log = random_log(7, 2000);
  const TraceStats stats = summary_of(log, facts_of_part("whole")).stats();
  std::vector<double> prompts, completions;
  std::vector<std::int64_t> all_prompts, known_completions;
  for (const LoggedRow& logged : log) {
    all_prompts.push_back(logged.row.prompt.value());
    if (logged.row.completion.value() == 0) continue;  // unknown
    known_completions.push_back(logged.row.completion.value());
    prompts.push_back(static_cast<double>(logged.row.prompt.value()));
    completions.push_back(static_cast<double>(logged.row.completion.value()));
  }
  ASSERT_LT(known_completions.size(), log.size());
  expect_equal(stats.prompt_tokens, summarise_lengths(all_prompts));
  expect_equal(stats.completion_tokens, summarise_lengths(known_completions));
  EXPECT_NEAR(*stats.pearson, *two_pass_correlation(prompts, completions), 1e-12);
  EXPECT_NEAR(*stats.spearman, *two_pass_correlation(slow_mean_ranks(prompts), slow_mean_ranks(completions)), 1e-12);
  std::uint64_t in_bins = 0;
  for (const CompletionByPrompt& bin : stats.completion_by_prompt) {
    std::vector<std::int64_t> inside;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      if (prompts[i] > static_cast<double>(bin.from) && prompts[i] <= static_cast<double>(bin.to))
        inside.push_back(static_cast<std::int64_t>(completions[i]));
    }
    const LengthSummary expected = summarise_lengths(inside);
    EXPECT_EQ(bin.n, expected.n);
    EXPECT_EQ(bin.p50, expected.p50);
    EXPECT_EQ(bin.p90, expected.p90);
    in_bins += bin.n;
  }
  EXPECT_EQ(in_bins, known_completions.size());
}

TEST(TraceSummary, OnlyKnownArrivalsAreStamps) {
  Trace trace = facts_of_part("log");
  for (const int second : {0, 0, 1, 5, 9}) {
    TraceRow& row = trace.rows.emplace_back();
    row.arrival = second * 1s;
    row.prompt = row.completion = Tokens(1);
    row.arrival_known = second != 5;
  }
  trace.started = 1'700'000'000s;
  const TraceStats stats = describe(trace);
  EXPECT_EQ(stats.arrivals->stamped, 4u);
  EXPECT_EQ(stats.arrivals->equal_stamps, 1u);
  EXPECT_DOUBLE_EQ(*stats.arrivals->rate_per_s, 3.0 / 9);
  EXPECT_EQ(stats.started, Nanos(1'700'000'000s));
  for (TraceRow& row : trace.rows) row.arrival_known = false;
  EXPECT_FALSE(describe(trace).arrivals);
}

TEST(TraceSummary, TheFirstArrivalOfDatedSourcesIsTheStart) {
  const std::vector<LoggedRow> log = random_log(3, 50);
  Trace facts = facts_of_part("log");
  const auto first = std::ranges::find_if(log, [](const LoggedRow& logged) { return logged.row.arrival_known; });
  EXPECT_EQ(summary_of(log, facts).stats().started, first->row.arrival);
  facts.time_zone.clear();
  EXPECT_FALSE(summary_of(log, facts).stats().started);
}

TEST(TraceSummary, BooksAddUpAndSentencesAreSaidOnce) {
  Trace a = facts_of_part("a"), b = facts_of_part("b");
  a.read = 15;
  b.read = 7;
  a.refused["malformed"] = {9, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  b.refused["malformed"] = {3, {10, 20, 30}};
  b.refused["failed"] = {1, {4}};
  a.filtered["blank"] = 1;
  b.filtered["blank"] = 2;
  a.remarks = {"said"};
  b.remarks = {"said", "new"};
  b.time_resolution_ms = 1;
  a.tokens_estimated = b.tokens_estimated = true;
  a.tokens_per_character = b.tokens_per_character = 0.25;
  TraceSummary whole = summary_of(random_log(1, 5), a);
  whole.merge(through_a_file(summary_of(random_log(2, 1), b)));
  const TraceStats stats = whole.stats();
  EXPECT_EQ(stats.source, "a, b");
  EXPECT_EQ(stats.format, "test");
  EXPECT_EQ(stats.read, 22u);
  EXPECT_EQ(stats.rows, 6u);
  EXPECT_EQ(stats.refused.at("malformed").count, 12u);
  EXPECT_EQ(stats.refused.at("malformed").first_lines, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(stats.refused.at("malformed").first_files,
            (std::vector<std::string>{"a", "a", "a", "a", "a", "a", "a", "a", "a", "b"}));
  EXPECT_EQ(stats.refused.at("failed").count, 1u);
  EXPECT_EQ(stats.refused.at("failed").first_files, std::vector<std::string>{"b"});
  EXPECT_EQ(stats.filtered.at("blank"), 3u);
  EXPECT_EQ(stats.remarks, (std::vector<std::string>{"said", "new"}));
  EXPECT_EQ(stats.time_resolution_ms, 1);
  EXPECT_TRUE(stats.tokens_estimated);
  EXPECT_EQ(stats.tokens_per_character, 0.25);
}

TEST(TraceSummary, ClocksThatCannotBeComparedAreSaid) {
  const auto zone_of_both = [](const std::string& first, const std::string& second) {
    Trace a = facts_of_part("a"), b = facts_of_part("b");
    a.time_zone = first;
    b.time_zone = second;
    TraceSummary whole = summary_of(random_log(1, 5), a);
    whole.merge(summary_of(random_log(2, 5), b));
    return whole.stats();
  };
  EXPECT_EQ(zone_of_both("UTC", "offset").time_zone, "offset");
  EXPECT_TRUE(zone_of_both("UTC", "offset").remarks.empty());
  EXPECT_EQ(zone_of_both("local", "UTC").time_zone, "local");
  EXPECT_EQ(zone_of_both("local", "UTC").remarks.size(), 1u);
  EXPECT_EQ(zone_of_both("UTC", "").time_zone, "");
  EXPECT_FALSE(zone_of_both("UTC", "").started);
  EXPECT_EQ(zone_of_both("UTC", "").remarks.size(), 1u);
}

TEST(TraceSummary, NamelessSessionsBelongToTheirSource) {
  std::vector<LoggedRow> log = random_log(1, 3);
  for (LoggedRow& logged : log) logged.row.session = 0;
  Trace nameless = facts_of_part("a"), named = facts_of_part("b");
  nameless.sessions.clear();
  TraceSummary whole;
  for (const Trace* facts : {&nameless, &nameless, &named, &named}) whole.merge(summary_of(log, *facts));
  const SessionStats sessions = *whole.stats().sessions;
  EXPECT_EQ(sessions.count, 3u);
  EXPECT_EQ(sessions.turns.min, 3);
  EXPECT_EQ(sessions.turns.max, 6);  // one name, one session
}

TEST(TraceSummary, PartsThatShareAFileAreRefused) {
  const auto part_of = [](const std::string& name, std::uint64_t hash, std::uint64_t rows = 5) {
    Trace facts = facts_of_part(name);
    facts.fingerprint = SourceFingerprint{1000, hash};
    facts.read = rows;
    return through_a_file(summary_of(random_log(hash, static_cast<int>(rows)), facts));
  };
  const auto message_of_merging = [](TraceSummary whole, TraceSummary part) {
    try {
      whole.merge(std::move(part));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  TraceSummary both = part_of("a.csv", 1);
  both.merge(part_of("b.csv", 2));
  both = through_a_file(std::move(both));
  EXPECT_EQ(both.rows(), 10u);
  EXPECT_EQ(message_of_merging(both, part_of("c.csv", 3)), "");
  both.merge(part_of("a quiet day.csv", 4, 0));
  EXPECT_EQ(message_of_merging(both, part_of("another quiet day.csv", 4, 0)), "");
  EXPECT_NE(message_of_merging(both, part_of("b.csv", 2)).find("b.csv is there twice"), std::string::npos);
  EXPECT_NE(message_of_merging(both, part_of("copy.csv", 1)).find("a.csv and copy.csv hold the same 1000 bytes"),
            std::string::npos);
}

TEST(TraceSummary, PartsOfTwoFormatsAreRefused) {
  Trace azure = facts_of_part("a.csv"), mooncake = facts_of_part("m.jsonl");
  mooncake.format = "mooncake";
  TraceSummary whole = summary_of(random_log(1, 5), azure);
  try {
    whole.merge(summary_of(random_log(2, 5), mooncake));
    FAIL() << "joined";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a.csv is in the format test and m.jsonl in the format mooncake"),
              std::string::npos);
  }
}

std::string message_of_reading(const std::string& bytes) {
  std::stringstream file(bytes);
  try {
    TraceSummary::read(file, "log.part");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TraceSummary, ForeignCutDamagedAndNewerPartsAreRefused) {
  std::stringstream file;
  summary_of(random_log(1, 40), facts_of_part("whole")).write(file);
  const std::string bytes = file.str();
  EXPECT_EQ(message_of_reading(bytes), "");
  EXPECT_NE(message_of_reading("TIMESTAMP,ContextTokens\n").find("log.part is no part"), std::string::npos);
  EXPECT_NE(message_of_reading("").find("log.part is no part"), std::string::npos);
  for (std::size_t length = 8; length < bytes.size(); ++length) {
    EXPECT_NE(message_of_reading(bytes.substr(0, length)).find("log.part ends too early"), std::string::npos) << length;
  }
  for (std::size_t at = 9; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_NE(message_of_reading(damaged), "") << at;
  }
  std::string newer = bytes;
  newer[8] = 3;
  EXPECT_NE(message_of_reading(newer).find("newer loadline"), std::string::npos);
}

}  // namespace
}  // namespace loadline
