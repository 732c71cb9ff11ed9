// Workers survive a fork, and complete the work with any number of helpers.
#include "cuda_impl/on_cpu/scheduler/workers.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/testing.hpp"

namespace assay::cuda::on_cpu {
namespace {

// The thread sanitizer confuses threads of a forked child with the parent's, and gives up.
#ifndef __SANITIZE_THREAD__

/// Two blocks that wait for each other, which requires a helper.
void need_a_helper() {
  std::atomic<int> inside = 0;
  run_grid({.grid = {2, 1, 1}, .block = {4, 1, 1}}, [&] {
    if (place().linear == 0) ++inside;
    block_barrier(false);
    while (inside != 2) std::this_thread::yield();
  });
}

/// Returns whether a forked child can do it within a minute.
bool child_can(void (*work)()) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    work();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(Helpers, AreThereInAForkedChild) {
  const WithOptions with({.workers = 2});
  need_a_helper();

  EXPECT_TRUE(child_can(need_a_helper));
  EXPECT_TRUE(child_can([] { EXPECT_TRUE(child_can(need_a_helper)); }));
  need_a_helper();
}

TEST(Helpers, AreThereInAChildForkedWhileTheyWork) {
  const WithOptions with({.workers = 3});
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (!is_over) run_grid({.grid = {8, 1, 1}}, [] { std::this_thread::yield(); });
  });

  for (int round = 0; round < 10; ++round) EXPECT_TRUE(child_can(need_a_helper));

  is_over = true;
  other.join();
}

#endif  // __SANITIZE_THREAD__

/// Tells the thread sanitizer the order of the threads, as a grid does.
class CountDown : public SharedWork {
 public:
  explicit CountDown(int count) : left_(count) { begin_.release(); }
  virtual ~CountDown() { end_.acquire(); }

  void take_part() override {
    begin_.acquire();
    ++entered_;
    while (left_-- > 0) ++done_;
    end_.release();
  }
  int done() const { return done_; }
  int entered() const { return entered_; }

 private:
  std::atomic<int> left_;
  std::atomic<int> done_ = 0;
  std::atomic<int> entered_ = 0;
  SyncPoint begin_;
  SyncPoint end_;
};

TEST(Helpers, AreNeverMoreThanAskedFor) {
  for (std::uint32_t helpers = 0; helpers < 4; ++helpers) {
    for (int round = 0; round < 200; ++round) {
      CountDown work(1000);
      work_together(work, helpers);
      ASSERT_EQ(work.done(), 1000);
      ASSERT_LE(work.entered(), static_cast<int>(helpers) + 1);
    }
  }
}

}  // namespace
}  // namespace assay::cuda::on_cpu
