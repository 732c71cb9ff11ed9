// Tests of serve(): the replies to lines of input.
#include "harness/subject/serve.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "harness/protocol/json.hpp"
#include "harness/subject/toy_subject.hpp"

namespace assay {
namespace {

/// All output for `input`.
std::string served(const std::string& input) {
  FILE* commands = std::tmpfile();
  FILE* replies = std::tmpfile();
  std::fwrite(input.data(), 1, input.size(), commands);
  std::rewind(commands);
  ToySubject subject;
  EXPECT_EQ(serve(subject, ::fileno(commands), ::fileno(replies)), 0);
  std::string output(static_cast<std::size_t>(std::ftell(replies)), '\0');
  std::rewind(replies);
  output.resize(std::fread(output.data(), 1, output.size(), replies));
  std::fclose(commands);
  std::fclose(replies);
  return output;
}

std::string value_line(const std::string& value) {
  return R"({"id":1,"do":"value","with":{"value":)" + value + "}}\n";
}

bool is_invalid(const std::string& reply) {
  return reply.find(R"("invalid":)") != std::string::npos;
}

constexpr std::string_view kHello = R"({"id":2,"do":"hello"})";
constexpr std::string_view kGoesOn = R"({"id":2,"ok":{"threads":true}})";

std::size_t resident_kilobytes() {
  std::ifstream status("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  status >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

TEST(ServeTest, LinesAreAnsweredInOrder) {
  EXPECT_EQ(
      served(value_line("1") + "\n  \r\n" + R"({"id":2,"do":"value","with":{"value":2}})" + "\r\n"),
      "{\"id\":1,\"ok\":{\"result\":1}}\n{\"id\":2,\"ok\":{\"result\":2}}\n");
}

TEST(ServeTest, NothingInNothingOut) { EXPECT_EQ(served(""), ""); }

TEST(ServeTest, BadLinesAreInvalidAndTheSubjectGoesOn) {
  const std::string deep(100'000, '[');
  for (const std::string& bad :
       {std::string("nonsense"), std::string("{\"id\":1,\"do\":\"val"), std::string("[]"),
        std::string("7"), std::string("{}"), std::string("{\"do\":7}"),
        std::string("{\"do\":\"value\",\"with\":[]}"), std::string("\xff\xfe{\"do\":\"hello\"}"),
        std::string("{\"do\":\"value\",\"with\":{\"value\":\"\xc3\"}}"),
        std::string("{\"do\":\"value\",\"id\":1e400}"),
        std::string("{\"do\":\"value\",\"id\":99999999999999999999}"),
        std::string("{\"do\":\"hello\",\"more\":1}"), std::string("{\"do\":\"hello\"} x"),
        std::string("{\"do\":\"value\",\"with\":{\"value\":{\"f\":\"0x\"}}}"), deep,
        value_line(deep).substr(0, 90'000), std::string("a\0b", 3)}) {
    const std::string output = served(bad + "\n" + std::string(kHello));
    const auto line_break = output.find('\n');

    EXPECT_TRUE(is_invalid(output.substr(0, line_break))) << bad.substr(0, 100) << "\n" << output;
    EXPECT_EQ(output.substr(line_break + 1), std::string(kGoesOn) + "\n");
  }
}

TEST(ServeTest, AnUnknownCommandIsUnsupported) {
  EXPECT_EQ(served(R"({"id":1,"do":"no.such"})"),
            "{\"id\":1,\"unsupported\":\"no command no.such\"}\n");
}

TEST(ServeTest, ALineWithoutItsBreakIsAnswered) {
  EXPECT_EQ(served(std::string(kHello)), std::string(kGoesOn) + "\n");
}

TEST(ServeTest, ALineOfAHundredMegabytesIsAnsweredAndItsMemoryGivenBack) {
  constexpr std::size_t kBytes = 100'000'000;
  const std::size_t before = resident_kilobytes();
  {
    const std::string output = served(value_line('"' + std::string(kBytes, 'x') + '"'));
    EXPECT_EQ(output.size(), kBytes + 28);
  }

  EXPECT_LT(resident_kilobytes(), before + 20'000);
}

TEST(ServeTest, ALineOfAHundredMegabytesOfNonsenseIsInvalid) {
  const std::string output = served(std::string(100'000'000, '[') + "\n" + std::string(kHello));

  EXPECT_TRUE(is_invalid(output));
  EXPECT_TRUE(output.ends_with(std::string(kGoesOn) + "\n"));
}

TEST(ServeTest, AnInvalidCommandKeepsTheIdThatCouldBeRead) {
  const std::string output = served(value_line("{\"nonsense\":1}"));

  EXPECT_TRUE(output.starts_with(R"({"id":1,"invalid":)")) << output;
}

TEST(ServeTest, StrayPrintsDoNotReachStandardOutput) {
  const std::string line = R"({"id":1,"do":"toy.print","with":{"text":"noise"}})";
  FILE* output = ::popen(("echo '" + line + "' | " ASSAY_TOY_SERVER " 2>/dev/null").c_str(), "r");
  char text[256] = {};
  const std::size_t bytes = std::fread(text, 1, sizeof text - 1, output);

  EXPECT_EQ(::pclose(output), 0);
  EXPECT_EQ(std::string(text, bytes), "{\"id\":1,\"ok\":{}}\n");
}

TEST(ServeTest, AClientThatIsGoneEndsTheLoop) {
  int commands[2];
  int replies[2];
  ASSERT_EQ(::pipe(commands) + ::pipe(replies), 0);
  const std::string line = value_line("1");
  ASSERT_EQ(::write(commands[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
  ::close(replies[0]);
  ToySubject subject;

  EXPECT_EQ(serve(subject, commands[0], replies[1]), 1);

  for (const int fd : {commands[0], commands[1], replies[1]}) ::close(fd);
}

}  // namespace
}  // namespace assay
