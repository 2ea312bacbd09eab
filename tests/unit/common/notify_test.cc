// What systemd hears of a service.
#include "common/notify.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/temp_folder.h"

using namespace std::chrono_literals;

namespace tacho {
namespace {

// Stands for systemd: a datagram socket named in the environment.
class Systemd {
 public:
  Systemd() : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    const std::string path = folder_.path() / "notify";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    setenv("NOTIFY_SOCKET", path.c_str(), 1);
  }
  ~Systemd() {
    unsetenv("NOTIFY_SOCKET");
    close(socket_);
  }
  std::string Heard() const {
    std::array<char, 256> text{};
    const ssize_t size = recv(socket_, text.data(), text.size(), 0);
    return size < 0 ? "" : std::string(text.data(), static_cast<std::size_t>(size));
  }

 private:
  TempFolder folder_;
  int socket_;
};

TEST(NotifyTest, EachMessageIsHeard) {
  const Systemd systemd;
  NotifyReady();
  EXPECT_EQ(systemd.Heard(), "READY=1");
  NotifyAlive();
  EXPECT_EQ(systemd.Heard(), "WATCHDOG=1");
  NotifyStopping();
  EXPECT_EQ(systemd.Heard(), "STOPPING=1");
  NotifyReloading();
  EXPECT_EQ(systemd.Heard().substr(0, 27), "RELOADING=1\nMONOTONIC_USEC=");
}

TEST(NotifyTest, StatusIsOneLine) {
  const Systemd systemd;
  NotifyStatus("30 series\nREADY=1");
  EXPECT_EQ(systemd.Heard(), "STATUS=30 series");
}

TEST(NotifyTest, NothingHappensWithoutSystemd) {
  unsetenv("NOTIFY_SOCKET");
  NotifyReady();
}

TEST(WatchdogTest, SignOfLifeIsDueAtHalfOfThePatience) {
  unsetenv("WATCHDOG_USEC");
  EXPECT_EQ(WatchdogInterval(), 0s);
  setenv("WATCHDOG_USEC", "10000000", 1);
  EXPECT_EQ(WatchdogInterval(), 5s);
  unsetenv("WATCHDOG_USEC");
}

}  // namespace
}  // namespace tacho
