// Counts training steps by commands of the area scaler, whose replies carry counts.
#include "harness/bench/steps.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <limits>

#include "harness/bench/planned.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/measure/timed_loop.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/subjects/cuda.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/optim.hpp"
#include "harness/suite/clients/scaler.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/suite/tensors.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

constexpr std::array<const char*, 4> kCounts{"launches", "copies", "host_reads", "allocations"};
constexpr std::int64_t kMany = 100;
using CallCounts = std::array<std::int64_t, kCounts.size()>;

struct StepCase {
  std::string optimizer, mode;
  std::int64_t tensors = 1;
  bool overflows = false;

  bool is_fused() const { return mode == "fused"; }
  std::vector<std::string> calls() const {
    if (is_fused()) return {"scale", "step", "update"};
    return {"scale", "unscale_", "step", "update"};
  }
};

std::vector<StepCase> all_steps() {
  std::vector<StepCase> steps;
  for (const char* optimizer : {"sgd", "adam"}) {
    for (const char* mode : {"plain", "foreach", "fused"}) {
      steps.push_back({optimizer, mode, 1, false});
      steps.push_back({optimizer, mode, kMany, false});
      steps.push_back({optimizer, mode, kMany, true});
    }
  }
  return steps;
}

report::BenchAxes axes_of(const StepCase& step, const std::string& call) {
  return {{"optimizer", step.optimizer},
          {"mode", step.mode},
          {"tensors", step.tensors},
          {"overflow", step.overflows ? "yes" : "no"},
          {"call", call}};
}

BenchMeasurement row_of(const StepCase& step, const std::string& call, const char* count,
                        const std::string& subject) {
  BenchMeasurement row;
  row.case_name = kStepCase;
  row.axes = axes_of(step, call);
  row.quantity = fmt::format("step.{}", count);
  row.unit = count;
  row.better = "lower";
  row.exact = true;
  row.subject = subject;
  return row;
}

/// A step had a different effect than expected.
class WrongStep : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A model of tensors with one element each, its optimizer and scaler, on one subject.
class Training {
 public:
  Training(Session& session, const StepCase& step)
      : session_(session), step_(step), scaler_(session.scaler().make({.init_scale = kScale})) {
    for (std::int64_t i = 0; i < step.tensors; ++i)
      params_.push_back(session.core().tensor(on(f32({1}))));
    const std::vector<Value> params(params_.begin(), params_.end());
    optimizer_ = step.optimizer == "sgd"
                     ? session.optim().sgd({.params = params, .lr = 0.25, .mode = step.mode})
                     : session.optim().adam({.params = params, .lr = 0.25, .mode = step.mode});
  }

  /// The counts of each call, one array per call. Throws WrongStep.
  std::vector<CallCounts> counted_step(bool overflows) {
    const double before = value(params_.back());
    std::vector<CallCounts> counts;
    counts.push_back(counted([&] { scaler_.scale(on(f32({1}))); }));
    give_gradients(overflows);
    if (!step_.is_fused()) counts.push_back(counted([&] { scaler_.unscale_(*optimizer_); }));
    counts.push_back(counted([&] { scaler_.step(*optimizer_); }));
    counts.push_back(counted([&] { scaler_.update(); }));
    check(before, overflows);
    return counts;
  }

 private:
  static constexpr double kScale = 4;

  TensorValue on(TensorValue value) const { return assay::on(std::move(value), session_.device()); }

  double value(const Ref& tensor) {
    const Reply reply = session_.send("core.item", {{"tensor", tensor}});
    return field_as<double>(reply, "result");
  }

  /// Only the last gradient is infinite, so a runtime must check all of them.
  void give_gradients(bool overflows) {
    for (const Ref& param : params_) {
      const bool bad = overflows && &param == &params_.back();
      const double grad = bad ? std::numeric_limits<double>::infinity() : 2 * kScale;
      session_.send("core.set_grad", {{"tensor", param}, {"grad", on(f32({grad}))}});
    }
  }

  CallCounts counted(const std::function<void()>& call) {
    session_.count();
    call();
    session_.count(false);
    CallCounts counts{};
    for (std::size_t i = 0; i < kCounts.size(); ++i) counts[i] = session_.counted(kCounts[i]);
    return counts;
  }

  void check(double before, bool overflows) {
    const bool moved = value(params_.back()) != before;
    if (moved == overflows) {
      throw WrongStep(overflows ? "the step was not skipped, although a gradient is infinite"
                                : "the step did not change its parameters");
    }
    const double scale = scaler_.get_scale();
    const double wanted = overflows ? kScale / 2 : kScale;
    if (scale == wanted) return;
    throw WrongStep(fmt::format("the scale is {} after the step, not {}", scale, wanted));
  }

  Session& session_;
  const StepCase& step_;
  ScalerHandle scaler_;
  std::vector<Ref> params_;
  std::optional<OptimizerHandle> optimizer_;
};

class StepCounting {
 public:
  explicit StepCounting(const Plan& plan)
      : plan_(plan),
        progress_(plan.on_step, all_steps().size() * plan.contenders.size(), plan.processes),
        measured_(planned(plan, {"", "", true})) {
    measured_.measurements.clear();
  }

  Measured run() {
    try {
      for (std::size_t i = 0; i < plan_.contenders.size(); ++i) {
        count_all_of(i);
        report_results_so_far(plan_, measured_);
      }
    } catch (const Interrupted&) {
      measured_.interrupted = true;
    }
    return settled(std::move(measured_));
  }

 private:
  using Rows = std::vector<BenchMeasurement>;

  void count_all_of(std::size_t contender) {
    const auto link = plan_.contenders[contender].open();
    end_early_on(*link, plan_.stop);
    const Hello hello = hello_with_retries(*link, kTimedContract);
    report::BenchSubject& subject = measured_.subjects[contender];
    subject.name = hello.name;
    subject.version = hello.version;
    subject.contract = to_text(hello.contract);
    for (const StepCase& step : all_steps()) count_step(*link, hello, step, subject.id);
  }

  void count_step(Link& link, const Hello& hello, const StepCase& step, const std::string& id) {
    Rows rows;
    for (const std::string& call : step.calls()) {
      for (const char* count : kCounts) rows.push_back(row_of(step, call, count, id));
    }
    try {
      for (int round = 0; round < plan_.processes; ++round) {
        if (plan_.stop != nullptr && plan_.stop->is_set()) throw Interrupted();
        progress_.begin(
            report::full_name(kStepCase, {rows[0].axes.begin(), rows[0].axes.end() - 1}), id,
            round);
        keep(rows, round, counts_of(link, hello, step));
      }
    } catch (const Unsupported& missing) {
      leave_out(rows, BenchStatus::kUnsupported, missing.what());
    } catch (const LinkBroken& broken) {
      leave_out(rows, BenchStatus::kFailed, reason_of(broken));
      hello_with_retries(link, hello.contract, true);
    } catch (const std::runtime_error& error) {
      leave_out(rows, BenchStatus::kFailed, error.what());
    }
    measured_.measurements.insert(measured_.measurements.end(), rows.begin(), rows.end());
  }

  static std::vector<CallCounts> counts_of(Link& link, const Hello& hello, const StepCase& step) {
    Session session(link, hello);
    session.send("reset");
    Training training(session, step);
    training.counted_step(false);  // creates the optimizer's state
    return training.counted_step(step.overflows);
  }

  void keep(Rows& rows, int round, const std::vector<CallCounts>& counts) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto count = static_cast<double>(counts[i / kCounts.size()][i % kCounts.size()]);
      report::BenchProcess process;
      process.index = round;
      process.order = order_;
      process.median = count;
      process.samples = {count};
      process.iterations = 1;
      process.checksum_ok = true;
      rows[i].processes.push_back(std::move(process));
    }
    ++order_;
  }

  static void leave_out(Rows& rows, BenchStatus status, const std::string& reason) {
    for (BenchMeasurement& row : rows) {
      row.processes.clear();
      bench::leave_out(row, status, reason);
    }
  }

  const Plan& plan_;
  Progress progress_;
  Measured measured_;
  std::int64_t order_ = 0;
};

std::vector<std::string> own_subjects() {
  const CudaFindings cuda = look_for_cuda();
  std::vector<std::string> subjects{"reference"};
  if (cuda.can_run_on_cpu) subjects.emplace_back("cuda_on_cpu");
  if (cuda.has_device) subjects.emplace_back("cuda");
  return subjects;
}

}  // namespace

std::vector<Contender> step_contenders(const ContenderOptions& options) {
  if (options.twice || !options.against.empty())
    throw UsageError("--steps does not measure time: it takes no --aa or --against");
  std::vector<Contender> contenders;
  for (const std::string& subject : options.subjects.empty() ? own_subjects() : options.subjects) {
    connect(subject, {});  // throws for an unknown subject
    Contender contender{subject, subject, std::nullopt, false, {}};
    contender.open = [subject] { return std::move(connect(subject, {}).link); };
    contenders.push_back(std::move(contender));
  }
  return contenders;
}

Measured count_steps(const Plan& plan) { return StepCounting(plan).run(); }

}  // namespace assay::bench
