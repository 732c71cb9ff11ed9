// Gradient clipping by total norm.
#include "harness/suite/reading.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {

CASES("optim/clip") {
  conformance("the_norm_is_that_of_all_gradients_together", {"SCL-702"}, [](Session& subject) {
    const Param a = param(subject, 1, 3);
    const Param b = param(subject, 1, 4);
    const Param without(subject, f32({1}));

    expect_equal(number_in(subject.optim().clip_grad_norm_({a, without, b}, 100)), 5.0);
  });

  conformance("gradients_within_the_bound_keep_their_bits", {"SCL-702"}, [](Session& subject) {
    const Param a = param(subject, 1, 3);
    const Param b = param(subject, 1, 4);

    subject.optim().clip_grad_norm_({a, b}, 6);

    expect_bits(a.grad(), f32({3}));
    expect_bits(b.grad(), f32({4}));
  });

  conformance("larger_gradients_are_shrunk_to_the_bound", {"SCL-702"}, [](Session& subject) {
    const Param a = param(subject, 1, 3);
    const Param b = param(subject, 1, 4);

    subject.optim().clip_grad_norm_({a, b}, 2.5);

    const Value first = a.grad();
    const Value second = b.grad();
    // Half of the bound covers the 1e-6 in max_norm / (norm + 1e-6), half covers rounding.
    expect_within(tensor_in(first), {1.5}, {0x1p-20}, "SCL-702");
    expect_within(tensor_in(second), {2}, {0x1p-20}, "SCL-702");
  });

  conformance("the_coefficient_is_an_inverse_times_the_bound", {"SCL-702"}, [](Session& subject) {
    const Param a(subject, f64({1}));
    a.set_grad(f64({7}));

    subject.optim().clip_grad_norm_({a}, 3);

    // A division would give 0x1.7ffffc67a6663p+1.
    expect_bits(a.grad(), f64({0x1.7ffffc67a6662p+1}));
  });

  conformance("an_infinite_norm_makes_the_coefficient_zero", {"SCL-703"}, [](Session& subject) {
    const Param a(subject, f32({1, 1}));
    a.set_grad(f32({12, kInf}));

    expect_equal(number_in(subject.optim().clip_grad_norm_({a}, 1)), double{kInf});

    expect_bits(a.grad(), f32({0, kNaN}));
  });

  conformance("a_nan_spreads_to_every_gradient", {"SCL-703"}, [](Session& subject) {
    const Param a(subject, f32({1, 1}));
    a.set_grad(f32({12, kNaN}));

    subject.optim().clip_grad_norm_({a}, 1);

    expect_bits(a.grad(), f32({kNaN, kNaN}));
  });

  conformance("a_square_beyond_float32_makes_the_norm_infinite_or_zero", {"OPT-009"},
              [](Session& subject) {
                const Param large(subject, f32({1, 1}));
                large.set_grad(f32({0x1p100f, 1}));
                expect_equal(number_in(subject.optim().clip_grad_norm_({large}, 1)), double{kInf});
                const Param small(subject, f32({1, 1, 1}));
                small.set_grad(f32({0x1p-100f, 0x1p-100f, 0}));
                expect_equal(number_in(subject.optim().clip_grad_norm_({small}, 1)), 0.0);
                const Param wide(subject, f64({1, 1}));
                wide.set_grad(f64({0x1.8p101, 0x1p102}));
                expect_equal(number_in(subject.optim().clip_grad_norm_({wide}, 1)), 0x1.4p102);
              })
      .reach(Reach::kWidth);

  conformance("what_is_alone_was_squared", {"OPT-009"},
              [](Session& subject) {
                const Param alone = param(subject, 1, 0x1p100);
                expect_equal(number_in(subject.optim().clip_grad_norm_({alone}, 1)), double{kInf});
              })
      .reach(Reach::kWidth)
      .until(Release::k1_13);

  conformance("what_is_alone_is_not_squared", {"OPT-009"},
              [](Session& subject) {
                for (const float value : {0x1p100f, -0x1p-100f, -0.0f}) {
                  const Param alone(subject, on(f32({1}), {"cpu", -1}));
                  alone.set_grad(on(f32({value}), {"cpu", -1}));
                  expect_bits(subject.optim().clip_grad_norm_({alone}, 1),
                              scalar_of(Dtype::kFloat32, std::abs(value)));
                }
              })
      .reach(Reach::kWidth)
      .since(Release::k2_4);

  conformance("the_norm_of_nothing_is_zero_on_the_host", {"OPT-009"}, [](Session& subject) {
    const Param without(subject, f32({1}));
    for (const std::vector<Value>& params : {std::vector<Value>{}, std::vector<Value>{without}}) {
      const Value norm = subject.optim().clip_grad_norm_(params, 1);

      expect_bits(norm, scalar_of(Dtype::kFloat32, 0));
      expect_true(tensor_in(norm).device.type == "cpu", "it is on the host");
    }
  });

  conformance("the_norm_is_of_a_type_that_holds_all", {"OPT-009"}, [](Session& subject) {
    const Param a(subject, f32({1}));
    a.set_grad(f32({3}));
    const Param b(subject, f64({1}));
    b.set_grad(f64({4}));

    expect_bits(subject.optim().clip_grad_norm_({a}, 100), scalar_of(Dtype::kFloat32, 3));
    expect_bits(subject.optim().clip_grad_norm_({b}, 100), scalar_of(Dtype::kFloat64, 4));
    expect_bits(subject.optim().clip_grad_norm_({a, b}, 100), scalar_of(Dtype::kFloat64, 5));
  });

  conformance("a_lone_large_element_is_squared_on_a_device", {"OPT-009"},
              [](Session& subject) {
                const Param large(subject, f32({1}));
                large.set_grad(f32({0x1p100F}));

                expect_bits(subject.optim().clip_grad_norm_({large}, 1),
                            scalar_of(Dtype::kFloat32, kInf));
              })
      .reach(Reach::kWidth)
      .only(DeviceRules::kCuda);

  conformance("the_norm_of_halves_is_a_half", {"OPT-009"}, [](Session& subject) {
    const Param a(subject, f16({1}));
    a.set_grad(f16({3}));
    const Param b(subject, f16({1}));
    b.set_grad(f16({4}));
    const Param c(subject, bf16({1}));
    c.set_grad(bf16({12}));

    expect_bits(subject.optim().clip_grad_norm_({a, b}, 100), scalar_of(Dtype::kFloat16, 5));
    expect_bits(subject.optim().clip_grad_norm_({a, b, c}, 100), scalar_of(Dtype::kFloat32, 13));
  }).since(Release::k2_4);

  conformance("the_bound_is_not_looked_at", {"OPT-009"}, [](Session& subject) {
    const Param a = param(subject, 1, 3);
    const Param b = param(subject, 1, 4);

    subject.optim().clip_grad_norm_({a, b}, 0);
    expect_bits(a.grad(), f32({0}));
    expect_bits(b.grad(), f32({0}));

    a.set_grad(f32({3}));
    subject.optim().clip_grad_norm_({a}, -3);
    const Value turned = a.grad();
    expect_within(tensor_in(turned), {-3}, {0x1p-19}, "OPT-009");

    subject.optim().clip_grad_norm_({a}, kNaN);
    expect_bits(a.grad(), f32({kNaN}));
  }).reach(Reach::kArguments);
}

}  // namespace assay::suites
