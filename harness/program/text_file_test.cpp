// Tests that texts are restored unchanged, compressed or not.
#include "harness/program/text_file.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

const std::string kText(100000, 'a');

TEST(TextFile, ComesBackAsItWasPacked) {
  for (const std::string name : {"plain.jsonl", "packed.jsonl.gz"}) {
    const std::string bytes = packed_for(name, kText);

    EXPECT_EQ(is_packed(bytes), name.ends_with(".gz")) << name;
    EXPECT_EQ(is_packed(bytes) ? unpacked(bytes) : bytes, kText) << name;
  }
}

TEST(TextFile, OfSeveralPackedOnesIsAllOfThem) {
  const std::string packed = packed_for("x.gz", kText);

  EXPECT_EQ(unpacked(packed + packed_for("y.gz", "the end")), kText + "the end");
  EXPECT_THROW(unpacked(packed + "and more"), std::runtime_error);
  EXPECT_THROW(unpacked(packed + packed.substr(0, packed.size() / 2)), std::runtime_error);
}

TEST(TextFile, ThatIsNotWholeIsAnError) {
  const std::string packed = packed_for("x.gz", kText);

  EXPECT_THROW(unpacked(packed.substr(0, packed.size() / 2)), std::runtime_error);
  EXPECT_THROW(unpacked("no gzip"), std::runtime_error);
}

TEST(TextFile, ThatWouldNotEndIsAnError) {
  const std::string packed = packed_for("x.gz", std::string(std::size_t{520} << 20, 'a'), 1);

  EXPECT_THROW(unpacked(packed), std::runtime_error);
}

TEST(TextFile, IsSmallerWhenPacked) {
  EXPECT_LT(packed_for("x.gz", kText).size(), kText.size() / 100);
  EXPECT_EQ(packed_for("x.jsonl", kText), kText);
}

TEST(TextFile, ThatIsDamagedIsAnError) {
  std::string packed = packed_for("x.gz", kText);
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);

  EXPECT_THROW(unpacked(packed), std::runtime_error);
}

}  // namespace
}  // namespace assay
