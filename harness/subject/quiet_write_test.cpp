// Tests of writing to a pipe without a reader.
#include "harness/subject/quiet_write.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace assay {
namespace {

bool sigpipe_is(const sigset_t& set) { return ::sigismember(&set, SIGPIPE) == 1; }

TEST(QuietWriteTest, AReaderThatIsGoneIsAnErrorAndNothingElse) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);

  const ssize_t written = quiet_write(ends[1], "x");  // with a signal, the end of this process
  const int reason = errno;

  EXPECT_EQ(written, -1);
  EXPECT_EQ(reason, EPIPE);
  ::close(ends[1]);
}

TEST(QuietWriteTest, TheProcessKeepsItsHandlingOfTheSignal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  quiet_write(ends[1], "x");
  ::close(ends[1]);

  struct sigaction handling = {};
  sigset_t blocked;
  sigset_t pending;
  ::sigaction(SIGPIPE, nullptr, &handling);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  ::sigpending(&pending);
  EXPECT_EQ(handling.sa_handler, SIG_DFL);
  EXPECT_FALSE(sigpipe_is(blocked));
  EXPECT_FALSE(sigpipe_is(pending));
}

}  // namespace
}  // namespace assay
