#include "net/socket.h"

#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#include <thread>

#include "core/error.h"
#include "net/connection.h"
#include "net/poller.h"
#include "net/time_source.h"

namespace loadline {
namespace {

constexpr std::uint64_t listener_key = 1, client_key = 2, server_key = 3;

Nanos limit() { return std::chrono::seconds(5); }

/// The clock of the kernel's stamps.
Nanos realtime() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::chrono::seconds(now.tv_sec) + Nanos(now.tv_nsec);
}

/// Waits until `key` is ready; nothing else is watched with that key.
Ready wait_for_key(Poller& poller, std::uint64_t key) {
  std::vector<Ready> ready;
  for (int i = 0; i < 100; ++i) {
    poller.wait(limit(), ready);
    for (const Ready& r : ready) {
      if (r.key == key) return r;
    }
  }
  ADD_FAILURE() << "key " << key << " never became ready";
  return {};
}

struct Pair {
  Poller poller;
  Listener listener;
  Connection client;
  Socket server;

  explicit Pair(Listener at, const Address& address) : listener(std::move(at)), client(address, nullptr) {
    poller.add(listener.socket.fd(), listener_key, {});
    poller.add(client.fd(), client_key, {.read = true, .write = true});
    wait_for_key(poller, listener_key);
    server = std::move(accept_from(listener.socket).value());
    wait_for_key(poller, client_key);
    client.progress();
    poller.modify(client.fd(), client_key, {});
    poller.add(server.fd(), server_key, {});
  }
};

Pair loopback_pair() {
  Listener listener = listen_on_loopback();
  const Address address = loopback_address(listener.port);
  return Pair(std::move(listener), address);
}

void exchange(Pair& pair) {
  ASSERT_TRUE(pair.client.is_open());
  pair.client.send("he", "llo");
  EXPECT_EQ(pair.client.bytes_handed(), 5u);
  EXPECT_FALSE(pair.client.wants_write());
  wait_for_key(pair.poller, server_key);
  char bytes[64];
  const IoResult got = pair.server.read(bytes);
  EXPECT_EQ(std::string_view(bytes, got.bytes), "hello");
  EXPECT_EQ(pair.server.read(bytes).state, Io::would_block);
  pair.server.write("world");
  EXPECT_TRUE(wait_for_key(pair.poller, client_key).readable);
  std::vector<char> buffer(Connection::read_size);
  const IoResult answer = pair.client.read(buffer);
  EXPECT_EQ(std::string_view(buffer.data(), answer.bytes), "world");
}

TEST(Socket, ExchangesBytesOverLoopback) {
  Pair pair = loopback_pair();
  exchange(pair);
  pair.server.close();
  wait_for_key(pair.poller, client_key);
  std::vector<char> buffer(Connection::read_size);
  EXPECT_EQ(pair.client.read(buffer).state, Io::closed);
}

TEST(Socket, ExchangesBytesOverAUnixSocket) {
  const std::string path = ::testing::TempDir() + "loadline_socket_test_" + std::to_string(::getpid());
  ::unlink(path.c_str());
  const Address address = unix_address(path);
  EXPECT_EQ(address.text(), "unix:" + path);
  Pair pair(listen_on(address), address);
  exchange(pair);
  ::unlink(path.c_str());
}

TEST(Socket, ExchangesBytesOverIpv6) {
  std::optional<Listener> listener;
  try {
    listener = listen_on(resolve("[::1]", 0).front());
  } catch (const Error& error) {
    GTEST_SKIP() << "no IPv6 here: " << error.what();
  }
  const Address address = resolve("::1", listener->port).front();
  EXPECT_EQ(address.text(), "[::1]:" + std::to_string(listener->port));
  Pair pair(std::move(*listener), address);
  exchange(pair);
}

TEST(Socket, TellsAReset) {
  Pair pair = loopback_pair();
  pair.server.reset_on_close();
  pair.server.close();
  wait_for_key(pair.poller, client_key);
  std::vector<char> buffer(Connection::read_size);
  EXPECT_EQ(pair.client.read(buffer).state, Io::failed);
  EXPECT_FALSE(pair.client.problem().empty());
}

TEST(Socket, KeepsWhatTheKernelDoesNotTake) {
  Pair pair = loopback_pair();
  const std::string body(16 << 20, 'b');
  pair.client.send("head", body);
  ASSERT_TRUE(pair.client.wants_write());
  pair.poller.modify(pair.client.fd(), client_key, {.read = true, .write = true});
  std::size_t got = 0;
  std::vector<char> buffer(1 << 20);
  std::vector<Ready> ready;
  for (int i = 0; got < body.size() + 4 && i < 100'000; ++i) {
    pair.poller.wait(limit(), ready);
    if (pair.client.wants_write()) pair.client.progress();
    while (true) {
      const IoResult result = pair.server.read(buffer);
      if (result.state != Io::done) break;
      got += result.bytes;
    }
  }
  EXPECT_EQ(got, body.size() + 4);
  EXPECT_EQ(pair.client.bytes_handed(), body.size() + 4);
  EXPECT_FALSE(pair.client.wants_write());
}

TEST(Socket, StampsWhatTheKernelReceived) {
  const Socket keeper = keep_receive_stamps_on();
  Pair pair = loopback_pair();
  std::vector<char> buffer(Connection::read_size);
  std::optional<Nanos> stamp;
  Nanos before{}, after{};
  for (int i = 0; i < 500 && !stamp; ++i) {  // the kernel turns stamping on lazily
    before = realtime();
    pair.server.write("x");
    wait_for_key(pair.poller, client_key);
    stamp = pair.client.read(buffer).received;
    after = realtime();
    if (!stamp) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (!stamp) GTEST_SKIP() << "this kernel does not stamp loopback";
  constexpr Nanos slack = std::chrono::milliseconds(50);  // for a clock that is being disciplined
  EXPECT_GE(*stamp, before - slack);
  EXPECT_LE(*stamp, after + slack);
}

TEST(Socket, TellsARefusal) {
  std::uint16_t port = 0;
  {
    port = listen_on_loopback().port;
  }  // closed again: nobody listens there now
  Connection client(loopback_address(port), nullptr);
  if (!client.failed()) {
    Poller poller;
    poller.add(client.fd(), client_key, {.read = true, .write = true});
    wait_for_key(poller, client_key);
    client.progress();
  }
  EXPECT_TRUE(client.failed());
  EXPECT_NE(client.problem().find("refused"), std::string::npos) << client.problem();
}

TEST(Socket, CannotListenTwice) {
  const Listener first = listen_on_loopback();
  EXPECT_THROW(listen_on_loopback(first.port), Error);
}

TEST(Address, ResolvesNamesAndLiterals) {
  EXPECT_EQ(resolve("127.0.0.1", 80).front().text(), "127.0.0.1:80");
  EXPECT_FALSE(resolve("localhost", 80).empty());
  EXPECT_THROW(resolve("no-such-host.invalid", 80), Error);
  EXPECT_THROW(unix_address(""), Error);
  EXPECT_THROW(unix_address(std::string(200, 'p')), Error);
}

TEST(Poller, TimesOutAndWakes) {
  Poller poller;
  std::vector<Ready> ready{{1, true, true}};
  poller.wait(Nanos(0), ready);
  EXPECT_TRUE(ready.empty());
  poller.wait(Nanos(1'000'000), ready);
  EXPECT_TRUE(ready.empty());
  std::thread other([&] { poller.wake(); });
  poller.wait(std::nullopt, ready);  // without end: returns because of the wake
  other.join();
  EXPECT_TRUE(ready.empty());
}

TEST(Poller, WatchesWhatItIsTold) {
  Pair pair = loopback_pair();
  std::vector<Ready> ready;
  pair.poller.wait(Nanos(0), ready);
  EXPECT_TRUE(ready.empty()) << "nothing to read";
  pair.poller.modify(pair.client.fd(), client_key, {.read = false, .write = true});
  const Ready writable = wait_for_key(pair.poller, client_key);
  EXPECT_TRUE(writable.writable);
  EXPECT_FALSE(writable.readable);
  pair.poller.remove(pair.client.fd());
  pair.poller.wait(Nanos(0), ready);
  EXPECT_TRUE(ready.empty());
}

TEST(Poller, TellsAfterARestWhatCameMeanwhile) {
  Pair pair = loopback_pair();
  const Nanos before = SystemTime::monotonic_now();
  pair.server.write("x");
  pair.poller.rest(Nanos(500'000));
  pair.poller.rest(Nanos(0));
  pair.poller.rest(Nanos(-1));
  EXPECT_GE(SystemTime::monotonic_now() - before, Nanos(500'000));
  std::vector<Ready> ready;
  pair.poller.wait(Nanos(0), ready);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].key, client_key);
  EXPECT_TRUE(ready[0].readable);
}

TEST(Process, MayRaiseItsLimitOfOpenFiles) { EXPECT_GE(raise_open_file_limit(), 16u); }

}  // namespace
}  // namespace loadline
