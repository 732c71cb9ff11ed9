// Registers cases with GoogleTest at run time.
#include "harness/suite/gtest/register.hpp"

#include <gtest/gtest.h>

#include "harness/suite/card/card.hpp"

namespace assay {
namespace {

class CaseTest : public testing::Test {
 public:
  CaseTest(Runner& runner, Task task) : runner_(runner), task_(task) {}

  void TestBody() override {
    const CaseResult result = runner_.run(task_);
    if (result.outcome == Outcome::kUnsupported) RecordProperty("unsupported", result.excuse);
    if (result.spoils()) FAIL() << "\n" << card(result, {.subject = "reference"});
  }

 private:
  Runner& runner_;
  Task task_;
};

void register_case(Runner& runner, const Task& task) {
  const std::string& id = task.test->id;
  const std::size_t slash = id.rfind('/');
  testing::RegisterTest(id.substr(0, slash).c_str(), id.substr(slash + 1).c_str(), nullptr,
                        to_text(task.contract).c_str(), task.test->where.file.c_str(),
                        static_cast<int>(task.test->where.line),
                        [&runner, task]() -> CaseTest* { return new CaseTest(runner, task); });
}

}  // namespace

void register_with_gtest(Runner& runner) {
  for (const Task& task : plan_of(all_cases(), {}, wanted_contracts({})).tasks) {
    register_case(runner, task);
  }
}

int run_with_gtest(Runner& runner, int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  register_with_gtest(runner);
  return RUN_ALL_TESTS();
}

}  // namespace assay
