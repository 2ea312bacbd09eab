// The table of the recorder's own metrics and where their numbers are.
#include "daemon/recorder/own_telemetry.h"

#include <array>

#include "daemon/recorder/deadlines.h"
#include "daemon/recorder/reading.h"

namespace tacho {
namespace {

struct OwnMetric {
  MetricDef def;
  std::int64_t OwnNumbers::*number;
};

constexpr MetricDef Counter(std::string_view name, std::string_view help) {
  return {name, Unit::kCount, 0, Shape::kCounter, help};
}
constexpr MetricDef Gauge(std::string_view name, Unit unit, int decimals, std::string_view help) {
  return {name, unit, decimals, Shape::kGauge, help};
}

constexpr std::array kMetrics = {
    OwnMetric{Counter("recorder_ring_dropped", "Readings that found their ring full."),
              &OwnNumbers::ring_dropped},
    OwnMetric{Counter("recorder_records_dropped", "Records that found the spool's queue full."),
              &OwnNumbers::records_dropped},
    OwnMetric{Counter("recorder_missed_sweeps", "Deadlines that passed without a sweep."),
              &OwnNumbers::missed_sweeps},
    OwnMetric{Gauge("recorder_parked_sources", Unit::kCount, 0,
                    "Sources left out since a read of theirs does not return."),
              &OwnNumbers::parked_sources},
    OwnMetric{Gauge("recorder_sweep_duration", Unit::kSeconds, 9, "How long the last sweep took."),
              &OwnNumbers::sweep_nanos},
    OwnMetric{Counter("recorder_channels_refused", "Channels past the limit of a dictionary."),
              &OwnNumbers::channels_refused},
    OwnMetric{Counter("recorder_flight_dropped", "Rows too large for the flight ring."),
              &OwnNumbers::flight_dropped},
    OwnMetric{Gauge("spool_used", Unit::kBytes, 0, "Segments that hold unacknowledged records."),
              &OwnNumbers::spool_bytes},
    OwnMetric{
        Gauge("spool_unacknowledged", Unit::kCount, 0, "Records the server has not acknowledged."),
        &OwnNumbers::spool_unacknowledged},
    OwnMetric{Counter("spool_evicted", "Records that made room for newer ones unacknowledged."),
              &OwnNumbers::spool_evicted},
    OwnMetric{Counter("spool_ram_dropped", "Records dropped from memory while the disk refused."),
              &OwnNumbers::spool_ram_dropped},
    OwnMetric{Counter("spool_write_failures", "Writes that the disk refused."),
              &OwnNumbers::spool_write_failures},
    OwnMetric{Counter("spool_sync_failures", "Syncs that the disk refused."),
              &OwnNumbers::spool_sync_failures},
    OwnMetric{Counter("tegrastats_lines", "Samples that tegrastats printed."),
              &OwnNumbers::tegrastats_lines},
    OwnMetric{Counter("tegrastats_noise", "Lines of tegrastats that are no samples."),
              &OwnNumbers::tegrastats_noise},
    OwnMetric{Counter("tegrastats_unknown_tokens", "Words of samples that no rule takes."),
              &OwnNumbers::tegrastats_unknown},
    OwnMetric{Counter("tegrastats_bad_fields", "Values of samples that cannot be read."),
              &OwnNumbers::tegrastats_bad},
    OwnMetric{Counter("tegrastats_restarts", "How often tegrastats had to be started again."),
              &OwnNumbers::tegrastats_restarts},
    OwnMetric{Counter("tegrastats_skipped", "Lines left out: too long, or faster than are taken."),
              &OwnNumbers::tegrastats_skipped},
};

}  // namespace

OwnTelemetry::OwnTelemetry(Channels& channels, Nanos period)
    : group_(channels.AddGroup(kGroup, period)), period_(period) {
  for (const OwnMetric& metric : kMetrics) {
    ids_.push_back(channels.BookOf(group_).Add(metric.def, ""));
  }
}

Row OwnTelemetry::RowOf(const OwnNumbers& numbers, BootTime now) {
  next_ = NextMultiple(now, period_);
  Row row{.group = group_, .at = now, .cells = {}};
  for (std::size_t i = 0; i < kMetrics.size(); ++i) {
    if (ids_[i] == kNoChannel) continue;
    const std::int64_t value = numbers.*kMetrics[i].number;
    if (value >= 0) row.cells.push_back({.channel = ids_[i], .value = value, .why = Why::kPresent});
  }
  return row;
}

}  // namespace tacho
