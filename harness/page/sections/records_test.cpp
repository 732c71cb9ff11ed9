// Tests of which records fit into a page.
#include <gtest/gtest.h>

#include <random>

#include "harness/page/markup/archive.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

/// A text whose blocks are repeated, so that it compresses much better than its pieces.
std::string repetitive(std::size_t blocks, std::size_t times) {
  constexpr std::size_t kBlock = 16'000;
  std::minstd_rand draw(3);  // NOLINT(cert-msc51-cpp): the same every time
  std::string text;
  for (std::size_t i = 0; i < blocks; ++i) {
    std::string block;
    while (block.size() < kBlock) block += static_cast<char>('a' + draw() / 1000 % 26);
    for (std::size_t k = 0; k < times; ++k) text += block;
  }
  return text;
}

Report report_of(const std::vector<std::string>& texts) {
  Report report;
  for (const std::string& text : texts) {
    Source& source = report.sources.emplace_back();
    source.path = std::to_string(report.sources.size()) + ".json";
    source.bytes = text;
  }
  return report;
}

std::size_t count_left_out(const std::vector<std::string>& texts, std::size_t room_bytes) {
  Report report = report_of(texts);
  return left_out_of(records_section(report, room_bytes).content.html()).size();
}

TEST(Records, ALongOneThatRepeatsItselfIsNotLeftOutUntried) {
  const std::vector<std::string> texts{repetitive(10, 14), "{}", "{}"};

  EXPECT_EQ(count_left_out(texts, 400'000), 0U);
  EXPECT_EQ(count_left_out(texts, 20'000), 1U);
}

TEST(Records, OfManyAsManyAreHeldAsThereIsRoomFor) {
  std::vector<std::string> texts;
  const std::string all = repetitive(8, 1);
  for (std::size_t i = 0; i < 8; ++i)
    texts.push_back(all.substr(i * all.size() / 8, all.size() / 8));

  const std::size_t left_out = count_left_out(texts, 60'000);

  EXPECT_GT(left_out, 0U);
  EXPECT_LT(left_out, texts.size());
  EXPECT_EQ(count_left_out(texts, 400'000), 0U);
}

}  // namespace
}  // namespace assay::page
