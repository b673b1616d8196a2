#include "report/run_store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "report/run_client.h"
#include "report/run_reader.h"

namespace loadline {
namespace {

namespace fs = std::filesystem;

class RunStore : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() / ("loadline_run_store_" + std::to_string(getpid()) + "_" + test->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string folder(const std::string& name = "run") const { return (root_ / name).string(); }
  /// Runs SQL on the run file as somebody else's tool would.
  void tamper(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((folder() + "/run.sqlite").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  fs::path root_;
};

std::string error_of(const std::string& folder) {
  try {
    read_run(folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::unusable_input);
    return error.what();
  }
  return "";
}

void expect_says(const std::string& sentence, const std::string& part) {
  EXPECT_NE(sentence.find(part), std::string::npos) << '"' << sentence << "\" does not say \"" << part << '"';
}

RequestRecord full_record(std::uint32_t serial, std::uint32_t events = 3) {
  RequestRecord r;
  r.serial = serial;
  r.session = 7;
  r.turn = 3;
  r.client = 11;
  r.planned_prompt = Tokens(725);
  r.planned_completion = Tokens(740);
  r.warmup = true;
  r.due = run_time(10);
  r.sent = run_time(11);
  r.first_byte = run_time(12);
  r.first_token = run_time(13);
  r.first_answer = run_time(14);
  r.last_token = run_time(15);
  r.closed = run_time(86'400'000'000'000);
  r.stamp = Stamp::kernel;
  r.prompt_tokens = Tokens(726);
  r.completion_tokens = Tokens(741);
  r.reasoning_tokens = Tokens(5);
  r.cached_tokens = Tokens(0);
  r.token_source = TokenSource::server;
  r.events = events;
  r.first_event_tokens = Tokens(2);
  r.single_token_events = events > 0 ? events - 1 : 0;
  r.coalesced = true;
  r.http_status = 503;
  r.outcome = Outcome::stream_error;
  r.attempts = 2;
  r.message = std::string("server said \"no\"\0'; DROP TABLE run;--", 36);
  return r;
}

void expect_same(const RequestRecord& a, const RequestRecord& b) {
  EXPECT_EQ(a.serial, b.serial);
  EXPECT_EQ(a.session, b.session);
  EXPECT_EQ(a.turn, b.turn);
  EXPECT_EQ(a.client, b.client);
  EXPECT_EQ(a.planned_prompt, b.planned_prompt);
  EXPECT_EQ(a.planned_completion, b.planned_completion);
  EXPECT_EQ(a.warmup, b.warmup);
  EXPECT_EQ(a.due, b.due);
  EXPECT_EQ(a.sent, b.sent);
  EXPECT_EQ(a.first_byte, b.first_byte);
  EXPECT_EQ(a.first_token, b.first_token);
  EXPECT_EQ(a.first_answer, b.first_answer);
  EXPECT_EQ(a.last_token, b.last_token);
  EXPECT_EQ(a.closed, b.closed);
  EXPECT_EQ(a.stamp, b.stamp);
  EXPECT_EQ(a.prompt_tokens, b.prompt_tokens);
  EXPECT_EQ(a.completion_tokens, b.completion_tokens);
  EXPECT_EQ(a.reasoning_tokens, b.reasoning_tokens);
  EXPECT_EQ(a.cached_tokens, b.cached_tokens);
  EXPECT_EQ(a.token_source, b.token_source);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.first_event_tokens, b.first_event_tokens);
  EXPECT_EQ(a.single_token_events, b.single_token_events);
  EXPECT_EQ(a.coalesced, b.coalesced);
  EXPECT_EQ(a.http_status, b.http_status);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.attempts, b.attempts);
  EXPECT_EQ(a.message, b.message);
}

ClientSelf some_client() {
  ClientSelf client;
  client.send_lateness_p50_ms = 0.018;
  client.send_lateness_p99_ms = 0.072;
  client.send_lateness_max_ms = 1.5;
  client.read_lateness_p99_ms = 0;
  client.cpu_share = 0.25;
  client.loop_turn_p99_ms = 0.4;
  client.threads = 2;
  client.thread_cpu_shares = {0.25, 0.125};
  client.output_events = 1ull << 40;
  client.reconnects = 3;
  return client;
}

TEST_F(RunStore, EveryFieldComesBackAlsoWhatIsAbsent) {
  const Level users{LevelKind::concurrency, 64, Arrivals::closed};
  const Level rate{LevelKind::request_rate, 7.72, Arrivals::constant};
  const std::vector<std::uint32_t> gaps = {0, 1, 255, 256, 0xffffffff, 0x01020304};
  {
    RunWriter writer(folder("deep/er/run"));
    writer.put("plan", "levels: [64]\n");
    writer.put("plan", "levels: [64, 7.72]\n");
    writer.put_facts({{"engine.name", "old", FactSource::user}});
    writer.put_facts({{"engine.name", "vllm", FactSource::server},
                      {"model.revision", "", FactSource::unknown},
                      {"engine.name", "second", FactSource::user}});
    writer.begin_level(0, users, run_time(5));
    writer.window(0, run_time(100), run_time(200));
    writer.append(0, std::vector{StoredRequest{full_record(0, 7), gaps},
                                 StoredRequest{RequestRecord{.serial = 4'000'000'000}, {}}});
    writer.append(0, std::vector{StoredRequest{full_record(2, 2), {9}}});
    writer.put_client(0, some_client());
    writer.end_level(0, run_time(300), "complete");
    writer.begin_level(1, rate, run_time(400));
    writer.end_level(1, run_time(500), "interrupted");
    writer.put_doubts({make_doubt("client_limited", 1, "too slow"), make_doubt("few_levels", std::nullopt, "two")});
    writer.finish();
  }
  EXPECT_FALSE(fs::exists(folder("deep/er/run") + "/run.sqlite-wal"));
  const StoredRun run = read_run(folder("deep/er/run"));
  EXPECT_EQ(run.values.at("plan"), "levels: [64, 7.72]\n");
  EXPECT_EQ(run.values.at("schema"), "1");
  ASSERT_EQ(run.facts.size(), 2u);
  EXPECT_EQ(run.facts[0].value, "vllm");
  EXPECT_EQ(run.facts[0].source, FactSource::server);
  EXPECT_EQ(run.facts[1].key, "model.revision");
  EXPECT_EQ(run.facts[1].source, FactSource::unknown);
  ASSERT_EQ(run.doubts.size(), 2u);
  EXPECT_EQ(run.doubts[0].level, 1u);
  EXPECT_TRUE(run.doubts[0].invalidates);
  EXPECT_EQ(run.doubts[1].level, std::nullopt);
  EXPECT_EQ(run.doubts[1].text, "two");
  EXPECT_FALSE(run.doubts[1].invalidates);

  ASSERT_EQ(run.levels.size(), 2u);
  const LevelRecords& first = run.levels[0];
  EXPECT_EQ(first.ordinal, 0u);
  EXPECT_EQ(first.level.kind, LevelKind::concurrency);
  EXPECT_EQ(first.level.arrivals, Arrivals::closed);
  EXPECT_EQ(first.level.target, 64);
  EXPECT_EQ(first.started, run_time(5));
  EXPECT_EQ(first.window_start, run_time(100));
  EXPECT_EQ(first.window_end, run_time(200));
  EXPECT_EQ(first.ended, run_time(300));
  EXPECT_EQ(first.state, "complete");
  EXPECT_EQ(first.client.send_lateness_max_ms, 1.5);
  EXPECT_EQ(first.client.read_lateness_p50_ms, std::nullopt);
  EXPECT_EQ(first.client.read_lateness_p99_ms, 0);
  EXPECT_EQ(first.client.reconnects, 3u);
  ASSERT_EQ(first.requests.size(), 3u);
  expect_same(first.requests[0], full_record(0, 7));
  expect_same(first.requests[1], full_record(2, 2));
  expect_same(first.requests[2], RequestRecord{.serial = 4'000'000'000});
  const auto stored = first.gaps.at(first.requests[0].gaps);
  EXPECT_EQ(std::vector<std::uint32_t>(stored.begin(), stored.end()), gaps);
  EXPECT_TRUE(first.gaps.at(first.requests[2].gaps).empty());

  EXPECT_EQ(run.levels[1].level.kind, LevelKind::request_rate);
  EXPECT_EQ(run.levels[1].level.arrivals, Arrivals::constant);
  EXPECT_EQ(run.levels[1].level.target, 7.72);
  EXPECT_EQ(run.levels[1].window_start, std::nullopt);
  EXPECT_EQ(run.levels[1].state, "interrupted");
}

TEST_F(RunStore, ArrivalsOfEveryKindComeBack) {
  const Level levels[] = {
      {LevelKind::concurrency, 3, Arrivals::closed, 1, 1, std::chrono::milliseconds(1500), 0},
      {LevelKind::request_rate, 3, Arrivals::poisson, 1, 1, Nanos(0), 7, LevelPurpose::visit, 2, 2000},
      {LevelKind::request_rate, 3, Arrivals::gamma, 0.3},
      {LevelKind::request_rate, 3, Arrivals::trace, 1, 2.5}};
  {
    RunWriter writer(folder());
    for (std::uint32_t i = 0; i < 4; ++i) writer.begin_level(i, levels[i], run_time(i));
  }
  const StoredRun run = read_run(folder());
  ASSERT_EQ(run.levels.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(run.levels[i].level.ramp, levels[i].ramp);
    EXPECT_EQ(run.levels[i].level.max_in_flight, levels[i].max_in_flight);
    EXPECT_EQ(run.levels[i].level.arrivals, levels[i].arrivals);
    EXPECT_EQ(run.levels[i].level.burstiness, levels[i].burstiness);
    EXPECT_EQ(run.levels[i].level.arrival_scale, levels[i].arrival_scale);
    EXPECT_EQ(run.levels[i].level.purpose, levels[i].purpose);
    EXPECT_EQ(run.levels[i].level.pass, levels[i].pass);
    EXPECT_EQ(run.levels[i].level.requests, levels[i].requests);
  }
  for (const char* nonsense : {"x", "", "0", "-1", "1e300", "2 or so", "nan"}) {
    tamper(std::string("UPDATE run SET value = '") + nonsense + "' WHERE key = 'level/2/burstiness'");
    expect_says(error_of(folder()), "run.value");
  }
}

TEST_F(RunStore, RequestsComeBackInOrderOfReleaseWhateverTheirPlaceInThePlan) {
  {
    RunWriter writer(folder());
    writer.begin_level(0, Level{}, run_time(0));
    std::vector<StoredRequest> batch;  // as they ended
    for (const std::uint32_t serial : {1u, 2u, 0u}) {
      batch.push_back({full_record(serial, 1), {}});
      batch.back().record.plan_index = 2 - serial;
    }
    writer.append(0, batch);
  }
  const StoredRun run = read_run(folder());
  ASSERT_EQ(run.levels.at(0).requests.size(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(run.levels[0].requests[i].serial, i);
}

TEST_F(RunStore, GapsFromThePoolOfALevel) {
  LevelRecords level;
  level.ordinal = 3;
  level.requests = {full_record(0), full_record(1, 4)};
  level.requests[1].gaps = level.gaps.append(std::vector<std::uint32_t>{4, 5, 6});
  RunWriter writer(folder());
  writer.begin_level(3, level.level, run_time(0));
  writer.append(level, std::vector<std::uint32_t>{1});
  const LevelRecords back = RunReader(folder()).level(3);  // while the writer still writes
  ASSERT_EQ(back.requests.size(), 1u);
  const auto gaps = back.gaps.at(back.requests[0].gaps);
  EXPECT_EQ(std::vector<std::uint32_t>(gaps.begin(), gaps.end()), (std::vector<std::uint32_t>{4, 5, 6}));
  EXPECT_EQ(back.state, "interrupted");
  EXPECT_EQ(back.ended, *full_record(1).closed);
}

TEST_F(RunStore, AFolderThatExistsIsNotTouched) {
  fs::create_directories(folder());
  std::ofstream(folder() + "/mine.txt") << "mine";
  try {
    const RunWriter writer(folder());
    ADD_FAILURE() << "the folder is there";
  } catch (const Error& error) {
    expect_says(error.what(), "name another with --output-dir");
    EXPECT_EQ(std::string(error.what()).find("--resume"), std::string::npos) << "there is no such option";
  }
  EXPECT_THROW(RunWriter{folder() + "/"}, Error);
  EXPECT_FALSE(fs::exists(folder() + "/run.sqlite"));
  EXPECT_THROW(RunWriter{folder() + "/mine.txt/run"}, Error);
  RunWriter with_slash(folder("other/"));
  EXPECT_TRUE(fs::exists(folder("other") + "/run.sqlite"));
}

TEST_F(RunStore, WritingTwiceIsOurFault) {
  RunWriter writer(folder());
  writer.begin_level(0, Level{}, run_time(0));
  EXPECT_THROW(writer.begin_level(0, Level{}, run_time(0)), Bug);
  writer.append(0, std::vector{StoredRequest{full_record(1, 1), {}}});
  // The whole batch goes or stays: serial 2 must not be there afterwards.
  EXPECT_THROW(
      writer.append(0, std::vector{StoredRequest{full_record(2, 1), {}}, StoredRequest{full_record(1, 1), {}}}), Bug);
  writer.append(0, std::vector{StoredRequest{full_record(3, 1), {}}});
  const LevelRecords level = RunReader(folder()).level(0);
  ASSERT_EQ(level.requests.size(), 2u);
  EXPECT_EQ(level.requests[1].serial, 3u);
}

TEST_F(RunStore, WhatCouldNotBeReadIsNotWritten) {
  RunWriter writer(folder());
  writer.begin_level(0, Level{}, run_time(0));
  std::vector<StoredRequest> unsound(6, StoredRequest{full_record(1), {1, 2}});
  unsound[0].record.prompt_tokens = Tokens(9'223'372'036'854'775'807);
  unsound[1].record.closed.reset();
  unsound[2].record.last_token = run_time(1);
  unsound[3].gaps.pop_back();
  unsound[4].record.due = run_time(std::int64_t{-2'000'000'000} * 1'000'000'000);
  unsound[5].record.events = 0;
  for (const StoredRequest& request : unsound) {
    EXPECT_THROW(writer.append(0, std::vector{StoredRequest{full_record(0), {1, 2}}, request}), Bug);
  }
  writer.append(0, std::vector{StoredRequest{full_record(2), {1, 2}}});
  EXPECT_EQ(RunReader(folder()).level(0).requests.size(), 1u);
}

TEST_F(RunStore, AKilledRunIsReadable) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    RunWriter writer(folder());
    writer.begin_level(0, Level{LevelKind::concurrency, 8, Arrivals::closed}, run_time(0));
    writer.window(0, run_time(1), std::nullopt);
    const std::vector<std::uint32_t> gaps(200, 77);
    for (std::uint32_t serial = 0;; serial += 2) {
      writer.append(0, std::vector{StoredRequest{full_record(serial, 201), gaps},
                                   StoredRequest{full_record(serial + 1, 201), gaps}});
      if (serial == 1000 && write(ready[1], "x", 1) != 1) _exit(1);
    }
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_EQ(kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));

  const StoredRun run = read_run(folder());
  ASSERT_EQ(run.levels.size(), 1u);
  const LevelRecords& level = run.levels[0];
  EXPECT_EQ(level.state, "interrupted");
  EXPECT_EQ(level.window_start, run_time(1));
  EXPECT_EQ(level.window_end, std::nullopt);
  EXPECT_GE(level.requests.size(), 1002u);
  EXPECT_EQ(level.requests.size() % 2, 0u);  // whole batches only
  for (std::size_t i = 0; i < level.requests.size(); ++i) {
    ASSERT_EQ(level.requests[i].serial, i);
    ASSERT_EQ(level.gaps.at(level.requests[i].gaps).size(), 200u);
  }

  RunWriter again = RunWriter::resume(folder());
  again.begin_level(1, Level{}, run_time(1000));
  again.end_level(1, run_time(2000), "complete");
  again.finish();
  const StoredRun continued = read_run(folder());
  ASSERT_EQ(continued.levels.size(), 2u);
  EXPECT_EQ(continued.levels[0].requests.size(), level.requests.size());
  EXPECT_EQ(continued.levels[1].state, "complete");
}

TEST_F(RunStore, AFileOfBeforeLacksTheLaterColumnsAndIsWrittenOn) {
  {
    RunWriter writer(folder());
    writer.begin_level(0, {LevelKind::concurrency, 1, Arrivals::closed}, run_time(0));
    writer.append(0, std::vector{StoredRequest{full_record(0, 3), {1, 2}}});
  }
  EXPECT_EQ(read_run(folder()).levels.at(0).requests.at(0).single_token_events, 2u);
  EXPECT_EQ(read_run(folder()).levels.at(0).requests.at(0).client, 11u);
  tamper("ALTER TABLE request DROP COLUMN client");
  tamper("ALTER TABLE request DROP COLUMN single_token_events");
  EXPECT_FALSE(read_run(folder()).levels.at(0).requests.at(0).single_token_events);
  EXPECT_EQ(read_run(folder()).levels.at(0).requests.at(0).client, no_client);
  {
    RunWriter writer = RunWriter::resume(folder());
    writer.append(0, std::vector{StoredRequest{full_record(1, 3), {1, 2}}});
    writer.finish();
  }
  const StoredRun run = read_run(folder());
  EXPECT_FALSE(run.levels.at(0).requests.at(0).single_token_events);
  EXPECT_EQ(run.levels.at(0).requests.at(1).single_token_events, 2u);
  EXPECT_EQ(run.levels.at(0).requests.at(1).client, 11u);
}

TEST_F(RunStore, AnAnswerInOnePieceHasALastTokenAndNoFirst) {
  RequestRecord record = full_record(0, 1);
  record.first_token.reset();
  record.first_answer.reset();
  RunWriter writer(folder());
  writer.begin_level(0, {LevelKind::concurrency, 1, Arrivals::closed}, run_time(0));
  writer.append(0, std::vector{StoredRequest{record, {}}});
  writer.finish();
  expect_same(read_run(folder()).levels.at(0).requests.at(0), record);
}

TEST_F(RunStore, ManyRequestsWithManyGaps) {
  constexpr std::uint32_t many = 100'000;
  RunWriter writer(folder());
  writer.begin_level(0, Level{}, run_time(0));
  std::vector<StoredRequest> batch(1000);
  for (std::uint32_t serial = 0; serial < many; ++serial) {
    StoredRequest& request = batch[serial % batch.size()];
    request.record = full_record(serial, 201);
    request.gaps.assign(200, serial);
    if (serial % batch.size() + 1 == batch.size()) writer.append(0, batch);
  }
  writer.end_level(0, run_time(1), "complete");
  writer.finish();
  const LevelRecords level = RunReader(folder()).level(0);
  ASSERT_EQ(level.requests.size(), many);
  EXPECT_EQ(level.gaps.size(), std::uint64_t{many} * 200);
  EXPECT_EQ(level.gaps.at(level.requests[many - 1].gaps)[199], many - 1);
}

TEST_F(RunStore, WhatIsNoRunIsSaidInOneSentence) {
  expect_says(error_of(folder("nowhere")), "there is no such run folder");
  fs::create_directories(folder());
  expect_says(error_of(folder()), "no run.sqlite");
  std::ofstream(folder() + "/run.sqlite")
      << "this is a text file and long enough to be read as a header of a database, "
         "which it is not: that must be said in a sentence.";
  expect_says(error_of(folder()), "not a SQLite database");
  fs::remove(folder() + "/run.sqlite");
  std::ofstream(folder() + "/run.sqlite").flush();
  expect_says(error_of(folder()), "table \"run\" is missing");
  fs::remove(folder() + "/run.sqlite");
  tamper("CREATE TABLE run(key, value); CREATE TABLE fact(key, value, source)");
  expect_says(error_of(folder()), "table \"level\" is missing");
}

TEST_F(RunStore, NewerOrBrokenVersionsAreRefused) {
  {
    RunWriter writer(folder());
  }
  tamper("PRAGMA user_version = 2");
  expect_says(error_of(folder()), "version 2");
  EXPECT_THROW(RunWriter::resume(folder()), Error);
  tamper("PRAGMA user_version = 0");
  expect_says(error_of(folder()), "no version");
}

TEST_F(RunStore, ATruncatedFileIsAnError) {
  {
    RunWriter writer(folder());
    writer.begin_level(0, Level{}, run_time(0));
    for (std::uint32_t serial = 0; serial < 300; ++serial) {
      writer.append(0, std::vector{StoredRequest{full_record(serial, 201), std::vector<std::uint32_t>(200, 1)}});
    }
    writer.finish();
  }
  fs::resize_file(folder() + "/run.sqlite", fs::file_size(folder() + "/run.sqlite") / 2);
  EXPECT_NE(error_of(folder()), "");
}

TEST_F(RunStore, AReadOnlyFolderCanBeRead) {
  {
    RunWriter writer(folder());
    writer.begin_level(0, Level{}, run_time(0));
    writer.finish();
  }
  fs::permissions(folder(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(read_run(folder()).levels.size(), 1u);
  EXPECT_EQ(read_run(folder() + "/run.sqlite").levels.size(), 1u);
  fs::permissions(folder(), fs::perms::owner_all);
}

struct Tampering {
  const char* sql;
  const char* says;
};

class HostileRunFile : public RunStore, public ::testing::WithParamInterface<Tampering> {};

TEST_P(HostileRunFile, IsRefusedByName) {
  {
    RunWriter writer(folder());
    writer.begin_level(0, Level{LevelKind::request_rate, 5, Arrivals::poisson}, run_time(0));
    writer.append(0, std::vector{StoredRequest{full_record(0), {1, 2}}, StoredRequest{full_record(1, 2), {3}}});
    writer.put_client(0, some_client());
    writer.put_facts({{"engine.name", "vllm", FactSource::server}});
    writer.put_doubts({make_doubt("drift", 0, "drifts")});
    writer.finish();
  }
  ASSERT_EQ(error_of(folder()), "");
  tamper(GetParam().sql);
  expect_says(error_of(folder()), GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(
    Values, HostileRunFile,
    ::testing::Values(
        Tampering{"UPDATE request SET sent_ns = 9223372036854775807 WHERE serial = 1", "sent_ns"},
        Tampering{"UPDATE request SET due_ns = 'soon'", "due_ns"},
        Tampering{"UPDATE request SET prompt_tokens = -1", "prompt_tokens"},
        Tampering{"UPDATE request SET completion_tokens = 1e300", "completion_tokens"},
        Tampering{"UPDATE request SET outcome = 'fine'", "outcome"},
        Tampering{"UPDATE request SET outcome = NULL", "outcome"},
        Tampering{"UPDATE request SET stamp = 'hand'", "stamp"},
        Tampering{"UPDATE request SET token_source = x'00'", "token_source"},
        Tampering{"UPDATE request SET http_status = 70000", "http_status"},
        Tampering{"UPDATE request SET attempts = 256", "attempts"},
        Tampering{"UPDATE request SET warmup = 2", "warmup"}, Tampering{"UPDATE request SET level = 1", "id"},
        Tampering{"UPDATE request SET serial = 5 WHERE serial = 1", "id"},
        Tampering{"UPDATE request SET session = 4294967296", "session"},
        Tampering{"UPDATE request SET prompt_tokens = 2000000000000", "prompt_tokens"},
        Tampering{"UPDATE request SET closed_ns = NULL", "closed_ns"},
        Tampering{"UPDATE request SET closed_ns = -200", "closed_ns"},
        Tampering{"UPDATE request SET due_ns = NULL", "due_ns"}, Tampering{"UPDATE request SET sent_ns = 9", "sent_ns"},
        Tampering{"UPDATE request SET first_byte_ns = 10", "first_byte_ns"},
        Tampering{"UPDATE request SET first_token_ns = NULL", "first_token_ns"},
        Tampering{"UPDATE request SET first_answer_ns = 12", "first_answer_ns"},
        Tampering{"UPDATE request SET last_token_ns = 12, first_answer_ns = NULL", "last_token_ns"},
        Tampering{"UPDATE request SET last_token_ns = NULL", "last_token_ns"},
        Tampering{"UPDATE request SET outcome = 'ok', events = 0", "events"},
        Tampering{"UPDATE request SET events = 4", "data"}, Tampering{"DELETE FROM gap", "data"},
        Tampering{"UPDATE gap SET data = x'01020304'", "data"}, Tampering{"UPDATE gap SET data = x'010203'", "data"},
        Tampering{"UPDATE gap SET data = 'text'", "data"},
        Tampering{"ALTER TABLE gap RENAME TO old; CREATE TABLE gap(request, data); "
                  "INSERT INTO gap SELECT request, data FROM old UNION ALL SELECT request, data FROM old",
                  "id"},
        Tampering{"UPDATE level SET kind = 'users'", "level.kind"},
        Tampering{"UPDATE level SET target = -1", "level.target"},
        Tampering{"UPDATE level SET target = 9e999", "level.target"},
        Tampering{"UPDATE level SET started_ns = NULL", "level.started_ns"},
        Tampering{"UPDATE level SET state = 'odd'", "level.state"},
        Tampering{"UPDATE level SET window_start_ns = 5, window_end_ns = 4", "level.window_end_ns"},
        Tampering{"UPDATE level SET id = -1", "level.id"}, Tampering{"UPDATE level SET id = 4294967296", "level.id"},
        Tampering{"UPDATE run SET value = 'burst' WHERE key = 'level/0/arrivals'", "run.value"},
        Tampering{"UPDATE run SET value = '[1' WHERE key = 'level/0/client'", "client"},
        Tampering{"UPDATE run SET value = '{\"cpu_share\":\"x\",\"reconnects\":0}' WHERE key = 'level/0/client'",
                  "client"},
        Tampering{"UPDATE fact SET source = 'oracle'", "fact.source"},
        Tampering{"UPDATE doubt SET invalidates = 'yes'", "doubt.invalidates"},
        Tampering{"UPDATE doubt SET id = NULL", "doubt.id"},
        Tampering{"DROP TABLE gap; CREATE VIEW gap AS SELECT 1 AS request, x'' AS data", "table \"gap\""},
        Tampering{"ALTER TABLE request DROP COLUMN stamp", "cannot be read"}));

TEST(RunClient, TextOfTheClient) {
  const ClientSelf back = read_client(write_client(some_client()));
  EXPECT_EQ(back.send_lateness_p50_ms, 0.018);
  EXPECT_EQ(back.kernel_stamped_share(), std::nullopt);
  EXPECT_EQ(back.cpu_share, 0.25);
  EXPECT_EQ(back.thread_cpu_shares, some_client().thread_cpu_shares);
  EXPECT_EQ(back.output_events, std::uint64_t{1} << 40);
  EXPECT_EQ(write_client(back), write_client(some_client()));
  EXPECT_THROW(read_client("[]"), Error);
  EXPECT_THROW(read_client(R"({"reconnects": -1})"), Error);
}

}  // namespace
}  // namespace loadline
