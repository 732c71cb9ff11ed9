// zero_grad: what the gradients of the last iteration become.
#include "suites/optim/optimizing.hpp"

namespace assay::suites {

CASES("optim/zero_grad") {
  conformance("gradients_are_dropped_or_zeroed_as_asked", {"SCL-704", "SCL-713"},
              [](Session& subject) {
                for (const bool drops : {true, false}) {
                  const Param a = param(subject, 1, 3);
                  const Param b = param(subject, 1, 4);
                  const auto optimizer = subject.optim().sgd({.params = {a, b}, .lr = 0.5});

                  optimizer.zero_grad(drops);

                  expect_bits(a.grad(), drops ? Value() : Value(f32({0})));
                  expect_bits(b.grad(), drops ? Value() : Value(f32({0})));
                }
              });

  conformance("the_default_drops_since_2_0_and_zeroes_before", {"SCL-713"}, [](Session& subject) {
    const Param a = param(subject, 1, 3);
    const auto optimizer = subject.optim().sgd({.params = {a}, .lr = 0.5});

    optimizer.zero_grad();

    const bool drops = subject.contract().release != Release::k1_13;
    expect_bits(a.grad(), drops ? Value() : Value(f32({0})));
  });
}

}  // namespace assay::suites
