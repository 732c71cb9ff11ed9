// Tests of lines, and of writing to a pipe without a reader.
#include "harness/subject/lines.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

namespace assay {
namespace {

std::vector<std::string> lines_of(LineBuffer& buffer) {
  std::vector<std::string> lines;
  while (const auto line = buffer.next()) lines.emplace_back(*line);
  return lines;
}

TEST(LineBufferTest, LinesMayComeInAnyPieces) {
  LineBuffer buffer(100);
  std::vector<std::string> lines;
  for (const char c : std::string("one\r\n\ntwo\nrest")) {
    buffer.append({&c, 1});
    for (std::string& line : lines_of(buffer)) lines.push_back(std::move(line));
  }

  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "two"}));
  EXPECT_EQ(buffer.rest(), "rest");
}

TEST(LineBufferTest, ManyLinesMayComeAtOnce) {
  LineBuffer buffer(10);

  buffer.append("one\ntwo\nthree\nfo");
  EXPECT_EQ(lines_of(buffer), (std::vector<std::string>{"one", "two", "three"}));
  buffer.append("ur\n");
  EXPECT_EQ(lines_of(buffer), (std::vector<std::string>{"four"}));
  EXPECT_FALSE(buffer.overflowed());
}

TEST(LineBufferTest, ALineThatIsTooLongIsThrownAwayToItsEnd) {
  LineBuffer buffer(10);

  buffer.append("0123456789");
  EXPECT_FALSE(buffer.overflowed());
  buffer.append("a");
  EXPECT_TRUE(buffer.overflowed());
  EXPECT_FALSE(buffer.overflowed()) << "told once";
  buffer.append("more of it");
  buffer.append("the end\nnext\n");

  EXPECT_EQ(lines_of(buffer), std::vector<std::string>{"next"});
}

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
