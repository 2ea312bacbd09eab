// Runs another program in the foreground, as a shell would.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "common/time.h"

namespace tacho {

// The file that `name` means: itself where it holds a '/', else the first of that name in the
// folders of `path` ("/usr/bin:/bin"). kNotFound, or kDenied where it may not be executed.
Result<std::string> FindProgram(const std::string& name, std::string_view path);

// Runs `file` with `words` (the first is its name) on our stdin, stdout and stderr until it ends.
// Its exit status; 128 + n where signal n ended it. What asks us to end (SIGINT, SIGTERM, SIGHUP,
// SIGQUIT) is passed on to it, and stays blocked here afterwards: what is left to do is short, and
// must not be cut off. Fails where it cannot be started.
// Requires: no other thread.
Result<int> RunProgram(const std::string& file, const std::vector<std::string>& words,
                       char* const* environment);

// Sleeps so long.
void Pause(Nanos time);

}  // namespace tacho
