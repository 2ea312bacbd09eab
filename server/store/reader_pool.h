// Read-only connections for whoever asks: each answer borrows a set of its own.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/mutex.h"
#include "server/store/database.h"
#include "server/store/day.h"

namespace tacho {

// One borrower's connections: main.db and the days it has looked into.
class ReaderSet {
 public:
  static Result<std::unique_ptr<ReaderSet>> Open(const std::filesystem::path& folder);
  Database& main() { return main_; }
  Result<Database*> OfDay(Day day);

 private:
  ReaderSet(std::filesystem::path folder, Database main)
      : folder_(std::move(folder)), main_(std::move(main)) {}
  std::filesystem::path folder_;
  Database main_;
  std::map<Day, Database> days_;
};

// Any thread.
class ReaderPool {
 public:
  explicit ReaderPool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Goes back to the pool by itself.
  class Loan {
   public:
    Loan(ReaderPool& pool, std::unique_ptr<ReaderSet> set) : pool_(&pool), set_(std::move(set)) {}
    ~Loan();
    Loan(Loan&&) = default;
    Loan& operator=(Loan&&) = delete;
    ReaderSet* operator->() { return set_.get(); }

   private:
    ReaderPool* pool_;
    std::unique_ptr<ReaderSet> set_;
  };
  Result<Loan> Borrow();

  void AddDay(Day day);
  void DropDay(Day day);
  std::vector<Day> days() const;  // oldest first

 private:
  void Return(std::unique_ptr<ReaderSet> set);

  const std::filesystem::path folder_;
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<ReaderSet>> idle_ GUARDED_BY(mutex_);
  std::vector<Day> days_ GUARDED_BY(mutex_);
};

}  // namespace tacho
