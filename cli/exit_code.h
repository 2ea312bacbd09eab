// How `tacho` ends: the numbers that scripts branch on (docs/cli.md).
#pragma once

#include "common/status.h"

namespace tacho {

inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitNotFound = 3;
inline constexpr int kExitDenied = 4;
inline constexpr int kExitUnreachable = 5;
// Of `check` only.
inline constexpr int kExitFail = 10;
inline constexpr int kExitNoVerdict = 11;

constexpr int ExitCodeOf(Code code) {
  switch (code) {
    case Code::kOk:
      return kExitOk;
    case Code::kInvalid:
      return kExitUsage;
    case Code::kNotFound:
      return kExitNotFound;
    case Code::kDenied:
      return kExitDenied;
    case Code::kUnavailable:
    case Code::kTimeout:
      return kExitUnreachable;
    case Code::kCancelled:
    case Code::kExists:
    case Code::kExhausted:
    case Code::kUnsupported:
    case Code::kInternal:
    case Code::kCorrupt:
      break;
  }
  return kExitError;
}

}  // namespace tacho
