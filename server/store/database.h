// SQLite as the store uses it: a connection, a prepared statement and a transaction that end by
// themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tacho {

// One prepared statement. Used by the thread that owns its Database.
class Statement {
 public:
  // Binds by position, from 1. Text is copied; bytes must live until Finish or Run.
  Statement& Bind(int at, std::int64_t value);
  Statement& Bind(int at, double value);
  Statement& Bind(int at, std::string_view value);
  Statement& Bind(int at, std::span<const std::byte> value);
  Statement& Bind(int at, std::optional<std::int64_t> value);

  // True: a row is there. False: no more rows, or it failed (see status()).
  bool Step();
  // Step for what brings no row, then Reset.
  Status Run();
  // The failure of the last Step, else ok. Resets, so that the statement can be bound again.
  Status Finish();

  std::int64_t Int(int column) const;
  double Real(int column) const;
  std::optional<std::int64_t> MaybeInt(int column) const;
  std::string Text(int column) const;
  // Points into the row: until the next Step.
  std::span<const std::byte> Blob(int column) const;

 private:
  friend class Database;
  struct Deleter {
    void operator()(sqlite3_stmt* statement) const;
  };
  sqlite3* database_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Deleter> statement_;
  Status failure_;
};

// How a file is opened.
struct OpenMode {
  bool is_writer = true;
  std::int64_t max_pages = 0;  // 0: no limit. Above it, writes fail as on a full disk
};

// One connection. Not shared between threads.
class Database {
 public:
  static Result<Database> Open(const std::filesystem::path& file, OpenMode mode);

  Status Execute(const std::string& script);
  // The same text gives the same prepared statement, reset.
  Result<Statement*> Prepare(std::string_view sql);
  std::int64_t LastRowId() const;
  std::int64_t Changes() const;
  const std::filesystem::path& file() const { return file_; }

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Closer> database_;
  std::vector<std::pair<std::string, std::unique_ptr<Statement>>> statements_;  // die first
};

// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Status Begin();  // for writing, at once
  Status BeginReading();
  Status Commit();

 private:
  Database& database_;
  bool is_open_ = false;
};

// Hashes and epochs in a signed column: the same bits.
constexpr std::int64_t SignedBits(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}
constexpr std::uint64_t UnsignedBits(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

}  // namespace tacho
