// How many readings a run should have brought of each series: duration over intended period. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "common/dictionary.h"
#include "server/judge/rollup.h"

namespace tacho {

// A dictionary and the moment from which it gave rows their meaning.
struct DictionaryInForce {
  BootTime from;
  std::shared_ptr<const Dictionary> dictionary;
};

struct Expectation {
  double readings = 0;
  Nanos period{0};  // the newest dictionary's; 0 for what comes at no fixed distance
};

// Of every channel that any dictionary of the run names, between `from` and `to`. The first
// dictionary is taken to hold from the start. `in_force` is in order of time.
std::map<SeriesKey, Expectation> ExpectationsOf(const std::vector<DictionaryInForce>& in_force,
                                                BootTime from, BootTime to);

}  // namespace tacho
