// Tests the examples in the protocol's document: its messages and values are valid, and its program
// is a subject.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/protocol/json.hpp"
#include "harness/protocol/recipe.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

using Lines = std::vector<std::string>;

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream held;
  held << std::ifstream(file).rdbuf();
  return held.str();
}

const std::string& document() {
  static const std::string text = text_of(ASSAY_README);
  return text;
}

/// The document, and the documents of areas.
const std::string& all_documents() {
  static const std::string text = [] {
    std::string joined = document();
    const auto areas = std::filesystem::path(ASSAY_README).parent_path() / "areas";
    for (const auto& file : std::filesystem::directory_iterator(areas)) {
      if (file.path().extension() == ".md") joined += text_of(file.path());
    }
    return joined;
  }();
  return text;
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The lines of the text that begin with `arrow`, without it.
Lines marked(const std::string& text, const std::string& arrow) {
  Lines found;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with(arrow)) found.push_back(line.substr(arrow.size()));
  }
  return found;
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto start = text.find(begin);
  const auto stop = text.find(end, start + begin.size());
  if (start == std::string::npos || stop == std::string::npos) return {};
  return text.substr(start + begin.size(), stop - start - begin.size());
}

/// The texts between single backticks.
Lines quoted(const std::string& text) {
  Lines found;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at + 1)) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    found.push_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return found;
}

std::string all(const Lines& errors) {
  std::string text;
  for (const std::string& error : errors) text += error + '\n';
  return text;
}

TEST(Readme, ItsMessagesAreRightBothAsTextAndBySchema) {
  const Lines commands = marked(all_documents(), "→ ");
  const Lines replies = marked(all_documents(), "← ");

  ASSERT_GE(commands.size(), 9U);
  ASSERT_EQ(commands.size(), replies.size());
  for (std::size_t i = 0; i < commands.size(); ++i) {
    EXPECT_EQ(all(validate_exchange(commands[i], replies[i])), "") << commands[i] << replies[i];
    EXPECT_EQ(command_from_json(commands[i]).id, reply_from_json(replies[i]).id);
  }
}

/// The example divides by 1, so the result equals the data of the recipe.
TEST(Readme, TheDigestOfItsRecipeIsOfDecimalNumbers) {
  const Lines commands = marked(document(), "→ ");
  const auto with_recipe = std::ranges::find_if(
      commands, [](const std::string& text) { return text.find("recipe") != std::string::npos; });
  ASSERT_NE(with_recipe, commands.end());
  const auto number = static_cast<std::size_t>(with_recipe - commands.begin());
  const Command command = command_from_json(*with_recipe);
  const Reply reply = reply_from_json(marked(document(), "← ").at(number));
  const TensorValue made =
      materialize(*command.with.find("grads")->get_if<List>()->items[0].tensor());
  const TensorValue& summed = *reply.ok.find("grads")->get_if<List>()->items[0].tensor();

  EXPECT_EQ(made.bits_at(1), 10U) << "an example in which decimal and hexadecimal differ";
  EXPECT_EQ(digest_of(made, 4), *summed.digest);
}

TEST(Readme, EveryValueInItsTableIsOne) {
  const std::string table = between(document(), "| value | JSON |", "\n\n");
  std::size_t seen = 0;
  for (const std::string& text : quoted(table)) {
    if (!text.starts_with('{')) continue;
    const std::string command = R"({"id":1,"do":"value","with":{"value":)" + text + "}}";
    EXPECT_EQ(all(validate_command(command)), "") << text;
    ++seen;
  }
  EXPECT_GE(seen, 15U);
}

TEST(Readme, EveryCommandThatTheSchemaKnowsIsDescribed) {
  for (const std::string& verb : known_verbs()) {
    const auto dot = verb.find('.');
    const bool whole = all_documents().find('`' + verb + '`') != std::string::npos;
    const bool tail = dot != std::string::npos &&
                      all_documents().find('`' + verb.substr(dot) + '`') != std::string::npos;
    EXPECT_TRUE(whole || tail) << verb;
  }
}

TEST(Readme, EveryCommandInItsTablesIsKnown) {
  for (const std::string& line : lines_of(all_documents())) {
    for (const char* area : {"core", "amp", "optim", "scaler", "loss_scale", "dispatch", "graph"}) {
      if (!line.starts_with(std::string("| `") + area + '.')) continue;
      const std::string names = line.substr(0, line.find('|', 1));
      for (std::string name : quoted(names)) {
        if (name.starts_with('.')) name = area + name;
        EXPECT_TRUE(knows(name)) << name;
      }
    }
  }
}

TEST(Readme, TheRowOfCoreOpNamesTheOperatorsOfItsTable) {
  std::string names;
  for (const std::string& name : quoted(between(document(), "| `core.op` | `name` (", ")"))) {
    names += (names.empty() ? "'" : "|'") + name + "'";
  }

  const auto areas = std::filesystem::path(ASSAY_README).parent_path() / "areas";
  EXPECT_TRUE(holds(text_of(areas / "core.json"), "\"name\": \"" + names + '"')) << names;
}

/// The document's program as a temporary file.
class Program {
 public:
  explicit Program(const std::string& source)
      : folder_(std::filesystem::temp_directory_path() /
                ("assay_readme_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "subject.py") << source;
  }
  ~Program() { std::filesystem::remove_all(folder_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Lines answers_to(const Lines& commands) const {
    {
      std::ofstream in(folder_ / "in");
      for (const std::string& command : commands) in << command << '\n';
    }
    const std::string run = "python3 '" + (folder_ / "subject.py").string() + "' < '" +
                            (folder_ / "in").string() + "' > '" + (folder_ / "out").string() + "'";
    EXPECT_EQ(std::system(run.c_str()), 0);
    std::ostringstream out;
    out << std::ifstream(folder_ / "out").rdbuf();
    return lines_of(out.str());
  }

 private:
  std::filesystem::path folder_;
};

TEST(Readme, ItsProgramIsASubject) {
  const std::string source = between(document(), "```python\n", "```");
  ASSERT_FALSE(source.empty());
  EXPECT_LE(lines_of(source).size(), 80U);
  Lines commands = marked(document(), "→ ");
  commands.push_back("not JSON");
  commands.push_back(R"({"id":99,"do":"reset"})");

  const Lines replies = Program(source).answers_to(commands);

  ASSERT_EQ(replies.size(), commands.size());
  for (std::size_t i = 0; i + 2 < commands.size(); ++i) {
    EXPECT_EQ(all(validate_exchange(commands[i], replies[i])), "") << replies[i];
  }
  const Reply update = reply_from_json(replies[1]);
  ASSERT_TRUE(update.succeeded()) << replies[1];
  EXPECT_TRUE(identical(*update.ok.find("scale"), 131072.0));
  EXPECT_TRUE(identical(*update.ok.find("tracker"), 0));
  EXPECT_EQ(reply_from_json(replies[2]).status, Reply::Status::kUnsupported);
  EXPECT_EQ(reply_from_json(replies[commands.size() - 2]).status, Reply::Status::kInvalid);
  EXPECT_TRUE(reply_from_json(replies.back()).succeeded());
}

}  // namespace
}  // namespace assay
