// Every shape of answer over real loopback: what the whole client makes of it, connections included.
#include <gtest/gtest.h>

#include <charconv>
#include <map>

#include "load/answer_shapes_test.h"
#include "load/level_world_test.h"

namespace loadline {
namespace {

using scripted::expect_sound;
using scripted::Peer;
using scripted::Server;
using scripted::World;
using shapes::Shape;

/// Which request of the plan this is: its body says so, also when it comes a second time.
std::size_t number_of(const std::string& request) {
  const std::string mark = "{\"request\":";
  std::size_t index = 0;
  const std::size_t at = request.find(mark) + mark.size();
  std::from_chars(request.data() + at, request.data() + request.size(), index);
  return index;
}

/// Asks for all shapes, which are of one format, one after another.
LevelRecords ask_for(const std::vector<Shape>& asked) {
  Server server([&](Peer& peer, int, const std::string& request) {
    const std::string& bytes = asked.at(number_of(request)).bytes;
    // In two writes with a moment between: mostly two reads.
    peer.send(std::string_view(bytes).substr(0, bytes.size() / 2));
    peer.pause(1);
    peer.send(std::string_view(bytes).substr(bytes.size() / 2));
    peer.close();
  });
  World world(1, asked.size(), 0);
  Destination destination = world.destination(server.port());
  destination.format = asked.front().asked.format;
  destination.streamed = asked.front().asked.streamed;
  Client client(destination, world.timeouts, world.time);
  world.run(client);
  return std::move(world.records);
}

TEST(RunLevelShapes, EveryShapeOfAnswerHasItsValues) {
  std::map<std::pair<StreamFormat, bool>, std::vector<Shape>> by_format;
  for (Shape& shape : shapes::all_shapes()) {
    by_format[{shape.asked.format, shape.asked.streamed}].push_back(std::move(shape));
  }
  EXPECT_EQ(by_format.size(), 15u) << "seven formats that stream and come whole, embeddings only whole";
  for (const auto& [format, asked] : by_format) {
    const LevelRecords records = ask_for(asked);
    ASSERT_EQ(records.requests.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) shapes::expect_record(asked[i], records.requests[i]);
  }
}

TEST(RunLevelShapes, ALineOf16MiBPasses) {
  const std::string before = R"(data: {"choices":[{"text":")", after = R"(","finish_reason":"stop"}]})";
  const std::string line = before + std::string(SseParser::line_limit - before.size() - after.size(), 'x') + after;
  const LevelRecords records = ask_for(
      {{"16 MiB", shapes::stream_of(line + "\n\n"), {}}, {"a byte more", shapes::stream_of("x" + line + "\n\n"), {}}});
  EXPECT_EQ(records.requests[0].outcome, Outcome::ok) << records.requests[0].message;
  EXPECT_EQ(records.requests[0].events, 1u);
  EXPECT_EQ(records.requests[1].outcome, Outcome::protocol_error);
  EXPECT_NE(records.requests[1].message.find("16 MiB"), std::string::npos) << records.requests[1].message;
}

/// How many connections it takes to get `response` five times, one after another, from a server that keeps them open.
int connections_for(const std::string& response) {
  Server server([&](Peer& peer, int, const std::string&) { peer.send(response); });
  World world(1, 5, 0);
  world.run(server.port());
  expect_sound(world.records);
  EXPECT_EQ(world.outcomes(), (scripted::Counts{{"ok", 5}}));
  return server.connections();
}

TEST(RunLevelShapes, AConnectionIsUsedAgainWhereItsFramingAllows) {
  const std::string body = shapes::data(shapes::text_chunk("a")) + shapes::done;
  EXPECT_EQ(connections_for(shapes::in_chunks(body, 40)), 1);
  EXPECT_EQ(connections_for(shapes::in_chunks(body, 40, "X-Trailer: 1\r\n")), 1);
  EXPECT_EQ(connections_for(shapes::with_length("text/event-stream", body)), 1);
  EXPECT_EQ(connections_for("HTTP/1.1 103 Early Hints\r\n\r\n" + shapes::with_length("text/event-stream", body)), 1);
  EXPECT_EQ(connections_for(shapes::with_length("text/event-stream", body, "Connection: close\r\n")), 5);
  EXPECT_EQ(connections_for(shapes::with_length("text/event-stream", body) + "HTTP/1.1 408 Timeout\r\n\r\n"), 5)
      << "bytes that nobody asked for belong to no answer";
}

}  // namespace
}  // namespace loadline
