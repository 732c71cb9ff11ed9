// Tests that a damaged record is read or rejected with a message, and that a truncated one is
// rejected.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "harness/protocol/testing.hpp"
#include "harness/report/bench/record_example.hpp"
#include "harness/report/kill_matrix.hpp"
#include "harness/report/record.hpp"

namespace assay::report {
namespace {

constexpr int kDamaged = 3000;

std::string record_text() {
  CaseRecord test;
  test.id = "amp/one/two";
  test.contract = "2.11/cuda/strict";
  test.outcome = "fail";
  test.clauses = {"AMP-105"};
  test.sentence = "differs \"quoted\" \xc3\xa9";
  test.program = {{R"({"id":1,"do":"value"})", R"({"id":1,"ok":{}})"}};
  CaseRecord good;
  good.id = "amp/one/three";
  good.contract = "2.11/cuda/strict";
  good.outcome = "pass";
  good.clauses = {"AMP-105"};
  SubjectRecord subject;
  subject.subject = "mine";
  subject.cases = {good, test, good};
  subject.outcomes["fail"] = 1;
  subject.outcomes["pass"] = 2;
  subject.contracts = {"2.11/cuda/strict"};
  subject.verdict = "FAIL";
  subject.exit_code = 1;
  subject.line = "FAIL 0 of 1 cases";
  RunRecord run;
  run.started = "2026-11-21T11:00:00Z";
  run.verdict = "FAIL";
  run.exit_code = 1;
  run.line = subject.line;
  run.subjects = {subject};
  return to_json(run);
}

std::string kills_text() {
  KillMatrix matrix;
  matrix.faults = {{"fault", {"AMP-105"}, 3, {"amp/one/two"}, {7}, 0.5, ""}};
  return to_json(matrix);
}

enum class Read { kYes, kRefused };

/// Any other exception than a std::runtime_error with a message ends the test.
template <typename Reader>
Read read(const Reader& reader, const std::string& text) {
  try {
    reader(text);
    return Read::kYes;
  } catch (const std::runtime_error& error) {
    EXPECT_STRNE(error.what(), "") << text;
    return Read::kRefused;
  }
}

struct Format {
  const char* name;
  std::function<void(const std::string&)> reader;
  std::string text;
};

std::vector<Format> formats() {
  return {{"run", run_from_json, record_text()},
          {"self-test", kill_matrix_from_json, kills_text()},
          {"bench", bench_from_json, to_json(bench_example())}};
}

TEST(DamagedRecord, ThatIsCutIsRefused) {
  for (const Format& format : formats()) {
    ASSERT_EQ(read(format.reader, format.text), Read::kYes) << format.name;

    // The last byte is a line break.
    for (std::size_t length = 0; length + 1 < format.text.size(); ++length) {
      ASSERT_EQ(read(format.reader, format.text.substr(0, length)), Read::kRefused)
          << format.name << " cut to " << length;
    }
  }
}

TEST(DamagedRecord, IsReadOrRefused) {
  std::uint64_t seed = 0;
  for (const Format& format : formats()) {
    Damage damage(++seed, other_json_values());
    int refused = 0;
    for (int i = 0; i < kDamaged; ++i)
      refused += read(format.reader, damage(format.text)) == Read::kRefused;
    EXPECT_GT(refused, kDamaged / 2) << "the damage of " << format.name << " has become harmless";
  }
}

TEST(DamagedRecord, ThatNestsDeeplyIsRefused) {
  std::string text = record_text();
  const std::string reply = R"("reply": {)";
  const std::size_t at = text.find(reply) + reply.size();
  text.insert(at, "\"x\":" + std::string(300'000, '[') + std::string(300'000, ']') + ",");

  EXPECT_EQ(read(run_from_json, text), Read::kRefused);
  EXPECT_EQ(read(kill_matrix_from_json, std::string(300'000, '[')), Read::kRefused);
  EXPECT_EQ(read(bench_from_json, std::string(300'000, '[')), Read::kRefused);
}

}  // namespace
}  // namespace assay::report
