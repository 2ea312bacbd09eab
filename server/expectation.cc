#include "server/expectation.h"

#include <algorithm>

namespace tacho {
namespace {

Nanos PeriodOf(const Dictionary& dictionary, GroupId group) {
  for (const GroupDef& known : dictionary.groups) {
    if (known.id == group) return known.period;
  }
  return Nanos{0};
}

}  // namespace

std::map<SeriesKey, Expectation> ExpectationsOf(const std::vector<DictionaryInForce>& in_force,
                                                BootTime from, BootTime to) {
  std::map<SeriesKey, Expectation> expected;
  for (std::size_t i = 0; i < in_force.size(); ++i) {
    const BootTime start = i == 0 ? from : std::max(from, in_force[i].from);
    const BootTime end = i + 1 < in_force.size() ? std::min(to, in_force[i + 1].from) : to;
    const Nanos held = std::max(end - start, Nanos{0});
    for (const ChannelDef& channel : in_force[i].dictionary->channels) {
      Expectation& one = expected[KeyOf(channel)];
      one.period = PeriodOf(*in_force[i].dictionary, channel.group);
      if (one.period <= Nanos{0}) continue;
      one.readings += static_cast<double>(held.count()) / static_cast<double>(one.period.count());
    }
  }
  return expected;
}

}  // namespace tacho
