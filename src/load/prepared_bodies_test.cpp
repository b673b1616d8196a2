#include "load/prepared_bodies.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

using namespace std::chrono_literals;

/// Requests that wait for no other.
Plan plan_of_openings(std::size_t requests) {
  Plan plan;
  plan.requests.resize(requests);
  return plan;
}

/// Renders "body N" and keeps account.
struct NotingWriter {
  std::vector<std::uint32_t> rendered{};
  BodyWriter write = [this](const Plan&, std::uint32_t plan_index, std::string& body) {
    EXPECT_TRUE(body.empty());
    rendered.push_back(plan_index);
    body = "body " + std::to_string(plan_index);
  };
  NotingWriter() = default;
  NotingWriter(const NotingWriter&) = delete;
  NotingWriter& operator=(const NotingWriter&) = delete;
};

using Rendered = std::vector<std::uint32_t>;

void prepare_all(PreparedBodies& bodies, RunTime now) {
  while (bodies.wants_more(now)) bodies.prepare_one(now);
}

TEST(PreparedBodies, RendersEachBodyOnceInOrder) {
  const Plan plan = plan_of_openings(10);
  NotingWriter writer;
  PreparedBodies bodies(plan, writer.write, 3);
  EXPECT_EQ(bodies.take(0), "body 0") << "rendered in a pinch";
  prepare_all(bodies, run_start);
  EXPECT_EQ(writer.rendered.size(), 4u) << "three ahead";
  for (std::uint32_t i = 1; i < 10; ++i) {
    std::string body = bodies.take(i);
    EXPECT_EQ(body, "body " + std::to_string(i));
    bodies.give_back(std::move(body));
    if (i == 5) bodies.prepare_one(run_start);
  }
  EXPECT_FALSE(bodies.wants_more(run_start));
  EXPECT_EQ(writer.rendered, (Rendered{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(PreparedBodies, IsBoundedInMemory) {
  const Plan plan = plan_of_openings(10);
  const BodyWriter write = [](const Plan&, std::uint32_t, std::string& body) { body.assign(1000, 'x'); };
  PreparedBodies bodies(plan, write, 10, 1500);
  int prepared = 0;
  for (; bodies.wants_more(run_start); ++prepared) bodies.prepare_one(run_start);
  EXPECT_EQ(prepared, 2);
  PreparedBodies tiny(plan, write, 10, 1);
  tiny.prepare_one(run_start);
  EXPECT_FALSE(tiny.wants_more(run_start)) << "always one, never more than fit";
}

/// Four conversations of two turns: request 4 + i waits for request i.
Plan plan_of_pairs() {
  Plan plan = plan_of_openings(8);
  for (std::uint32_t i = 0; i < 4; ++i) plan.requests[4 + i].due = AfterTurn{i, 0s};
  return plan;
}

TEST(PreparedBodies, TurnsAreRenderedOnceTheyAreAnnounced) {
  const Plan plan = plan_of_pairs();
  NotingWriter writer;
  PreparedBodies bodies(plan, writer.write, 10);
  prepare_all(bodies, run_start);
  EXPECT_EQ(writer.rendered, (Rendered{0, 1, 2, 3})) << "nobody said that a turn is near";
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(bodies.take(i), "body " + std::to_string(i));
  bodies.announce(4, run_start + 2s);
  bodies.announce(7, run_start + 1s);
  bodies.announce(5, run_start + 3s);
  prepare_all(bodies, run_start);
  EXPECT_EQ(writer.rendered, (Rendered{0, 1, 2, 3, 7, 4, 5})) << "the nearest first";
  EXPECT_EQ(bodies.take(5), "body 5") << "in whatever order they are due";
  bodies.announce(6, run_start);
  EXPECT_EQ(bodies.take(6), "body 6") << "rendered in a pinch";
  EXPECT_EQ(bodies.take(4), "body 4");
  EXPECT_EQ(bodies.take(7), "body 7");
  EXPECT_FALSE(bodies.wants_more(run_start));
  EXPECT_EQ(writer.rendered, (Rendered{0, 1, 2, 3, 7, 4, 5, 6})) << "each once";
}

TEST(PreparedBodies, TurnsGoBeforeWhatWaitsForNoOther) {
  const Plan plan = plan_of_pairs();
  NotingWriter writer;
  PreparedBodies bodies(plan, writer.write, 10);
  EXPECT_EQ(bodies.take(0), "body 0");
  bodies.announce(4, run_start);
  bodies.prepare_one(run_start);
  bodies.prepare_one(run_start);
  EXPECT_EQ(writer.rendered, (Rendered{0, 4, 1}));
}

TEST(PreparedBodies, ATurnAfterALongPauseWaitsToBeRendered) {
  const Plan plan = plan_of_pairs();
  NotingWriter writer;
  PreparedBodies bodies(plan, writer.write, 10);
  for (std::uint32_t i = 0; i < 4; ++i) bodies.take(i);
  bodies.announce(4, run_start + 1h);
  EXPECT_FALSE(bodies.wants_more(run_start));
  EXPECT_FALSE(bodies.wants_more(run_start + 50min));
  EXPECT_TRUE(bodies.wants_more(run_start + 1h - 1s)) << "before it is due";
}

TEST(PreparedBodies, TurnsAreBoundedInMemoryToo) {
  const Plan plan = plan_of_pairs();
  const BodyWriter write = [](const Plan&, std::uint32_t, std::string& body) { body.assign(1000, 'x'); };
  PreparedBodies bodies(plan, write, 10, 3000);  // 1,500 for each kind
  const auto prepare_counting = [&] {
    int prepared = 0;
    for (; bodies.wants_more(run_start); ++prepared) bodies.prepare_one(run_start);
    return prepared;
  };
  EXPECT_EQ(prepare_counting(), 2);
  for (std::uint32_t turn = 4; turn < 8; ++turn) bodies.announce(turn, run_start);
  EXPECT_EQ(prepare_counting(), 2) << "room of their own, and no more";
  bodies.take(7);
  EXPECT_EQ(prepare_counting(), 0) << "one that was not ready makes no room";
  bodies.take(4);
  EXPECT_EQ(prepare_counting(), 1);
  PreparedBodies tiny(plan, write, 10, 1);
  tiny.announce(4, run_start);
  tiny.announce(5, run_start);
  tiny.prepare_one(run_start);
  tiny.prepare_one(run_start);
  EXPECT_FALSE(tiny.wants_more(run_start)) << "one of each kind";
  EXPECT_EQ(tiny.take(4).size(), 1000u);
  EXPECT_EQ(tiny.take(0).size(), 1000u);
}

}  // namespace
}  // namespace loadline
