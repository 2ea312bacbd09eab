// A disk in memory that fails, fills up, loses power or dies with its process when a test says so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/status.h"
#include "daemon/spool/disk.h"

namespace tacho {

// Pages are the kernel's: a write makes them dirty, a sync brings dirty ones to the disk, a failed
// sync leaves them clean and lost. Outlives its files. One thread.
class FaultyDisk final : public Disk {
 public:
  enum class Call : std::uint8_t { kOpen, kRead, kWrite, kSync, kFill, kList, kRemove, kFolder };
  static constexpr std::size_t kPage = 4096;

  // The n-th call of the kind from now on (1 is the next) fails, and `more` calls after it.
  void FailNth(Call call, int n, int more = 0) { plans_[call] = {n, more}; }
  void FailAlways(Call call) { FailNth(call, 1, std::numeric_limits<int>::max() - 1); }
  void Heal() {
    plans_.clear();
    bytes_to_live_ = kForever;
  }
  // The process that writes dies within its write after so many bytes: nothing works until Heal().
  void KillAfter(std::int64_t bytes) { bytes_to_live_ = bytes; }
  bool is_dead() const { return bytes_to_live_ == 0; }
  // Files of more bytes altogether find no room.
  void LimitSpace(std::int64_t bytes) { space_ = bytes; }

  // What was never synced is gone, but for the dirty pages that `survives` picks.
  void CutPower(const std::function<bool()>& survives) {
    for (auto it = nodes_.begin(); it != nodes_.end();) {
      it = it->second->is_named ? std::next(it) : nodes_.erase(it);
    }
    for (auto& [path, node] : nodes_) {
      for (const std::size_t page : node->dirty) {
        if (survives()) CopyPage(node->now, node->synced, page);
      }
      node->dirty.clear();
      node->now = node->synced;
    }
  }

  std::vector<std::byte>& BytesOf(const std::filesystem::path& path) { return Named(path)->now; }
  bool Has(const std::filesystem::path& path) const { return nodes_.contains(path.string()); }
  void Put(const std::filesystem::path& path, std::vector<std::byte> bytes) {
    auto node = std::make_shared<Node>();
    node->synced = bytes;
    node->now = std::move(bytes);
    node->is_named = true;
    nodes_[path.string()] = std::move(node);
  }
  // Somebody removes the files of which `goes` is true, whoever has them open.
  void TakeAway(const std::function<bool(const std::string& path)>& goes) {
    std::erase_if(nodes_, [&](const auto& entry) { return goes(entry.first); });
  }
  // As TakeAway, by the thread that syncs, at the n-th sync from now on.
  void TakeAllAwayAtSync(int n) { syncs_to_loss_ = n; }
  std::map<Call, int> calls;       // so many of each were made
  std::int64_t bytes_written = 0;  // as the program asked
  std::int64_t pages_synced = 0;   // dirty pages that syncs brought to the disk

  Result<std::unique_ptr<File>> Open(const std::filesystem::path& path, Access access) override {
    TACHO_TRY(Check(Call::kOpen));
    auto it = nodes_.find(path.string());
    if (it == nodes_.end()) {
      if (access == Access::kRead || access == Access::kWrite) {
        return Status(Code::kNotFound, path.string() + ": no such file");
      }
      it = nodes_.emplace(path.string(), std::make_shared<Node>()).first;
    }
    return std::unique_ptr<File>(std::make_unique<Open_>(*this, it->second, it->first));
  }
  Result<std::vector<std::string>> List(const std::filesystem::path& folder) override {
    TACHO_TRY(Check(Call::kList));
    std::vector<std::string> names;
    for (const auto& [path, node] : nodes_) {
      const std::filesystem::path file(path);
      if (file.parent_path() == folder) names.push_back(file.filename().string());
    }
    return names;
  }
  Status MakeFolder(const std::filesystem::path&) override { return Check(Call::kFolder); }
  Status Remove(const std::filesystem::path& path) override {
    TACHO_TRY(Check(Call::kRemove));
    nodes_.erase(path.string());
    return {};
  }
  Status SyncFolder(const std::filesystem::path& folder) override {
    TACHO_TRY(Check(Call::kFolder));
    for (auto& [path, node] : nodes_) {
      if (std::filesystem::path(path).parent_path() == folder) node->is_named = true;
    }
    return {};
  }

 private:
  static constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();
  struct Node {
    std::vector<std::byte> now;
    std::vector<std::byte> synced;
    std::set<std::size_t> dirty;
    bool is_named = false;  // its name is on the disk
  };
  struct Plan {
    int next = 0;
    int more = 0;
  };

  class Open_ final : public File {
   public:
    Open_(FaultyDisk& disk, std::shared_ptr<Node> node, std::string path)
        : disk_(disk), node_(std::move(node)), path_(std::move(path)) {}
    Result<std::size_t> Read(std::int64_t offset, std::span<std::byte> to) const override {
      TACHO_TRY(disk_.Check(Call::kRead));
      const std::size_t at = std::min(static_cast<std::size_t>(offset), node_->now.size());
      const std::size_t size = std::min(to.size(), node_->now.size() - at);
      std::copy_n(node_->now.begin() + static_cast<std::ptrdiff_t>(at), size, to.begin());
      return size;
    }
    Status Write(std::int64_t offset, std::span<const std::byte> bytes) override {
      TACHO_TRY(disk_.Check(Call::kWrite));
      return disk_.Store(*node_, static_cast<std::size_t>(offset), bytes);
    }
    Status Sync() override {
      if (disk_.syncs_to_loss_ > 0 && --disk_.syncs_to_loss_ == 0) disk_.nodes_.clear();
      const Status status = disk_.Check(Call::kSync);
      if (status.ok()) disk_.Flush(*node_);
      node_->dirty.clear();
      return status;
    }
    Status FillZero(std::int64_t size) override {
      TACHO_TRY(disk_.Check(Call::kFill));
      if (disk_.Used() + size > disk_.space_) return {Code::kExhausted, "no space left"};
      TACHO_TRY(disk_.Store(*node_, 0, std::vector<std::byte>(static_cast<std::size_t>(size))));
      disk_.Flush(*node_);
      return {};
    }
    Result<std::int64_t> Size() const override {
      return static_cast<std::int64_t>(node_->now.size());
    }
    bool IsInPlace() const override {
      const auto found = disk_.nodes_.find(path_);
      return found != disk_.nodes_.end() && found->second == node_;
    }

   private:
    FaultyDisk& disk_;
    std::shared_ptr<Node> node_;
    std::string path_;
  };

  static void CopyPage(const std::vector<std::byte>& from, std::vector<std::byte>& to,
                       std::size_t page) {
    to.resize(std::max(to.size(), std::min(from.size(), (page + 1) * kPage)));
    const std::size_t end = std::min(from.size(), (page + 1) * kPage);
    for (std::size_t i = page * kPage; i < end; ++i) {
      to[i] = from[i];
    }
  }
  std::shared_ptr<Node> Named(const std::filesystem::path& path) {
    return nodes_.at(path.string());
  }
  std::int64_t Used() const {
    std::int64_t used = 0;
    for (const auto& [path, node] : nodes_) {
      used += static_cast<std::int64_t>(node->now.size());
    }
    return used;
  }
  Status Check(Call call) {
    if (is_dead()) return {Code::kUnavailable, "the process is dead"};
    ++calls[call];
    const auto plan = plans_.find(call);
    if (plan == plans_.end()) return {};
    if (plan->second.next > 1) {
      --plan->second.next;
      return {};
    }
    if (plan->second.more-- <= 0) plans_.erase(plan);
    return {Code::kUnavailable, "the disk was told to fail"};
  }
  Status Store(Node& node, std::size_t offset, std::span<const std::byte> bytes) {
    const auto size =
        static_cast<std::size_t>(std::min(static_cast<std::int64_t>(bytes.size()), bytes_to_live_));
    if (bytes_to_live_ != kForever) bytes_to_live_ -= static_cast<std::int64_t>(size);
    node.now.resize(std::max(node.now.size(), offset + size));
    std::copy_n(bytes.begin(), size, node.now.begin() + static_cast<std::ptrdiff_t>(offset));
    for (std::size_t page = offset / kPage; page * kPage < offset + size; ++page) {
      node.dirty.insert(page);
    }
    bytes_written += static_cast<std::int64_t>(size);
    if (is_dead()) return {Code::kUnavailable, "the process is dead"};
    return {};
  }
  void Flush(Node& node) {
    for (const std::size_t page : node.dirty) {
      CopyPage(node.now, node.synced, page);
    }
    pages_synced += static_cast<std::int64_t>(node.dirty.size());
    node.dirty.clear();
  }

  std::map<std::string, std::shared_ptr<Node>> nodes_;
  std::map<Call, Plan> plans_;
  int syncs_to_loss_ = 0;
  std::int64_t bytes_to_live_ = kForever;
  std::int64_t space_ = kForever;
};

}  // namespace tacho
