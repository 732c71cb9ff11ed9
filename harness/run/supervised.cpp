// Waits for a child process that reports its progress.
#include "harness/run/supervised.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <system_error>
#include <vector>

#include "harness/console/terminal.hpp"
#include "harness/subject/line_buffer.hpp"
#include "harness/subject/process/child_process.hpp"
#include "harness/subject/process/owned_fd.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/outlets.hpp"

namespace assay {
namespace {

constexpr std::array kHandedOn{SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

/// The pipe to the supervisor; -1 if there is none.
int report = -1;

/// Parses NUL-terminated fields: `s`, part, journal and case; or `e` and the exit code.
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
    if (fields_.front() == "e" && fields_.size() == 2) {
      exit_code = std::atoi(fields_[1].c_str());
    } else if (fields_.front() == "s" && fields_.size() == 4) {
      where = {std::strtoul(fields_[1].c_str(), nullptr, 10), fields_[2], fields_[3]};
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

void tell(const std::string& text) {
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
      look();
    }
    listen();
    said_.end();
    return end();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::duration<int, std::milli> kLookEvery{500};

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
      // The terminal sends its signals to the child as well.
      if (info.ssi_code != SI_KERNEL) ::kill(child_, number);
    }
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
  std::string end = "e" + std::string(1, '\0') + std::to_string(exit_code);
  end += '\0';
  tell(end);
  std::exit(exit_code);
}

}  // namespace

SupervisedResult run_supervised(const std::function<int()>& program) {
  if (is_debugged()) return {program(), std::nullopt};
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

void report_to_supervisor(const RunPosition& where) {
  if (report < 0) return;
  std::string text = "s";
  for (const std::string& field : {std::to_string(where.part), where.journal, where.case_id}) {
    text += '\0';
    text += field;
  }
  tell(text + std::string(1, '\0'));
}

}  // namespace assay
