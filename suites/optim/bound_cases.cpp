// Settings at the bounds of a type, and settings that are missing, tensors, or of a second group.
#include "harness/suite/clients/core.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

Param of(Session& subject, Dtype dtype, double value, double grad) {
  const Param made(subject, tensor_of(dtype, {value}));
  made.set_grad(tensor_of(dtype, {grad}));
  return made;
}

}  // namespace

CASES("optim/settings") {
  conformance("a_factor_may_be_as_large_as_the_parameter_s_type", {"OPT-019"},
              [](Session& subject) {
                for (const char* mode : {"plain", "foreach"}) {
                  const ScopedTrace at(mode);
                  const Param wide = of(subject, Dtype::kFloat64, 0, 1);

                  subject.optim().sgd({.params = {wide}, .lr = 1e39, .mode = mode}).step();

                  expect_bits(wide.read(), f64({-1e39}));
                }
              })
      .reach(Reach::kArguments);

  conformance("on_a_device_halves_are_multiplied_in_float32", {"OPT-019"}, [](Session& subject) {
    constexpr double kBeyondBfloat16 = 3.4e38;
    for (const char* mode : {"plain", "foreach"}) {
      const ScopedTrace at(mode);
      const Param trained = of(subject, Dtype::kBfloat16, 1, 0);
      const auto optimizer =
          subject.optim().sgd({.params = {trained}, .lr = kBeyondBfloat16, .mode = mode});

      if (subject.contract().cuda()) {
        optimizer.step();
      } else {
        expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"overflow"});
      }

      expect_bits(trained.read(), tensor_of(Dtype::kBfloat16, {1}));
    }
  }).reach(Reach::kArguments);

  conformance(
      "a_step_misses_a_setting_that_a_loaded_group_lacks", {"OPT-012", "OPT-015"},
      [](Session& subject) {
        for (const std::string& kind : kinds()) {
          const ScopedTrace at(kind);
          const Param trained = param(subject, 1, 1);
          const auto optimizer = made(subject, kind, {trained});
          const Dict group{{{"params", List{{std::int64_t{0}}}}}};
          optimizer.load_state_dict(Dict{{{"state", Dict{}}, {"param_groups", List{{group}}}}});

          expect_error([&] { optimizer.step(); }, ErrorKind::kKey);

          expect_bits(trained.read(), f32({1}));
        }
      });

  conformance("a_decay_may_be_a_tensor", {"OPT-015"}, [](Session& subject) {
    const Param trained = param(subject, 4, 0);
    const auto optimizer = subject.optim().sgd({.params = {trained}, .lr = 0.25, .mode = "plain"});
    optimizer.set_setting(0, "weight_decay",
                          subject.core().tensor(scalar_of(Dtype::kFloat32, 0.5)));

    optimizer.step();

    expect_bits(trained.read(), f32({3.5}));
  });

  conformance("an_adamw_had_no_fused_and_no_differentiable", {"OPT-001"}, [](Session& subject) {
    const auto adam = made(subject, "adam", {param(subject, 1, 1)});
    const auto adamw = made(subject, "adamw", {param(subject, 1, 1)});

    for (const char* name : {"fused", "differentiable"}) {
      const ScopedTrace at(name);
      expect_equal(entry(adam.groups().at(0), name), Value(false));
      expect_equal(entry(adamw.groups().at(0), name), Value());
    }
  }).until(Release::k1_13);

  conformance(
      "fused_parameters_of_every_group_were_checked_at_once", {"OPT-006"},
      [](Session& subject) {
        const bool is_old = subject.contract().release == Release::k1_13;
        for (const std::string& kind : is_old ? std::vector<std::string>{"adam"} : kinds()) {
          const ScopedTrace at(kind);
          const Param a = param(subject, 1, 1);
          const Param whole(subject, i64({1}));

          expect_error(
              [&] {
                made(subject, kind, {List{{a}}, List{{whole}}}, "fused");
              },
              ErrorKind::kError, {"floating point"});
        }
      })
      .until(Release::k2_4);

  conformance("fused_parameters_are_looked_at_by_the_step", {"OPT-006"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const Param a = param(subject, 1, 1);
      const EmptyArguments one{.shape = {1}, .dtype = Dtype::kComplex64};
      const Ref complex = subject.core().empty(one);
      subject.core().set_grad(complex, subject.core().empty(one));
      const auto optimizer = made(subject, kind, {List{{a}}, List{{complex}}}, "fused");

      expect_error([&] { optimizer.step(); }, {ErrorKind::kError, ErrorKind::kNotImplemented}, {});
    }
  }).since(Release::k2_11);
}

}  // namespace assay::suites
