#include "server/store/reader_pool.h"

#include <algorithm>

namespace tacho {
namespace {

// Sets kept open for the next question; more are opened and closed as needed.
constexpr std::size_t kIdleSets = 8;

}  // namespace

Result<std::unique_ptr<ReaderSet>> ReaderSet::Open(const std::filesystem::path& folder) {
  auto main = Database::Open(folder / "main.db", {.is_writer = false});
  if (!main.ok()) return std::move(main).status();
  return std::unique_ptr<ReaderSet>(new ReaderSet(folder, *std::move(main)));
}

Result<Database*> ReaderSet::OfDay(Day day) {
  if (const auto known = days_.find(day); known != days_.end()) return &known->second;
  auto file = Database::Open(folder_ / FileNameOf(day), {.is_writer = false});
  if (!file.ok()) return std::move(file).status();
  return &days_.emplace(day, *std::move(file)).first->second;
}

ReaderPool::Loan::~Loan() {
  if (set_) pool_->Return(std::move(set_));
}

Result<ReaderPool::Loan> ReaderPool::Borrow() {
  {
    MutexLock lock(mutex_);
    if (!idle_.empty()) {
      auto set = std::move(idle_.back());
      idle_.pop_back();
      return Loan(*this, std::move(set));
    }
  }
  auto set = ReaderSet::Open(folder_);
  if (!set.ok()) return std::move(set).status();
  return Loan(*this, *std::move(set));
}

void ReaderPool::Return(std::unique_ptr<ReaderSet> set) {
  MutexLock lock(mutex_);
  if (idle_.size() < kIdleSets) idle_.push_back(std::move(set));
}

void ReaderPool::AddDay(Day day) {
  MutexLock lock(mutex_);
  const auto at = std::lower_bound(days_.begin(), days_.end(), day);
  if (at == days_.end() || *at != day) days_.insert(at, day);
}

void ReaderPool::DropDay(Day day) {
  MutexLock lock(mutex_);
  std::erase(days_, day);
  idle_.clear();  // a set that was borrowed meanwhile keeps its unlinked file until it is returned
}

std::vector<Day> ReaderPool::days() const {
  MutexLock lock(mutex_);
  return days_;
}

}  // namespace tacho
