// Tests of the contents and the width of the progress line.
#include "harness/show/pace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/text/width.hpp"

namespace assay {
namespace {

using Seconds = std::chrono::duration<double>;

Pace halfway() {
  return {.planned = 200,
          .done = 100,
          .known = 0,
          .bad = 3,
          .elapsed = Seconds(70),
          .current = "amp/update_scale/grows"};
}

TEST(Pace, LeavesWhatTheRestTakesAtThePaceSoFar) { EXPECT_EQ(time_left(halfway())->count(), 70); }

TEST(Pace, DoesNotCountCasesOfAnEarlierRun) {
  Pace pace = halfway();
  pace.known = 90;

  EXPECT_EQ(time_left(pace)->count(), 700);
}

TEST(Pace, IsUnknownAtFirstAndNothingIsLeftAtTheEnd) {
  Pace pace = halfway();
  pace.done = 4;
  EXPECT_FALSE(time_left(pace));
  pace.done = 200;
  EXPECT_FALSE(time_left(pace));
  pace = halfway();
  pace.elapsed = Seconds(1);
  EXPECT_FALSE(time_left(pace));
}

TEST(Pace, IsToldInWords) {
  EXPECT_EQ(in_words(Seconds(0.4)), "0 s");
  EXPECT_EQ(in_words(Seconds(59.4)), "59 s");
  EXPECT_EQ(in_words(Seconds(59.6)), "1 min 0 s");
  EXPECT_EQ(in_words(Seconds(3785)), "1 h 3 min");
}

TEST(ProgressLine, HasABarCountsTimeAndTheCase) {
  EXPECT_EQ(progress_line(halfway(), 84),
            "[########........] 100/200, 3 bad, about 1 min 10 s left  amp/update_scale/grows");
}

TEST(ProgressLine, SaysHowFarALongCaseIs) {
  Pace pace = halfway();
  pace.commands = 3200;

  EXPECT_TRUE(progress_line(pace, 120).ends_with("grows (3200 commands answered)"));
  EXPECT_TRUE(heartbeat_line(pace).ends_with("grows (3200 commands answered)"));
}

TEST(ProgressLine, NeverFillsTheTerminal) {
  for (std::size_t columns = 0; columns < 120; ++columns) {
    const std::string line = progress_line(halfway(), columns);
    EXPECT_LT(columns_of(line), std::max<std::size_t>(columns, 1)) << line;
  }
  EXPECT_EQ(progress_line(halfway(), 20), "100/200, 3 bad, ab…");
}

TEST(ProgressLine, CannotBeBrokenByTheNameOfACase) {
  Pace pace = halfway();
  pace.current = "a\n\x1b[2J";

  EXPECT_NE(progress_line(pace, 120).find("a\\x0a\\x1b[2J"), std::string::npos);
}

TEST(Heartbeat, IsASentence) {
  EXPECT_EQ(heartbeat_line(halfway()),
            "100 of 200 cases done, 3 bad after 1 min 10 s, about 1 min 10 s left; at "
            "amp/update_scale/grows");
}

}  // namespace
}  // namespace assay
