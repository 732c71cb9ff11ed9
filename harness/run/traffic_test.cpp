// Validates real traffic against the schema: every command of a case, and every reply of the
// reference.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/protocol/testing.hpp"
#include "harness/run/run_subject.hpp"
#include "harness/subject/serve.hpp"
#include "harness/subjects/built_in.hpp"

namespace assay {
namespace {

/// The first error for each command, and the number of checks.
struct Findings {
  std::map<std::string, std::string> by_verb;
  std::size_t exchanges = 0;
};

/// Cases of many rows repeat themselves: after this many of a command, the next case follows.
constexpr int kEnough = 25;

void check(const CaseResult& result, Findings& findings) {
  std::map<std::string, int> seen;
  for (const Exchange& exchange : result.history) {
    if (++seen[exchange.command.verb] > kEnough) continue;
    const std::string command = to_json(exchange.command);
    const std::string reply = to_json(exchange.reply);
    ++findings.exchanges;
    const auto errors = validate_exchange(command, reply);
    if (errors.empty()) continue;
    findings.by_verb.emplace(exchange.command.verb, result.test->id + ": " + errors.back() +
                                                        "\n  " + command.substr(0, 400) + "\n  " +
                                                        reply.substr(0, 400));
  }
}

TEST(Traffic, OfEveryCaseOnTheReferenceKeepsToTheSchema) {
  Findings findings;
  ConnectedSubject subject = connect("reference", {});
  RunSubjectOptions options;
  options.pool.runner.keep_history = true;
  options.pool.on_result = [&](const CaseResult& result) { check(result, findings); };

  run_subject(subject, options);

  EXPECT_GT(findings.exchanges, 1000U);
  for (const auto& [verb, complaint] : findings.by_verb) ADD_FAILURE() << verb << ": " << complaint;
}

// Tests that a subject survives a faulty client: recorded traffic with random damage.

constexpr std::size_t kLines = 5000;
constexpr std::uint64_t kSeed = 20240517;
/// Longer lines are mostly bits of tensors, where damage is uninteresting.
constexpr std::size_t kMostBytes = 600;
/// Cases of many rows repeat themselves: after this many of a command, the next case follows.
constexpr int kEnoughDamaged = 3;

/// Another digit in a recipe or a number of rounds would legitimately take hours or gigabytes.
bool is_harmless_when_larger(const std::string& line) {
  return line.find("recipe") == std::string::npos && line.find("times") == std::string::npos;
}

std::vector<std::string> recorded_lines() {
  std::vector<std::string> lines;
  ConnectedSubject subject = connect("reference", {});
  RunSubjectOptions options;
  options.selection.excludes = {"*sweep*"};
  options.pool.runner.keep_history = true;
  options.pool.on_result = [&](const CaseResult& result) {
    std::map<std::string, int> seen;
    for (const Exchange& exchange : result.history) {
      if (++seen[exchange.command.verb] > kEnoughDamaged) continue;
      const std::string line = to_json(exchange.command);
      if (line.size() <= kMostBytes && is_harmless_when_larger(line)) lines.push_back(line);
    }
    lines.push_back(R"({"id":0,"do":"reset"})");
  };
  run_subject(subject, options);
  return lines;
}

/// A single line that is not empty.
std::string as_a_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.find_first_not_of(" \t\r") == std::string::npos ? "?" : text;
}

/// Uses each contract in turn, while objects and guards of another exist.
std::string hello_under(std::size_t number) {
  const std::vector<Contract> all = wanted_contracts({});
  const Contract& wish = all[number % all.size()];
  Command hello;
  hello.id = 0;
  hello.verb = "hello";
  hello.with = {{"release", name_of(wish.release)},
                {"device_rules", name_of(wish.device_rules)},
                {"deviations", name_of(wish.deviations)}};
  return to_json(hello);
}

/// From the whole recording, so that every area is covered.
std::vector<std::string> damaged_lines() {
  const std::vector<std::string> recorded = recorded_lines();
  const std::size_t stride = std::max<std::size_t>(recorded.size() / kLines, 1);
  Damage damage(kSeed, other_json_values());
  std::vector<std::string> lines;
  for (std::size_t i = 0; lines.size() < kLines; ++i) {
    // Most commands have valid prerequisites.
    const std::string& line = recorded[(i * stride + i / recorded.size()) % recorded.size()];
    lines.push_back(i % 3 == 0 ? line : as_a_line(damage(line)));
    if (i % 97 == 0) lines.push_back(hello_under(i / 97));
  }
  return lines;
}

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

std::vector<std::string> read_lines(FILE* file) {
  std::rewind(file);
  std::vector<std::string> lines;
  std::string line;
  for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) {
    if (byte == '\n')
      lines.push_back(std::exchange(line, {}));
    else
      line += static_cast<char>(byte);
  }
  EXPECT_EQ(line, "") << "the last reply has no line break";
  return lines;
}

std::vector<std::string> served(const std::vector<std::string>& lines) {
  const File commands(std::tmpfile()), replies(std::tmpfile());
  for (const std::string& line : lines) {
    std::fwrite(line.data(), 1, line.size(), commands.get());
    std::fputc('\n', commands.get());
  }
  std::rewind(commands.get());
  const auto subject = make_reference();
  EXPECT_EQ(serve(*subject, ::fileno(commands.get()), ::fileno(replies.get())), 0);
  return read_lines(replies.get());
}

bool is_defect(const Reply& reply) {
  return reply.status == Reply::Status::kError && reply.error.kind == ErrorKind::kInternal &&
         reply.error.message.starts_with("defect: ");
}

TEST(DamagedTraffic, GetsOneReplyALine) {
  const std::vector<std::string> lines = damaged_lines();

  const std::vector<std::string> replies = served(lines);

  ASSERT_EQ(replies.size(), lines.size());
  std::array<int, 4> by_status{};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Reply reply;
    ASSERT_NO_THROW(reply = reply_from_json(replies[i])) << lines[i] << "\n" << replies[i];
    ++by_status[static_cast<std::size_t>(reply.status)];
    EXPECT_FALSE(is_defect(reply)) << lines[i] << "\n" << replies[i];
  }
  for (const int count : by_status) EXPECT_GT(count, 20) << "the damage has become one-sided";
}

}  // namespace
}  // namespace assay
