// Which series come first where not all can be shown.
#include "cli/series_order.h"

#include <algorithm>
#include <string>

#include "common/metric.h"

namespace tacho {
namespace {

enum class Need { kTemperature, kPower, kLoad, kClock, kMemory, kRest };

Need NeedOf(const Json& series) {
  if (series["metric"].AsText().find("load") != std::string::npos) return Need::kLoad;
  Unit unit{};
  if (!ParseUnit(series["unit"].AsText(), unit)) return Need::kRest;
  switch (unit) {
    case Unit::kCelsius:
      return Need::kTemperature;
    case Unit::kWatts:
    case Unit::kJoules:
    case Unit::kVolts:
    case Unit::kAmperes:
      return Need::kPower;
    case Unit::kRatio:
      return Need::kLoad;
    case Unit::kHertz:
      return Need::kClock;
    case Unit::kBytes:
      return Need::kMemory;
    case Unit::kNone:
    case Unit::kSeconds:
    case Unit::kCount:
      break;
  }
  return Need::kRest;
}

}  // namespace

std::vector<const Json*> InOrderOfNeed(const Json::Array& series) {
  std::vector<const Json*> order;
  order.reserve(series.size());
  for (const Json& one : series) {
    order.push_back(&one);
  }
  std::stable_sort(order.begin(), order.end(), [](const Json* a, const Json* b) {
    const Need left = NeedOf(*a);
    const Need right = NeedOf(*b);
    if (left != right) return left < right;
    return (*a)["metric"].AsText() < (*b)["metric"].AsText();
  });
  return order;
}

}  // namespace tacho
