// The open run as one line of JSON.
#include "daemon/recorder/run_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "common/json.h"
#include "common/text_file.h"

namespace tacho {

namespace {

Status Replace(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::path fresh = file;
  fresh += ".new";
  std::ofstream out(fresh, std::ios::trunc);
  out << text;
  out.close();
  if (out && std::rename(fresh.c_str(), file.c_str()) == 0) return {};
  return {Code::kUnavailable, "cannot note the open run in " + file.string() + ": " +
                                  std::strerror(errno) + "; after a restart run numbers jump"};
}

Result<LeftBehind> Read(const std::filesystem::path& file) {
  const auto text = ReadTextFile(file);
  if (!text.ok()) return *text.error();
  auto left = ParseLeftBehind(*text);
  if (!left.ok()) return std::move(left).status().Under(file.string());
  return left;
}

}  // namespace

std::string FormatLeftBehind(const LeftBehind& left) {
  Json labels{Json::Object{}};
  for (const auto& [key, value] : left.run.labels) {
    labels.Set(key, value);
  }
  const Json json{Json::Object{
      {"boot_id", left.boot.ToString()},
      {"ended_clean", left.ended_clean},
      {"written_at_ns", Count(left.written_at)},
      {"number", std::int64_t{left.run.number}},
      {"name", left.run.name},
      {"at_ns", Count(left.run.at)},
      {"labels", labels},
  }};
  return json.Dump() + "\n";
}

Result<LeftBehind> ParseLeftBehind(std::string_view text) {
  auto json = Json::Parse(text);
  if (!json.ok()) return std::move(json).status();
  const auto boot = BootId::Parse((*json)["boot_id"].AsText());
  const std::int64_t number = (*json)["number"].AsInt(-1);
  if (!boot || number < 0 || number > 0xFFFFFFFF) {
    return Status(Code::kCorrupt, "the file names no boot_id or no run");
  }
  LeftBehind left{.boot = *boot,
                  .run = {.number = static_cast<std::uint32_t>(number),
                          .name = (*json)["name"].AsText(),
                          .at = BootTimeOf((*json)["at_ns"].AsInt()),
                          .labels = {}},
                  .written_at = BootTimeOf((*json)["written_at_ns"].AsInt()),
                  .ended_clean = (*json)["ended_clean"].AsBool()};
  for (const auto& [key, value] : (*json)["labels"].members()) {
    left.run.labels.emplace_back(key, value.AsText());
  }
  return left;
}

Status RunFile::Save(const LeftBehind& left) const {
  Status status(Code::kUnavailable, "no place was given to note the open run");
  for (const std::filesystem::path& place : places_) {
    status = Replace(place, FormatLeftBehind(left));
    if (status.ok()) break;
  }
  return status;
}

Result<LeftBehind> RunFile::Load() const {
  Result<LeftBehind> latest(Status(Code::kNotFound, "no recorder left word of a run"));
  for (const std::filesystem::path& place : places_) {
    auto left = Read(place);
    if (!left.ok() && left.error()->code() == Code::kNotFound) continue;
    const bool is_later =
        !latest.ok() ||
        (left.ok() && (left->boot != latest->boot || left->written_at > latest->written_at));
    if (is_later) latest = std::move(left);
  }
  return latest;
}

}  // namespace tacho
