// Texts come back as they were written, compressed or not.
#include "harness/program/text_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace assay {
namespace {

std::string written(const std::string& name, const std::string& bytes) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / name).string();
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

const std::string kText(100000, 'a');

TEST(TextFile, ComesBackAsItWasPacked) {
  for (const std::string name : {"plain.jsonl", "packed.jsonl.gz"}) {
    const std::string path = written(name, packed_for(name, kText));

    EXPECT_EQ(read_text_file(path), kText) << name;
  }
}

TEST(TextFile, ComesBackFromMemory) {
  const std::string packed = packed_for("x.gz", kText);

  EXPECT_EQ(unpacked(packed), kText);
  EXPECT_THROW(unpacked(packed.substr(0, packed.size() / 2)), std::runtime_error);
  EXPECT_THROW(unpacked("no gzip"), std::runtime_error);
}

TEST(TextFile, IsSmallerWhenPacked) {
  EXPECT_LT(packed_for("x.gz", kText).size(), kText.size() / 100);
  EXPECT_EQ(packed_for("x.jsonl", kText), kText);
}

TEST(TextFile, ThatIsDamagedOrAbsentIsAnError) {
  std::string packed = packed_for("x.gz", kText);
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);

  EXPECT_THROW(read_text_file(written("damaged.gz", packed)), std::runtime_error);
  EXPECT_THROW(read_text_file("no/such/file"), std::runtime_error);
}

}  // namespace
}  // namespace assay
