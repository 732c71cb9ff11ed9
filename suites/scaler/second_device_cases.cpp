// A scaler whose tensors are on the second device while the first one is current, and its stream
// held back or not: every step of it happens where its tensors are (STR-030).
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/runtime.hpp"
#include "harness/suite/clients/sim.hpp"
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

TensorValue there(Session& subject, TensorValue value) {
  return on(std::move(value), subject.device(1));
}

/// Holds back the current stream of a device until it opens.
GateObject hold(Session& subject, int device) {
  const auto runtime = subject.runtime();
  return runtime.gate(runtime.default_stream(subject.device(device)));
}

/// A scaler that has scaled one tensor on the second device.
ScalerHandle on_second(Session& subject, double scale = 4) {
  auto scaler = subject.scaler().make({.init_scale = scale, .growth_interval = 1});
  scaler.scale(there(subject, f32({1})));
  return scaler;
}

}  // namespace

CASES("scaler/second_device") {
  scaling("its_scale_is_made_and_read_there", {"SCL-101", "STR-030"}, [](Session& subject) {
    const GateObject gate = hold(subject, 0);
    auto scaler = subject.scaler().make({.init_scale = 4});

    expect_bits(scaler.scale(there(subject, f32({3}))), there(subject, f32({12})));

    expect_scale(scaler, 4);
    expect_tracker(scaler, 0);
    gate.open();
  }).only(DeviceRules::kCuda);

  scaling("a_new_scale_is_written_there", {"SCL-402", "SCL-404", "STR-030"}, [](Session& subject) {
    auto scaler = on_second(subject);
    const GateObject gate = hold(subject, 0);

    scaler.update(8.0);
    expect_scale(scaler, 8);
    scaler.update(there(subject, scalar_of(Dtype::kFloat32, 16)));
    expect_scale(scaler, 16);

    gate.open();
  }).only(DeviceRules::kCuda);

  scaling("a_state_is_loaded_there", {"SCL-508", "STR-030"}, [](Session& subject) {
    auto scaler = on_second(subject);
    const Dict state = subject.scaler().make({.init_scale = 32, .growth_interval = 1}).state_dict();
    const GateObject gate = hold(subject, 0);

    scaler.load_state_dict(state);

    expect_scale(scaler, 32);
    expect_tracker(scaler, 0);
    gate.open();
  }).only(DeviceRules::kCuda);

  scaling("its_iterations_need_nothing_of_the_first_device", {"SCL-407", "STR-030"},
          [](Session& subject) {
            auto scaler = on_second(subject);
            const Tensor good = parameter(subject, 1, 4, subject.device(1));
            const Tensor bad = parameter(subject, 1, kInf, subject.device(1));
            auto first = sgd(subject, {good});
            auto second = sgd(subject, {bad});
            const GateObject gate = hold(subject, 0);

            scaler.step(first);
            scaler.step(second);
            scaler.update();

            expect_bits(good.read(), there(subject, f32({0.75F})));
            expect_bits(bad.read(), there(subject, f32({1})));
            expect_scale(scaler, 2);
            scaler.step(first);
            scaler.update();
            expect_scale(scaler, 4);
            gate.open();
          })
      .only(DeviceRules::kCuda);

  scaling("a_scaled_loss_goes_backward_there", {"SCL-104", "STR-030"}, [](Session& subject) {
    auto scaler = on_second(subject);
    const Tensor leaf(subject, there(subject, f32({3})), true);
    const GateObject gate = hold(subject, 0);

    scaler.scale(leaf, "loss");
    subject.send("core.backward", {{"tensor", Ref{"loss"}}});

    expect_bits(leaf.grad(), there(subject, f32({4})));
    gate.open();
  }).only(DeviceRules::kCuda);

  scaling("a_loss_elsewhere_waits_for_the_scale", {"SCL-104", "STR-031"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const GateObject gate = hold(subject, 0);
    scaler.update(8.0);

    scaler.scale(there(subject, f32({3})), "loss");

    gate.open();
    expect_bits(Tensor::named(subject, "loss").read(), there(subject, f32({24})));
  }).only(DeviceRules::kCuda);

  scaling("a_new_scale_from_elsewhere_waits_for_its_own_device", {"SCL-404", "STR-031"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor wanted(subject, there(subject, scalar_of(Dtype::kFloat32, 1)));
            const GateObject gate = hold(subject, 1);
            wanted.fill_(16);

            scaler.update(wanted);

            gate.open();
            expect_scale(scaler, 16);
          })
      .only(DeviceRules::kCuda);

  scaling("two_scalers_of_two_devices_know_nothing_of_each_other", {"SCL-101", "SCL-407"},
          [](Session& subject) {
            auto here = ready(subject, {.init_scale = 4, .growth_interval = 1});
            auto other = on_second(subject, 64);

            here.step(sgd(subject, {parameter(subject, 1, kNaN)}));
            other.step(sgd(subject, {parameter(subject, 1, 1, subject.device(1))}));
            here.update();
            other.update();

            expect_scale(here, 2);
            expect_scale(other, 128);
            expect_equal(tensor_in(here.tensors().scale).device, subject.device(0));
            expect_equal(tensor_in(other.tensors().scale).device, subject.device(1));
          })
      .only(DeviceRules::kCuda);

  scaling("a_fused_adam_waited_for_the_flags_of_every_device", {"SCL-602", "STR-031"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor here = parameter(subject, 1, 4, subject.device(0));
            const Tensor other = parameter(subject, 1, 4, subject.device(1));
            const Ref late = subject.core().tensor(there(subject, f32({4})));
            other.set_grad(late);
            auto optimizer =
                subject.optim().adam({.params = {here, other}, .lr = 0.25, .mode = "fused"});
            subject.runtime().synchronize_device(subject.device(1));
            subject.sim().schedule("manual");
            subject.runtime().store(late, kInf,
                                    subject.runtime().default_stream(subject.device(1)));

            scaler.step(optimizer);

            expect_bits(here.read(), on(f32({1}), subject.device(0)));
            expect_bits(other.read(), there(subject, f32({1})));
          })
      .only(DeviceRules::kCuda)
      .until(Release::k1_13);
}

}  // namespace assay::suites
