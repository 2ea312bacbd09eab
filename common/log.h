// The journal: one sentence a line, with fields when systemd's journal listens, to stderr
// otherwise.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tacho {

enum class LogLevel {
  kError = 3,
  kWarning = 4,
  kNotice = 5,
  kInfo = 6,
  kDebug = 7
};  // syslog's numbers

using LogFields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// Any thread. Never throws; a line that cannot be written is lost since there is nobody left to
// tell.
void Log(LogLevel level, std::string_view sentence, LogFields fields = {});
// A record for each line of `text`.
void LogLines(LogLevel level, std::string_view text);
// Once, in main: lines above this level are dropped.
void SetLogLevel(LogLevel level);

// "warning: sentence key=value": what stderr gets. Values with blanks are quoted; control
// characters become blanks, so that a line stays one line.
std::string LogLine(LogLevel level, std::string_view sentence, LogFields fields = {});

}  // namespace tacho
