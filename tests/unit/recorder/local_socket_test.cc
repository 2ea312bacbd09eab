// The local socket with real clients: order, limits, slow readers and noise.
#include "daemon/recorder/local_socket.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include "tests/support/temp_folder.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

// A connection that never blocks.
class TestClient {
 public:
  explicit TestClient(const std::filesystem::path& path)
      : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(path.native().begin(), path.native().end(), std::begin(address.sun_path));
    is_connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~TestClient() { ::close(socket_); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  bool is_connected() const { return is_connected_; }
  // As much as the socket takes.
  std::size_t Send(std::string_view text) {
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
  }
  void EndSending() { ::shutdown(socket_, SHUT_WR); }
  // Takes what is there.
  void Receive() {
    char buffer[4096];
    ssize_t got = 0;
    while ((got = ::recv(socket_, buffer, sizeof buffer, 0)) > 0) {
      received_.append(buffer, static_cast<std::size_t>(got));
    }
    is_closed_ = is_closed_ || got == 0 || errno == ECONNRESET;
  }
  const std::string& received() const { return received_; }
  bool is_closed() const { return is_closed_; }

 private:
  const int socket_;
  bool is_connected_ = false;
  std::string received_;
  bool is_closed_ = false;
};

// Answers each line with itself, unless the test answers.
class LocalSocketTest : public testing::Test {
 protected:
  void Open(LocalLimits limits = {}) {
    auto socket = LocalSocket::Open(path_, limits, [this](const LocalSocket::Request& request) {
      may_change_ = request.may_change;
      ++lines_;
      if (!request.is_awaited) ++unheard_;
      if (request.line.starts_with("wait")) {
        waiting_.push_back(request.ticket);
      } else {
        socket_->Answer(request.ticket, std::string(request.line));
      }
    });
    ASSERT_TRUE(socket.ok()) << socket.error()->message();
    socket_ = *std::move(socket);
  }
  // Serves as the loop would, until there is nothing more to do.
  void Serve() {
    pollfd watched{.fd = socket_->descriptor(), .events = POLLIN, .revents = 0};
    while (::poll(&watched, 1, 0) > 0)
      socket_->Serve();
  }

  TempFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "r.sock";
  std::vector<LocalSocket::Ticket> waiting_;
  int lines_ = 0;
  int unheard_ = 0;
  bool may_change_ = false;
  std::unique_ptr<LocalSocket> socket_;
};

TEST_F(LocalSocketTest, LinesAreAnsweredInOneReadAndByHalves) {
  Open();
  TestClient client(path_);
  client.Send("one\r\n\ntwo\nthr");
  Serve();
  client.Send("ee\n");
  Serve();
  client.Receive();
  EXPECT_EQ(client.received(), "one\ntwo\nthree\n");
  EXPECT_TRUE(may_change_) << "the test's user is the socket's own";
}

TEST_F(LocalSocketTest, LateAnswerKeepsItsPlaceInTheOrder) {
  Open();
  TestClient client(path_);
  client.Send("wait\nfast\nwait\n");
  Serve();
  client.Receive();
  EXPECT_EQ(client.received(), "");
  socket_->Answer(waiting_.at(1), "second");
  socket_->Answer(waiting_.at(0), "first");
  Serve();
  client.Receive();
  EXPECT_EQ(client.received(), "first\nfast\nsecond\n");
}

TEST_F(LocalSocketTest, ClientThatSaidAllStillHearsItsAnswers) {
  Open();
  TestClient client(path_);
  client.Send("wait\nfast\n");
  client.EndSending();
  Serve();
  socket_->Answer(waiting_.at(0), "late");
  Serve();
  client.Receive();
  EXPECT_EQ(client.received(), "late\nfast\n");
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(socket_->clients(), 0u);
}

TEST_F(LocalSocketTest, AnswerToAClientThatLeftIsDropped) {
  Open();
  {
    TestClient client(path_);
    client.Send("wait\n");
    Serve();
  }
  Serve();
  socket_->Answer(waiting_.at(0), "nobody");
  socket_->Answer({.client = 999, .request = 7}, "nobody");
  Serve();
  SUCCEED();
}

TEST_F(LocalSocketTest, LinesOfAClientThatLeftAtOnceAreStillHandled) {
  Open({.unanswered = 5});
  {
    TestClient client(path_);
    for (int i = 0; i < 20; ++i)
      client.Send("wait\n");
  }
  Serve();
  EXPECT_EQ(lines_, 20);
  EXPECT_EQ(unheard_, 20) << "nobody hears the answers, and whoever handles them must know";
  EXPECT_EQ(socket_->clients(), 0u);
}

TEST_F(LocalSocketTest, EachClientHasATurnHoweverMuchTheOthersAsk) {
  Open();
  std::vector<std::unique_ptr<TestClient>> greedy;
  for (int i = 0; i < 60; ++i) {
    greedy.push_back(std::make_unique<TestClient>(path_));
    std::string lines;
    for (int line = 0; line < 2000; ++line)
      lines += "ask\n";
    greedy.back()->Send(lines);
  }
  TestClient modest(path_);
  modest.Send("hello\n");
  socket_->Serve();  // accepts
  socket_->Serve();
  modest.Receive();
  EXPECT_EQ(modest.received(), "hello\n");
  EXPECT_LE(lines_, 60 * 16 + 1) << "a turn must be short: the watchdog waits for its end";
}

TEST_F(LocalSocketTest, ClientsThatAskedMuchAndLeftDoNotMakeTheOthersWait) {
  Open();
  for (int i = 0; i < 60; ++i) {
    TestClient gone(path_);
    for (int chunk = 0; chunk < 100; ++chunk)
      gone.Send("ask\nask\nask\nask\nask\nask\nask\nask\n");
  }
  socket_->Serve();
  TestClient modest(path_);
  modest.Send("hello\n");
  socket_->Serve();
  const int before = lines_;
  socket_->Serve();
  modest.Receive();
  EXPECT_EQ(modest.received(), "hello\n");
  EXPECT_LE(lines_ - before, 60 * 16 + 1);
  Serve();
  EXPECT_EQ(lines_, 60 * 800 + 1);
  EXPECT_EQ(socket_->clients(), 1u);
}

TEST_F(LocalSocketTest, LinesOfALongTurnAreAllHandledInTheEnd) {
  Open();
  TestClient client(path_);
  std::string lines;
  for (int line = 0; line < 1000; ++line)
    lines += "x\n";
  client.Send(lines);
  Serve();
  EXPECT_EQ(lines_, 1000);
  client.Receive();
  EXPECT_EQ(client.received(), lines);
}

TEST_F(LocalSocketTest, LineThatIsTooLongIsRefusedWithAReasonAndEndsTheConnection) {
  Open({.line_bytes = 1000});
  TestClient client(path_);
  client.Send("ok\n" + std::string(20000, 'x'));
  Serve();
  client.Receive();
  EXPECT_TRUE(client.received().starts_with("ok\n{\"ok\":false"));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(LocalSocketTest, ClientsPastTheLimitAreRefusedWithAReason) {
  Open();
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 70; ++i) {
    clients.push_back(std::make_unique<TestClient>(path_));
    Serve();
  }
  EXPECT_EQ(socket_->clients(), 64u);
  EXPECT_EQ(socket_->refused(), 6u);
  clients[69]->Receive();
  EXPECT_TRUE(clients[69]->received().starts_with("{\"ok\":false"));
  EXPECT_TRUE(clients[69]->is_closed());
  clients.erase(clients.begin());
  Serve();
  TestClient next(path_);
  next.Send("hello\n");
  Serve();
  next.Receive();
  EXPECT_EQ(next.received(), "hello\n");
}

TEST_F(LocalSocketTest, SlowReaderIsNotReadFurtherAndLosesNothing) {
  Open({.unsent_bytes = 32 << 10});
  TestClient client(path_);
  const std::string line = std::string(1000, 'x') + "\n";
  std::string sent;
  for (int idle = 0; idle < 3;) {
    const std::size_t taken = client.Send(line);
    sent.append(line, 0, taken);
    idle = taken == 0 ? idle + 1 : 0;
    if (taken > 0 && taken < line.size())
      sent += line.substr(taken), client.Send(line.substr(taken));
    Serve();
  }
  EXPECT_LT(sent.size(), 4u << 20) << "its requests must be held back";
  for (int i = 0; i < 10000 && client.received().size() < sent.size(); ++i) {
    client.Receive();
    Serve();
  }
  EXPECT_EQ(client.received().size() / line.size(), sent.size() / line.size());
}

TEST_F(LocalSocketTest, ClientThatTakesNothingIsClosedInTheEnd) {
  Open({.unsent_bytes = 16 << 10, .unsent_for = 10s});
  TestClient client(path_);
  for (int i = 0; i < 2000; ++i) {
    client.Send(std::string(1000, 'x') + "\n");
    Serve();
  }
  socket_->Tick(At(100));
  EXPECT_EQ(socket_->clients(), 1u);
  socket_->Tick(At(111));
  EXPECT_EQ(socket_->clients(), 0u);
}

TEST_F(LocalSocketTest, UnansweredRequestsOfAClientAreLimited) {
  Open({.unanswered = 5});
  TestClient client(path_);
  for (int i = 0; i < 8; ++i)
    client.Send("wait\n");
  client.EndSending();
  Serve();
  EXPECT_EQ(lines_, 5);
  for (std::size_t i = 0; i < 8; ++i) {
    socket_->Answer(waiting_.at(i), "x");
    Serve();
  }
  EXPECT_EQ(lines_, 8);
  client.Receive();
  EXPECT_EQ(client.received().size(), 16u);
}

TEST_F(LocalSocketTest, NoiseIsJustLines) {
  Open();
  TestClient client(path_);
  std::string noise;
  for (int i = 0; i < 3000; ++i)
    noise += static_cast<char>(i * 7);
  client.Send(noise);
  client.EndSending();
  Serve();
  client.Receive();
  EXPECT_TRUE(client.is_closed());
}

TEST_F(LocalSocketTest, SocketOfADeadRecorderIsReplaced) {
  {
    std::FILE* file = std::fopen(path_.c_str(), "w");
    ASSERT_NE(file, nullptr);
    std::fclose(file);
  }
  Open();
  EXPECT_TRUE(TestClient(path_).is_connected());
  socket_.reset();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST(LocalSocketFailureTest, FolderThatIsNotThereIsNamed) {
  const auto socket = LocalSocket::Open("/none/r.sock", {}, nullptr);
  ASSERT_FALSE(socket.ok());
  EXPECT_NE(socket.error()->message().find("/none/r.sock"), std::string::npos);
}

TEST(LocalSocketFailureTest, PathThatIsTooLongIsNamed) {
  EXPECT_FALSE(LocalSocket::Open("/tmp/" + std::string(200, 'x'), {}, nullptr).ok());
}

}  // namespace
}  // namespace tacho
