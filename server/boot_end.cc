#include "server/boot_end.h"

namespace tacho {

std::string_view NameOf(BootEnd end) {
  switch (end) {
    case BootEnd::kOpen:
      return "open";
    case BootEnd::kSilent:
      return "silent";
    case BootEnd::kLeft:
      return "left";
    case BootEnd::kClean:
      return "clean";
    case BootEnd::kUnclean:
      return "unclean";
    case BootEnd::kUnknown:
      return "unknown";
  }
  return "unknown";
}

BootEnding EndingOf(const BootRow& boot, const AfterBoot& after) {
  if (after.is_newest) {
    if (!after.is_silent) return {BootEnd::kOpen, ""};
    if (!boot.last_word) return {BootEnd::kSilent, ""};
    return {IsLeave(*boot.last_word) ? BootEnd::kLeft : BootEnd::kSilent, boot.last_word->reason};
  }
  const auto& report = after.next_report;
  // A recorder that found nothing of the one before says nothing of it.
  if (!report || report->previous_end.empty()) return {BootEnd::kUnknown, ""};
  // Its counter tells which boot it found: another may lie between that never reached the server.
  const bool is_next = boot.counter > 0 && report->boot_counter == boot.counter + 1;
  if (!is_next) return {BootEnd::kUnknown, ""};
  return {report->previous_ended_clean ? BootEnd::kClean : BootEnd::kUnclean, report->previous_end};
}

bool IsLeave(const LastWord& last_word) {
  return last_word.reason.starts_with("stop");
}

}  // namespace tacho
