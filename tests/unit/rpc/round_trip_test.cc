// The whole of rpc/, from link to handler and back, over real sockets.
#include <gtest/gtest.h>

#include "rpc/fleet.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_certificates.h"
#include "tests/unit/rpc/rpc_harness.h"

namespace tacho {

namespace {

class RoundTrip : public testing::Test {
 protected:
  void Serve(const Endpoint& endpoint) {
    auto server = Listen(endpoint, ingest_, fleet_);
    ASSERT_TRUE(server.ok()) << server.error()->message();
    server_ = *std::move(server);
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(server_->port()); }

  SmallIngest ingest_;
  SmallFleet fleet_;
  TestCertificates certificates_;
  std::unique_ptr<RpcServer> server_;
};

TEST_F(RoundTrip, OverTcpDeliversRecordsAndAcks) {
  Serve({"127.0.0.1:0", {}});
  SmallRobot robot({address(), {}});
  robot.Open(HelloOf("rb1"));
  ASSERT_TRUE(robot.transcript.Await("welcome 1"));
  EXPECT_TRUE(robot.Send(RecordOf(1, 10)));
  EXPECT_TRUE(robot.transcript.Await("ack 10"));
  EXPECT_TRUE(robot.Send(RecordOf(11, 5)));
  EXPECT_TRUE(robot.transcript.Await("ack 15"));
  robot.Close("done");
  EXPECT_TRUE(robot.transcript.Await("closed 0"));
  EXPECT_TRUE(ingest_.transcript.Await("gone"));
  EXPECT_EQ(ingest_.transcript.lines(),
            (std::vector<std::string>{"hello rb1 from nobody", "goodbye done", "gone"}));
}

TEST_F(RoundTrip, OverAUnixSocketDeliversRecordsAndAcks) {
  const TempFolder folder;
  const Endpoint endpoint{"unix:" + (folder.path() / "s.sock").string(), {}};
  Serve(endpoint);
  EXPECT_EQ(server_->port(), 0);
  SmallRobot robot(endpoint);
  robot.Open(HelloOf("rb1"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  EXPECT_TRUE(robot.Send(RecordOf(1, 1)));
  EXPECT_TRUE(robot.transcript.Await("ack 1"));
  EXPECT_GT(robot.bytes_on_wire(), 100u);
}

TEST_F(RoundTrip, OverMutualTlsTellsTheCertificatesName) {
  Serve({"127.0.0.1:0", certificates_.Server()});
  SmallRobot robot({address(), certificates_.Client("rb12")});
  robot.Open(HelloOf("rb12"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  EXPECT_TRUE(robot.Send(RecordOf(1, 10)));
  EXPECT_TRUE(robot.transcript.Await("ack 10"));
  EXPECT_EQ(ingest_.transcript.lines()[0], "hello rb12 from rb12");
}

TEST_F(RoundTrip, OfARobotUnderAnothersNameIsDenied) {
  Serve({"127.0.0.1:0", certificates_.Server()});
  SmallRobot robot({address(), certificates_.Client("rb12")});
  robot.Open(HelloOf("rb13"));
  EXPECT_TRUE(robot.transcript.Await("closed 7 rb12 may not send as rb13"));
}

TEST_F(RoundTrip, WithACertificateOfAnotherAuthorityIsRefused) {
  Serve({"127.0.0.1:0", certificates_.Server()});
  TestCertificates others;
  SmallRobot robot({address(), others.Client("rb12")});
  robot.Open(HelloOf("rb12"));
  EXPECT_TRUE(robot.transcript.Await("closed 7 the other side's certificate is not signed by"));
  EXPECT_TRUE(ingest_.transcript.lines().empty());
}

TEST_F(RoundTrip, WithAStolenAuthorityButNoSignatureIsRefusedByTheServer) {
  Serve({"127.0.0.1:0", certificates_.Server()});
  TestCertificates others;
  TlsFiles files = others.Client("rb12");
  files.authority = certificates_.authority();
  SmallRobot robot({address(), files});
  robot.Open(HelloOf("rb12"));
  EXPECT_TRUE(robot.transcript.Await("closed"));
  EXPECT_TRUE(ingest_.transcript.lines().empty());
}

TEST_F(RoundTrip, WithoutTlsToATlsServerIsClosed) {
  Serve({"127.0.0.1:0", certificates_.Server()});
  SmallRobot robot({address(), {}});
  robot.Open(HelloOf("rb12"));
  EXPECT_TRUE(robot.transcript.Await("closed"));
  EXPECT_TRUE(ingest_.transcript.lines().empty());
}

TEST_F(RoundTrip, OfAnOverlapIsRefusedAndTheStreamGoesOn) {
  Serve({"127.0.0.1:0", {}});
  SmallRobot robot({address(), {}});
  robot.Open(HelloOf("rb1"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  EXPECT_TRUE(robot.Send(RecordOf(1, 10)));
  EXPECT_TRUE(robot.Send(RecordOf(5, 10)));
  EXPECT_TRUE(robot.transcript.Await("refused 6 5"));
  EXPECT_TRUE(robot.Send(RecordOf(11, 4)));
  EXPECT_TRUE(robot.transcript.Await("ack 14"));
}

TEST_F(RoundTrip, OfATooLargeRecordIsRefusedWithTheReason) {
  Serve({"127.0.0.1:0", {}});
  SmallRobot robot({address(), {}});
  robot.Open(HelloOf("rb1"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  EXPECT_TRUE(robot.Send(RecordOf(1, 10, kMaxPayloadBytes + 1)));
  EXPECT_TRUE(robot.transcript.Await("refused 8 1"));
  EXPECT_TRUE(robot.Send(RecordOf(1, 10, kMaxPayloadBytes)));
  EXPECT_TRUE(robot.transcript.Await("ack 10"));
}

TEST_F(RoundTrip, OfAMessageBeyondGrpcsLimitEndsTheStreamWithTheReason) {
  Serve({"127.0.0.1:0", {}});
  SmallRobot robot({address(), {}});
  robot.Open(HelloOf("rb1"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  EXPECT_TRUE(robot.Send(RecordOf(1, 10, 5u << 20)));
  EXPECT_TRUE(robot.transcript.Await("closed 8"));
}

TEST_F(RoundTrip, OfAThrottleArrives) {
  Serve({"127.0.0.1:0", {}});
  SmallRobot robot({address(), {}});
  robot.Open(HelloOf("rb1"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  ingest_.ThrottleAll(std::chrono::milliseconds(1500));
  EXPECT_TRUE(robot.transcript.Await("throttle 1500000000"));
}

TEST_F(RoundTrip, SendsNothingBeforeTheWelcomeAndNoMoreThanTheWindow) {
  Serve({"127.0.0.1:0", {}});
  LinkLimits limits;
  limits.in_flight_bytes = 0;  // one record at a time
  SmallRobot robot({address(), {}}, limits);
  EXPECT_FALSE(robot.Send(RecordOf(1, 1)));
  robot.Open(HelloOf("rb1"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  EXPECT_TRUE(robot.Send(RecordOf(1, 1)));
  ASSERT_TRUE(robot.transcript.Await("ack 1"));
  EXPECT_TRUE(robot.Send(RecordOf(2, 1)));
}

TEST_F(RoundTrip, ClosesWithTheServerAndOpensAgainWithTheNext) {
  const TempFolder folder;
  const Endpoint endpoint{"unix:" + (folder.path() / "s.sock").string(), {}};
  Serve(endpoint);
  SmallRobot robot(endpoint);
  robot.Open(HelloOf("rb1"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  server_.reset();
  EXPECT_TRUE(robot.transcript.Await("closed 14"));
  robot.Open(HelloOf("rb1"));
  EXPECT_TRUE(robot.transcript.Await("closed 14", 2));
  Serve(endpoint);
  robot.Open(HelloOf("rb1"));
  EXPECT_TRUE(robot.transcript.Await("welcome", 2));
}

// It must not pass for the nobody of a plain connection, who may do anything.
TEST_F(RoundTrip, ACertificateWithoutANameIsNobodys) {
  Serve({"127.0.0.1:0", certificates_.Server()});
  auto client = ConnectFleet({address(), certificates_.WithoutName()});
  ASSERT_TRUE(client.ok()) << client.error()->message();
  const auto answer = (*client)->Ask("echo", Json(), std::chrono::seconds(20));
  ASSERT_TRUE(answer.ok()) << answer.error()->message();
  EXPECT_EQ((*answer)["asker"].AsText(), "(a certificate without a name)");
}

TEST_F(RoundTrip, OfALinkWithMissingCertificatesClosesWithTheFilesName) {
  SmallRobot robot({"127.0.0.1:1", {"/no/ca.crt", "/no/rb.crt", "/no/rb.key"}});
  robot.Open(HelloOf("rb1"));
  EXPECT_TRUE(robot.transcript.Await("closed 3 cannot read /no/ca.crt"));
}

TEST_F(RoundTrip, CountsTheConnectionsBytesBothWays) {
  Serve({"127.0.0.1:0", certificates_.Server()});
  SmallRobot robot({address(), certificates_.Client("rb12")});
  robot.Open(HelloOf("rb12"));
  ASSERT_TRUE(robot.transcript.Await("welcome"));
  const std::uint64_t before = robot.bytes_on_wire();
  EXPECT_GT(before, 1000u);  // the handshake alone
  ASSERT_TRUE(robot.Send(RecordOf(1, 10, 2200)));
  ASSERT_TRUE(robot.transcript.Await("ack 10"));
  const std::uint64_t cost = robot.bytes_on_wire() - before;
  RecordProperty("bytes_beside_payload", static_cast<int>(cost - 2200));
  EXPECT_GT(cost, 2200u);
  EXPECT_LT(cost, 2200u + 400u);
}

TEST_F(RoundTrip, OfAQuestionBringsTheAnswerAndTheAskersName) {
  Serve({"127.0.0.1:0", certificates_.Server()});
  auto client = ConnectFleet({address(), certificates_.Client("engineer")});
  ASSERT_TRUE(client.ok());
  auto answer = (*client)->Ask("echo", Json::Object{{"limit", 3}}, std::chrono::seconds(60));
  ASSERT_TRUE(answer.ok()) << answer.error()->message();
  EXPECT_EQ(answer->Dump(), R"({"asker":"engineer","arguments":{"limit":3}})");
}

TEST_F(RoundTrip, OfAnUnknownQuestionKeepsCodeAndSentence) {
  Serve({"127.0.0.1:0", {}});
  auto client = ConnectFleet({address(), {}});
  ASSERT_TRUE(client.ok());
  auto answer = (*client)->Ask("nothing", {}, std::chrono::seconds(60));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error()->code(), Code::kNotFound);
  EXPECT_EQ(answer.error()->message(), "no question \"nothing\"");
}

TEST_F(RoundTrip, OfAnAnswerBeyondTheRobotsLimitArrives) {
  Serve({"127.0.0.1:0", {}});
  auto client = ConnectFleet({address(), {}});
  ASSERT_TRUE(client.ok());
  auto answer = (*client)->Ask("large", Json::Object{{"bytes", 8 << 20}}, std::chrono::seconds(60));
  ASSERT_TRUE(answer.ok()) << answer.error()->message();
  EXPECT_EQ(answer->AsText().size(), 8u << 20);
}

TEST_F(RoundTrip, OfAQuestionToNobodyIsUnavailable) {
  auto client = ConnectFleet({"127.0.0.1:1", {}});
  ASSERT_TRUE(client.ok());
  auto answer = (*client)->Ask("echo", {}, std::chrono::seconds(60));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error()->code(), Code::kUnavailable);
}

TEST_F(RoundTrip, OfAQuestionInProgressIsFinishedBeforeTheServerEnds) {
  Serve({"127.0.0.1:0", {}});
  auto client = ConnectFleet({address(), {}});
  ASSERT_TRUE(client.ok());
  std::jthread stopper([this] {
    fleet_.is_asked.acquire();
    std::jthread answerer([this] { fleet_.may_answer.release(); });
    server_.reset();
  });
  const auto answer = (*client)->Ask("slow", {}, std::chrono::seconds(60));
  stopper.join();
  ASSERT_TRUE(answer.ok()) << answer.error()->message();
  EXPECT_EQ(answer->AsText(), "done");
}

TEST_F(RoundTrip, IsRefusedPlainlyOnAnAddressOfTheWorld) {
  auto server = Listen({"0.0.0.0:0", {}}, ingest_, fleet_);
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error()->code(), Code::kInvalid);
  auto client = ConnectFleet({"fleet.example.com:4440", {}});
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error()->code(), Code::kInvalid);
}

}  // namespace

}  // namespace tacho
