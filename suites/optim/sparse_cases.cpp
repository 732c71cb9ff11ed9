// Sparse gradients: which optimizers accept them, and which elements change.
#include "harness/suite/reading.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

/// A sparse vector of four elements.
SparseValue entries(const std::vector<double>& at, const std::vector<double>& values,
                    bool coalesced = false) {
  const auto count = static_cast<std::int64_t>(at.size());
  return {.indices = shaped(i64(at), {1, count}),
          .values = f32(values),
          .shape = {4},
          .coalesced = coalesced};
}

Param sparse_param(Session& subject, const SparseValue& grad) {
  Param made(subject, f32({1, 1, 1, 1}));
  made.set_grad(grad);
  return made;
}

/// The implementations that accept sparse gradients. In 1.13, the foreach one lacked the operators.
std::vector<std::string> sparse_modes(const Session& subject) {
  if (subject.contract().release == Release::k1_13) return {"plain"};
  return {"plain", "foreach"};
}

std::vector<double> spread(const Value& value) {
  const SparseValue& sparse = sparse_in(value);
  std::vector<double> dense(4, 0.0);
  const auto count = static_cast<std::size_t>(sparse.indices.shape.at(1));
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(sparse.indices.real_at(i));
    dense.at(at) += sparse.values.real_at(i);
  }
  return dense;
}

const TensorValue& values_of(const Value& gradient) { return sparse_in(gradient).values; }

}  // namespace

CASES("optim/sparse") {
  conformance("sgd_moves_what_the_entries_say", {"OPT-007"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      const ScopedTrace at(mode);
      const Param loose = sparse_param(subject, entries({0, 2, 0}, {1, 2, 3}));
      const Param tidy = sparse_param(subject, entries({0, 2}, {4, 2}, true));

      made(subject, "sgd", {loose, tidy}, mode).step();

      expect_bits(loose.read(), f32({0, 1, 0.5, 1}));
      expect_bits(tidy.read(), f32({0, 1, 0.5, 1}));
    }
  });

  conformance("sgd_climbs_where_it_maximizes", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = sparse_param(subject, entries({0, 2}, {4, 2}));

      subject.optim().sgd({.params = {a}, .lr = 0.25, .maximize = true, .mode = mode}).step();

      expect_bits(a.read(), f32({2, 1, 1.5, 1}));
    }
  });

  conformance("momentum_is_sparse_and_moves_no_other_row", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = sparse_param(subject, entries({0, 2}, {4, 2}, true));
      const auto optimizer =
          subject.optim().sgd({.params = {a}, .lr = 0.25, .momentum = 0.5, .mode = mode});
      optimizer.step();
      expect_bits(a.read(), f32({0, 1, 0.5, 1}));

      a.set_grad(entries({1, 2}, {8, 2}, true));
      optimizer.step();

      expect_bits(a.read(), f32({-0.5, -1, -0.25, 1}));
      const std::vector<double> kept = spread(state_of(optimizer, 0, "momentum_buffer"));
      expect_bits(f32(kept), f32({2, 8, 3, 0}));
    }
  });

  conformance("momentum_is_dampened_after_the_first", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = sparse_param(subject, entries({0, 2, 0}, {1, 2, 3}));
      const auto optimizer = subject.optim().sgd(
          {.params = {a}, .lr = 0.25, .momentum = 0.5, .dampening = 0.5, .mode = mode});

      optimizer.step();
      optimizer.step();

      expect_bits(a.read(), f32({-1, 1, 0, 1}));
    }
  });

  conformance("a_dense_momentum_takes_the_entries_dampened", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a(subject, f32({1, 1, 1, 1}));
      a.set_grad(f32({2, 2, 2, 2}));
      const auto optimizer = subject.optim().sgd(
          {.params = {a}, .lr = 0.25, .momentum = 0.5, .dampening = 0.5, .mode = mode});
      optimizer.step();
      a.set_grad(entries({1}, {4}));

      optimizer.step();

      expect_bits(a.read(), f32({0.25, -0.25, 0.25, 0.25}));
    }
  }).since(Release::k2_4);

  conformance("nesterov_looks_ahead_along_the_entries", {"OPT-007"}, [](Session& subject) {
    const Param a = sparse_param(subject, entries({0, 2}, {4, 2}, true));
    const auto optimizer = subject.optim().sgd(
        {.params = {a}, .lr = 0.25, .momentum = 0.5, .nesterov = true, .mode = "plain"});

    optimizer.step();
    optimizer.step();

    expect_bits(a.read(), f32({-2.25, 1, -0.625, 1}));
    expect_bits(f32(spread(a.grad())), f32({4, 0, 2, 0}));
  });

  conformance("sgd_does_not_decay_them", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : sparse_modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = sparse_param(subject, entries({0, 2}, {4, 2}));
      const auto optimizer =
          subject.optim().sgd({.params = {a}, .lr = 0.25, .weight_decay = 0.5, .mode = mode});

      expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"add(sparse, dense)"});

      expect_bits(a.read(), f32({1, 1, 1, 1}));
    }
  });

  conformance("foreach_sgd_had_no_lists_of_them", {"OPT-007"}, [](Session& subject) {
    for (const SgdOptions& given : {SgdOptions{.maximize = true}, SgdOptions{.weight_decay = 0.5},
                                    SgdOptions{.momentum = 0.5, .nesterov = true}}) {
      const Param a = sparse_param(subject, entries({0, 2}, {4, 2}));
      SgdOptions options = given;
      options.params = {a};
      options.lr = 0.25;
      options.mode = "foreach";
      const auto optimizer = subject.optim().sgd(options);

      expect_error([&] { optimizer.step(); }, ErrorKind::kNotImplemented);
    }
  }).until(Release::k1_13);

  conformance("fused_sgd_takes_none", {"OPT-007"}, [](Session& subject) {
    const Param a = sparse_param(subject, entries({0, 2}, {4, 2}));
    const auto optimizer = made(subject, "sgd", {a}, "fused");

    expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"sparse"});

    expect_bits(a.read(), f32({1, 1, 1, 1}));
  }).since(Release::k2_4);

  conformance("adam_takes_none_in_any_form", {"OPT-007"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      for (const std::string kind : {"adam", "adamw"}) {
        const ScopedTrace at(kind + ", " + mode);
        const Param a = sparse_param(subject, entries({0, 2}, {4, 2}));
        const auto optimizer = made(subject, kind, {a}, mode);

        expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"sparse"});

        expect_bits(a.read(), f32({1, 1, 1, 1}));
      }
    }
  });

  conformance("zeroed_ones_have_no_entries", {"OPT-008"}, [](Session& subject) {
    const Param a = sparse_param(subject, entries({0, 2, 0}, {1, 2, 3}));
    const auto optimizer = made(subject, "sgd", {a});

    optimizer.zero_grad(false);

    const Value grad = a.grad();
    expect_true(grad.sparse() != nullptr, "it is still sparse");
    expect_equal(sparse_in(grad).values.shape, {0});
    expect_equal(sparse_in(grad).indices.shape, {1, 0});
    expect_true(sparse_in(grad).coalesced, "it is coalesced");
  });

  conformance("dropped_ones_are_gone", {"OPT-008"}, [](Session& subject) {
    const Param a = sparse_param(subject, entries({0, 2}, {4, 2}));

    made(subject, "sgd", {a}).zero_grad(true);

    expect_true(a.grad().is_none(), "the gradient is gone");
  });

  conformance("they_have_no_norm", {"OPT-009"},
              [](Session& subject) {
                const Param a = sparse_param(subject, entries({0, 2}, {4, 2}));

                expect_error([&] { subject.optim().clip_grad_norm_({a}, 1); },
                             ErrorKind::kNotImplemented);
              })
      .since(Release::k2_4)
      .until(Release::k2_13);

  conformance("their_norm_is_that_of_the_sums_of_entries", {"OPT-009"}, [](Session& subject) {
    const Param sparse = sparse_param(subject, entries({0, 2, 0}, {1, 4, 2}));
    const Param tidy = sparse_param(subject, entries({1, 3}, {-12, 84}, true));
    const Param empty = sparse_param(subject, entries({}, {}));

    // 3 and 4, -12 and 84: 85 in all.
    expect_equal(number_in(subject.optim().clip_grad_norm_({sparse, tidy, empty}, 100)), 85.0);

    expect_bits(values_of(sparse.grad()), f32({1, 4, 2}));
    expect_bits(values_of(tidy.grad()), f32({-12, 84}));
  }).since(Release::k2_14);

  conformance("a_clip_multiplies_each_of_their_entries", {"OPT-009"}, [](Session& subject) {
    const Param sparse = sparse_param(subject, entries({0, 2, 0}, {1, 4, 2}));
    const Param dense(subject, f32({1, 1, 1}));
    dense.set_grad(f32({1, 4, 2}));
    const std::int64_t before = sparse.version();

    subject.optim().clip_grad_norm_({sparse, dense}, 0.75);

    // One factor for both.
    const Value clipped = dense.grad();
    expect_bits(values_of(sparse.grad()), tensor_in(clipped));
    expect_equal(tensor_in(clipped).real_at(2), 2 * tensor_in(clipped).real_at(0));
    expect_true(tensor_in(clipped).real_at(0) < 0.25, "the gradients are smaller");
    expect_equal(sparse.version(), before);
  }).since(Release::k2_14);

  conformance("a_clip_leaves_them_coalesced", {"OPT-009"},
              [](Session& subject) {
                const Param tidy = sparse_param(subject, entries({1, 3}, {-3, 4}, true));

                subject.optim().clip_grad_norm_({tidy}, 100);

                expect_true(sparse_in(tidy.grad()).coalesced, "the entries are sorted and unique");
              })
      .since(Release::k2_14)
      .only(Deviations::kStrict);

  conformance("a_clip_makes_several_entries_uncoalesced", {"OPT-009"},
              [](Session& subject) {
                const Param tidy = sparse_param(subject, entries({1, 3}, {-3, 4}, true));
                const Param single = sparse_param(subject, entries({2}, {12}, true));

                subject.optim().clip_grad_norm_({tidy, single}, 100);

                expect_false(sparse_in(tidy.grad()).coalesced, "the entries count as uncoalesced");
                expect_true(sparse_in(single.grad()).coalesced, "one entry is unique");
              })
      .since(Release::k2_14)
      .only(Deviations::kCompat)
      .only(DeviceRules::kCpu);

  conformance("one_entry_alone_is_not_squared", {"OPT-009"},
              [](Session& subject) {
                const SparseValue alone = {.indices = on(shaped(i64({1}), {1, 1}), {"cpu", -1}),
                                           .values = on(f32({-0x1p100f}), {"cpu", -1}),
                                           .shape = {4},
                                           .coalesced = true};
                const Param a(subject, on(f32({1, 1, 1, 1}), {"cpu", -1}));
                a.set_grad(alone);

                expect_equal(number_in(subject.optim().clip_grad_norm_({a}, 0x1p101)), 0x1p100);
              })
      .since(Release::k2_14)
      .reach(Reach::kWidth);
}

}  // namespace assay::suites
