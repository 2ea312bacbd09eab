// Callers that send garbage, too much or nothing are refused with a reason, and a robot that
// streams meanwhile notices nothing.
#include <arpa/inet.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "rpc/inside/convert.h"
#include "rpc/inside/grpc_status.h"
#include "tacho/v1/telemetry.grpc.pb.h"
#include "tests/e2e/fleet.h"
#include "tests/e2e/robot.h"
#include "tests/support/made_records.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

std::string Line(int second) {
  return "RAM 2100/7620MB (lfb 4x4MB) CPU [3%@729,4%@729] VDD_IN " + std::to_string(4000 + second) +
         "mW/4000mW";
}

// A fleet with one healthy robot, which says something before and after each stranger.
class StrangersTest : public testing::Test {
 protected:
  StrangersTest() {
    clock_.SetWall(WallTimeOf(1'790'000'000'000'000'000));
    channel_ = grpc::CreateChannel(fleet_.endpoint().address, grpc::InsecureChannelCredentials());
  }
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(SaySome()); }
  void TearDown() override {
    ASSERT_NO_FATAL_FAILURE(SaySome());
    robot_.StopRecorder();
    uplink_.Wake();
    EXPECT_TRUE(WaitFor([&] {
      return fleet_.store().CountsOf("rb12").stored >= robot_.produced();
    })) << "the healthy robot was disturbed";
    EXPECT_EQ(fleet_.store().CountsOf("rb12").stored, robot_.produced());
    EXPECT_EQ(fleet_.store().CountsOf("stranger").stored, 0u);
  }
  void SaySome() {
    for (int i = 0; i < 20; ++i)
      ASSERT_NO_FATAL_FAILURE(robot_.Say(Line(i), 1s));
    uplink_.Wake();
  }

  TempFolder folder_;
  FakeClock clock_{BootTimeOf(1'000'000'000)};
  TestFleet fleet_{folder_.path(), clock_, {.hello_within = 1s, .question_within = 1s}};
  TestRobot robot_{folder_.path(), clock_, SpoolIn(folder_.path())};
  TestUplink uplink_{robot_.spool_folder(), clock_, fleet_.endpoint(), robot_.boot()};
  std::shared_ptr<grpc::Channel> channel_;
};

// One stream of a stranger, written message by message.
class Stranger {
 public:
  explicit Stranger(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::Telemetry::NewStub(channel)), stream_(stub_->Stream(&context_)) {}

  void Say(const v1::Up& up) {
    // Whether it could be written is ignored here: the end tells.
    (void)stream_->Write(up);
  }
  void SayHello() {
    Hello hello;
    hello.robot = "stranger";
    hello.boot = boot_.id();
    hello.clock = {At(1), WallTimeOf(1), ClockTrust::kNever};
    Say(ToWire(hello));
    EXPECT_TRUE(Hears(v1::Down::kWelcome));
  }
  bool Hears(v1::Down::WhatCase what) {
    return stream_->Read(&heard_) && heard_.what_case() == what;
  }
  // The sentence with which a record was refused; the stream goes on.
  std::string RefusalOf(const v1::Up& up) {
    Say(up);
    return Hears(v1::Down::kRefused) ? heard_.refused().why() : "it was not refused";
  }
  // The server's last word.
  Status End() {
    while (stream_->Read(&heard_)) {
    }
    return FromGrpc(stream_->Finish());
  }
  MadeBoot& boot() { return boot_; }

 private:
  MadeBoot boot_{9};
  grpc::ClientContext context_;
  const std::unique_ptr<v1::Telemetry::Stub> stub_;
  const std::unique_ptr<grpc::ClientReaderWriter<v1::Up, v1::Down>> stream_;
  v1::Down heard_;
};

TEST_F(StrangersTest, WhoSpeaksNoHttpIsHungUpOn) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = fleet_.endpoint().address.substr(std::string("unix:").size());
  path.copy(std::begin(address.sun_path), sizeof address.sun_path - 1);
  const int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::string garbage(4096, '\x5a');
  ASSERT_GT(::send(connection, garbage.data(), garbage.size(), MSG_NOSIGNAL), 0);
  char byte = 0;
  while (::recv(connection, &byte, 1, 0) > 0) {
  }
  ::close(connection);  // reached: the server closed its end
}

TEST_F(StrangersTest, ARecordBeforeTheHelloEndsTheStream) {
  Stranger stranger(channel_);
  stranger.Say(ToWire(stranger.boot().DictionaryRecord()));
  const Status end = stranger.End();
  EXPECT_EQ(end.code(), Code::kInvalid);
  EXPECT_EQ(end.message(), "the first message must be Hello");
}

TEST_F(StrangersTest, AnEmptyMessageEndsTheStream) {
  Stranger stranger(channel_);
  stranger.SayHello();
  stranger.Say(v1::Up());
  EXPECT_EQ(stranger.End().code(), Code::kInvalid);
}

TEST_F(StrangersTest, WhoNeverSaysHelloIsNotWaitedFor) {
  Stranger stranger(channel_);
  const Status end = stranger.End();
  EXPECT_EQ(end.code(), Code::kTimeout);
  EXPECT_EQ(end.message(), "the Hello never came");
}

TEST_F(StrangersTest, AQuestionThatNeverComesIsNotWaitedFor) {
  const auto stub = v1::Fleet::NewStub(channel_);
  grpc::ClientContext context;
  v1::Answer answer;
  const auto call = stub->Ask(&context, &answer);
  const Status end = FromGrpc(call->Finish());
  EXPECT_EQ(end.code(), Code::kTimeout);
  EXPECT_EQ(end.message(), "the question never came");
}

TEST_F(StrangersTest, ACallThatEndsWithoutAQuestionIsTold) {
  const auto stub = v1::Fleet::NewStub(channel_);
  grpc::ClientContext context;
  v1::Answer answer;
  const auto call = stub->Ask(&context, &answer);
  call->WritesDone();
  EXPECT_EQ(FromGrpc(call->Finish()).code(), Code::kInvalid);
}

TEST_F(StrangersTest, AHugeQuestionIsRefused) {
  const auto stub = v1::Fleet::NewStub(channel_);
  grpc::ClientContext context;
  v1::Answer answer;
  v1::Question question;
  question.set_name("robots");
  question.set_arguments_json(std::string(100'000, ' '));
  const auto call = stub->Ask(&context, &answer);
  EXPECT_TRUE(call->Write(question));
  call->WritesDone();
  const Status end = FromGrpc(call->Finish());
  EXPECT_EQ(end.code(), Code::kExhausted);
  EXPECT_EQ(end.message(), "the question is too long");
}

TEST_F(StrangersTest, AHugeMessageEndsTheStream) {
  Stranger stranger(channel_);
  stranger.SayHello();
  Record record = stranger.boot().DictionaryRecord();
  record.payload.resize(5 << 20);
  stranger.Say(ToWire(record));
  EXPECT_EQ(stranger.End().code(), Code::kExhausted);
}

TEST_F(StrangersTest, SeqsThatCannotBeEndTheStreamWithTheReason) {
  const SeqRange impossible[] = {
      {Seq{0}, 1}, {Seq{1}, 0}, {Seq{1}, std::uint64_t{1} << 40}, {Seq{~std::uint64_t{0}}, 60}};
  for (const SeqRange& seqs : impossible) {
    Stranger stranger(channel_);
    stranger.SayHello();
    Record record = stranger.boot().Happened("x", "y", At(1));
    record.seqs = seqs;
    stranger.Say(ToWire(record));
    const Status end = stranger.End();
    EXPECT_EQ(end.code(), Code::kInvalid) << Number(seqs.first);
    EXPECT_NE(end.message().find("seq"), std::string::npos) << end.message();
  }
}

TEST_F(StrangersTest, SeqsBeyondCountingAreRefusedAndTheStreamGoesOn) {
  Stranger stranger(channel_);
  stranger.SayHello();
  Record record = stranger.boot().Happened("x", "y", At(1));
  record.seqs = {Seq{std::uint64_t{1} << 63}, 1};
  EXPECT_NE(stranger.RefusalOf(ToWire(record)).find("seqs"), std::string::npos);
}

TEST_F(StrangersTest, GarbageInARecordIsRefused) {
  Stranger stranger(channel_);
  stranger.SayHello();
  for (const RecordKind kind : {RecordKind::kDictionary, RecordKind::kBoot, RecordKind::kClock,
                                RecordKind::kRun, RecordKind::kEvent, RecordKind::kGap}) {
    Record record = stranger.boot().DictionaryRecord();
    record.kind = kind;
    record.payload.assign(300, std::byte{0xa5});
    EXPECT_NE(stranger.RefusalOf(ToWire(record)), "") << static_cast<int>(kind);
  }
}

TEST_F(StrangersTest, AMillionSeriesAreRefused) {
  Stranger stranger(channel_);
  stranger.SayHello();
  Dictionary dictionary = MadeDictionary();
  const auto fill = [&](std::uint32_t channels) {
    for (auto id = static_cast<std::uint32_t>(dictionary.channels.size()); id < channels; ++id) {
      dictionary.channels.push_back(
          {ChannelId{id}, GroupId{0}, "m", std::to_string(id), Unit::kCount, 0, Shape::kGauge, ""});
    }
    stranger.boot().UseDictionary(dictionary);
    return stranger.RefusalOf(ToWire(stranger.boot().DictionaryRecord()));
  };
  EXPECT_NE(fill(5'000).find("channels"), std::string::npos);
  Record record = stranger.boot().DictionaryRecord();  // 16 MB of it would not even travel
  record.payload.resize((1 << 20) + 1);
  EXPECT_NE(stranger.RefusalOf(ToWire(record)).find("bytes"), std::string::npos);
}

}  // namespace
}  // namespace tacho
