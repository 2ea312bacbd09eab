#include "server/store/database.h"

#include <algorithm>
#include <fmt/format.h>
#include <sqlite3.h>
#include <utility>

namespace tacho {
namespace {

// As long as another connection may hold the write lock of a file: only migrations and checkpoints.
constexpr int kBusyMillis = 5000;

Status FailureOf(sqlite3* database, std::string_view doing) {
  const int code = sqlite3_extended_errcode(database);
  std::string text = fmt::format("{}: {} (SQLite {})", doing, sqlite3_errmsg(database), code);
  std::replace(text.begin(), text.end(), '\n', ' ');  // it quotes SQL
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return {Code::kExhausted, text};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {Code::kCorrupt, text};
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Code::kUnavailable, text};
    default:
      return {Code::kInternal, text};
  }
}

}  // namespace

void Statement::Deleter::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement& Statement::Bind(int at, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), at, value);
  return *this;
}
Statement& Statement::Bind(int at, double value) {
  sqlite3_bind_double(statement_.get(), at, value);
  return *this;
}
Statement& Statement::Bind(int at, std::string_view value) {
  sqlite3_bind_text64(statement_.get(), at, value.data() == nullptr ? "" : value.data(),
                      value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}
Statement& Statement::Bind(int at, std::span<const std::byte> value) {
  if (value.empty()) {
    sqlite3_bind_zeroblob(statement_.get(), at, 0);
  } else {
    sqlite3_bind_blob64(statement_.get(), at, value.data(), value.size(), SQLITE_STATIC);
  }
  return *this;
}
Statement& Statement::Bind(int at, std::optional<std::int64_t> value) {
  if (value) return Bind(at, *value);
  sqlite3_bind_null(statement_.get(), at);
  return *this;
}

bool Statement::Step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  failure_ = Status();
  if (result != SQLITE_DONE) {
    const char* file = sqlite3_db_filename(database_, "main");
    failure_ = FailureOf(database_, file == nullptr ? "store" : file);
  }
  return false;
}

Status Statement::Run() {
  while (Step()) {
  }
  return Finish();
}

Status Statement::Finish() {
  sqlite3_reset(statement_.get());
  return std::exchange(failure_, Status());
}

std::int64_t Statement::Int(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::Real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}
std::optional<std::int64_t> Statement::MaybeInt(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return Int(column);
}
std::string Statement::Text(int column) const {
  const auto bytes = Blob(column);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::span<const std::byte> Statement::Blob(int column) const {
  const void* start = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (start == nullptr) return {};
  return {static_cast<const std::byte*>(start), static_cast<std::size_t>(size)};
}

void Database::Closer::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Result<Database> Database::Open(const std::filesystem::path& file, OpenMode mode) {
  const int flags =
      SQLITE_OPEN_NOMUTEX |
      (mode.is_writer ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(file.c_str(), &raw, flags, nullptr);
  Database database;
  database.file_ = file;
  database.database_.reset(raw);
  if (opened != SQLITE_OK) return FailureOf(raw, "open " + file.string());
  sqlite3_busy_timeout(raw, kBusyMillis);
  if (mode.is_writer) {
    // auto_vacuum first: it is decided when the first table is made.
    TACHO_TRY(database.Execute(
        "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"));
  }
  TACHO_TRY(database.Execute("PRAGMA cache_size=-16384; PRAGMA mmap_size=0;"));
  if (mode.max_pages > 0) {
    TACHO_TRY(database.Execute(fmt::format("PRAGMA max_page_count={};", mode.max_pages)));
  }
  return database;
}

Status Database::Execute(const std::string& script) {
  if (sqlite3_exec(database_.get(), script.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) {
    return {};
  }
  return FailureOf(database_.get(), file_.string());
}

Result<Statement*> Database::Prepare(std::string_view sql) {
  for (auto& [text, statement] : statements_) {
    if (text != sql) continue;
    sqlite3_reset(statement->statement_.get());
    sqlite3_clear_bindings(statement->statement_.get());
    return statement.get();
  }
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &raw, nullptr) != SQLITE_OK) {
    return FailureOf(database_.get(), file_.string());
  }
  auto statement = std::make_unique<Statement>();
  statement->database_ = database_.get();
  statement->statement_.reset(raw);
  statements_.emplace_back(std::string(sql), std::move(statement));
  return statements_.back().second.get();
}

std::int64_t Database::LastRowId() const {
  return sqlite3_last_insert_rowid(database_.get());
}
std::int64_t Database::Changes() const {
  return sqlite3_changes64(database_.get());
}

Transaction::~Transaction() {
  // A failed rollback is ignored since SQLite has then already rolled back by itself.
  if (is_open_) static_cast<void>(database_.Execute("ROLLBACK;").ok());
}
Status Transaction::Begin() {
  TACHO_TRY(database_.Execute("BEGIN IMMEDIATE;"));
  is_open_ = true;
  return {};
}
Status Transaction::BeginReading() {
  TACHO_TRY(database_.Execute("BEGIN;"));
  is_open_ = true;
  return {};
}
Status Transaction::Commit() {
  TACHO_TRY(database_.Execute("COMMIT;"));
  is_open_ = false;
  return {};
}

}  // namespace tacho
