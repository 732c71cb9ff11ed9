// The runtime's own operator for updating the loss scale, called through the dispatcher.
#include <algorithm>
#include <tuple>

#include "harness/suite/clients/core.hpp"
#include "harness/suite/reading.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "aten::_amp_update_scale_";

Value scalar(double value) { return scalar_of(Dtype::kFloat32, value); }

std::vector<Value> arguments(Session& subject, const std::string& scale) {
  subject.send("core.tensor", {{"value", scalar(4)}}, scale);
  subject.send("core.tensor", {{"value", scalar_of(Dtype::kInt32, 0)}}, scale + ".tracker");
  subject.send("core.tensor", {{"value", scalar(0)}}, scale + ".found");
  return {Ref{scale}, Ref{scale + ".tracker"}, Ref{scale + ".found"}, 2.0, 0.5, 1};
}

std::string key_of_device(Session& subject) {
  const std::string type = subject.device().type;
  if (type == "cpu") return "CPU";
  if (type == "cuda") return "CUDA";
  return subject.dispatch().backend_key(type, Dtype::kFloat32, "strided");
}

/// A subject that cannot observe the runtime's own kernels may report only those before it.
void expect_device_kernel_last(Session& subject, const Called& called) {
  const bool is_hidden = called.ran.empty() || last_of(called.ran).kernel == std::string("level");
  expect_false(is_hidden && called.shows_own.get(),
               "the kernel of the device runs last, or is hidden");
  expect_text(last_of(called.ran).key, key_of_device(subject));
}

}  // namespace

CASES("dispatch/chain") {
  conformance("the_update_of_the_scale_is_an_operator", {"DSP-810"}, [](Session& subject) {
    expect_true(subject.dispatch().find(kOp, true), "it has a schema");
    expect_equal(*subject.dispatch().describe(kOp).schema,
                 "aten::_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor "
                 "found_inf, float scale_growth_factor, float scale_backoff_factor, int "
                 "growth_interval) -> Tensor(a!)");
    if (subject.device().type == "cuda") {
      expect_true(subject.dispatch().has_kernel(kOp, "CUDA"), "it has a CUDA kernel");
    }
    expect_equal(subject.dispatch().has_kernel(kOp, "CPU"),
                 subject.contract().release != Release::k1_13);
  });

  conformance(
      "the_update_of_the_scale_goes_to_the_kernel_of_the_device_and_returns_self", {"DSP-810"},
      [](Session& subject) {
        const auto args = arguments(subject, "chain.scale");
        const auto called = subject.dispatch().call(kOp, args, {.boxed = true});
        expect_equal(called.result, Ref{"chain.scale"});
        expect_bits(field(subject.send("core.read", {{"tensor", Ref{"chain.scale"}}}), "result"),
                    scalar(8));
        expect_device_kernel_last(subject, called);
      })
      .except(Release::k1_13, DeviceRules::kCpu);

  conformance("a_device_without_kernel_is_named", {"DSP-810", "DSP-702"}, [](Session& subject) {
    const auto x = device_tensor(subject, "cpu");
    expect_error(
        [&] {
          subject.dispatch().call(kOp, {x, x, x, 2.0, 0.5, 1}, {.boxed = true});
        },
        ErrorKind::kNotImplemented, {kOp, "CPU"});
  }).until(Release::k1_13);

  conformance("its_kernel_can_be_wrapped_like_any_other", {"DSP-810", "DSP-602"},
              [](Session& subject) {
                subject.dispatch().impl(
                    kOp, subject.dispatch().kernel({.behaviour = "redispatch", .label = "level"}),
                    {.key = "ADInplaceOrView"});
                const auto args = arguments(subject, "chain.scale");
                const auto called = subject.dispatch().call(kOp, args, {.boxed = true});
                const auto level = std::find_if(
                    called.ran.begin(), called.ran.end(),
                    [](const RanKernel& one) { return one.kernel == std::string("level"); });
                expect_true(level != called.ran.end(), "the level ran");
                expect_equal(called.result, Ref{"chain.scale"});
                expect_device_kernel_last(subject, called);
              })
      .except(Release::k1_13, DeviceRules::kCpu);

  conformance(
      "functions_call_the_kernel_that_was_registered_last", {"DSP-412"}, [](Session& subject) {
        const Value x = f32({3, -2});
        const std::vector<std::tuple<std::string, std::string, std::vector<Value>, TensorValue>>
            functions{{"neg", "aten::neg", {x}, f32({-3, 2})},
                      {"relu", "aten::relu", {x}, f32({3, 0})},
                      {"add", "aten::add.Tensor", {x, f32({1, 1})}, f32({4, -1})},
                      {"sub", "aten::sub.Tensor", {x, f32({1, 1})}, f32({2, -3})},
                      {"mul", "aten::mul.Tensor", {x, f32({2, 2})}, f32({6, -4})},
                      {"div", "aten::div.Tensor", {x, f32({2, 2})}, f32({1.5, -1})}};
        for (const auto& [function, op, arguments, result] : functions) {
          const ScopedTrace at(function);
          const auto kernel = subject.dispatch().kernel({.behaviour = "return"});
          const auto registered =
              subject.dispatch().impl(op, kernel, {.key = key_of_device(subject)});
          expect_bits(subject.core().op(function, arguments), x);
          registered.drop();
          expect_bits(subject.core().op(function, arguments), result);
        }
      });
}

}  // namespace assay::suites
