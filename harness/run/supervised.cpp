// Waits for a child process that reports its progress.
#include "harness/run/supervised.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <system_error>
#include <vector>

#include "harness/console/terminal.hpp"
#include "harness/subject/lines.hpp"
#include "harness/subject/process/child_process.hpp"
#include "harness/subject/process/owned_fd.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/outlets.hpp"

namespace assay {
namespace {

constexpr std::array kHandedOn{SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

/// The pipe to the supervisor; -1 if there is none.
int report = -1;
/// Begins every report, so that a library that finds the pipe cannot report an end of its own.
std::string secret;

/// A descriptor of this program and what it refers to.
struct Watched {
  int fd = -1;
  dev_t device = 0;
  ino_t inode = 0;
};

/// In the child: what a library must not replace.
std::vector<Watched> watched;

bool is_as_before(const Watched& one) {
  struct stat now {};
  return ::fstat(one.fd, &now) == 0 && now.st_dev == one.device && now.st_ino == one.inode;
}

void watch(int fd) {
  struct stat now {};
  if (::fstat(fd, &now) == 0) watched.push_back({fd, now.st_dev, now.st_ino});
}

std::string random_text() {
  std::random_device random;
  std::string text;
  for (int i = 0; i < 4; ++i) text += std::to_string(random()) + "-";
  return text;
}

/// Parses NUL-terminated fields: the secret, `s`, part, journal and case; or the secret, `e` and
/// the exit code. Anything else stops it, so that the end counts as a loss.
class Reports {
 public:
  void take(std::string_view bytes) {
    for (const char c : bytes) {
      if (c != '\0') {
        field_ += c;
        continue;
      }
      fields_.push_back(std::move(field_));
      field_.clear();
      look();
    }
  }

  RunPosition where;
  std::optional<int> exit_code;

 private:
  void look() {
    if (fields_.size() < 3 || fields_.front() != secret) return;
    if (fields_[1] == "e" && fields_.size() == 3) {
      exit_code = std::atoi(fields_[2].c_str());
    } else if (fields_[1] == "s" && fields_.size() == 5) {
      where = {std::strtoul(fields_[2].c_str(), nullptr, 10), fields_[3], fields_[4]};
    } else {
      return;
    }
    fields_.clear();
  }

  std::string field_;
  std::vector<std::string> fields_;
};

/// Lines that a library writes to standard output or standard error. They are shown marked as a
/// library's, without control sequences or commands to a CI system.
class LibraryOutput {
 public:
  void take(std::string_view bytes) {
    lines_.append(bytes);
    if (lines_.overflowed()) show("(a line of more than 64 KiB)");
    while (const auto line = lines_.next()) show(*line);
  }
  void end() {
    if (!lines_.rest().empty()) take("\n");
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 10;

  static void show(std::string_view line) { complain("  | " + std::string(line) + "\n"); }

  LineBuffer lines_{kMostBytes};
};

void tell(const std::vector<std::string>& fields) {
  std::string text = secret + std::string(1, '\0');
  for (const std::string& field : fields) text += field + std::string(1, '\0');
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(report, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool is_debugged() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != line.npos;
  }
  return false;
}

/// The state of the process's main thread as in /proc: `R`, `S`, `T`, …; `?` if it is unknown.
char state_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(") ");
  return name_end == text.npos || name_end + 2 >= text.size() ? '?' : text[name_end + 2];
}

/// Describes how a library has stopped the process for good; null if it has not.
const char* standstill_of(pid_t process) {
  const char state = state_of(process);
  if (state == 'T') return "was stopped by a signal";
  // The process lives on in its other threads, but nothing will run a case.
  return state == 'Z' ? "lost its main thread" : nullptr;
}

sigset_t set_of_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : kHandedOn) ::sigaddset(&set, number);
  ::sigaddset(&set, SIGCHLD);
  return set;
}

class Supervisor {
 public:
  Supervisor(pid_t child, OwnedFd reports, OwnedFd words, const sigset_t& signals)
      : child_(child), reports_(std::move(reports)), words_(std::move(words)) {
    signals_ = OwnedFd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    for (const int end : {reports_.get(), words_.get()}) ::fcntl(end, F_SETFL, O_NONBLOCK);
  }

  SupervisedResult wait() {
    while (!has_ended()) {
      std::array<pollfd, 3> fds{pollfd{reports_.get(), POLLIN, 0}, pollfd{words_.get(), POLLIN, 0},
                                pollfd{signals_.get(), POLLIN, 0}};
      ::poll(fds.data(), fds.size(), kLookEvery.count());
      listen();
      hand_on();
      insist();
      look();
    }
    listen();
    said_.end();
    return end();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::duration<int, std::milli> kLookEvery{500};
  /// A library that hangs does not let the child end by itself.
  static constexpr std::chrono::seconds kPatience{5};

  bool has_ended() { return ::waitpid(child_, &status_, WNOHANG) == child_; }

  void listen() {
    drain(reports_, told_);
    drain(words_, said_);
  }

  /// Reads what is available; closes the descriptor at the end of the stream.
  template <typename Listener>
  static void drain(OwnedFd& end, Listener& listener) {
    std::array<char, 4096> chunk;
    ssize_t got = 0;
    while ((got = ::read(end.get(), chunk.data(), chunk.size())) > 0) {
      listener.take({chunk.data(), static_cast<std::size_t>(got)});
    }
    if (got == 0) end.close();
  }

  void hand_on() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      const int number = static_cast<int>(info.ssi_signo);
      if (number == SIGCHLD) continue;
      received_.insert(number);
      if (received_.size() == 1) next_signal_ = Clock::now() + kPatience;
      latest_ = number;
      // The terminal sends its signals to the child as well.
      if (info.ssi_code != SI_KERNEL) ::kill(child_, number);
    }
  }

  /// Sends the signal again, by which the child saves its results and ends, and ends it at last.
  void insist() {
    if (received_.empty() || Clock::now() < next_signal_) return;
    next_signal_ = Clock::now() + kPatience;
    ::kill(child_, ++insisted_ > 2 ? SIGKILL : latest_);
  }

  /// Ends a process that stands still in two looks: a shell stops and continues both processes,
  /// and a process that exits may be seen between the end of its threads.
  void look() {
    if (Clock::now() < next_look_) return;
    next_look_ = Clock::now() + kLookEvery;
    const char* seen = standstill_of(child_);
    if (seen != nullptr && seen == seen_) {
      standstill_ = seen;
      ::kill(child_, SIGKILL);
    }
    seen_ = seen;
  }

  SupervisedResult end() const {
    if (WIFSIGNALED(status_) && received_.contains(WTERMSIG(status_))) die_too();
    const bool came_to_its_end =
        told_.exit_code && WIFEXITED(status_) && WEXITSTATUS(status_) == (*told_.exit_code & 0xff);
    if (came_to_its_end) return {*told_.exit_code, std::nullopt};
    Loss loss;
    loss.how = standstill_ == nullptr ? end_in_words(status_) : standstill_;
    loss.where = told_.where;
    // All cases had finished by then, so none is to blame.
    if (told_.exit_code) loss.where = {};
    return {told_.exit_code.value_or(kExitOk) == kExitOk ? kExitInternal : *told_.exit_code, loss};
  }

  [[noreturn]] void die_too() const {
    const int number = WTERMSIG(status_);
    ::signal(number, SIG_DFL);
    ::kill(::getpid(), number);
    sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, number);
    ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
    ::_exit(kExitInterrupted);
  }

  pid_t child_;
  OwnedFd reports_;
  OwnedFd words_;
  OwnedFd signals_;
  Reports told_;
  LibraryOutput said_;
  std::set<int> received_;
  int latest_ = 0;  ///< of the signals received
  int insisted_ = 0;
  Clock::time_point next_signal_{};
  int status_ = 0;
  Clock::time_point next_look_{};
  const char* seen_ = nullptr;        ///< in the last look
  const char* standstill_ = nullptr;  ///< for which the child was killed
};

/// Both ends of the two pipes from the child.
struct Pipes {
  OwnedFd reports, told;
  OwnedFd words, said;
};

void make_pipe(OwnedFd& from, OwnedFd& to) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  }
  from = OwnedFd(ends[0]);
  to = OwnedFd(ends[1]);
}

int run_without_streams(const std::function<int()>& program, int said) {
  try {
    leave_standard_streams_to(said);
    for (const int fd : {report, ::fileno(own_output()), ::fileno(own_errors())}) watch(fd);
  } catch (const std::system_error& error) {
    complain(std::string("assay: ") + error.what() + "\n");
    return kExitUsage;
  }
  return program();
}

[[noreturn]] void be_the_child(const std::function<int()>& program, Pipes pipes, pid_t parent,
                               const sigset_t& mask) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kExitInternal);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  pipes.reports.close();
  pipes.words.close();
  report = pipes.told.get();
  const int exit_code = run_without_streams(program, pipes.said.get());
  tell({"e", std::to_string(exit_code)});
  std::exit(exit_code);
}

}  // namespace

SupervisedResult run_supervised(const std::function<int()>& program) {
  if (is_debugged()) return {program(), std::nullopt};
  secret = random_text();
  Pipes pipes;
  make_pipe(pipes.reports, pipes.told);
  make_pipe(pipes.words, pipes.said);
  const sigset_t signals = set_of_signals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  ::signal(SIGCHLD, SIG_DFL);  // if it is ignored, waitpid cannot wait for a child
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot fork");
  if (child == 0) be_the_child(program, std::move(pipes), parent, before);
  pipes.told.close();
  pipes.said.close();
  SupervisedResult end =
      Supervisor(child, std::move(pipes.reports), std::move(pipes.words), signals).wait();
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return end;
}

void end_if_disturbed() {
  if (!std::ranges::all_of(watched, is_as_before)) ::_exit(kExitInternal);
}

void report_to_supervisor(const RunPosition& where) {
  if (report < 0) return;
  end_if_disturbed();
  tell({"s", std::to_string(where.part), where.journal, where.case_id});
}

}  // namespace assay
