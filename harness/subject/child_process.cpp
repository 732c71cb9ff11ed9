// Starting, watching and ending a child process.
#include "harness/subject/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "harness/subject/named_threads.hpp"

namespace assay {
namespace {

constexpr std::chrono::milliseconds kPatienceAtEnd{2000};

struct Pipe {
  OwnedFd read;
  OwnedFd write;
};

/// Above the three standard streams, so that the child can put its ends there in any order.
OwnedFd moved_up(int fd) {
  const OwnedFd low(fd);
  const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (high < 0) throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  return OwnedFd(high);
}

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  }
  Pipe pipe{OwnedFd(ends[0]), OwnedFd(ends[1])};
  if (ends[0] > 2 && ends[1] > 2) return pipe;
  pipe.read = moved_up(::dup(ends[0]));
  pipe.write = moved_up(::dup(ends[1]));
  return pipe;
}

void make_non_blocking(const OwnedFd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

/// The child's side of fork. Only calls that are safe there; everything is prepared before.
struct Launch {
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  Pipe failure = make_pipe();  ///< closed by a successful exec, otherwise holds errno
  std::vector<char*> argv;
  pid_t parent = ::getpid();

  [[noreturn]] void become_child() const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // it died before it could be asked to tell
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(input.read.get(), STDIN_FILENO);
    ::dup2(output.write.get(), STDOUT_FILENO);
    ::dup2(errors.write.get(), STDERR_FILENO);
    ::execvp(argv[0], argv.data());
    const int reason = errno;
    [[maybe_unused]] const auto written = ::write(failure.write.get(), &reason, sizeof reason);
    ::_exit(127);
  }
};

/// The system ends a child when the *thread* that forked it ends, so all are forked by one that
/// lives as long as the process. A process that was itself forked needs its own.
NamedThread& spawner() {
  static std::mutex mutex;
  static NamedThread* thread = nullptr;
  static pid_t owner = -1;
  const std::scoped_lock lock(mutex);
  if (owner != ::getpid()) thread = new NamedThread("spawner");
  owner = ::getpid();
  return *thread;
}

pid_t fork_from_lasting_thread(const Launch& launch) {
  pid_t pid = -1;
  int reason = 0;
  spawner().run([&] {
    pid = ::fork();
    if (pid == 0) launch.become_child();
    reason = errno;
  });
  if (pid < 0) throw std::system_error(reason, std::generic_category(), "cannot fork");
  return pid;
}

/// Zero when exec succeeded.
int reason_of_failure(Launch& launch) {
  launch.failure.write.close();
  int reason = 0;
  ssize_t got = -1;
  do {
    got = ::read(launch.failure.read.get(), &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  return got == sizeof reason ? reason : 0;
}

std::string described(int status) {
  if (!WIFSIGNALED(status)) {
    return "ended with status " + std::to_string(WEXITSTATUS(status));
  }
  const char* name = ::sigabbrev_np(WTERMSIG(status));
  return std::string("died of SIG") + (name == nullptr ? "???" : name);
}

/// Without taking its status: until then the number of its group belongs to nobody else.
bool has_ended(pid_t pid) {
  siginfo_t seen{};
  const int status = ::waitid(P_PID, static_cast<id_t>(pid), &seen, WEXITED | WNOHANG | WNOWAIT);
  return status == 0 ? seen.si_pid == pid : errno != EINTR;
}

std::string reaped(pid_t pid) {
  ::kill(-pid, SIGKILL);
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid) return "ended, but its status is lost";
  return described(status);
}

}  // namespace

void OwnedFd::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

ChildProcess::ChildProcess(const std::vector<std::string>& argv) {
  if (argv.empty()) throw std::runtime_error("no program was named");
  Launch launch;
  for (const std::string& word : argv) launch.argv.push_back(const_cast<char*>(word.c_str()));
  launch.argv.push_back(nullptr);
  pid_ = fork_from_lasting_thread(launch);
  if (const int reason = reason_of_failure(launch); reason != 0) {
    wait(kPatienceAtEnd);
    throw std::runtime_error("cannot start '" + argv[0] + "': " + std::strerror(reason));
  }
  input_ = std::move(launch.input.write);
  output_ = std::move(launch.output.read);
  errors_ = std::move(launch.errors.read);
  end_fd_ = OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  for (const OwnedFd* fd : {&input_, &output_, &errors_}) make_non_blocking(*fd);
}

ChildProcess::~ChildProcess() {
  for (OwnedFd* fd : {&input_, &output_, &errors_}) fd->close();
  if (wait(kPatienceAtEnd)) return;
  kill();
}

std::optional<std::string> ChildProcess::wait(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  std::chrono::microseconds pause{100};
  while (!end_) {
    if (has_ended(pid_)) end_ = reaped(pid_);
    if (end_ || std::chrono::steady_clock::now() >= end) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds{10'000});
  }
  return end_;
}

void ChildProcess::kill() {
  if (end_) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  wait(std::chrono::hours{1});
}

}  // namespace assay
