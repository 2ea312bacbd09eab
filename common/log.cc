// Lines to systemd's journal with fields, or to stderr.
#include "common/log.h"

#include <atomic>
#include <cstdlib>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

namespace tacho {
namespace {

std::atomic<LogLevel> least_urgent{LogLevel::kInfo};

std::string_view NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kError:
      return "error";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kNotice:
      return "notice";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kDebug:
      return "debug";
  }
  return "unknown";
}

// systemd names the socket behind stderr in JOURNAL_STREAM; a redirected stderr is another file.
bool IsJournalAtStderr() {
  const char* stream = std::getenv("JOURNAL_STREAM");  // NOLINT(concurrency-mt-unsafe)
  if (stream == nullptr) return false;
  struct stat file {};
  if (fstat(STDERR_FILENO, &file) != 0) return false;
  return stream == std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

void AppendClean(std::string& line, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
}

std::string Sentence(std::string_view sentence, LogFields fields) {
  std::string line;
  AppendClean(line, sentence);
  for (const auto& [key, value] : fields) {
    const bool has_blanks =
        value.empty() || value.find_first_of(" \t\n\"") != std::string_view::npos;
    line += ' ';
    AppendClean(line, key);
    line += has_blanks ? "=\"" : "=";
    AppendClean(line, value);
    if (has_blanks) line += '"';
  }
  return line;
}

// "path" -> "TACHO_PATH=/x": the journal takes upper case, digits and underscores.
std::string JournalField(std::string_view key, std::string_view value) {
  std::string field = "TACHO_";
  for (const char c : key) {
    const bool is_lower = c >= 'a' && c <= 'z';
    const bool is_plain = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    field += is_lower ? static_cast<char>(c - 'a' + 'A') : is_plain ? c : '_';
  }
  return field.append("=").append(value);
}

void LogToJournal(LogLevel level, std::string_view sentence, LogFields fields) {
  std::vector<std::string> entries;
  entries.reserve(fields.size() + 2);
  entries.push_back("MESSAGE=" + Sentence(sentence, fields));
  entries.push_back("PRIORITY=" + std::to_string(static_cast<int>(level)));
  for (const auto& [key, value] : fields) {
    entries.push_back(JournalField(key, value));
  }
  std::vector<iovec> pieces;
  pieces.reserve(entries.size());
  for (std::string& entry : entries) {
    pieces.push_back({entry.data(), entry.size()});
  }
  // Its answer is ignored since there is nobody left to tell.
  (void)sd_journal_sendv(pieces.data(), static_cast<int>(pieces.size()));
}

}  // namespace

std::string LogLine(LogLevel level, std::string_view sentence, LogFields fields) {
  return std::string(NameOf(level)) + ": " + Sentence(sentence, fields);
}

void Log(LogLevel level, std::string_view sentence, LogFields fields) {
  if (level > least_urgent.load(std::memory_order_relaxed)) return;
  static const bool kIsJournal = IsJournalAtStderr();
  try {
    if (kIsJournal) return LogToJournal(level, sentence, fields);
    const std::string line = LogLine(level, sentence, fields) + "\n";
    // One write, so that lines of two threads never mix. A lost line has nobody left to tell.
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
  } catch (const std::exception&) {
    return;  // no memory for a line: ignored since logging must never stop the recorder
  }
}

void SetLogLevel(LogLevel level) {
  least_urgent.store(level, std::memory_order_relaxed);
}

void LogLines(LogLevel level, std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    Log(level, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace tacho
