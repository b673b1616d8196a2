#include "net/connection.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "net/poller.h"

namespace loadline {
namespace {

/// Both ends of one connection, gone on with in turns until `done`.
struct BothEnds {
  Listener listener;
  Connection client;
  std::optional<Socket> server;
  std::string heard;  ///< by the server

  BothEnds(Listener at, const Address& address, const Tunnel* tunnel, const Address* source = nullptr)
      : listener(std::move(at)), client(address, nullptr, tunnel, source) {}

  template <class Done>
  bool go_on_until(Done done) {
    Poller poller;
    poller.add(listener.socket.fd(), 0, {});
    if (!client.failed()) poller.add(client.fd(), 1, {.read = true, .write = client.wants_write()});
    if (server && server->is_open()) poller.add(server->fd(), 2, {});
    std::vector<Ready> ready;
    while (!done()) {
      poller.wait(Nanos(std::chrono::seconds(5)), ready);
      if (ready.empty()) return false;
      if (!server) {
        server = accept_from(listener.socket);
        if (server) poller.add(server->fd(), 2, {});
      }
      char bytes[4096];
      if (server && server->is_open()) heard.append(bytes, server->read(bytes).bytes);
      client.progress();
      if (!client.failed()) poller.modify(client.fd(), 1, {.read = true, .write = client.wants_write()});
    }
    return true;
  }
  std::string read() {
    std::vector<char> buffer(Connection::read_size);
    const IoResult result = client.read(buffer);
    return {buffer.data(), result.bytes};
  }
};

const Tunnel to_example{"example.org:443", "proxy.example:3128", "Basic dTpw"};

BothEnds through_proxy() {
  Listener listener = listen_on_loopback();
  const Address address = loopback_address(listener.port);
  return BothEnds(std::move(listener), address, &to_example);
}

TEST(Connection, OpensATunnelBeforeAnythingElse) {
  BothEnds ends = through_proxy();
  ASSERT_TRUE(ends.go_on_until([&] { return ends.heard.ends_with("\r\n\r\n"); }));
  EXPECT_EQ(ends.heard, connect_request(to_example));
  EXPECT_FALSE(ends.client.is_open());
  ends.server->write("HTTP/1.1 200 Connection est");
  ASSERT_FALSE(ends.client.failed());
  ends.server->write("ablished\r\nVia: x\r\n\r\nHELLO");  // the server may speak first, right behind the proxy
  ASSERT_TRUE(ends.go_on_until([&] { return ends.client.is_open(); }));
  EXPECT_EQ(ends.read(), "HELLO");
  ends.heard.clear();
  ends.client.send("ask", "ed");
  ASSERT_TRUE(ends.go_on_until([&] { return ends.heard == "asked"; }));
}

TEST(Connection, SaysWhatTheProxySaid) {
  BothEnds ends = through_proxy();
  ASSERT_TRUE(ends.go_on_until([&] { return ends.heard.ends_with("\r\n\r\n"); }));
  ends.server->write("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
  ASSERT_TRUE(ends.go_on_until([&] { return ends.client.failed(); }));
  EXPECT_EQ(ends.client.problem(),
            "the proxy proxy.example:3128 answered 407 Proxy Authentication Required when asked for example.org:443");
  EXPECT_EQ(ends.client.problem().find("dTpw"), std::string::npos);
}

TEST(Connection, SaysThatTheProxyHungUp) {
  BothEnds ends = through_proxy();
  ASSERT_TRUE(ends.go_on_until([&] { return ends.heard.ends_with("\r\n\r\n"); }));
  ends.server->close();
  ASSERT_TRUE(ends.go_on_until([&] { return ends.client.failed(); }));
  EXPECT_EQ(ends.client.problem(), "the proxy proxy.example:3128 closed the connection");
}

TEST(Connection, ComesFromTheAddressThatItIsGiven) {
  Listener listener = listen_on_loopback();
  const Address address = loopback_address(listener.port);
  const Address source = source_address("127.0.0.7");
  BothEnds ends(std::move(listener), address, nullptr, &source);
  ASSERT_TRUE(ends.go_on_until([&] { return ends.client.is_open() && ends.server; }));
  Address peer;
  peer.length = sizeof peer.storage;
  ::getpeername(ends.server->fd(), reinterpret_cast<sockaddr*>(&peer.storage), &peer.length);
  EXPECT_EQ(peer.text_without_port(), "127.0.0.7");
}

TEST(Connection, SaysFromWhereItCouldNotConnect) {
  Listener listener = listen_on_loopback();
  const Address ipv6 = [] {
    Address address;
    address.storage.ss_family = AF_INET6;
    address.length = sizeof(sockaddr_storage);
    return address;
  }();
  const Connection client(loopback_address(listener.port), nullptr, nullptr, &ipv6);
  ASSERT_TRUE(client.failed());
  EXPECT_TRUE(client.problem().starts_with("cannot connect from ::: ")) << client.problem();
}

std::string complaint_about_source(const std::string& literal) {
  try {
    source_address(literal);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Address, IsASourceWhereThisMachineHasIt) {
  EXPECT_EQ(complaint_about_source("127.0.0.1"), "");
  EXPECT_EQ(source_address("127.0.0.9").text(), "127.0.0.9:0");
  EXPECT_NE(complaint_about_source("192.0.2.1").find("give an address that this machine has"), std::string::npos);
  EXPECT_NE(complaint_about_source("localhost").find("--source-address localhost: write an IPv4"), std::string::npos);
  EXPECT_NE(complaint_about_source("").find("write an IPv4"), std::string::npos);
}

}  // namespace
}  // namespace loadline
