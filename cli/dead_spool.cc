// What the recorder's spool holds while no recorder answers for it.
#include "cli/dead_spool.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/exit_code.h"
#include "cli/values.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/spool_reader.h"

namespace tacho {
namespace {

std::string_view NameOf(Tier tier) {
  switch (tier) {
    case Tier::kEvents:
      return "events";
    case Tier::kSummaries:
      return "summaries";
    case Tier::kMinutes:
      return "minutes";
    case Tier::kCaptures:
      return "captures";
    case Tier::kHistory:
      return "history";
  }
  return "unknown";
}

std::vector<TableColumn> Columns() {
  return {{.name = "boot", .is_right = true},         {.name = "tier"},
          {.name = "first", .is_right = true},        {.name = "last", .is_right = true},
          {.name = "acknowledged", .is_right = true}, {.name = "boot_id", .rank = 1}};
}

// How many of its records the server has, by what the uplink wrote down.
std::uint64_t AcknowledgedOf(const SpooledStream& stream, Seq through) {
  return through < stream.first ? 0
                                : Number(std::min(through, stream.last)) - Number(stream.first) + 1;
}

std::vector<TableCell> Row(const SpooledStream& stream, Seq through) {
  return {CountCell(stream.boot_counter),
          TextCell(NameOf(stream.key.tier)),
          CountCell(Number(stream.first)),
          CountCell(Number(stream.last)),
          CountCell(AcknowledgedOf(stream, through)),
          TextCell(stream.key.boot.ToString())};
}

Json JsonOf(const SpooledStream& stream, Seq through) {
  return Json::Object{
      {"boot", stream.boot_counter},     {"boot_id", stream.key.boot.ToString()},
      {"tier", NameOf(stream.key.tier)}, {"first", Number(stream.first)},
      {"last", Number(stream.last)},     {"acknowledged", AcknowledgedOf(stream, through)}};
}

}  // namespace

Result<AnswerPage> ReadDeadSpool(const std::filesystem::path& folder, Disk& disk,
                                 const std::string& headline) {
  SpoolReader reader(folder, disk);
  TACHO_TRY(reader.Refresh());
  const std::vector<SpooledStream> streams = reader.Streams();
  if (streams.empty()) {
    return Status(Code::kNotFound, fmt::format("The spool {} holds nothing.", folder.string()));
  }
  AnswerPage page;
  page.exit_code = kExitUnreachable;
  page.headline = headline;
  page.headline_tone = Tone::kBad;
  Section& section = page.sections.emplace_back();
  section.tag = "spool";
  section.title = fmt::format("what it left in {}", folder.string());
  section.table.columns = Columns();
  LedgerReader ledger(folder, disk);
  // A ledger that cannot be read acknowledges nothing, ignored since then all will be sent again.
  (void)ledger.Refresh();
  Json::Array list;
  for (const SpooledStream& stream : streams) {
    const Seq through = ledger.through(stream.key);
    section.table.rows.push_back(Row(stream, through));
    list.push_back(JsonOf(stream, through));
  }
  page.json = Json::Object{{"ok", false}, {"error", headline}, {"streams", std::move(list)}};
  page.warnings = reader.TakeWarnings();
  page.coverage =
      "nothing is being measured now; what is not acknowledged is sent while the uplink runs";
  page.next = {"systemctl status tachod", "journalctl -u tachod -n 50"};
  return page;
}

}  // namespace tacho
