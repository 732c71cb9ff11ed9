// Tests of packing: interleaved lines, and files packed into a page and out of it.
#include "harness/page/markup/archive.hpp"

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

TEST(Base64, GivesBackWhatItTook) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64, IsTheOneOfTheStandard) {
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(to_base64("fooba"), "Zm9vYmE=");
}

TEST(Base64, OtherTextIsRefused) {
  for (const char* text : {"Zm9", "Zm9v!mFy", "Zm=v", "====", "Zg=a"})
    EXPECT_FALSE(from_base64(text)) << text;
}

TEST(Archive, GivesBackEveryByteOfEveryFile) {
  const StoredFile first{"a.json", "{\"x\": \"</script>\\u003c <a download=\\\"\"}\r\n"};
  const StoredFile second{"b.json", std::string("\0\xff\xfe", 3)};
  const std::string page =
      (element("p", stored(first, "one")) + "text" + stored(second, "two")).html();

  const std::vector<StoredFile> files = files_in(page);

  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "a.json");
  EXPECT_EQ(files[0].bytes, first.bytes);
  EXPECT_EQ(files[1].name, "b.json");
  EXPECT_EQ(files[1].bytes, second.bytes);
}

TEST(Archive, FilesPackedTogetherComeBackAsWell) {
  const std::vector<StoredFile> all{{"a.json", "{}\n"}, {"b.json", "{\n}"}, {"c.json", ""}};
  const std::vector<StoredFile> files =
      files_in((stored_together(all, "all") + stored({"d.json", "x"}, "one")).html());

  ASSERT_EQ(files.size(), 4U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(files[i].name, all[i].name);
    EXPECT_EQ(files[i].bytes, all[i].bytes);
  }
  EXPECT_EQ(files[3].name, "d.json");
}

TEST(Archive, APageNamesTheFilesThatItDoesNotHold) {
  const std::string page = (left_out({"a.json", 5}) + left_out({"b.json", 0}) +
                            element("p", "<li data-left-out=\"7 c.json\">"))
                               .html();

  const std::vector<LeftOutFile> files = left_out_of(page);

  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "a.json");
  EXPECT_EQ(files[0].size_bytes, 5U);
  EXPECT_EQ(files[1].name, "b.json");
  EXPECT_EQ(files[1].size_bytes, 0U);
  EXPECT_TRUE(files_in(page).empty());
}

TEST(Archive, NoNameOfALeftOutFileOfAForeignPageMisleads) {
  EXPECT_THROW(left_out_of("<li data-left-out=\"7 ../a\">"), std::runtime_error);
  EXPECT_THROW(left_out_of("<li data-left-out=\"7\">"), std::runtime_error);
}

TEST(Archive, NoNamePackedTogetherLeavesTheFolder) {
  for (const char* name : {"../a", "a/b", "..", ""})
    EXPECT_THROW(files_in(stored_together({{name, "x"}}, "all").html()), std::runtime_error);
}

TEST(Archive, TextsOfAPageAreNoFiles) {
  const std::string link = stored({"a.json", "{}"}, "x").html();
  EXPECT_TRUE(files_in(element("p", {{"title", link}}, Markup(link)).html()).empty());
}

TEST(Archive, ADamagedPageIsRefused) {
  const std::string page = stored({"a.json", std::string(5000, 'x') + "y"}, "x").html();
  std::string cut = page;
  cut.erase(cut.find("base64,") + 15, 4);
  EXPECT_THROW(files_in(cut), std::runtime_error);
  std::string short_page = page.substr(0, page.find("base64,") + 16);
  EXPECT_THROW(files_in(short_page), std::runtime_error);
}

TEST(Archive, NoNameOfAForeignPageLeavesTheFolder) {
  std::string page = stored({"a.json", "{}"}, "x").html();
  page.replace(page.find("a.json"), 6, "../../a");
  EXPECT_THROW(files_in(page), std::runtime_error);
  page.replace(page.find("../../a"), 7, "..");
  EXPECT_THROW(files_in(page), std::runtime_error);
}

TEST(Archive, NamesArePlainAndDiffer) {
  EXPECT_EQ(stored_name("/tmp/x/h200 \"<run>\".json"), "h200___run__.json");
  EXPECT_EQ(stored_name(".."), "record..");
  EXPECT_EQ(stored_name("a/"), "record");
  EXPECT_EQ(stored_names({"a/r.json", "b/r.json", "c/r.json"}),
            (std::vector<std::string>{"r.json", "2-r.json", "3-r.json"}));
}

}  // namespace
}  // namespace assay::page
