// Runs between fork and exec of a multithreaded process: only system calls, no
// allocation.
#include "harness/subject/process/supervisor.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

namespace assay {
namespace {

/// Limits the wait for a process that the system cannot end.
constexpr int kMostRounds = 3000;
constexpr timespec kRound{0, 1'000'000};

template <typename T>
void tell(int fd, const T& what) {
  while (::write(fd, &what, sizeof what) < 0 && errno == EINTR) continue;
}

/// What `_Fork` of newer C libraries does: it runs no handler of `pthread_atfork` and takes no
/// lock.
pid_t bare_fork() {
  constexpr long kNone = 0;  // neither a stack nor places for ids
  return static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, kNone, kNone, kNone, kNone));
}

sigset_t every_signal() {
  sigset_t all;
  ::sigfillset(&all);
  return all;
}

[[noreturn]] void become_subject(const SupervisorTask& task, pid_t supervisor) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(127);  // it died before prctl took effect
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(task.input, STDIN_FILENO);
  ::dup2(task.output, STDOUT_FILENO);
  ::dup2(task.errors, STDERR_FILENO);
  ::execvp(task.argv[0], task.argv);
  tell(task.failure, errno);
  ::_exit(127);
}

void close_all_but(int kept) {
  if (kept > 0) ::syscall(SYS_close_range, 0U, static_cast<unsigned>(kept) - 1, 0U);
  ::syscall(SYS_close_range, static_cast<unsigned>(kept) + 1, ~0U, 0U);
}

/// False if the system does not list children.
bool kill_children() {
  const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  std::array<char, 4096> chunk;
  pid_t pid = 0;
  for (ssize_t got = 0; (got = ::read(list, chunk.data(), chunk.size())) > 0;) {
    for (ssize_t i = 0; i < got; ++i) {
      const char c = chunk[static_cast<std::size_t>(i)];
      if (c >= '0' && c <= '9') {
        pid = pid * 10 + (c - '0');
        continue;
      }
      if (pid > 0) ::kill(pid, SIGKILL);
      pid = 0;
    }
  }
  ::close(list);
  return true;
}

class Supervisor {
 public:
  Supervisor(pid_t subject, int report) : subject_(subject), report_(report) {
    tell(report_, subject);
  }

  [[noreturn]] void work() {
    sigset_t awaited;
    ::sigemptyset(&awaited);
    ::sigaddset(&awaited, SIGCHLD);
    ::sigaddset(&awaited, SIGTERM);
    while (!ended_ && ::sigwaitinfo(&awaited, nullptr) != SIGTERM) reap();
    end_all();
    if (ended_) tell(report_, status_);
    ::_exit(0);
  }

 private:
  /// False if there are no more children.
  bool reap() {
    for (;;) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid < 0 && errno == EINTR) continue;
      if (pid <= 0) return pid == 0;
      if (pid != subject_) continue;
      ended_ = true;
      status_ = status;
    }
  }

  /// Children of an ended process become the supervisor's, so it repeats.
  void end_all() {
    // The id is also that of the process group, and is not reused while the group has members.
    ::kill(-subject_, SIGKILL);
    for (int round = 0; round < kMostRounds; ++round) {
      const bool listed = kill_children();
      if (!reap() || (!listed && ended_)) return;
      ::nanosleep(&kRound, nullptr);
    }
  }

  pid_t subject_;
  int report_;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace

void keep(const SupervisorTask& task) {
  const sigset_t all = every_signal();
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  // Without a controlling terminal: a subject could type into it. The subject does not lead the
  // session, so it does not get another terminal by opening one.
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != task.parent) ::_exit(127);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NAME, "assay-supervisor");
  ::sched_setaffinity(0, sizeof task.cpus, &task.cpus);
  ::signal(SIGCHLD, SIG_DFL);
  const pid_t supervisor = ::getpid();
  const pid_t subject = bare_fork();
  if (subject == 0) become_subject(task, supervisor);
  if (subject < 0) {
    tell(task.failure, errno);
    ::_exit(127);
  }
  close_all_but(task.report);
  Supervisor(subject, task.report).work();
}

}  // namespace assay
