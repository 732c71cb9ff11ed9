// Steps through a call in a child process.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "cuda_impl/core/counted.hpp"
#include "cuda_impl/core/for_tests.hpp"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

namespace assay::cuda {

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

using Address = std::uint64_t;

template <typename Function>
Address address_of(Function* function) {
  return reinterpret_cast<Address>(function);
}

/// Instructions are counted between the calls of these two functions.
[[gnu::noinline]] void begin_counting() { asm volatile("" ::: "memory"); }
[[gnu::noinline]] void end_counting() { asm volatile("nop" ::: "memory"); }

Address launch_function() { return address_of<decltype(cudaLaunchKernel)>(&cudaLaunchKernel); }

bool is_runtime_call(Address at) {
  static const std::array calls = {
      launch_function(),
      address_of(&cudaGetDevice),
      address_of(&cudaSetDevice),
      address_of(&cudaMemsetAsync),
      address_of(&cudaMemcpyAsync),
      address_of(&cudaStreamIsCapturing),
      address_of(&cudaStreamSynchronize),
      address_of(&cudaGetLastError),
      address_of(&cudaEventRecord),
      address_of(&cudaStreamWaitEvent),
  };
  return std::ranges::find(calls, at) != calls.end();
}

bool is_prefix(std::uint8_t byte) {
  constexpr std::array<std::uint8_t, 11> kPrefixes = {0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36,
                                                      0x3e, 0x26, 0x64, 0x65, 0xf0};
  return std::ranges::find(kPrefixes, byte) != kPrefixes.end();
}

/// By a prefix, or as an exchange with memory. The child's code is also this process's.
bool locks_memory(Address at) {
  const auto* code = reinterpret_cast<const std::uint8_t*>(at);
  for (; is_prefix(*code); ++code) {
    if (*code == 0xf0) return true;
  }
  if ((*code & 0xf0) == 0x40) ++code;  // a REX prefix
  const bool exchanges = *code == 0x86 || *code == 0x87;
  return exchanges && (code[1] & 0xc0) != 0xc0;
}

/// A child that has stopped.
class Stepped {
 public:
  explicit Stepped(pid_t child) : child_(child) { wait(); }

  bool is_stopped() const { return WIFSTOPPED(status_); }
  Address place() {
    ptrace(PTRACE_GETREGS, child_, nullptr, &registers_);
    return registers_.rip;
  }
  void step() { go(PTRACE_SINGLESTEP); }
  /// Call at the first instruction of a function; runs until it returns.
  void finish_call() {
    const auto* top = reinterpret_cast<void*>(registers_.rsp);
    const long back = ptrace(PTRACE_PEEKDATA, child_, top, nullptr);
    auto* const there = reinterpret_cast<void*>(back);
    const long code = ptrace(PTRACE_PEEKTEXT, child_, there, nullptr);
    constexpr long kBreak = 0xcc;
    ptrace(PTRACE_POKETEXT, child_, there, (code & ~0xffL) | kBreak);
    go(PTRACE_CONT);
    ptrace(PTRACE_POKETEXT, child_, there, code);
    place();
    registers_.rip = static_cast<Address>(back);
    ptrace(PTRACE_SETREGS, child_, nullptr, &registers_);
  }
  void end() const {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  void go(__ptrace_request how) {
    ptrace(how, child_, nullptr, nullptr);
    wait();
  }
  void wait() {
    if (waitpid(child_, &status_, 0) != child_) status_ = 0;
  }

  pid_t child_;
  int status_ = 0;
  user_regs_struct registers_{};
};

Executed count(Stepped& child) {
  // All others call one of these (allocations_test.cpp).
  using New = void*(std::size_t, const std::nothrow_t&) noexcept;
  using NewAligned = void*(std::size_t, std::align_val_t, const std::nothrow_t&) noexcept;
  const Address allocate = address_of<New>(&::operator new);
  const Address allocate_aligned = address_of<NewAligned>(&::operator new);
  Executed executed;
  while (child.is_stopped()) {
    const Address at = child.place();
    if (at == address_of(&end_counting)) break;
    executed.allocations += at == allocate || at == allocate_aligned ? 1 : 0;
    if (is_runtime_call(at)) {
      ++executed.runtime_calls;
      executed.launches += at == launch_function() ? 1 : 0;
      child.finish_call();
      continue;
    }
    ++executed.instructions;
    executed.locked += locks_memory(at) ? 1 : 0;
    child.step();
  }
  return executed;
}

/// Keeps this process and its children on one processor: a step is then a switch between the two,
/// and waits for no other processor.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_;
};

[[noreturn]] void run_as_child(const std::function<void()>& work) {
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
  raise(SIGSTOP);
  begin_counting();
  work();
  end_counting();
  _exit(0);
}

}  // namespace

std::optional<Executed> executed_by(const std::function<void()>& work) {
  if (!HeldStream::is_possible()) return std::nullopt;
  std::thread([] {}).join();  // the library locks nothing as long as there has been one thread
  const OneProcessor here;
  const pid_t child = fork();
  if (child == 0) run_as_child(work);
  Stepped stepped(child);
  if (child < 0 || !stepped.is_stopped()) return std::nullopt;
  while (stepped.is_stopped() && stepped.place() != address_of(&begin_counting)) stepped.step();
  const Executed executed = count(stepped);
  stepped.end();
  return executed;
}

#else

std::optional<Executed> executed_by(const std::function<void()>&) { return std::nullopt; }

#endif

namespace {

TEST(Executed, HasTheAllocationsLocksAndCallsOfTheWork) {
  std::atomic<int> number = 0;
  const auto shared = Counted<int>::make(1);
  const auto executed = executed_by([&] {
    number.fetch_add(1);
    number.exchange(2);
    const Counted<int> copy = shared;
    const auto owned = std::make_unique<std::vector<int>>(3);
    int device = 0;
    cudaGetDevice(&device);
  });
  if (!executed) return;

  EXPECT_EQ(executed->locked, 4);
  EXPECT_EQ(executed->allocations, 2);
  EXPECT_EQ(executed->runtime_calls, 1);
  EXPECT_EQ(executed->launches, 0);
  EXPECT_GT(executed->instructions, 20);
  EXPECT_EQ(number, 0);
}

TEST(Executed, IsTheSameAgain) {
  int sum = 0;
  const auto work = [&] {
    for (int i = 0; i < 100; ++i) sum += i;
  };
  const auto first = executed_by(work);
  const auto second = executed_by(work);
  if (!first || !second) return;

  EXPECT_EQ(first->instructions, second->instructions);
}

}  // namespace
}  // namespace assay::cuda
