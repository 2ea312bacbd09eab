// Asks everything that measures how it fares.
#pragma once

#include <span>
#include <vector>

#include "common/dictionary.h"
#include "daemon/recorder/intake.h"
#include "daemon/recorder/latest.h"
#include "daemon/recorder/source_health.h"
#include "daemon/recorder/source_list.h"

namespace tacho {

// What is asked, as the loop thread knows it.
struct Measured {
  std::span<const SourceState> sources;
  const Intake& intake;
  const Dictionary& dictionary;
  const Latest& latest;
};

// Sources as they were found at start, then feeds. Loop thread, after the intake was drained.
std::vector<SourceHealth> HealthOfAll(const Measured& measured, BootTime now);

}  // namespace tacho
