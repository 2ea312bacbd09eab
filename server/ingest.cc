#include "server/ingest.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "common/log.h"

namespace tacho {
namespace {

constexpr std::size_t kArrivingKept = 1024;

StreamId IdOf(const std::string& robot, const StreamKey& key) {
  return {robot, key};
}

}  // namespace

Ingest::Ingest(const Clock& clock, RunReader& store, StoreWriter& writer, Presence& presence,
               IngestConfig config)
    : clock_(clock),
      store_(store),
      writer_(writer),
      presence_(presence),
      config_(std::move(config)) {
  const auto robots = store_.Robots();
  if (!robots.ok()) return;  // the first Hello will say why
  UseRoster(*robots);
  MutexLock lock(mutex_);
  for (const RobotRow& row : *robots) {
    if (row.current_boot) known_.insert(row.robot);
    if (row.last_contact) presence_.Remember(row.robot, *row.last_contact);
    if (row.quarantined_until) quarantined_until_[row.robot] = *row.quarantined_until;
  }
}

void Ingest::OnHello(std::shared_ptr<RobotStream> stream, const Hello& hello,
                     const std::string& peer_name) {
  const WallTime now = clock_.Pair().wall;
  Status refused = CheckHello(hello, peer_name);
  if (refused.ok()) refused = Admit(hello.robot, now);
  if (refused.ok()) refused = Seat(stream, hello, now);
  if (!refused.ok()) {
    Log(LogLevel::kWarning, fmt::format("refused {}: {}", hello.robot, refused.message()));
    stream->End(refused);
    return;
  }
  Greet(stream, hello, now);
}

Status Ingest::CheckHello(const Hello& hello, const std::string& peer_name) {
  if (!IsRobotName(hello.robot)) {
    return {Code::kInvalid, fmt::format("a robot's name is {}", kRobotNameRule)};
  }
  if (!peer_name.empty() && peer_name != hello.robot) {
    return {Code::kDenied, fmt::format("the certificate is of {}, the robot says it is {}",
                                       peer_name, hello.robot)};
  }
  if (hello.protocol_oldest > kProtocolNewest || hello.protocol_newest < kProtocolOldest) {
    return {Code::kUnsupported,
            fmt::format("the robot speaks protocol {} to {}, this server {} to {}",
                        hello.protocol_oldest, hello.protocol_newest, kProtocolOldest,
                        kProtocolNewest)};
  }
  if (!IsUptime(hello.clock.boot)) {
    return {Code::kInvalid, "the robot's boot clock shows no time since boot"};
  }
  if (config_.people.Names(hello.robot)) {
    return {Code::kDenied,
            fmt::format("{} is a person, by [people] of the server's configuration", hello.robot)};
  }
  MutexLock lock(mutex_);
  return CheckRoster(hello.robot);
}

Status Ingest::CheckRoster(const std::string& robot) const {
  if (retired_.contains(robot)) return {Code::kDenied, fmt::format("{} is retired", robot)};
  if (config_.admits_any || roster_.contains(robot)) return {};
  return {Code::kDenied, fmt::format("{} is not on the roster", robot)};
}

void Ingest::UseRoster(const std::vector<RobotRow>& robots) {
  std::vector<std::pair<std::shared_ptr<RobotStream>, Status>> cut;
  {
    MutexLock lock(mutex_);
    roster_.clear();
    retired_.clear();
    for (const RobotRow& row : robots) {
      if (row.roster_by != RosterBy::kNobody) roster_.insert(row.robot);
      if (row.is_retired) retired_.insert(row.robot);
    }
    for (const auto& [stream, session] : sessions_) {
      Status why = CheckRoster(session->robot);
      if (why.ok()) continue;
      newest_.erase(session->robot);  // nothing of it is taken from now on
      cut.emplace_back(session->stream, std::move(why));
    }
  }
  for (const auto& [stream, why] : cut)
    stream->End(why);
}

Status Ingest::Admit(const std::string& robot, WallTime now) {
  {
    MutexLock lock(mutex_);
    if (known_.contains(robot)) return {};
    if (known_.size() >= config_.most_robots) {
      return {Code::kExhausted,
              fmt::format("{} robots are known, no more are admitted", known_.size())};
    }
    known_.insert(robot);
  }
  writer_.Post([robot, now](RunWriter& store) {
    const Status saved = store.SaveRobotEvent(
        {robot, now, Severity::kInfo, "robot_admitted", "called for the first time"});
    if (!saved.ok()) Log(LogLevel::kError, saved.message());
  });
  return {};
}

Status Ingest::Seat(const std::shared_ptr<RobotStream>& stream, const Hello& hello, WallTime now) {
  const BootTime at = clock_.Boot();
  std::shared_ptr<RobotStream> displaced;
  bool has_double = false;
  {
    MutexLock lock(mutex_);
    const auto quarantine = quarantined_until_.find(hello.robot);
    if (quarantine != quarantined_until_.end() && now < quarantine->second) {
      return {Code::kDenied,
              fmt::format("two machines call themselves {}: quarantined", hello.robot)};
    }
    TACHO_TRY(CheckRoster(hello.robot));  // again: it may have changed since
    if (sessions_.contains(stream.get())) return {Code::kInvalid, "said hello twice"};
    has_double = double_boots_.SeesTwo(hello.robot, hello.boot, at);
    RobotStream*& newest = newest_[hello.robot];
    if (newest != nullptr) {
      const auto before = sessions_.find(newest);
      if (before != sessions_.end()) displaced = before->second->stream;
    }
    if (has_double) {
      newest_.erase(hello.robot);  // nobody speaks for it now
    } else {
      newest = stream.get();
      sessions_[stream.get()] = std::make_shared<Session>(
          Session{stream,
                  hello.robot,
                  hello.boot,
                  TokenBucket({config_.bytes_per_second, config_.burst_bytes}, at),
                  {}});
    }
  }
  if (has_double) StartQuarantine(hello.robot, now);
  const Status cut(Code::kCancelled,
                   fmt::format("a newer connection of {} took over", hello.robot));
  if (displaced && displaced != stream) displaced->End(cut);
  if (!has_double) return {};
  return {Code::kDenied, fmt::format("two machines call themselves {}: quarantined", hello.robot)};
}

void Ingest::StartQuarantine(const std::string& robot, WallTime now) {
  const WallTime until = now + config_.quarantine;
  {
    MutexLock lock(mutex_);
    quarantined_until_[robot] = until;
    double_boots_.Forget(robot);
  }
  writer_.Post([robot, now, until](RunWriter& store) {
    Status saved = store.Quarantine(robot, until);
    if (saved.ok()) {
      saved = store.SaveRobotEvent({robot, now, Severity::kError, "robot_quarantined",
                                    "two boots displaced each other three times in 10 minutes:"
                                    " two machines carry this name"});
    }
    if (!saved.ok()) Log(LogLevel::kError, saved.message());
  });
}

// The welcome goes out once the call is on disk, so that a boot is known before its records come.
void Ingest::Greet(const std::shared_ptr<RobotStream>& stream, const Hello& hello, WallTime now) {
  presence_.Opened(hello.robot);
  const Greeting greeting{hello.robot, hello.boot,       hello.boot_counter,
                          hello.agent, hello.clock.boot, now};
  std::vector<StreamKey> keys(
      hello.streams.begin(),
      hello.streams.begin() +
          static_cast<std::ptrdiff_t>(std::min(hello.streams.size(), config_.streams_per_robot)));
  RunReader& reader = store_;
  const bool is_queued =
      writer_.Post([stream, greeting, keys = std::move(keys), now, &reader](RunWriter& store) {
        if (Status failed = store.Greet(greeting); !failed.ok()) {
          Log(LogLevel::kError, failed.message());
          stream->End({Code::kUnavailable, "the server cannot store: " + failed.message()});
          return;
        }
        Welcome welcome;
        welcome.server_time = now;
        for (const StreamKey& key : keys) {
          welcome.committed.push_back(CommittedFor(reader, IdOf(greeting.robot, key)));
        }
        stream->SendWelcome(welcome);
      });
  if (!is_queued) stream->End({Code::kUnavailable, "the server is stopping"});
}

void Ingest::OnRecord(RobotStream& stream, Record record) {
  const auto session = SessionOf(stream);
  if (!session) return;  // cut or refused: nothing of it is acknowledged
  presence_.Heard(session->robot, clock_.Pair());
  if (!Pay(*session, record)) return;
  session->streams.insert(record.stream);
  if (session->streams.size() > config_.streams_per_robot) {
    stream.End({Code::kExhausted,
                fmt::format("more than {} streams in one connection", config_.streams_per_robot)});
    return;
  }
  auto meaning = CheckRecord(record, config_.limits,
                             [this](DictionaryHash hash) { return DictionaryOf(hash); });
  if (!meaning.ok()) {
    Refuse(*session, record, *meaning.error());
    return;
  }
  if (std::holds_alternative<DictionaryFacts>(*meaning)) Remember(record);
  Arrival arrival{session->robot, std::move(record), *std::move(meaning), clock_.Pair().wall};
  // A server that stops drops it: what is not acknowledged is sent again.
  writer_.Submit({std::move(arrival), session->stream});
}

bool Ingest::Pay(Session& session, const Record& record) {
  session.bytes.Take(static_cast<double>(record.payload.size()), clock_.Boot());
  if (session.bytes.is_overdrawn()) {
    session.stream->End({Code::kExhausted, "sent on although told to wait"});
    return false;
  }
  if (session.bytes.wait() > Nanos{0}) session.stream->SendThrottle(session.bytes.wait());
  return true;
}

void Ingest::Refuse(Session& session, const Record& record, const Status& why) {
  Log(LogLevel::kNotice,
      fmt::format("refused records {} to {} of {}: {}", Number(record.seqs.first),
                  Number(record.seqs.end()) - 1, session.robot, why.message()));
  session.stream->SendRefused(
      record.stream, record.seqs, why,
      CommittedAbout(store_, IdOf(session.robot, record.stream), record.seqs));
}

std::shared_ptr<const Dictionary> Ingest::DictionaryOf(DictionaryHash hash) {
  {
    MutexLock lock(mutex_);
    if (const auto found = arriving_.find(hash); found != arriving_.end()) return found->second;
  }
  const auto stored = store_.DictionaryOf(hash);
  return stored.ok() ? *stored : nullptr;
}

void Ingest::Remember(const Record& record) {
  auto decoded = DecodeDictionary(record.payload, config_.limits.dictionary);
  if (!decoded.ok()) return;  // was checked: cannot be
  auto dictionary = std::make_shared<const Dictionary>(*std::move(decoded));
  MutexLock lock(mutex_);
  if (arriving_.size() >= kArrivingKept) arriving_.clear();
  arriving_[HashOf(record.payload)] = std::move(dictionary);
}

std::shared_ptr<Ingest::Session> Ingest::SessionOf(RobotStream& stream) {
  MutexLock lock(mutex_);
  const auto found = sessions_.find(&stream);
  if (found == sessions_.end()) return nullptr;
  // Only the newest connection of a robot speaks for it.
  const auto newest = newest_.find(found->second->robot);
  if (newest == newest_.end() || newest->second != &stream) return nullptr;
  return found->second;
}

void Ingest::OnGoodbye(RobotStream& stream, const std::string& reason) {
  const auto session = SessionOf(stream);
  if (!session) return;
  Log(LogLevel::kInfo, fmt::format("{} said goodbye: {}", session->robot, reason));
  writer_.Post([boot = BootKey{session->robot, session->boot},
                last_word = LastWord{reason, clock_.Pair().wall}](RunWriter& store) {
    const Status saved = store.SaveLastWord(boot, last_word);
    if (!saved.ok()) Log(LogLevel::kError, saved.message());
  });
}

void Ingest::OnGone(RobotStream& stream) {
  std::shared_ptr<Session> gone;
  {
    MutexLock lock(mutex_);
    const auto found = sessions_.find(&stream);
    if (found == sessions_.end()) return;
    gone = found->second;
    sessions_.erase(found);
    const auto newest = newest_.find(gone->robot);
    if (newest != newest_.end() && newest->second == &stream) newest_.erase(newest);
  }
  presence_.Closed(gone->robot);
}

}  // namespace tacho
