// Tests that records in pages are restored unchanged.
#include "harness/page/markup/archive.hpp"

#include <gtest/gtest.h>

#include "harness/page/markup/base64.hpp"

namespace assay::page {
namespace {

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
