// Which series come first where not all can be shown.
#include "cli/series_order.h"

#include <gtest/gtest.h>
#include <string>

namespace tacho {
namespace {

Json Series(const char* metric, const char* unit) {
  return Json::Object{{"metric", metric}, {"unit", unit}};
}

TEST(InOrderOfNeed, PutsTemperaturesAndPowerBeforeTheRest) {
  const Json::Array series = {Series("cpu_core_frequency", "Hz"),
                              Series("cpu_core_load", "ratio"),
                              Series("load_average", ""),
                              Series("memory_used", "B"),
                              Series("power_rail", "W"),
                              Series("rail_voltage", "V"),
                              Series("self_voluntary_switches", ""),
                              Series("stage_duration", "s"),
                              Series("arm_joint_heat", "furlong"),
                              Series("thermal_zone_temperature", "C")};
  std::string order;
  for (const Json* one : InOrderOfNeed(series)) {
    order += (*one)["metric"].AsText() + ' ';
  }
  EXPECT_EQ(order,
            "thermal_zone_temperature power_rail rail_voltage cpu_core_load load_average "
            "cpu_core_frequency memory_used arm_joint_heat self_voluntary_switches "
            "stage_duration ");
}

TEST(InOrderOfNeed, HoldsForWhatIsNoSeries) {
  EXPECT_EQ(InOrderOfNeed({Json(1), Json(), Json("x")}).size(), 3U);
}

}  // namespace
}  // namespace tacho
