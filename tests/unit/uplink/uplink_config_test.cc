// uplink.toml is read, and all its mistakes are named.
#include "daemon/uplink/uplink_config.h"

#include <gtest/gtest.h>

namespace tacho {

namespace {

TEST(UplinkConfig, ReadsEveryKey) {
  const auto settings = ParseUplinkConfig(R"(robot = "rb12"
server = "fleet.example.com:4440"
flush = "2s"
retry_at_most = "1m"
[tls]
authority = "/etc/tacho/ca.crt"
certificate = "/etc/tacho/rb12.crt"
key = "/etc/tacho/rb12.key"
[spool]
folder = "/data/spool"
[wake]
socket = "/run/wake"
)",
                                          "uplink.toml");
  ASSERT_TRUE(settings.ok()) << settings.error()->message();
  EXPECT_EQ(settings->robot, "rb12");
  EXPECT_EQ(settings->server.address, "fleet.example.com:4440");
  EXPECT_EQ(settings->server.tls.key, "/etc/tacho/rb12.key");
  EXPECT_EQ(settings->flush_interval, std::chrono::seconds(2));
  EXPECT_EQ(settings->retry_at_most, std::chrono::minutes(1));
  EXPECT_EQ(settings->spool_folder, "/data/spool");
  EXPECT_EQ(settings->wake_socket, "/run/wake");
}

TEST(UplinkConfig, NeedsOnlyTheRobotAndALocalServer) {
  const auto settings = ParseUplinkConfig("robot = \"rb12\"\nserver = \"127.0.0.1:4440\"\n", "u");
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->flush_interval, std::chrono::seconds(10));
}

TEST(UplinkConfig, ListsAllMistakesWithFileAndLine) {
  const auto settings = ParseUplinkConfig(
      "server = \"fleet.example.com:4440\"\nflush = \"1ms\"\nspol = 3\n", "uplink.toml");
  ASSERT_FALSE(settings.ok());
  const std::string& text = settings.error()->message();
  EXPECT_EQ(settings.error()->code(), Code::kInvalid);
  EXPECT_NE(text.find("uplink.toml:1: robot is missing"), std::string::npos) << text;
  EXPECT_NE(text.find("uplink.toml:1: server: "), std::string::npos) << text;
  EXPECT_NE(text.find("uplink.toml:2: "), std::string::npos) << text;
  EXPECT_NE(text.find("uplink.toml:3: "), std::string::npos) << text;
}

TEST(UplinkConfig, RefusesARobotNameThatNoHelloCouldCarry) {
  const std::string name(65, 'r');
  const auto settings =
      ParseUplinkConfig("robot = \"" + name + "\"\nserver = \"127.0.0.1:4440\"\n", "u");
  EXPECT_FALSE(settings.ok());
}

}  // namespace

}  // namespace tacho
