// Host threads that help to run grids; they are reused by later grids.
#include "cuda_impl/on_cpu/scheduler/workers.hpp"

#include <pthread.h>

#include <array>
#include <atomic>
#include <csignal>
#include <system_error>
#include <thread>

namespace assay::cuda::on_cpu {
namespace {

/// Stored on the stack of the waiting thread.
struct Task {
  SharedWork* work = nullptr;
  std::atomic<std::uint32_t> helpers = 0;  ///< helpers that work on it or may still accept it
};

struct Helper {
  std::atomic<bool> is_started = false;
  std::atomic<Task*> offer = nullptr;
};

/// Static, because helpers run until the process exits.
constinit std::array<Helper, 63> helpers_of_process{};
/// Replaces an offer while its helper is working.
constinit Task taken{};

/// A forked child has none of the parent's helpers.
void forget_helpers() {
  for (Helper& helper : helpers_of_process) {
    helper.is_started = false;
    helper.offer = nullptr;
  }
}

/// Registered before main: if the first user did it, a child forked at that moment would wait
/// forever.
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, forget_helpers);

[[noreturn]] void help(Helper& me) {
  for (;;) {
    me.offer.wait(nullptr);
    Task* task = me.offer;
    if (task == nullptr || !me.offer.compare_exchange_strong(task, &taken)) continue;
    task->work->take_part();
    me.offer = nullptr;
    std::atomic<std::uint32_t>& helpers = task->helpers;
    // The task may be destroyed before the notification, which uses only its address.
    if (helpers.fetch_sub(1) == 1) helpers.notify_one();
  }
}

/// Blocks signals, which are meant for the program's own threads.
bool start(Helper& helper) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool is_started = true;
  try {
    std::thread(help, std::ref(helper)).detach();
  } catch (const std::system_error&) {
    is_started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return is_started;
}

bool take_back(Helper& helper, Task& task) {
  Task* expected = &task;
  if (!helper.offer.compare_exchange_strong(expected, nullptr)) return false;
  --task.helpers;
  return true;
}

bool offer(Helper& helper, Task& task) {
  Task* nothing = nullptr;
  ++task.helpers;
  if (!helper.offer.compare_exchange_strong(nothing, &task)) {
    --task.helpers;
    return false;
  }
  if (!helper.is_started.exchange(true) && !start(helper)) {
    helper.is_started = false;
    take_back(helper, task);
    return false;
  }
  helper.offer.notify_one();
  return true;
}

}  // namespace

void work_together(SharedWork& work, std::uint32_t helpers) {
  Task task{.work = &work};
  for (auto helper = helpers_of_process.begin(); helpers > 0 && helper != helpers_of_process.end();
       ++helper) {
    if (offer(*helper, task)) --helpers;
  }
  work.take_part();
  if (task.helpers == 0) return;
  for (Helper& helper : helpers_of_process) take_back(helper, task);
  for (std::uint32_t left = task.helpers; left != 0; left = task.helpers) task.helpers.wait(left);
}

}  // namespace assay::cuda::on_cpu
