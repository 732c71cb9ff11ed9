// Tests of the layout of help pages.
#include "harness/cli/command_line/help_page.hpp"

#include <gtest/gtest.h>

#include "harness/text/width.hpp"

namespace assay::cli {
namespace {

HelpPage page() {
  HelpPage page;
  page.name = "it run";
  page.usage = "it run [OPTIONS]";
  page.description = "Run what there is.";
  page.groups = {{"Which cases", {{"--all", "All of them, one after the other"}, {"--none", ""}}},
                 {"Pace", {{"-j,--jobs-at-the-same-time N", "So many"}}}};
  page.footer =
      "Example: it run --all --a-line-that-is-longer-than-the-terminal-and-stays\nSome words that "
      "are wrapped where the line ends.";
  return page;
}

TEST(HelpPage, HasNamesAndTextsInTwoColumns) {
  EXPECT_EQ(to_text(page(), 40),
            "Usage: it run [OPTIONS]\n"
            "\n"
            "Run what there is.\n"
            "\n"
            "Which cases:\n"
            "  --all     All of them, one after the\n"
            "            other\n"
            "  --none    \n"
            "\n"
            "Pace:\n"
            "  -j,--jobs-at-the-same-time N\n"
            "            So many\n"
            "\n"
            "Example: it run --all --a-line-that-is-longer-than-the-terminal-and-stays\n"
            "Some words that are wrapped where the\n"
            "line ends.\n");
}

TEST(HelpPage, FitsEachWidthButForExamples) {
  for (std::size_t columns = 40; columns < 150; columns += 7) {
    const std::string text = to_text(page(), columns);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (!line.starts_with("Example:")) {
        EXPECT_LE(columns_of(line), columns) << line;
      }
      at = end + 1;
    }
  }
}

TEST(HelpPage, HasAHeadingInMarkdown) {
  const std::string text = to_markdown({page()});

  EXPECT_NE(text.find("\n## it run\n\n```text\nUsage: it run [OPTIONS]\n"), std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("line ends.\n```\n")) << text;
}

}  // namespace
}  // namespace assay::cli
