// Steps that fail, and the step after them.
#include "harness/suite/clients/sim.hpp"
#include "harness/suite/device_error.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kInvalidHandle = 400;

/// Dampening tells a first momentum, which is the gradient, from a later one.
OptimizerHandle dampened(Session& subject, const std::vector<Value>& params,
                         const std::string& mode, double lr = 0.25) {
  return subject.optim().sgd(
      {.params = params, .lr = lr, .momentum = 0.5, .dampening = 0.5, .mode = mode});
}

/// Neither parameter has a momentum, and the next step is a first one for both.
void expect_a_first_step(const OptimizerHandle& optimizer, const std::vector<Param>& params) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    expect_true(state_of(optimizer, i, "momentum_buffer").is_none(), "nothing is kept of it");
  }
  std::vector<TensorValue> before;
  for (const Param& each : params) before.push_back(each.read());

  optimizer.step();

  for (std::size_t i = 0; i < params.size(); ++i) {
    expect_equal(number_in(state_of(optimizer, i, "momentum_buffer")), 2.0);
    expect_equal(number_in(params[i].read()), number_in(before[i]) - 0.5);
  }
}

}  // namespace

CASES("optim/failures") {
  conformance("a_first_step_that_fails_keeps_no_momentum", {"OPT-026", "OPT-019"},
              [](Session& subject) {
                for (const char* mode : {"plain", "foreach"}) {
                  const ScopedTrace at(mode);
                  const std::vector<Param> params{param(subject, 1, 2), param(subject, 1, 2)};
                  const auto optimizer = dampened(subject, {params[0], params[1]}, mode, 1e39);

                  expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"overflow"});

                  optimizer.set_setting(0, "lr", 0.25);
                  expect_a_first_step(optimizer, params);
                }
              })
      .since(Release::k2_4);

  conformance(
      "a_first_launch_that_fails_keeps_no_momentum", {"OPT-026"},
      [](Session& subject) {
        for (const std::string& mode : modes(subject)) {
          const ScopedTrace at(mode);
          const std::vector<Param> params{param(subject, 1, 2), param(subject, 1, 2)};
          const auto optimizer = dampened(subject, {params[0], params[1]}, mode);
          subject.sim().faults({{.call = "launch", .code = kInvalidHandle, .occurrence = 1}});

          expect_device_error(
              subject, [&] { optimizer.step(); }, kInvalidHandle);

          subject.sim().faults({});
          expect_a_first_step(optimizer, params);
        }
      })
      .only(DeviceRules::kCuda)
      .since(Release::k2_4);

  conformance("a_fused_step_that_fails_does_not_count_as_taken", {"OPT-026"},
              [](Session& subject) {
                const std::vector<Param> params{param(subject, 1, 2), param(subject, 1, 2)};
                const auto optimizer = dampened(subject, {params[0], params[1]}, "fused");
                const auto lend = [&](double flag) {
                  optimizer.set("grad_scale", on(f32({1}), subject.device()));
                  optimizer.set("found_inf", on(f32({flag}), subject.device()));
                };
                lend(0);
                subject.sim().faults({{.call = "launch", .code = kInvalidHandle, .occurrence = 1}});
                expect_device_error(
                    subject, [&] { optimizer.step(); }, kInvalidHandle);
                subject.sim().faults({});
                lend(1);  // skipped, so that there is still no momentum
                optimizer.step();

                lend(0);
                expect_a_first_step(optimizer, params);
              })
      .only(DeviceRules::kCuda)
      .since(Release::k2_4);
}

}  // namespace assay::suites
