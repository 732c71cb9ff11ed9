// Parameters, gradients and flags of several devices. Nothing runs on a device before somebody
// waits for it, so that a missing wait shows a former value.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/runtime.hpp"
#include "harness/suite/clients/sim.hpp"
#include "harness/suite/reading.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

Param on_device(Session& subject, int device, double value, double grad) {
  const Param made(subject, on(f32({value}), subject.device(device)));
  made.set_grad(on(f32({grad}), subject.device(device)));
  subject.runtime().synchronize_device(subject.device(device));
  return made;
}

/// A named tensor of one element or none on that device, after all work on it is complete.
Ref lent_on(Session& subject, int device, double value, Shape shape = {}) {
  TensorValue lent = scalar_of(Dtype::kFloat32, value);
  lent.shape = std::move(shape);
  const Ref made = subject.core().tensor(on(std::move(lent), subject.device(device)));
  subject.runtime().synchronize_device(subject.device(device));
  return made;
}

/// A named gradient whose element is `early` until the device's stream runs, and `late` then.
Ref late_grad(Session& subject, const Param& param, int device, double early) {
  const Ref grad = lent_on(subject, device, early, {1});
  param.set_grad(grad);
  return grad;
}

std::vector<std::string> fused_kinds(const Session& subject) {
  if (subject.contract().release == Release::k1_13) return {"adam"};
  return kinds();
}

}  // namespace

CASES("optim/several") {
  on_cuda("gradients_of_every_device_are_complete_before_they_are_clipped", {"SCL-702"},
          [](Session& subject) {
            for (const int late : {1, 0}) {
              const ScopedTrace at(std::to_string(late));
              subject.sim().schedule("eager");
              const Param a = on_device(subject, 0, 1, 3);
              const Param b = on_device(subject, 1, 1, 3);
              const Param& held = late == 1 ? b : a;
              const Param& other = late == 1 ? a : b;
              const Ref grad = late_grad(subject, held, late, 3);
              subject.sim().schedule("manual");
              subject.runtime().store(grad, 4.0,
                                      subject.runtime().default_stream(subject.device(late)));

              const Value norm = subject.optim().clip_grad_norm_({other, held}, 2.5);

              expect_equal(number_in(norm), 5.0);
              expect_within(subject.core().read(grad), {2}, {0x1p-20}, "SCL-702");
            }
          });

  on_cuda("a_flag_of_another_device_is_complete_before_it_is_read", {"SCL-610"},
          [](Session& subject) {
            for (const std::string& kind : kinds()) {
              for (const Shape& shape : {Shape{}, Shape{1}}) {
                const ScopedTrace at(kind + ", " + std::to_string(shape.size()) + " dims");
                subject.sim().schedule("eager");
                const Param here = on_device(subject, 0, 1, 2);
                const Param there = on_device(subject, 1, 1, 2);
                const auto optimizer = made(subject, kind, {here, there}, "fused");
                const Ref flag = lent_on(subject, 0, 0, shape);
                optimizer.set("found_inf", flag);
                subject.sim().schedule("manual");
                subject.runtime().store(flag, 1.0);

                optimizer.step();

                expect_bits(there.read(), on(f32({1}), subject.device(1)));
                expect_bits(here.read(), on(f32({1}), subject.device(0)));
              }
            }
          })
      .since(Release::k2_4);

  on_cuda("a_step_without_momentum_does_not_wait_for_the_flag", {"SCL-610", "SCL-709"},
          [](Session& subject) {
            const Param trained = on_device(subject, 0, 1, 1);
            const auto optimizer =
                subject.optim().sgd({.params = {trained}, .lr = 0.25, .mode = "fused"});
            const Ref flag = lent_on(subject, 0, 1);
            optimizer.set("found_inf", flag);
            const auto gate = subject.runtime().gate(subject.runtime().default_stream());
            subject.runtime().store(flag, 0.0);

            optimizer.step();

            gate.expect_not_expired();
            gate.open();
            expect_bits(trained.read(), f32({0.75}));
          })
      .since(Release::k2_4);

  on_cuda("what_was_lent_to_a_fused_one_was_not_looked_at", {"OPT-006"}, [](Session& subject) {
    const Param trained = on_device(subject, 0, 1, 2);
    const auto optimizer = subject.optim().adam(
        {.params = {trained}, .lr = 0.25, .betas = {{0.5, 0.0}}, .mode = "fused"});
    optimizer.set("found_inf", lent_on(subject, 0, 1));
    optimizer.set("grad_scale", 2.0);

    optimizer.step();

    expect_bits(trained.read(), f32({0.75}));
  }).until(Release::k1_13);

  conformance(
      "a_parameter_without_a_device_that_can_step_is_not_fused", {"OPT-006"}, [](Session& subject) {
        for (const std::string& kind : fused_kinds(subject)) {
          const ScopedTrace at(kind);
          const Value empty = subject.core().empty({.shape = {1}, .device = {{"meta", -1}}});
          const Value grad = subject.core().empty({.shape = {1}, .device = {{"meta", -1}}});
          subject.core().requires_grad_(empty, true);
          subject.core().set_grad(empty, grad);

          expect_error([&] { made(subject, kind, {empty}, "fused").step(); }, ErrorKind::kError,
                       {"floating point"});
        }
      });
}

}  // namespace assay::suites
