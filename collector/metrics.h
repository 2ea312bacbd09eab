// The metrics that sources and feeds share: a quantity has one name, wherever it is read.
#pragma once

#include "common/metric.h"

namespace tacho::metrics {

inline constexpr MetricDef kPowerRail{
    "power_rail", Unit::kWatts, 3, Shape::kGauge,
    "Power that a rail of the board takes; slightly negative when the rail idles."};
inline constexpr MetricDef kRailVoltage{"rail_voltage", Unit::kVolts, 3, Shape::kGauge,
                                        "Voltage of a rail of the board."};
inline constexpr MetricDef kRailCurrent{"rail_current", Unit::kAmperes, 3, Shape::kGauge,
                                        "Current of a rail of the board."};

inline constexpr MetricDef kZoneTemperature{
    "thermal_zone_temperature", Unit::kCelsius, 3, Shape::kGauge,
    "Temperature that the kernel reports for a thermal zone."};

inline constexpr MetricDef kCpuLoad{"cpu_load", Unit::kRatio, 4, Shape::kGauge,
                                    "Share of the time in which the cores together were busy."};
// The kernel counts ticks of 10 ms: a second of one core cannot be told finer than 1 %.
inline constexpr MetricDef kCoreLoad{"cpu_core_load", Unit::kRatio, 2, Shape::kGauge,
                                     "Share of the time in which a core was busy."};
inline constexpr MetricDef kCoreFrequency{
    "cpu_core_frequency", Unit::kHertz, 0, Shape::kGauge,
    "Clock of a core that is asked for, which a throttled core may not reach."};

inline constexpr MetricDef kMemoryUsed{
    "memory_used", Unit::kBytes, 0, Shape::kGauge,
    "Memory less what is free, buffers and cache, as tegrastats counts it."};
inline constexpr MetricDef kMemoryTotal{"memory_total", Unit::kBytes, 0, Shape::kGauge,
                                        "Memory that the kernel manages."};
inline constexpr MetricDef kMemoryAvailable{
    "memory_available", Unit::kBytes, 0, Shape::kGauge,
    "Memory that the kernel could give to a new program without swapping."};
inline constexpr MetricDef kCmaFree{"memory_cma_free", Unit::kBytes, 0, Shape::kGauge,
                                    "Free part of the contiguous memory that drivers draw from."};
inline constexpr MetricDef kSwapUsed{"swap_used", Unit::kBytes, 0, Shape::kGauge, "Swap in use."};
inline constexpr MetricDef kSwapTotal{"swap_total", Unit::kBytes, 0, Shape::kGauge,
                                      "Swap there is."};
inline constexpr MetricDef kSwapCached{"swap_cached", Unit::kBytes, 0, Shape::kGauge,
                                       "Swapped pages that are also in memory."};
inline constexpr MetricDef kLargestFreeBlock{
    "largest_free_block", Unit::kBytes, 0, Shape::kGauge,
    "Size of the largest free block of memory, up to 4 MiB: small when memory is in pieces."};
inline constexpr MetricDef kFreeBlocks{"largest_free_block_count", Unit::kCount, 0, Shape::kGauge,
                                       "How many free blocks have the largest size."};
inline constexpr MetricDef kIramUsed{"iram_used", Unit::kBytes, 0, Shape::kGauge,
                                     "Memory of the video engine in use."};
inline constexpr MetricDef kIramTotal{"iram_total", Unit::kBytes, 0, Shape::kGauge,
                                      "Memory of the video engine."};

inline constexpr MetricDef kGpuLoad{"gpu_load", Unit::kRatio, 3, Shape::kGauge,
                                    "Share of the time in which the GPU was busy."};
inline constexpr MetricDef kGpuFrequency{"gpu_frequency", Unit::kHertz, 0, Shape::kGauge,
                                         "Clock of a graphics cluster of the GPU."};
inline constexpr MetricDef kEmcLoad{
    "emc_load", Unit::kRatio, 2, Shape::kGauge,
    "Share of the memory bandwidth in use at the present clock of the memory."};
inline constexpr MetricDef kEmcFrequency{"emc_frequency", Unit::kHertz, 0, Shape::kGauge,
                                         "Clock of the memory controller."};
inline constexpr MetricDef kEngineLoad{"engine_load", Unit::kRatio, 2, Shape::kGauge,
                                       "Share of the time in which an engine was busy."};
inline constexpr MetricDef kEngineFrequency{"engine_frequency", Unit::kHertz, 0, Shape::kGauge,
                                            "Clock of an engine: video, vision, deep learning."};
inline constexpr MetricDef kOptimiserLoad{
    "code_optimiser_load", Unit::kRatio, 2, Shape::kGauge,
    "Share of the time that Denver and Carmel cores spend translating code."};

inline constexpr MetricDef kSelfCpuTime{"self_cpu_time", Unit::kSeconds, 6, Shape::kCounter,
                                        "CPU time that the recorder has used."};
inline constexpr MetricDef kSelfMemory{"self_resident_memory", Unit::kBytes, 0, Shape::kGauge,
                                       "Memory that the recorder holds."};
inline constexpr MetricDef kSelfVoluntarySwitches{
    "self_voluntary_switches", Unit::kCount, 0, Shape::kCounter,
    "How often the recorder's threads went to sleep: its wake-ups."};
inline constexpr MetricDef kSelfInvoluntarySwitches{
    "self_involuntary_switches", Unit::kCount, 0, Shape::kCounter,
    "How often another thread took the CPU from the recorder's."};

}  // namespace tacho::metrics
