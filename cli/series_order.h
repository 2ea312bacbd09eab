// Which series come first where not all can be shown.
#pragma once

#include <vector>

#include "common/json.h"

namespace tacho {

// What an engineer on call looks at first: temperatures, power, loads, clocks, memory, then the
// rest; each by name. Told from the unit, so that metrics of applications find their place too.
// The series must outlive what is returned.
std::vector<const Json*> InOrderOfNeed(const Json::Array& series);

}  // namespace tacho
