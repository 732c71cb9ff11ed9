// Scaler and fused optimizers: skipping on the device, division by the scale, and the same results
// as other implementations.
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

OptimizerHandle adam(Session& subject, const std::vector<Value>& params, const std::string& mode) {
  return subject.optim().adam({.params = params, .lr = 0.25, .betas = {{0.5, 0.0}}, .mode = mode});
}

double counter(const OptimizerHandle& optimizer, std::size_t index) {
  const std::vector<Dict> states = optimizer.state();
  for (const auto& [key, value] : states.at(index).items) {
    if (!identical(key, "step")) continue;
    if (const TensorValue* tensor = value.tensor()) return tensor->real_at(0);
    if (const double* number = value.get_if<double>()) return *number;
    if (const auto* whole = value.get_if<std::int64_t>()) return static_cast<double>(*whole);
  }
  throw BadReply("the state has no number under 'step'");
}

}  // namespace

CASES("scaler/fused") {
  scaling("a_fused_step_unscales_by_itself", {"SCL-602", "SCL-612"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor param = parameter(subject, 1, 8);
            auto optimizer = sgd(subject, {param}, 0.25, "fused");

            scaler.step(optimizer);
            scaler.update();

            expect_bits(param.read(), f32({0.5}));
            expect_bits(param.grad(), f32({2}));
            expect_tracker(scaler, 1);
          })
      .reach(Reach::kTraining)
      .since(Release::k2_4);

  scaling("what_is_lent_is_no_part_of_the_scaler", {"SCL-602"}, [](Session& subject) {
    for (const char* name : {"grad_scale", "found_inf"}) {
      const ScopedTrace at(name);
      auto scaler = ready(subject, {.init_scale = 4});
      auto optimizer = sgd(subject, {parameter(subject, 1, 8)}, 0.25, "fused");
      const std::string lent = subject.fresh_name("lent");
      const Callable closure =
          subject.callback(subject.fresh_name("closure"), subject.block([&](Session& inside) {
            inside.send("optim.get", {{"optimizer", optimizer}, {"name", name}}, lent);
            inside.send("core.fill_", {{"tensor", Ref{lent}}, {"value", 64.0}});
          }));

      scaler.step(optimizer, {.args = {closure}});

      expect_scale(scaler, 4);
      expect_flags(scaler, optimizer, {0});
    }
  }).since(Release::k2_11);

  scaling("a_fused_step_does_not_unscale_again", {"SCL-603"}, [](Session& subject) {
    for (const char* which : {"sgd", "adam"}) {
      const ScopedTrace at(which);
      auto scaler = ready(subject, {.init_scale = 4});
      const Tensor param = parameter(subject, 1, 8);
      auto optimizer = std::string_view(which) == "sgd" ? sgd(subject, {param}, 0.25, "fused")
                                                        : adam(subject, {param}, "fused");
      scaler.unscale_(optimizer);

      scaler.step(optimizer);

      expect_bits(param.grad(), f32({2}));
    }
  }).since(Release::k2_4);

  scaling("a_fused_step_skips_on_a_bad_gradient", {"SCL-610", "SCL-601"}, [](Session& subject) {
    for (const bool unscales_first : {false, true}) {
      for (const char* which : {"sgd", "adam"}) {
        const ScopedTrace at(std::string(which) + (unscales_first ? " after unscale_" : ""));
        auto scaler = ready(subject, {.init_scale = 4});
        const Tensor bad = parameter(subject, 1, kInf);
        const Tensor good = parameter(subject, 1, 8);
        auto optimizer = std::string_view(which) == "sgd" ? sgd(subject, {good, bad}, 0.25, "fused")
                                                          : adam(subject, {good, bad}, "fused");
        if (unscales_first) scaler.unscale_(optimizer);

        scaler.step(optimizer);
        scaler.update();

        expect_bits(good.read(), f32({1}));
        expect_bits(bad.read(), f32({1}));
        expect_scale(scaler, 2);
      }
    }
  }).since(Release::k2_4);

  scaling("a_fused_step_divides_where_unscale_multiplies", {"SCL-612", "SCL-202"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 3});
            const Tensor divided = parameter(subject, 1, 5);
            const Tensor multiplied = parameter(subject, 1, 5);
            auto first = sgd(subject, {divided}, 0.25, "fused");
            auto second = sgd(subject, {multiplied}, 0.25, "fused");

            scaler.step(first);
            scaler.unscale_(second);
            scaler.step(second);

            expect_bits(divided.grad(), f32_bits({0x3fd55555}));
            expect_bits(multiplied.grad(), f32_bits({0x3fd55556}));
          })
      .since(Release::k2_4);

  scaling("two_bad_devices_defeat_the_skip", {"SCL-611"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor here = parameter(subject, 1, kNaN, subject.device(0));
            const Tensor there = parameter(subject, 1, kNaN, subject.device(1));
            auto optimizer = adam(subject, {here, there}, "fused");

            scaler.step(optimizer);
            scaler.update();

            expect_bits(here.read(), f32({kNaN}));
            expect_bits(there.read(), f32({kNaN}));
            expect_equal(counter(optimizer, 0), -1.0);
            expect_equal(counter(optimizer, 1), -1.0);
            expect_scale(scaler, 2);
          })
      .unless(Property::kBoolFlag)
      .since(Release::k2_4)
      .only(DeviceRules::kCuda);

  scaling("one_bad_device_of_two_skips_on_both", {"SCL-610", "SCL-602"}, [](Session& subject) {
    for (const int bad : {0, 1}) {
      auto scaler = ready(subject, {.init_scale = 4});
      const Tensor here = parameter(subject, 1, bad == 0 ? kInf : 8, subject.device(0));
      const Tensor there = parameter(subject, 1, bad == 1 ? kInf : 8, subject.device(1));
      auto optimizer = adam(subject, {here, there}, "fused");

      scaler.step(optimizer);

      expect_bits(here.read(), f32({1}));
      expect_bits(there.read(), f32({1}));
      expect_equal(counter(optimizer, 0), 0.0);
      expect_equal(counter(optimizer, 1), 0.0);
    }
  }).only(DeviceRules::kCuda);

  scaling("the_counters_of_every_form_count_steps_taken", {"SCL-613"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach", "fused"}) {
      const ScopedTrace at(mode);
      auto scaler = ready(subject, {.init_scale = 4});
      const Tensor param = parameter(subject, f32({1}));
      auto optimizer = adam(subject, {param}, mode);
      for (const float grad : {8.0F, kInf, 8.0F}) {
        param.set_grad(f32({grad}));
        scaler.step(optimizer);
        scaler.update();
      }
      expect_equal(counter(optimizer, 0), 2.0);
    }
  }).since(Release::k2_4);

  scaling("plain_and_fused_adam_agree_with_and_without_unscale", {"SCL-709", "SCL-613"},
          [](Session& subject) {
            std::vector<TensorValue> results;
            for (const char* mode : {"plain", "foreach", "fused"}) {
              for (const bool unscales_first : {false, true}) {
                auto scaler = ready(subject, {.init_scale = 128, .growth_interval = 2});
                const Tensor param = parameter(subject, f32({1}));
                auto optimizer = adam(subject, {param}, mode);
                for (const float grad : {1.0F, kInf, -2.0F, 0.5F}) {
                  param.set_grad(scaler.scale(f32({grad})));
                  if (unscales_first) scaler.unscale_(optimizer);
                  scaler.step(optimizer);
                  scaler.update();
                }
                expect_scale(scaler, 128);
                results.push_back(param.read());
              }
            }
            // Each implementation rounds about twelve numbers below 2 in each of three steps.
            const double wanted = results.at(0).real_at(0);
            for (const TensorValue& result : results) {
              expect_within(result, {wanted}, {12 * 3 * 2 * 0x1p-24}, "float32 roundings of Adam");
            }
          })
      .since(Release::k2_4);
}

}  // namespace assay::suites
