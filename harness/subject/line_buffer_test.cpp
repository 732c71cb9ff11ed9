// Tests that lines are independent of how the bytes arrive.
#include "harness/subject/line_buffer.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace assay
