// What must happen once in a process before gRPC is used.
#pragma once

namespace tacho {

// Any thread, any number of times. gRPC's own log lines go to ours at the lowest level: whatever
// they are about comes back as a Status too, and is said there once.
void StartRpc();

}  // namespace tacho
