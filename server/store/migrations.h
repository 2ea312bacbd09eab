// Brings a file of the store to the newest schema, and refuses a file of the future.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/status.h"
#include "common/time.h"
#include "server/store/database.h"

namespace tacho {

struct SchemaScript {
  int number = 0;
  std::string_view text;
};

// Generated from schema/NNNN_main.sql and schema/NNNN_day.sql, in order.
std::span<const SchemaScript> MainScripts();
std::span<const SchemaScript> DayScripts();

// Applies what is missing, each script in a transaction. kUnsupported: the file is newer than the
// scripts; it stays as it is.
Status Migrate(Database& database, std::span<const SchemaScript> scripts, WallTime now);

}  // namespace tacho
