#include "daemon/uplink/send_order.h"

#include <algorithm>
#include <tuple>

namespace tacho {

void SortForSending(std::vector<SpooledStream>& streams, const BootId& current) {
  std::sort(streams.begin(), streams.end(), [&](const SpooledStream& a, const SpooledStream& b) {
    const bool a_is_old = a.key.boot != current;
    const bool b_is_old = b.key.boot != current;
    // The greater boot counter is the newer boot. The key makes the order the same every time.
    return std::tie(a.key.tier, a_is_old, b.boot_counter, a.key) <
           std::tie(b.key.tier, b_is_old, a.boot_counter, b.key);
  });
}

}  // namespace tacho
