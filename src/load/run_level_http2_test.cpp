#include <algorithm>

#include "load/level_world_test.h"
#include "wire/http2_peer_test.h"

namespace loadline {
namespace {

using scripted::Counts;
using scripted::World;

/// Answers every request over HTTP/2 in the same way; one thread a connection.
class Http2Server {
 public:
  explicit Http2Server(Http2Peer::Answer answer) : answer_(std::move(answer)), listener_(listen_on_loopback()) {
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~Http2Server() {
    stop_ = true;
    acceptor_.join();
    for (std::thread& thread : threads_) thread.join();
  }
  std::uint16_t port() const { return listener_.port; }
  int connections() const { return connections_; }
  std::vector<Http2Peer::Request> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void accept_all() {
    while (!stop_) {
      pollfd one{listener_.socket.fd(), POLLIN, 0};
      ::poll(&one, 1, 5);
      while (std::optional<Socket> socket = accept_from(listener_.socket)) {
        ++connections_;
        threads_.emplace_back([this, s = std::move(*socket)]() mutable { serve(s); });
      }
    }
  }
  void serve(Socket& socket) {
    Http2Peer peer(answer_);
    std::size_t told = 0;
    while (!stop_) {
      const std::string said = peer.output();
      for (std::string_view left = said; !left.empty();) {
        const IoResult result = socket.write(left);
        if (result.state == Io::failed) return;
        left.remove_prefix(result.bytes);
      }
      pollfd one{socket.fd(), POLLIN, 0};
      ::poll(&one, 1, 20);
      char bytes[4096];
      const IoResult result = socket.read(bytes);
      if (result.state == Io::closed || result.state == Io::failed) return;
      if (!peer.take({bytes, result.bytes})) return;
      const std::lock_guard lock(mutex_);
      for (; told < peer.requests().size(); ++told) requests_.push_back(peer.requests()[told]);
    }
  }

  Http2Peer::Answer answer_;
  Listener listener_;
  std::mutex mutex_;
  std::vector<Http2Peer::Request> requests_;
  std::atomic<bool> stop_{false};
  std::atomic<int> connections_{0};
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

Http2Peer::Answer good_answer() {
  return {.pieces = {"data: {\"choices\":[{\"text\":\"w\"}]}\n\n", "data: {\"choices\":[{\"te",
                     "xt\":\"w\",\"finish_reason\":\"length\"}]}\n\n",
                     "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n",
                     "data: [DONE]\n\n"}};
}

void run(World& world, std::uint16_t port) {
  Destination destination = world.destination(port);
  destination.http2 = true;
  Client client(destination, world.timeouts, world.time);
  world.run(client);
}

TEST(RunLevelHttp2, KeepsAConnectionAUser) {
  Http2Server server(good_answer());
  World world(4, 40);
  world.headers = "Authorization: Bearer k\r\n";
  run(world, server.port());
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 40}}));
  EXPECT_EQ(server.connections(), 4);
  EXPECT_EQ(world.records.client.reconnects, 0u);
  scripted::expect_sound(world.records);
  for (const RequestRecord& record : world.records.requests) {
    EXPECT_EQ(record.http_status, 200);
    EXPECT_EQ(record.events, 2u);
    EXPECT_EQ(record.completion_tokens, Tokens(2));
  }
  std::vector<std::string> bodies;
  for (const Http2Peer::Request& request : server.requests()) {
    EXPECT_EQ(request.fields.at(":path"), "/v1/completions");
    EXPECT_EQ(request.fields.at(":authority"), "test:1");
    EXPECT_EQ(request.fields.at("authorization"), "Bearer k");
    bodies.push_back(request.body);
  }
  std::ranges::sort(bodies);
  EXPECT_EQ(std::ranges::unique(bodies).size(), 0u);
  EXPECT_EQ(bodies.size(), 40u);
}

TEST(RunLevelHttp2, OpensAnotherConnectionAfterAFarewell) {
  Http2Peer::Answer answer = good_answer();
  answer.goaway = true;
  Http2Server server(answer);
  World world(2, 6);
  run(world, server.port());
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 6}}));
  EXPECT_EQ(server.connections(), 6);
  EXPECT_EQ(world.records.client.reconnects, 0u) << "told in time: nothing was sent twice";
}

TEST(RunLevelHttp2, CountsAResetAsACut) {
  Http2Peer::Answer answer = good_answer();
  answer.pieces.resize(2);
  answer.reset = NGHTTP2_INTERNAL_ERROR;
  Http2Server server(answer);
  World world(1, 2);
  run(world, server.port());
  EXPECT_EQ(world.outcomes(), (Counts{{"connection_cut", 2}}));
  for (const RequestRecord& record : world.records.requests) {
    EXPECT_EQ(record.message, "the server reset the request: INTERNAL_ERROR");
    EXPECT_EQ(record.events, 1u);
  }
}

TEST(RunLevelHttp2, KeepsTheServersWords) {
  Http2Server server({.fields = {{":status", "503"}, {"content-type", "application/json"}, {"retry-after", "7"}},
                      .pieces = {R"({"error":{"message":"too busy"}})"}});
  World world(1, 2);
  run(world, server.port());
  EXPECT_EQ(world.outcomes(), (Counts{{"rejected", 2}}));
  EXPECT_EQ(world.records.requests[0].message, "too busy (Retry-After: 7 s)");
  EXPECT_EQ(server.connections(), 1) << "an error is an answer: the connection lives on";
}

TEST(RunLevelHttp2, SaysThatAServerDoesNotSpeakIt) {
  scripted::Server server([](scripted::Peer& peer, int, const std::string&) { peer.plain("400 Bad Request", "{}"); });
  World world(1, 1);
  run(world, server.port());
  ASSERT_EQ(world.outcomes(), (Counts{{"connection_cut", 1}}));
  EXPECT_TRUE(world.records.requests[0].message.starts_with("the answer is not HTTP/2"))
      << world.records.requests[0].message;
}

TEST(RunLevelSources, ComesFromEachAddressInTurn) {
  scripted::Server server([](scripted::Peer& peer, int, const std::string&) { scripted::answer_well(peer); });
  World world(4, 8);
  Destination destination = world.destination(server.port());
  destination.source_addresses = {source_address("127.0.0.3"), source_address("127.0.0.4")};
  Client client(destination, world.timeouts, world.time);
  world.run(client);
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 8}}));
  EXPECT_EQ(server.peers(), (std::map<std::string, int>{{"127.0.0.3", 2}, {"127.0.0.4", 2}}));
}

}  // namespace
}  // namespace loadline
