// The layout of elements does not affect steps: transposed or strided parameters and gradients, and
// the memory between their elements.
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

const std::vector<double> kRows{1, 2, 3, 4, 5, 6};

Value by_rows() { return shaped(f32(kRows), {2, 3}); }
/// The same matrix in column-major order.
Value by_columns() {
  TensorValue matrix = shaped(f32(kRows), {2, 3});
  matrix.strides = {1, 2};
  return matrix;
}

/// Every second element of `base`.
Param spread_over(Session& subject, const Param& base) {
  const std::string name = subject.fresh_name("view");
  subject.send("core.as_strided",
               {{"tensor", base}, {"shape", List{{3}}}, {"strides", List{{2}}}, {"offset", 0}},
               name);
  return Param::named(subject, name);
}

/// PyTorch's fused implementation requires equal layouts.
const std::vector<std::string> kModes = {"plain", "foreach"};

/// Each kind twice: with gaps only in the parameter, and also in the gradient.
std::vector<std::pair<std::string, bool>> kinds_with_gaps() {
  std::vector<std::pair<std::string, bool>> made;
  for (const std::string& kind : kinds()) {
    made.emplace_back(kind, false);
    made.emplace_back(kind, true);
  }
  return made;
}

/// All kinds, with momentum for SGD.
OptimizerHandle with_state(Session& subject, std::string_view kind, const Param& param,
                           const std::string& mode) {
  if (kind != "sgd") return made(subject, kind, {param}, mode);
  return subject.optim().sgd({.params = {param}, .lr = 0.25, .momentum = 0.5, .mode = mode});
}

/// After two steps. The gradient is the parameter, and each step keeps its own.
void expect_two_steps_of_sgd(const TensorValue& param) {
  std::vector<double> wanted;
  for (const double first : kRows) wanted.push_back(first - 0.25 * first - 0.25 * 1.5 * first);
  expect_bits(param, shaped(f32(wanted), {2, 3}));
}

void expect_as_usual(Session& subject, const Value& param, const Value& grad) {
  for (const std::string& kind : kinds()) {
    for (const std::string& mode : kModes) {
      const ScopedTrace at(kind + ", " + mode);
      const Param usual(subject, by_rows());
      usual.set_grad(by_rows());
      const Param strange(subject, param);
      strange.set_grad(grad);
      const auto first = with_state(subject, kind, usual, mode);
      const auto second = with_state(subject, kind, strange, mode);
      for (int step = 0; step < 2; ++step) {
        first.step();
        second.step();
      }
      TensorValue after = strange.read();
      after.strides.clear();
      const TensorValue wanted = usual.read();
      expect_bits(after, wanted);
      if (kind == "sgd") expect_two_steps_of_sgd(wanted);
    }
  }
}

}  // namespace

CASES("optim/layout") {
  conformance("a_transposed_matrix_is_stepped_as_any_other", {"OPT-018"}, [](Session& subject) {
    expect_as_usual(subject, by_rows(), by_columns());
    expect_as_usual(subject, by_columns(), by_rows());
    expect_as_usual(subject, by_columns(), by_columns());
  });

  conformance("what_stands_in_gaps_stays", {"OPT-018"}, [](Session& subject) {
    for (const auto& [kind, grad_has_gaps] : kinds_with_gaps()) {
      for (const std::string& mode : kModes) {
        const ScopedTrace at(kind + ", " + mode +
                             (grad_has_gaps ? ", gaps in the gradient too" : ""));
        const Param base(subject, f32({1, 7, 2, 7, 3, 7}));
        const Param spread = spread_over(subject, base);
        const Param usual(subject, f32({1, 2, 3}));
        for (const Param& one : {spread, usual}) one.set_grad(f32({4, 5, 6}));
        if (grad_has_gaps)
          spread.set_grad(spread_over(subject, {subject, f32({4, 9, 5, 9, 6, 9})}));

        // Momentum buffers have no gaps; without one, all tensors of the step have the same layout.
        for (const Param& one : {spread, usual}) {
          const bool has_momentum = !grad_has_gaps;
          const auto optimizer = has_momentum ? with_state(subject, kind, one, mode)
                                              : made(subject, kind, {one}, mode);
          optimizer.step();
        }

        TensorValue stepped = spread.read();
        stepped.strides.clear();
        expect_bits(stepped, usual.read());
        const TensorValue after = base.read();
        for (const std::size_t gap : {1U, 3U, 5U}) expect_equal(after.real_at(gap), 7.0);
      }
    }
  });
}

}  // namespace assay::suites
