// What pushes by itself: feeds, each with a thread of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "collector/source.h"

namespace tacho {

// Receives whole sweeps from a feed. Called on the feed's thread; does not block, does not
// allocate.
class SweepSink : public Sink {
 public:
  // Starts a sweep; the Put and Absent that follow belong to it.
  virtual void Begin(BootTime at) = 0;
  virtual void End() = 0;
};

// How a feed fares, as far as the feed itself can tell.
struct FeedHealth {
  enum class What {
    kRunning,
    kFailing,  // what it reads from ends again and again
    kEnded,    // what it read from has come to its end
  };
  What what = What::kRunning;
  // Since the last sweep something came that was none.
  bool hears_noise = false;
  std::string detail;  // what is wrong or was left out; empty if nothing
};

class Feed {
 public:
  virtual ~Feed() = default;
  // Starts the feed's thread. `sink` outlives Stop().
  virtual Status Start(SweepSink& sink) = 0;
  // Ends the thread and, by its id, the child it started. Returns within a second.
  virtual void Stop() = 0;
  // Any thread.
  virtual FeedHealth health() const = 0;
};

}  // namespace tacho
