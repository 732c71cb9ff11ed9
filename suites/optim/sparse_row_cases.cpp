// Sparse gradients whose entries are rows, or have two indices (OPT-007).
#include "harness/suite/reading.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

/// Rows of a matrix of four rows and two columns.
SparseValue rows(const std::vector<double>& at, const std::vector<double>& values) {
  const auto count = static_cast<std::int64_t>(at.size());
  return {.indices = shaped(i64(at), {1, count}),
          .values = shaped(f32(values), {count, 2}),
          .shape = {4, 2},
          .coalesced = true};
}

/// Single elements of that matrix.
SparseValue elements(const std::vector<double>& row, const std::vector<double>& column,
                     const std::vector<double>& values) {
  std::vector<double> both = row;
  both.insert(both.end(), column.begin(), column.end());
  const auto count = static_cast<std::int64_t>(row.size());
  return {.indices = shaped(i64(both), {2, count}),
          .values = f32(values),
          .shape = {4, 2},
          .coalesced = true};
}

TensorValue matrix(const std::vector<double>& values) { return shaped(f32(values), {4, 2}); }

Param ones(Session& subject, const SparseValue& grad) {
  Param made(subject, matrix(std::vector<double>(8, 1)));
  made.set_grad(grad);
  return made;
}

std::vector<std::string> sparse_modes(const Session& subject) {
  if (subject.contract().release == Release::k1_13) return {"plain"};
  return {"plain", "foreach"};
}

}  // namespace

CASES("optim/sparse") {
  conformance("each_element_of_a_row_is_stepped", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      for (const bool maximize : {false, true}) {
        const ScopedTrace at(mode + (maximize ? ", maximize" : ""));
        const Param a = ones(subject, rows({1, 3}, {4, 8, 12, 16}));

        subject.optim().sgd({.params = {a}, .lr = 0.25, .maximize = maximize, .mode = mode}).step();

        expect_bits(a.read(), maximize ? matrix({1, 1, 2, 3, 1, 1, 4, 5})
                                       : matrix({1, 1, 0, -1, 1, 1, -2, -3}));
      }
    }
  });

  conformance("each_element_has_its_own_place_of_two_indices", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = ones(subject, elements({0, 1, 3}, {1, 0, 1}, {4, 8, 12}));

      made(subject, "sgd", {a}, mode).step();

      expect_bits(a.read(), matrix({1, 0, -1, 1, 1, 1, 1, -2}));
    }
  });

  conformance("momenta_of_other_rows_are_merged", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = ones(subject, rows({1, 2}, {4, 8, 16, 32}));
      const auto optimizer =
          subject.optim().sgd({.params = {a}, .lr = 0.25, .momentum = 0.5, .mode = mode});
      optimizer.step();
      expect_bits(a.read(), matrix({1, 1, 0, -1, -3, -7, 1, 1}));

      a.set_grad(rows({0, 1}, {4, 4, 2, 4}));  // momenta: {4, 4}, {4, 8}, {8, 16}
      optimizer.step();
      expect_bits(a.read(), matrix({0, 0, -1, -3, -5, -11, 1, 1}));

      a.set_grad(rows({3}, {4, 8}));  // {2, 2}, {2, 4}, {4, 8}, {4, 8}
      optimizer.step();
      expect_bits(a.read(), matrix({-0.5, -0.5, -1.5, -4, -6, -13, 0, -1}));
    }
  });

  conformance("nesterov_adds_the_momentum_to_the_gradient", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = ones(subject, rows({1}, {4, 8}));
      const auto optimizer = subject.optim().sgd(
          {.params = {a}, .lr = 0.25, .momentum = 0.5, .nesterov = true, .mode = mode});
      optimizer.step();  // the momentum is the gradient: 1.5 times {4, 8}
      expect_bits(a.read(), matrix({1, 1, -0.5, -2, 1, 1, 1, 1}));

      a.set_grad(rows({2}, {16, 32}));  // momenta: {2, 4}, {16, 32}
      optimizer.step();
      expect_bits(a.read(), matrix({1, 1, -0.75, -2.5, -5, -11, 1, 1}));
    }
  });

  conformance("nesterov_s_dense_momentum_takes_no_entries", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a(subject, matrix(std::vector<double>(8, 1)));
      a.set_grad(matrix(std::vector<double>(8, 2)));
      const auto optimizer = subject.optim().sgd(
          {.params = {a}, .lr = 0.25, .momentum = 0.5, .nesterov = true, .mode = mode});
      optimizer.step();
      a.set_grad(rows({1}, {4, 8}));

      expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"add(sparse, dense)"});

      expect_bits(a.read(), matrix(std::vector<double>(8, 0.25)));
    }
  });
}

}  // namespace assay::suites
