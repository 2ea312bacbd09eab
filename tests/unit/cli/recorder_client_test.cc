// The recorder's socket, answered well, badly, and not at all.
#include "cli/recorder_client.h"

#include <array>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

// Accepts one caller and lets `talk` have the connection.
class FakeSocketServer {
 public:
  FakeSocketServer(const std::string& path, std::function<void(int)> talk)
      : listener_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    thread_ = std::jthread([this, talk = std::move(talk)] {
      const int caller = accept(listener_, nullptr, nullptr);
      talk(caller);
      close(caller);
    });
  }
  ~FakeSocketServer() {
    thread_.join();
    close(listener_);
  }

 private:
  int listener_;
  std::jthread thread_;
};

std::string ReadLine(int socket) {
  std::string line;
  for (char c = 0; c != '\n' && read(socket, &c, 1) == 1;) {
    if (c != '\n') line += c;
  }
  return line;
}

void Write(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Until the other side hangs up.
void WaitForEnd(int socket) {
  std::array<char, 256> chunk{};
  while (read(socket, chunk.data(), chunk.size()) > 0) {
  }
}

class RecorderClientTest : public testing::Test {
 protected:
  Result<Json> Ask(Nanos patience = std::chrono::seconds(30)) {
    auto client = ConnectRecorder(path_, clock_, patience);
    if (!client.ok()) return std::move(client).status();
    return (*client)->Ask(Json::Object{{"do", "status"}});
  }

  // The failure of the one question asked; a success fails the test.
  Status Failure(Nanos patience = std::chrono::seconds(30)) {
    auto answer = Ask(patience);
    EXPECT_FALSE(answer.ok());
    return std::move(answer).status();
  }

  TempFolder folder_;
  std::string path_ = (folder_.path() / "recorder.sock").string();
  FakeClock clock_;
};

TEST_F(RecorderClientTest, AsksInOneLineAndReadsOne) {
  std::string asked;
  FakeSocketServer server(path_, [&asked](int caller) {
    asked = ReadLine(caller);
    Write(caller, "{\"ok\":true,");
    Write(caller, "\"uptime_s\":7}\n");
    WaitForEnd(caller);
  });
  auto answer = Ask();
  ASSERT_TRUE(answer.ok()) << answer.error()->message();
  EXPECT_EQ((*answer)["uptime_s"].AsInt(), 7);
  EXPECT_EQ(asked, R"({"do":"status"})");
}

TEST_F(RecorderClientTest, ReadsAnAnswerOfMegabytes) {
  FakeSocketServer server(path_, [](int caller) {
    ReadLine(caller);
    Write(caller, "{\"ok\":true,\"text\":\"" + std::string(2'000'000, 'x') + "\"}\n");
    WaitForEnd(caller);
  });
  auto answer = Ask();
  ASSERT_TRUE(answer.ok()) << answer.error()->message();
  EXPECT_EQ((*answer)["text"].AsText().size(), 2'000'000U);
}

TEST_F(RecorderClientTest, HandsOnTheRecordersOwnSentence) {
  FakeSocketServer server(path_, [](int caller) {
    ReadLine(caller);
    Write(caller, "{\"ok\":false,\"error\":\"only idle is open\"}\n");
    WaitForEnd(caller);
  });
  const Status why = Failure();
  EXPECT_EQ(why.code(), Code::kInternal);
  EXPECT_EQ(why.message(), "The recorder refuses: only idle is open");
}

TEST_F(RecorderClientTest, RefusesWhatIsNoAnswer) {
  for (const char* text : {"hello\n", "[1]\n", "\n", "{\"ok\":tr\n"}) {
    {
      FakeSocketServer server(path_, [text](int caller) {
        ReadLine(caller);
        Write(caller, text);
        WaitForEnd(caller);
      });
      EXPECT_EQ(Failure().code(), Code::kCorrupt) << text;
    }
    unlink(path_.c_str());
  }
}

TEST_F(RecorderClientTest, RefusesALineWithoutAnEnd) {
  FakeSocketServer server(path_, [](int caller) {
    ReadLine(caller);
    Write(caller, std::string(6'000'000, 'x'));
  });
  EXPECT_EQ(Failure().code(), Code::kCorrupt);
}

TEST_F(RecorderClientTest, IsUnreachableWhereTheRecorderHangsUp) {
  FakeSocketServer server(path_, [](int caller) {
    ReadLine(caller);
    Write(caller, "{\"ok\"");
  });
  EXPECT_EQ(Failure().code(), Code::kUnavailable);
}

TEST_F(RecorderClientTest, IsUnreachableWhereTheRecorderIsSilent) {
  FakeSocketServer server(path_, [](int caller) { WaitForEnd(caller); });
  const Status why = Failure(std::chrono::milliseconds(20));
  EXPECT_EQ(why.code(), Code::kUnavailable);
  EXPECT_NE(why.message().find("did not answer within 20 ms"), std::string::npos) << why.message();
}

TEST_F(RecorderClientTest, SaysWhatToCheckWhereNobodyListens) {
  const Status why = Failure();
  EXPECT_EQ(why.code(), Code::kUnavailable);
  EXPECT_NE(why.message().find("systemctl status tachod"), std::string::npos) << why.message();
  EXPECT_NE(why.message().find(path_), std::string::npos) << why.message();
}

TEST_F(RecorderClientTest, RefusesAPathTooLongForASocket) {
  path_ = std::string(200, 'p');
  EXPECT_EQ(Failure().code(), Code::kInvalid);
}

}  // namespace
}  // namespace tacho
