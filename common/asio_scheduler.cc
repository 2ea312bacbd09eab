// Timers, tasks, descriptors and signals on Boost.Asio's loop.
#include "common/asio_scheduler.h"

#include <sys/stat.h>
#include <utility>  // Boost 1.74 forgets it
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tacho {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

class AsioTimer final : public Scheduler::Timer {
 public:
  AsioTimer(asio::io_context& io, Nanos delay, std::function<void()> task) : timer_(io, delay) {
    // A handler that was already queued when the timer died finds `alive_` expired and does
    // nothing.
    timer_.async_wait(
        [alive = std::weak_ptr<bool>(alive_), task = std::move(task)](error_code error) {
          if (!error && !alive.expired()) task();
        });
  }

 private:
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  asio::steady_timer timer_;
};

class AsioWatch final : public AsioScheduler::Watch {
 public:
  AsioWatch(asio::io_context& io, std::function<void()> task)
      : descriptor_(io), task_(std::make_shared<std::function<void()>>(std::move(task))) {}
  ~AsioWatch() override {
    // Would close the descriptor otherwise, which is not ours.
    if (descriptor_.is_open()) (void)descriptor_.release();
  }

  bool Start(int descriptor) {
    // Asio takes a regular file too, though epoll refuses it, and then never calls.
    struct stat file {};
    if (fstat(descriptor, &file) != 0 || S_ISREG(file.st_mode)) return false;
    error_code error;
    descriptor_.assign(descriptor, error);
    if (!error) Wait();
    return !error;
  }

 private:
  void Wait() {
    descriptor_.async_wait(
        asio::posix::stream_descriptor::wait_read,
        [this, weak = std::weak_ptr<std::function<void()>>(task_)](error_code error) {
          // Held while it runs: the task may destroy this watch, and itself with it.
          const auto task = weak.lock();
          if (error || task == nullptr) return;
          (*task)();
          if (task.use_count() > 1) Wait();
        });
  }

  asio::posix::stream_descriptor descriptor_;
  std::shared_ptr<std::function<void()>> task_;
};

// Calls a task at each delivery of one signal, for as long as the loop lives.
class SignalWatch {
 public:
  SignalWatch(asio::io_context& io, int number, std::function<void()> task)
      : signals_(io, number), task_(std::move(task)) {
    Wait();
  }

 private:
  void Wait() {
    signals_.async_wait([this](error_code error, int /*number*/) {
      if (error) return;
      Wait();
      task_();
    });
  }

  asio::signal_set signals_;
  std::function<void()> task_;
};

}  // namespace

struct AsioScheduler::Loop {
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work = asio::make_work_guard(io);
  std::vector<std::unique_ptr<SignalWatch>> signals;
};

AsioScheduler::AsioScheduler() : loop_(std::make_unique<Loop>()) {}

AsioScheduler::~AsioScheduler() = default;

void AsioScheduler::Run() {
  loop_->io.run();
}

void AsioScheduler::Stop() {
  loop_->io.stop();
}

void AsioScheduler::Post(std::function<void()> task) {
  asio::post(loop_->io, std::move(task));
}

std::unique_ptr<Scheduler::Timer> AsioScheduler::After(Nanos delay, std::function<void()> task) {
  return std::make_unique<AsioTimer>(loop_->io, delay, std::move(task));
}

std::unique_ptr<AsioScheduler::Watch> AsioScheduler::WhenReadable(int descriptor,
                                                                  std::function<void()> task) {
  auto watch = std::make_unique<AsioWatch>(loop_->io, std::move(task));
  if (!watch->Start(descriptor)) return nullptr;
  return watch;
}

void AsioScheduler::OnSignal(int signal_number, std::function<void()> task) {
  loop_->signals.push_back(
      std::make_unique<SignalWatch>(loop_->io, signal_number, std::move(task)));
}

}  // namespace tacho
