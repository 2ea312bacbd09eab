// A server that refuses a robot is named once, asked again later, and spoken to once it admits it.
#include <gtest/gtest.h>
#include <string>

#include "tests/e2e/event_feed.h"
#include "tests/e2e/programs.h"
#include "tests/support/temp_folder.h"
#include "tests/support/waiting.h"

namespace tacho {
namespace {

std::size_t CountOf(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) {
    ++count;
  }
  return count;
}

struct Refusal {
  const char* name;
  const char* server;  // what its configuration says
  const char* why;     // what the uplink says
};

class RefusedTest : public testing::TestWithParam<Refusal> {
 protected:
  TempFolder folder_;
  RealFleet fleet_{folder_.path()};
};

TEST_P(RefusedTest, IsSaidOnceAndGoesOnWhenAdmitted) {
  fleet_.WriteServer(GetParam().server);
  fleet_.StartAll();
  // The server has a line for each attempt, the uplink one for all.
  const auto attempts = [&] { return CountOf(fleet_.server.Printed(), "refused rb12: "); };
  ASSERT_TRUE(WaitFor([&] { return attempts() >= 3; })) << fleet_.server.Printed();
  const std::string said = fleet_.uplink.Printed();
  EXPECT_EQ(CountOf(said, std::string("not connected: ") + GetParam().why), 1u) << said;

  fleet_.server.Stop();
  fleet_.WriteServer("");
  fleet_.server.Start();
  EXPECT_TRUE(WaitFor([&] {
    return fleet_.uplink.Printed().find("the server is there") != std::string::npos;
  })) << fleet_.uplink.Printed();
  EXPECT_EQ(attempts(), 0u);  // of its new life
  fleet_.recorder.Stop();
  fleet_.uplink.Stop();
  fleet_.server.Stop();
}

INSTANTIATE_TEST_SUITE_P(
    Robot, RefusedTest,
    testing::Values(Refusal{"Unknown", "admit = \"roster\"\n", "rb12 is not on the roster"},
                    Refusal{"Retired", "[robots.rb12]\nretired = true\n", "rb12 is retired"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace tacho
