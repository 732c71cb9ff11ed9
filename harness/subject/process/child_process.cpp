// Starts, watches and ends a child process.
#include "harness/subject/process/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/subject/interpreter/named_threads.hpp"
#include "harness/subject/process/supervisor.hpp"

namespace assay {
namespace {

constexpr std::chrono::milliseconds kPatienceAtEnd{2000};
/// Longer than the supervisor needs to end everything.
constexpr std::chrono::milliseconds kPatienceWithSupervisor{10'000};

struct Pipe {
  OwnedFd read;
  OwnedFd write;
};

/// Moves the descriptor above the standard streams, so that the child can assign them freely.
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

/// None, which sched_setaffinity refuses, if the system does not say.
cpu_set_t cpus_of_this_thread() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  ::sched_getaffinity(0, sizeof cpus, &cpus);
  return cpus;
}

/// Data for both sides of fork, prepared before it.
struct Launch {
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  Pipe failure = make_pipe();
  Pipe report = make_pipe();
  std::vector<char*> argv;
  cpu_set_t cpus = cpus_of_this_thread();
  pid_t parent = ::getpid();

  SupervisorTask task() const {
    return {.argv = argv.data(),
            .cpus = cpus,
            .input = input.read.get(),
            .output = output.write.get(),
            .errors = errors.write.get(),
            .failure = failure.write.get(),
            .report = report.write.get(),
            .parent = parent};
  }
};

/// A child is killed when the *thread* that forked it ends, so one long-lived thread forks all
/// children. A process that was itself forked needs its own.
NamedThread& spawner() {
  static std::mutex mutex;
  static NamedThread* thread = nullptr;
  static pid_t owner = -1;
  const std::scoped_lock lock(mutex);
  if (owner != ::getpid()) thread = new NamedThread("spawner");
  owner = ::getpid();
  return *thread;
}

/// The children of this process that are supervisors. All its other children were left behind by
/// subjects whose supervisors died.
struct Supervisors {
  std::mutex mutex;
  std::set<pid_t> pids;
};

Supervisors& supervisors() {
  static Supervisors* const all = new Supervisors;
  return *all;
}

pid_t fork_from_lasting_thread(const Launch& launch) {
  pid_t pid = -1;
  int reason = 0;
  const SupervisorTask task = launch.task();
  spawner().run([&] {
    const std::scoped_lock lock(supervisors().mutex);
    pid = ::fork();
    if (pid == 0) keep(task);
    reason = errno;
    if (pid > 0) supervisors().pids.insert(pid);
  });
  if (pid < 0) throw std::system_error(reason, std::generic_category(), "cannot fork");
  return pid;
}

/// Nothing if it is not a child of this process.
std::optional<int> reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) != pid) {
    if (errno != EINTR) return std::nullopt;
  }
  return status;
}

void forget_supervisor(pid_t pid) {
  const std::scoped_lock lock(supervisors().mutex);
  supervisors().pids.erase(pid);
}

std::set<pid_t> children_of_this_process() {
  std::set<pid_t> found;
  std::error_code failed;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", failed)) {
    std::ifstream list(task.path() / "children");
    for (pid_t pid = 0; list >> pid;) found.insert(pid);
  }
  return found;
}

/// Ends the processes left by dead supervisors; returns their number. Children of an ended process
/// become children of this one, so it repeats.
std::size_t end_orphaned_processes() {
  constexpr int kMostRounds = 1000;
  const std::scoped_lock lock(supervisors().mutex);
  std::size_t count = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    std::set<pid_t> strays = children_of_this_process();
    std::erase_if(strays, [](pid_t pid) { return supervisors().pids.contains(pid); });
    if (strays.empty()) break;
    for (const pid_t pid : strays) {
      const bool has_ended = ::waitpid(pid, nullptr, WNOHANG) == pid;
      if (has_ended) continue;
      ::kill(pid, SIGKILL);
      reap(pid);
      ++count;
    }
  }
  return count;
}

/// False at the end of the stream.
template <typename T>
bool read_one(const OwnedFd& fd, T& what) {
  ssize_t got = -1;
  do {
    got = ::read(fd.get(), &what, sizeof what);
  } while (got < 0 && errno == EINTR);
  return got == sizeof what;
}

/// Zero if exec succeeded.
int reason_of_failure(Launch& launch) {
  launch.failure.write.close();
  int reason = 0;
  return read_one(launch.failure.read, reason) ? reason : 0;
}

/// True if it has ended, but was not reaped.
bool is_dead(pid_t child) {
  siginfo_t end{};
  return ::waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         end.si_pid == child;
}

bool is_readable(const OwnedFd& fd, std::chrono::steady_clock::time_point end) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd one{fd.get(), POLLIN, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

/// Waits for its death. What its pipe says is no proof: a subject can open the pipe of its parent,
/// write to it or keep it open, and stop its parent.
bool dies_before(std::chrono::steady_clock::time_point end, pid_t supervisor,
                 const OwnedFd& report) {
  constexpr std::chrono::milliseconds kOnce{20};
  for (;;) {
    if (is_dead(supervisor)) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now >= end) return false;
    // Usually it has written its report, and ends at once.
    if (is_readable(report, std::min(end, now + kOnce))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

/// The name without SIG, as `sigabbrev_np` of newer C libraries has it.
std::string_view abbreviation(int signal) {
  static constexpr auto kNames = std::to_array<std::pair<int, std::string_view>>(
      {{SIGABRT, "ABRT"}, {SIGALRM, "ALRM"}, {SIGBUS, "BUS"},       {SIGCHLD, "CHLD"},
       {SIGCONT, "CONT"}, {SIGFPE, "FPE"},   {SIGHUP, "HUP"},       {SIGILL, "ILL"},
       {SIGINT, "INT"},   {SIGKILL, "KILL"}, {SIGPIPE, "PIPE"},     {SIGPOLL, "POLL"},
       {SIGPROF, "PROF"}, {SIGPWR, "PWR"},   {SIGQUIT, "QUIT"},     {SIGSEGV, "SEGV"},
       {SIGSTOP, "STOP"}, {SIGSYS, "SYS"},   {SIGTERM, "TERM"},     {SIGTRAP, "TRAP"},
       {SIGTSTP, "TSTP"}, {SIGTTIN, "TTIN"}, {SIGTTOU, "TTOU"},     {SIGURG, "URG"},
       {SIGUSR1, "USR1"}, {SIGUSR2, "USR2"}, {SIGVTALRM, "VTALRM"}, {SIGWINCH, "WINCH"},
       {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}});
  const auto* const named =
      std::ranges::find(kNames, signal, &std::pair<int, std::string_view>::first);
  return named == kNames.end() ? "???" : named->second;
}

}  // namespace

std::string end_in_words(int status) {
  if (!WIFSIGNALED(status)) {
    return "ended with status " + std::to_string(WEXITSTATUS(status));
  }
  return std::string("died of SIG").append(abbreviation(WTERMSIG(status)));
}

ChildProcess::ChildProcess(const std::vector<std::string>& argv) {
  if (argv.empty()) throw std::runtime_error("no program was named");
  Launch launch;
  for (const std::string& word : argv) launch.argv.push_back(const_cast<char*>(word.c_str()));
  launch.argv.push_back(nullptr);
  // Processes that lose their supervisor become children of this process, which can reap them.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  supervisor_ = fork_from_lasting_thread(launch);
  launch.report.write.close();
  report_ = std::move(launch.report.read);
  const int reason = reason_of_failure(launch);
  const bool forked = read_one(report_, pid_);
  if (reason != 0 || !forked) {
    wait(kPatienceAtEnd);
    throw std::runtime_error("cannot start '" + argv[0] + "': " +
                             (reason == 0 ? "its supervisor has died" : std::strerror(reason)));
  }
  input_ = std::move(launch.input.write);
  output_ = std::move(launch.output.read);
  errors_ = std::move(launch.errors.read);
  for (const OwnedFd* fd : {&input_, &output_, &errors_}) make_non_blocking(*fd);
}

ChildProcess::~ChildProcess() {
  for (OwnedFd* fd : {&input_, &output_, &errors_}) fd->close();
  if (wait(kPatienceAtEnd)) return;
  kill();
}

std::optional<std::string> ChildProcess::wait(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  if (end_ || !dies_before(until, supervisor_, report_)) return end_;
  int status = 0;
  const bool known = is_readable(report_, until) && read_one(report_, status);
  reap(supervisor_);
  forget_supervisor(supervisor_);
  end_ = known ? end_in_words(status) : end_without_supervisor();
  return end_;
}

/// Only if a subject killed its supervisor. The subject is then a child of this process.
std::string ChildProcess::end_without_supervisor() const {
  if (pid_ <= 0) return "was not started";
  ::kill(-pid_, SIGKILL);
  const std::optional<int> status = reap(pid_);
  const std::size_t left = end_orphaned_processes();
  return "killed its supervisor, and " + (status ? end_in_words(*status) : "its status is lost") +
         (left == 0 ? ""
                    : "; " + std::to_string(left) +
                          " of the processes that it had started were left, and were ended");
}

void ChildProcess::kill() {
  if (end_) return;
  ::kill(supervisor_, SIGTERM);
  ::kill(supervisor_, SIGCONT);
  if (wait(kPatienceWithSupervisor)) return;
  ::kill(supervisor_, SIGKILL);
  wait(std::chrono::hours{1});
}

}  // namespace assay
