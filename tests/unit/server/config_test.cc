// The server's configuration file.
#include "server/config.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace tacho {
namespace {

TEST(ServerConfig, IsCompleteWithoutAKey) {
  const auto config = ParseServerConfig("", "server.toml");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->listen.address, "127.0.0.1:4440");
  EXPECT_TRUE(config->admits_any);
}

TEST(ServerConfig, AcceptsTheExampleOfItsPage) {
  std::ifstream page(std::string(TACHO_SOURCE_DIR) + "/docs/server.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const auto start = text.find("```toml\n") + 8;
  const auto config =
      ParseServerConfig(text.substr(start, text.find("```", start) - start), "page");
  ASSERT_TRUE(config.ok()) << config.error()->message();
  EXPECT_FALSE(config->admits_any);
  EXPECT_EQ(config->retention, std::chrono::hours(24 * 90));
  ASSERT_EQ(config->roster.size(), 1u);
  EXPECT_EQ(config->roster[0].robot, "rb12");
  EXPECT_EQ(config->roster[0].labels.at("site"), "M1");
}

TEST(ServerConfig, NamesWhoMayAskAndWhoMayChange) {
  const auto config =
      ParseServerConfig("[people]\nviewers = [\"ada\"]\nadmins = [\"bob\"]\n", "s.toml");
  ASSERT_TRUE(config.ok()) << config.error()->message();
  EXPECT_TRUE(config->people.Allows("ada", Role::kViewer).ok());
  EXPECT_EQ(config->people.Allows("ada", Role::kAdmin).code(), Code::kDenied);
  EXPECT_TRUE(config->people.Allows("bob", Role::kAdmin).ok());
  EXPECT_EQ(config->people.Allows("rb12", Role::kViewer).code(), Code::kDenied);
}

TEST(ServerConfig, TakesNoRobotForAPerson) {
  const auto config =
      ParseServerConfig("[robots.rb12]\n[people]\nviewers = [\"rb12\"]\n", "s.toml");
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error()->message(),
            "s.toml:2: rb12 is a robot: a robot's certificate may not ask");
}

TEST(ServerConfig, TellsAllMistakesAtOnce) {
  const auto config = ParseServerConfig(
      "lisen = \"x\"\nadmit = \"all\"\nretention = \"1h\"\n[robots.\"a b\"]\nexpectd = true\n",
      "s.toml");
  ASSERT_FALSE(config.ok());
  const std::string& told = config.error()->message();
  for (const char* part : {"s.toml:1:", "s.toml:2:", "s.toml:3:", "s.toml:5:", "\"a b\""}) {
    EXPECT_NE(told.find(part), std::string::npos) << part << " in\n" << told;
  }
}

}  // namespace
}  // namespace tacho
