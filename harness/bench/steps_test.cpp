// Tests of counted steps on the reference, and on subjects that report wrong counts.
#include "harness/bench/steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/bench/summary.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/subjects/connect.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

Plan plan_of(std::vector<Contender> contenders) {
  Plan plan;
  plan.contenders = std::move(contenders);
  plan.processes = 2;
  return plan;
}

/// The reference, with each reply passed through `change`.
class Altered final : public Link {
 public:
  using Change = std::function<Reply(const Command&, Reply)>;
  explicit Altered(Change change)
      : link_(std::move(connect("reference", {}).link)), change_(std::move(change)) {}

  Reply exchange(const Command& command) override {
    return change_(command, link_->exchange(command));
  }
  void restart() override { link_->restart(); }

 private:
  std::unique_ptr<Link> link_;
  Change change_;
};

Contender altered(const std::string& name, const Altered::Change& change) {
  Contender contender{name, name, std::nullopt, false, {}};
  contender.open = [change] { return std::make_unique<Altered>(change); };
  return contender;
}

/// The single row with that name: `scaler/step/optimizer=sgd/mode=plain/…`.
const BenchMeasurement& row_of(const Measured& measured, const std::string& name,
                               const std::string& quantity) {
  const auto found = std::ranges::find_if(measured.measurements, [&](const auto& row) {
    return report::full_name(row.case_name, row.axes) == "scaler/step/" + name &&
           row.quantity == quantity;
  });
  if (found == measured.measurements.end()) throw std::logic_error("no row " + name);
  return *found;
}

double count_of(const Measured& measured, const std::string& name, const std::string& quantity) {
  return row_of(measured, name, quantity).processes.at(0).median;
}

const Measured& of_the_reference() {
  static const Measured measured =
      count_steps(plan_of(step_contenders({{"reference"}, false, ""})));
  return measured;
}

TEST(Steps, AreCountedCallByCallAndTheSameEveryTime) {
  const Measured& measured = of_the_reference();

  // 12 steps of four calls and 6 fused ones of three calls, with four counts each.
  EXPECT_EQ(measured.measurements.size(), (12U * 4 + 6U * 3) * 4);
  for (const BenchMeasurement& row : measured.measurements) {
    EXPECT_EQ(row.status, BenchStatus::kMeasured) << row.reason.value_or("");
    EXPECT_TRUE(row.exact && row.checked);
    ASSERT_EQ(row.processes.size(), 2U);
    EXPECT_EQ(row.processes[0].median, row.processes[1].median);
  }
  EXPECT_EQ(measured.subjects.at(0).contract, "2.11/cuda/strict");
}

TEST(Steps, AFusedStepWaitsForNothingAndAPlainOneOnce) {
  for (const char* optimizer : {"sgd", "adam"}) {
    const std::string step = std::string("optimizer=") + optimizer + "/mode=";
    for (const char* call : {"scale", "step", "update"}) {
      const std::string rest = std::string("/tensors=100/overflow=no/call=") + call;
      EXPECT_EQ(count_of(of_the_reference(), step + "fused" + rest, "step.host_reads"), 0) << call;
    }
    const std::string rest = "/tensors=100/overflow=no/call=";
    EXPECT_EQ(count_of(of_the_reference(), step + "plain" + rest + "step", "step.host_reads"), 1);
    EXPECT_EQ(count_of(of_the_reference(), step + "plain" + rest + "scale", "step.launches"), 1);
    EXPECT_EQ(count_of(of_the_reference(), step + "plain" + rest + "update", "step.launches"), 1);
  }
}

TEST(Steps, APlainOptimizerLaunchesForEachTensorUnlessItIsSkipped) {
  const std::string plain = "optimizer=adam/mode=plain/tensors=";
  const double one =
      count_of(of_the_reference(), plain + "1/overflow=no/call=step", "step.launches");
  const double many =
      count_of(of_the_reference(), plain + "100/overflow=no/call=step", "step.launches");
  const double skipped =
      count_of(of_the_reference(), plain + "100/overflow=yes/call=step", "step.launches");

  EXPECT_GT(one, 0);
  EXPECT_GE(many, 100 * one);
  EXPECT_EQ(skipped, 0);
}

TEST(Steps, WithoutTheirWorkHaveNoCount) {
  const auto skips = [](const Command& command, Reply reply) {
    if (command.verb == "core.item") reply.ok.set("result", 1.0);  // parameters never move
    return reply;
  };
  const auto never_backs_off = [](const Command& command, Reply reply) {
    if (command.verb == "scaler.get_scale") reply.ok.set("result", 4.0);
    return reply;
  };

  const Measured measured =
      count_steps(plan_of({altered("skips", skips), altered("never_backs_off", never_backs_off)}));

  std::size_t failed = 0;
  for (const BenchMeasurement& row : measured.measurements) {
    const bool overflows =
        report::full_name("", row.axes).find("overflow=yes") != std::string::npos;
    const bool is_bad = row.subject == "skips" || overflows;
    EXPECT_EQ(row.status, is_bad ? BenchStatus::kFailed : BenchStatus::kMeasured);
    failed += row.status == BenchStatus::kFailed ? 1 : 0;
    if (row.status != BenchStatus::kFailed) continue;
    EXPECT_TRUE(row.processes.empty());
    EXPECT_NE(row.reason->find(row.subject == "skips" ? "did not change its parameters"
                                                      : "the scale is 4"),
              std::string::npos)
        << *row.reason;
  }
  EXPECT_GT(failed, 198U);
}

TEST(Steps, OfWhoeverCountsNothingAreUnsupported) {
  const auto counts_nothing = [](const Command&, Reply reply) {
    reply.counts = {};
    return reply;
  };

  const Measured measured = count_steps(plan_of({altered("a", counts_nothing)}));

  for (const BenchMeasurement& row : measured.measurements) {
    EXPECT_EQ(row.status, BenchStatus::kUnsupported);
    EXPECT_NE(row.reason->find("does not count 'launches'"), std::string::npos) << *row.reason;
  }
}

TEST(Steps, HaveNoCopiesOfSubjectsAndNoOtherBuilds) {
  EXPECT_THROW(step_contenders({{"reference"}, true, ""}), UsageError);
  EXPECT_THROW(step_contenders({{"reference"}, false, "/bin/true"}), UsageError);
  EXPECT_THROW(step_contenders({{"refrence"}, false, ""}), UsageError);
}

}  // namespace
}  // namespace assay::bench
