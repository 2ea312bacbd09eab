// Datagrams and signals reach the loop.
#include "daemon/uplink/doorbell.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <semaphore>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/temp_folder.h"

namespace tacho {

namespace {

void Ring(const std::filesystem::path& path, char word) {
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path.native(), std::begin(address.sun_path));
  const void* raw = &address;
  EXPECT_EQ(sendto(descriptor, &word, 1, 0, static_cast<const sockaddr*>(raw), sizeof address), 1);
  close(descriptor);
}

TEST(Doorbell, TellsAnEventFromABatch) {
  const TempFolder folder;
  const auto path = folder.path() / "wake.sock";
  std::counting_semaphore<8> urgent(0);
  std::counting_semaphore<8> patient(0);
  const Doorbell doorbell(
      path, {[&](bool is_urgent) { (is_urgent ? urgent : patient).release(); }, [] {}});
  Ring(path, '\1');
  urgent.acquire();
  Ring(path, '\0');
  patient.acquire();
}

TEST(Doorbell, TakesTheSocketOverFromOneThatWasKilledAndLeavesNothingBehind) {
  const TempFolder folder;
  const auto path = folder.path() / "wake.sock";
  std::counting_semaphore<8> rung(0);
  {
    const Doorbell first(path, {[](bool) {}, [] {}});
    const Doorbell second(path, {[&](bool) { rung.release(); }, [] {}});
    Ring(path, '\1');
    rung.acquire();
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Doorbell, LivesWithoutItsFolder) {
  const Doorbell doorbell("/no/such/folder/wake.sock", {[](bool) {}, [] {}});
}

}  // namespace

}  // namespace tacho
