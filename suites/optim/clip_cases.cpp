// Clipping by the norm of all gradients.
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
    // The coefficient is max_norm / (norm + 1e-6): half of 2^-22 each for that and for roundings.
    expect_within(*first.tensor(), {1.5}, {0x1p-20}, "SCL-702");
    expect_within(*second.tensor(), {2}, {0x1p-20}, "SCL-702");
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
}

}  // namespace assay::suites
