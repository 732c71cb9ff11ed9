// The state after a step, and its dtypes.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/mistake.hpp"
#include "harness/suite/reading.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

Value tensor_of_state(const OptimizerHandle& optimizer, std::string_view name) {
  const Value value = state_of(optimizer, 0, name);
  if (value.tensor() == nullptr) throw BadReply("no tensor is kept as " + std::string(name));
  return value;
}

}  // namespace

CASES("optim/step") {
  conformance("nothing_is_kept_without_a_gradient", {"OPT-010"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param without(subject, f32({1}));
      const Param with = param(subject, 1, 1);
      const auto optimizer =
          subject.optim().adam({.params = {without, with}, .lr = 0.25, .mode = mode});
      expect_true(optimizer.state().at(1).items.empty(), "nothing is kept before a step");

      optimizer.step();

      expect_true(optimizer.state().at(0).items.empty(), "nothing is kept without a gradient");
      expect_equal(number_in(state_of(optimizer, 1, "step")), 1.0);
    }
  });

  conformance("sgd_keeps_momentum_alone", {"OPT-010"}, [](Session& subject) {
    const bool has_none = subject.contract().release == Release::k1_13;
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 1);
      const auto optimizer = made(subject, "sgd", {trained}, mode);

      optimizer.step();

      const Dict kept = optimizer.state().at(0);
      expect_equal(static_cast<std::int64_t>(kept.items.size()), std::int64_t{has_none ? 1 : 0});
      expect_true(entry(kept, "momentum_buffer").is_none(), "no buffer is kept");
    }
  });

  conformance("moments_are_as_narrow_as_the_parameter_and_the_counter_is_not", {"OPT-010"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  for (const Dtype dtype : {Dtype::kBfloat16, Dtype::kFloat64}) {
                    const ScopedTrace at(mode);
                    const Param trained(subject, tensor_of(dtype, {1, 2}));
                    trained.set_grad(tensor_of(dtype, {1, 1}));
                    const auto optimizer = subject.optim().adam(
                        {.params = {trained}, .lr = 0.25, .amsgrad = true, .mode = mode});

                    optimizer.step();

                    for (const char* name : {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}) {
                      const Value moment = tensor_of_state(optimizer, name);
                      expect_true(tensor_in(moment).dtype == dtype,
                                  std::string(name) + " has the parameter's type");
                      expect_equal(tensor_in(moment).shape, {2});
                    }
                    const Value step = tensor_of_state(optimizer, "step");
                    expect_bits(step, scalar_of(Dtype::kFloat32, 1));
                    if (mode != "fused")
                      expect_true(tensor_in(step).device.type == "cpu",
                                  "the count of steps is on the host");
                  }
                }
              });

  conformance("the_counter_of_a_fused_step_is_beside_its_parameter", {"OPT-010"},
              [](Session& subject) {
                const Param trained = param(subject, 1, 1);
                const auto optimizer = made(subject, "adam", {trained}, "fused");

                optimizer.step();

                expect_equal(tensor_in(tensor_of_state(optimizer, "step")).device,
                             subject.device());
              })
      .since(Release::k2_4);

  conformance("a_parameter_may_get_its_first_gradient_later", {"OPT-017"}, [](Session& subject) {
    const bool is_strict = subject.contract().deviations == Deviations::kStrict;
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param early = param(subject, 1, 1);
      const Param late(subject, f32({1}));
      const auto optimizer =
          subject.optim().sgd({.params = {early, late}, .lr = 0.25, .momentum = 0.5, .mode = mode});
      optimizer.step();
      late.set_grad(f32({1}));

      if (mode == "fused" && !is_strict) {
        expect_error([&] { optimizer.step(); }, ErrorKind::kType);
        shows_mistake(
            "fused SGD with momentum raises a TypeError at the first step in which a parameter has "
            "a gradient that had none before, as in a layer that is used only now and then");
      } else {
        optimizer.step();
        expect_bits(early.read(), f32({0.375}));
        expect_bits(late.read(), f32({0.75}));
      }
    }
  });

  conformance("each_parameter_of_a_list_is_corrected_for_its_own_steps", {"OPT-017"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  const ScopedTrace at(mode);
                  const Param early = param(subject, 1, 1);
                  const Param late(subject, f32({1}));
                  const Param alone = param(subject, 1, 1);
                  const auto optimizer = made(subject, "adam", {early, late}, mode);
                  optimizer.step();
                  early.set_grad(f32({8}));
                  late.set_grad(f32({1}));

                  optimizer.step();
                  made(subject, "adam", {alone}, mode).step();

                  const TensorValue wanted = alone.read();
                  const TensorValue stepped = late.read();
                  expect_bits(stepped, wanted);
                  expect_within(stepped, {0.75}, {1e-4}, "the first step is the rate");
                }
              });

  conformance("a_step_that_raised_leaves_no_entry", {"OPT-010", "OPT-019"}, [](Session& subject) {
    const Param trained = param(subject, 1, 1);
    const auto optimizer =
        subject.optim().sgd({.params = {trained}, .lr = 0.25, .weight_decay = 1e300});

    expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"overflow"});

    for (const Dict& kept : optimizer.state()) expect_equal(kept, Dict{});
    expect_bits(trained.read(), f32({1}));
  });

  conformance("a_group_that_comes_later_leaves_momenta_alone", {"OPT-015", "OPT-010"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  const ScopedTrace at(mode);
                  const Param early = param(subject, 1, 1);
                  const auto optimizer = subject.optim().sgd(
                      {.params = {early}, .lr = 0.25, .momentum = 0.5, .mode = mode});
                  optimizer.step();

                  optimizer.add_param_group({param(subject, 1, 1)});
                  expect_equal(number_in(state_of(optimizer, 0, "momentum_buffer")), 1.0);
                  optimizer.step();

                  expect_bits(early.read(), f32({0.375}));
                }
              });

  conformance("a_first_moment_that_forgets_fast_is_interpolated_from_the_gradient", {"OPT-016"},
              [](Session& subject) {
                const float first = 0x1.870d78p+1f;
                const float second = -0x1.f59e5ep-2f;
                const float once = first - (first - 0) * 0.25f;
                const float twice = second - (second - once) * 0.25f;
                for (const std::string& mode : modes(subject)) {
                  const ScopedTrace at(mode);
                  const Param x = param(subject, 1, first);
                  const auto optimizer = subject.optim().adam(
                      {.params = {x}, .lr = 0.25, .betas = {{0.25, 0.75}}, .mode = mode});

                  optimizer.step();
                  x.set_grad(f32({second}));
                  optimizer.step();

                  expect_bits(state_of(optimizer, 0, "exp_avg"), f32({twice}));
                }
              })
      .since(Release::k2_4);

  conformance("float16_adam_has_a_hole_where_its_square_underflows", {"OPT-016"},
              [](Session& subject) {
                for (const char* mode : {"plain", "foreach"}) {
                  for (const std::string kind : {"adam", "adamw"}) {
                    const ScopedTrace at(kind + ", " + mode);
                    const Param still(subject, f16({1}));
                    still.set_grad(f16({0}));
                    const Param moved(subject, f16({1}));
                    moved.set_grad(f16({0x1p-10}));

                    made(subject, kind, {still, moved}, mode).step();

                    expect_bits(still.read(), f16({kNaN}));
                    expect_bits(moved.read(), f16({-kInf}));
                  }
                }
              })
      .since(Release::k2_4);

  conformance("float16_adam_has_none_where_it_is_fused", {"OPT-016"}, [](Session& subject) {
    const Param still(subject, f16({1}));
    still.set_grad(f16({0}));
    const Param moved(subject, f16({1}));
    moved.set_grad(f16({0x1p-10}));

    const auto optimizer = made(subject, "adam", {still, moved}, "fused");
    optimizer.step();

    expect_bits(still.read(), f16({1}));
    expect_bits(moved.read(), f16({0.75}));
    expect_bits(state_of(optimizer, 1, "exp_avg_sq"), f16({0}));
  }).since(Release::k2_4);

  conformance("bfloat16_adam_has_none", {"OPT-016"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param still(subject, bf16({1}));
      still.set_grad(bf16({0}));

      made(subject, "adam", {still}, mode).step();

      expect_bits(still.read(), bf16({1}));
    }
  });

  conformance("sgd_keeps_float16_momentum", {"OPT-010", "OPT-016"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained(subject, f16({1}));
      trained.set_grad(f16({0x1p-24}));
      const auto optimizer =
          subject.optim().sgd({.params = {trained}, .lr = 0.25, .momentum = 0.5, .mode = mode});

      optimizer.step();
      optimizer.step();

      expect_bits(trained.read(), f16({1}));
      // 2^-24 / 2 + 2^-24, rounded to even, because half of the smallest number is rounded first.
      expect_bits(state_of(optimizer, 0, "momentum_buffer"),
                  f16({mode == "fused" ? 0x1p-23 : 0x1p-24}));
    }
  });
}

}  // namespace assay::suites
