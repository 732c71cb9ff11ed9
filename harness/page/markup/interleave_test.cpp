// Tests that interleaved files are separated unchanged, and other text is rejected.
#include "harness/page/markup/interleave.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/program/text_file.hpp"

namespace assay::page {
namespace {

std::string shown(const std::vector<StoredFile>& files) {
  std::string text;
  for (const StoredFile& file : files) text += "[" + file.name + ":" + file.bytes + "]";
  return text;
}

TEST(Interleave, LinesTakeTurns) {
  EXPECT_EQ(interleaved({{"a", "1\n2\n3"}, {"b", "x\n"}}), "2\n3 a\n2 b\n1\nx\n2\n\n3");
}

TEST(Interleave, FilesComeBackByteForByte) {
  const std::string_view odd("\0\xff\r\n\n\n12 a\n", 11);
  for (const std::vector<StoredFile>& files :
       {std::vector<StoredFile>{},
        {{"a", ""}},
        {{"a", "\n"}, {"b", ""}, {"c", "\n\n"}},
        {{"a", "one"}, {"b", std::string(odd)}, {"c", std::string(300, '\n')}, {"d", "3\n4"}}}) {
    EXPECT_EQ(shown(deinterleaved(interleaved(files))), shown(files));
  }
}

TEST(Interleave, WhatIsDamagedIsRefused) {
  const std::string whole = interleaved({{"a", "1\n2\n3"}, {"b", "x\ny"}});
  for (const std::string& text :
       {std::string(), std::string("x"), std::string("1"), std::string("1\n"),
        std::string("1\n0 a"), std::string("1\n2a\nx\ny"), std::string("1\n-1 a\nx"), whole + "\n",
        whole.substr(0, whole.rfind('\n')), std::string("99999999999999999999 a"),
        std::string("1\n18446744073709551615 a\nx")}) {
    EXPECT_THROW(deinterleaved(text), std::runtime_error) << text;
  }
}

TEST(Interleave, RecordsThatDifferInFewLinesBecomeSmall) {
  std::vector<StoredFile> files(30);
  std::string together;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (int line = 0; line < 2000; ++line)
      files[i].bytes += "\"case\": \"number " + std::to_string(line * 7919) + "\"\n";
    files[i].bytes += std::to_string(i);
    together += files[i].bytes;
  }
  EXPECT_LT(packed_for(".gz", interleaved(files)).size() * 5, packed_for(".gz", together).size());
}

}  // namespace
}  // namespace assay::page
