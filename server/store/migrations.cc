#include "server/store/migrations.h"

#include <fmt/format.h>

namespace tacho {
namespace {

Result<int> VersionOf(Database& database) {
  auto query = database.Prepare("PRAGMA user_version");
  if (!query.ok()) return std::move(query).status();
  const bool has_row = (*query)->Step();
  const int version = has_row ? static_cast<int>((*query)->Int(0)) : 0;
  TACHO_TRY((*query)->Finish());
  return version;
}

Status Apply(Database& database, const SchemaScript& script, WallTime now) {
  Transaction transaction(database);
  TACHO_TRY(transaction.Begin());
  TACHO_TRY(database.Execute(std::string(script.text)));
  TACHO_TRY(database.Execute(
      fmt::format("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY,"
                  " applied_wall_ns INTEGER NOT NULL) STRICT;"
                  "INSERT INTO migrations VALUES ({0}, {1}); PRAGMA user_version={0};",
                  script.number, Count(now))));
  return transaction.Commit();
}

}  // namespace

Status Migrate(Database& database, std::span<const SchemaScript> scripts, WallTime now) {
  const auto version = VersionOf(database);
  if (!version.ok()) return *version.error();
  if (*version > scripts.back().number) {
    return {Code::kUnsupported,
            fmt::format("{} has schema {}, this program knows up to {}: start the newer program"
                        " that wrote it",
                        database.file().string(), *version, scripts.back().number)};
  }
  for (const SchemaScript& script : scripts) {
    if (script.number <= *version) continue;
    TACHO_TRY(Apply(database, script, now)
                  .Under(fmt::format("migrate {} to schema {}", database.file().string(),
                                     script.number)));
  }
  return {};
}

}  // namespace tacho
