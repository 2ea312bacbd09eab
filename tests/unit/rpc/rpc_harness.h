// A small server and a small robot for tests of rpc/, both telling a transcript what they saw.
#pragma once

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>

#include "rpc/cq_loop.h"
#include "rpc/fleet.h"
#include "rpc/grpc_link.h"
#include "rpc/telemetry_service.h"
#include "tests/support/transcript.h"

namespace tacho {

// Commits in memory and acknowledges at once; refuses overlap with the truth.
class SmallIngest final : public TelemetryHandler {
 public:
  void OnHello(std::shared_ptr<RobotStream> stream, const Hello& hello,
               const std::string& peer_name) override {
    transcript.Say("hello " + hello.robot + " from " + (peer_name.empty() ? "nobody" : peer_name));
    if (!peer_name.empty() && peer_name != hello.robot) {
      stream->End(Status(Code::kDenied, peer_name + " may not send as " + hello.robot));
      return;
    }
    Welcome welcome;
    const std::lock_guard lock(mutex_);
    for (const StreamKey& key : hello.streams)
      welcome.committed.push_back({key, committed_[key]});
    stream->SendWelcome(welcome);
    streams_.push_back(std::move(stream));
  }
  void OnRecord(RobotStream& stream, Record record) override {
    const std::lock_guard lock(mutex_);
    SeqRanges& committed = committed_[record.stream];
    if (committed.Overlaps(record.seqs)) {
      stream.SendRefused(record.stream, record.seqs, Status(Code::kExists, "overlap"),
                         {record.stream, committed});
      return;
    }
    committed.Add(record.seqs);
    payload_bytes += record.payload.size();
    stream.SendAck({record.stream, committed});
  }
  void OnGoodbye(RobotStream&, const std::string& reason) override {
    transcript.Say("goodbye " + reason);
  }
  void OnGone(RobotStream& stream) override {
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(streams_, [&](const auto& one) { return one.get() == &stream; });
    }
    transcript.Say("gone");
  }
  void ThrottleAll(Nanos pause) {
    const std::lock_guard lock(mutex_);
    for (const auto& stream : streams_)
      stream->SendThrottle(pause);
  }

  Transcript transcript;
  std::atomic<std::size_t> payload_bytes{0};

 private:
  std::mutex mutex_;
  std::map<StreamKey, SeqRanges> committed_;
  std::vector<std::shared_ptr<RobotStream>> streams_;
};

class SmallFleet final : public FleetHandler {
 public:
  Result<Json> Answer(const std::string& question, const Json& arguments,
                      const std::string& asker) override {
    if (question == "echo") return Json(Json::Object{{"asker", asker}, {"arguments", arguments}});
    if (question == "large") {
      return Json(std::string(static_cast<std::size_t>(arguments["bytes"].AsInt()), 'x'));
    }
    if (question == "slow") {
      is_asked.release();
      may_answer.acquire();
      return Json("done");
    }
    return Status(Code::kNotFound, "no question \"" + question + "\"");
  }

  std::binary_semaphore is_asked{0};
  std::binary_semaphore may_answer{0};
};

// A link on a loop on its own thread.
class SmallRobot final : private LinkEvents {
 public:
  explicit SmallRobot(Endpoint endpoint, LinkLimits limits = {})
      : link_(MakeGrpcLink(loop_, std::move(endpoint), limits)), thread_([this] { loop_.Run(); }) {}
  ~SmallRobot() override {
    OnLoop([this] { link_.reset(); });
    loop_.Stop();
  }

  void Open(const Hello& hello) {
    OnLoop([&] { link_->Open(hello, *this); });
  }
  bool Send(const Record& record) {
    bool is_sent = false;
    OnLoop([&] { is_sent = link_->Send(record); });
    return is_sent;
  }
  void Close(std::string_view reason) {
    OnLoop([&] { link_->Close(reason); });
  }
  std::uint64_t bytes_on_wire() {
    std::uint64_t bytes = 0;
    OnLoop([&] { bytes = link_->bytes_on_wire(); });
    return bytes;
  }

  Transcript transcript;

 private:
  template <class Task>
  void OnLoop(Task task) {
    std::promise<void> done;
    loop_.Post([&] {
      task();
      done.set_value();
    });
    done.get_future().wait();
  }
  static std::string Name(Code code) { return std::to_string(static_cast<int>(code)); }
  void OnWelcome(const Welcome& welcome) override {
    transcript.Say("welcome " + std::to_string(welcome.committed.size()));
  }
  void OnAck(const Committed& committed) override {
    transcript.Say("ack " + std::to_string(Number(committed.ranges.through())));
  }
  void OnThrottle(Nanos pause) override {
    transcript.Say("throttle " + std::to_string(pause.count()));
  }
  void OnRefused(const StreamKey&, SeqRange seqs, const Status& why, const Committed&) override {
    transcript.Say("refused " + Name(why.code()) + " " + std::to_string(Number(seqs.first)));
  }
  void OnClosed(const Status& why) override {
    transcript.Say("closed " + Name(why.code()) + " " + why.message());
  }

  CqLoop loop_;
  std::unique_ptr<Link> link_;
  std::jthread thread_;
};

inline Hello HelloOf(const std::string& robot) {
  Hello hello;
  hello.robot = robot;
  hello.boot.bytes = {1, 2, 3};
  hello.agent = "test 1";
  hello.streams.push_back({hello.boot, Epoch{7}, Tier::kSummaries});
  return hello;
}

inline Record RecordOf(std::uint64_t first, std::uint64_t count, std::size_t bytes = 100) {
  Record record;
  record.stream = HelloOf("").streams[0];
  record.seqs = {Seq{first}, count};
  record.kind = RecordKind::kSummary;
  record.payload.assign(bytes, std::byte{42});
  return record;
}

}  // namespace tacho
