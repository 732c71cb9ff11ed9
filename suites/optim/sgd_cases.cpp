// SGD in three implementations, on numbers with exact products and sums (SCL-802).
#include <cmath>

#include "harness/suite/clients/core.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

/// A setting, and the parameter after each of the gradients 1, 2, -1, 0.5, from 1 with rate 0.25.
struct SgdRow {
  const char* what;
  SgdOptions options;
  std::vector<double> params;
};

const std::vector<double> kGrads{1, 2, -1, 0.5};

std::vector<SgdRow> rows() {
  return {
      {"plain", {}, {0.75, 0.25, 0.5, 0.375}},
      {"maximize", {.maximize = true}, {1.25, 1.75, 1.5, 1.625}},
      {"weight decay", {.weight_decay = 0.5}, {0.625, 0.046875, 0.291015625, 0.129638671875}},
      {"momentum", {.momentum = 0.5}, {0.75, 0.125, 0.0625, -0.09375}},
      {"momentum and dampening",
       {.momentum = 0.5, .dampening = 0.5},
       {0.75, 0.375, 0.3125, 0.21875}},
      {"nesterov", {.momentum = 0.5, .nesterov = true}, {0.625, -0.1875, 0.03125, -0.171875}},
      {"momentum, decay and maximize",
       {.momentum = 0.5, .weight_decay = 0.5, .maximize = true},
       {1.125, 1.546875, 1.314453125, 1.158935546875}},
  };
}

const std::vector<double> kOnes(kGrads.size(), 1);

/// Whether `got` is 1 after a gradient with rate 0.1, the product rounded or not.
template <typename Real>
bool is_step_of(std::size_t i, double got) {
  const Real rate = static_cast<Real>(-0.1);
  const Real grad = static_cast<Real>(kGrads[i]);
  return got == std::fma(rate, grad, Real{1}) || got == rate * grad + Real{1};
}

constexpr std::size_t kNumbers = 64;

/// Numbers that use all bits of a half type, from `least` to twice that.
TensorValue odd_numbers(Dtype dtype, double least) {
  const int steps = dtype == Dtype::kFloat16 ? 1024 : 128;
  std::vector<double> made;
  for (int i = 0; i < static_cast<int>(kNumbers); ++i) {
    const int step = (i * 37 + static_cast<int>(1000 * std::abs(least))) % steps;
    made.push_back(least * (1 + static_cast<double>(step) / steps));
  }
  return tensor_of(dtype, made);
}

/// The same steps on the same numbers without rounding.
std::vector<double> unrounded_steps(Dtype dtype, bool nesterov, double momentum,
                                    const std::vector<double>& seeds) {
  std::vector<double> all;
  for (std::size_t i = 0; i < kNumbers; ++i) {
    double param = odd_numbers(dtype, 1).real_at(i);
    double buffer = 0;
    for (const double seed : seeds) {
      const double grad = odd_numbers(dtype, seed).real_at(i) + 0.5 * param;
      buffer = momentum * buffer + grad;
      param -= 0.25 * (nesterov ? grad + 0.5 * buffer : buffer);
    }
    all.push_back(param);
  }
  return all;
}

/// Compares steps with separate operators that round each result. Factors are powers of two where
/// the step fuses a multiplication and an addition, so that products are exact.
void expect_rounded_steps(Session& subject, Dtype dtype, bool nesterov, const char* mode) {
  CoreClient core(subject);
  const double momentum = nesterov ? 0.5 : 0.75;
  const Param trained(subject, odd_numbers(dtype, 1));
  Value param = core.tensor(odd_numbers(dtype, 1));
  Value buffer;
  TensorValue last;
  const auto optimizer = subject.optim().sgd({.params = {trained},
                                              .lr = 0.25,
                                              .momentum = momentum,
                                              .weight_decay = 0.5,
                                              .nesterov = nesterov,
                                              .mode = mode});
  const std::vector<double> seeds = {0.5, -2.0, 0.125};
  for (const double seed : seeds) {
    trained.set_grad(odd_numbers(dtype, seed));
    optimizer.step();

    Value grad = core.tensor(odd_numbers(dtype, seed));
    grad = core.op_ref("add", {grad, core.op_ref("mul", {param, 0.5})});
    buffer =
        seed == 0.5 ? grad : core.op_ref("add", {core.op_ref("mul", {buffer, momentum}), grad});
    grad = nesterov ? core.op_ref("add", {grad, core.op_ref("mul", {buffer, 0.5})}) : buffer;
    param = core.op_ref("add", {param, core.op_ref("mul", {grad, -0.25})});
    const TensorValue wanted = core.read(param);
    last = trained.read();
    expect_bits(last, wanted);
  }
  expect_within(last, unrounded_steps(dtype, nesterov, momentum, seeds),
                std::vector<double>(kNumbers, dtype == Dtype::kFloat16 ? 0x1p-7 : 0x1p-4),
                "a dozen roundings of numbers below 4");
}

}  // namespace

CASES("optim/sgd") {
  conformance("every_setting_in_every_form_is_exact", {"SCL-709", "SCL-802"}, [](Session& subject) {
    for (const SgdRow& row : rows()) {
      for (const std::string& mode : modes(subject)) {
        const ScopedTrace at(std::string(row.what) + ", " + mode);
        const Param trained(subject, f32({1}));
        SgdOptions options = row.options;
        options.params = {trained};
        options.lr = 0.25;
        options.mode = mode;
        auto optimizer = subject.optim().sgd(options);

        for (std::size_t i = 0; i < kGrads.size(); ++i) {
          const ScopedTrace step("step " + std::to_string(i));
          trained.set_grad(f32({kGrads[i]}));
          optimizer.step();
          expect_bits(trained.read(), f32({row.params[i]}));
        }
      }
    }
  });

  conformance("every_form_of_float64_agrees_closely", {"SCL-709"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained(subject, f64({1}));
      const auto optimizer = subject.optim().sgd({.params = {trained},
                                                  .lr = 0.1,
                                                  .momentum = 0.9,
                                                  .dampening = 0.3,
                                                  .weight_decay = 0.01,
                                                  .mode = mode});
      double wanted = 1;
      double buffer = 0;
      for (const double given : {0.7, -1.3, 0.45}) {
        trained.set_grad(f64({given}));
        optimizer.step();
        const double grad = given + 0.01 * wanted;
        buffer = given == 0.7 ? grad : 0.9 * buffer + (1 - 0.3) * grad;
        wanted -= 0.1 * buffer;
      }
      expect_within(trained.read(), {wanted}, {3 * 6 * 2 * 0x1p-53}, "float64 roundings of SGD");
    }
  });

  conformance("halves_are_rounded_after_each_operation", {"OPT-016"}, [](Session& subject) {
    for (const Dtype dtype : {Dtype::kFloat16, Dtype::kBfloat16}) {
      for (const bool nesterov : {false, true}) {
        for (const char* mode : {"plain", "foreach"}) {
          const ScopedTrace at(std::string(name_of(dtype)) + ", " + mode +
                               (nesterov ? ", nesterov" : ""));
          expect_rounded_steps(subject, dtype, nesterov, mode);
        }
      }
    }
  });

  conformance("the_first_momentum_is_the_gradient_itself", {"SCL-709"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);
      auto optimizer = subject.optim().sgd(
          {.params = {trained}, .lr = 0.25, .momentum = 0.5, .dampening = 0.5, .mode = mode});

      optimizer.step();
      expect_bits(state_of(optimizer, 0, "momentum_buffer"), f32({2}));
      optimizer.step();

      expect_bits(state_of(optimizer, 0, "momentum_buffer"), f32({2}));
    }
  });

  conformance("a_parameter_without_a_gradient_stays", {"SCL-709"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param without(subject, f32({1}));
      const Param with = param(subject, 1, 1);

      subject.optim().sgd({.params = {without, with}, .lr = 0.25, .mode = mode}).step();

      expect_bits(without.read(), f32({1}));
      expect_bits(with.read(), f32({0.75}));
    }
  });

  conformance("every_group_is_stepped", {"SCL-709"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = param(subject, 1, 1);
      const Param b = param(subject, 2, 2);

      subject.optim().sgd({.params = {List{{a}}, List{{b}}}, .lr = 0.25, .mode = mode}).step();

      expect_bits(a.read(), f32({0.75}));
      expect_bits(b.read(), f32({1.5}));
    }
  });

  conformance(
      "elements_of_a_matrix_and_types_are_stepped_alike", {"SCL-709"}, [](Session& subject) {
        for (const std::string& mode : modes(subject)) {
          const ScopedTrace at(mode);
          const Param matrix(subject, shaped(f32({1, 2, 3, 4}), {2, 2}));
          const Param doubles(subject, f64({1, 2}));
          matrix.set_grad(shaped(f32({1, -1, 2, -2}), {2, 2}));
          doubles.set_grad(f64({0x1p-40, 4}));

          subject.optim().sgd({.params = {matrix, doubles}, .lr = 0.25, .mode = mode}).step();

          expect_bits(matrix.read(), shaped(f32({0.75, 2.25, 2.5, 4.5}), {2, 2}));
          expect_bits(doubles.read(), f64({1 - 0x1p-42, 1}));
        }
      });

  conformance("parameters_of_two_devices_are_stepped_where_they_are", {"SCL-709"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  const ScopedTrace at(mode);
                  const Param here(subject, on(f32({1}), subject.device(0)));
                  const Param there(subject, on(f32({1}), subject.device(1)));
                  here.set_grad(on(f32({1}), subject.device(0)));
                  there.set_grad(on(f32({2}), subject.device(1)));

                  subject.optim().sgd({.params = {here, there}, .lr = 0.25, .mode = mode}).step();

                  expect_bits(here.read(), on(f32({0.75}), subject.device(0)));
                  expect_bits(there.read(), on(f32({0.5}), subject.device(1)));
                }
              })
      .only(DeviceRules::kCuda);

  conformance("gradients_are_dropped_or_zeroed", {"SCL-709"}, [](Session& subject) {
    const Param trained = param(subject, 1, 1);
    auto optimizer = subject.optim().sgd({.params = {trained}, .lr = 0.25});

    optimizer.zero_grad(false);
    expect_bits(trained.grad(), f32({0}));
    optimizer.zero_grad(true);
    expect_true(trained.grad().is_none(), "the gradient is gone");
  });

  conformance("a_factor_and_a_sum_are_rounded_once_or_twice", {"OPT-022"}, [](Session& subject) {
    for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat64}) {
      for (const std::string mode : {"plain", "foreach"}) {
        const ScopedTrace at(std::string(name_of(dtype)) + ", " + mode);
        const Param trained(subject, tensor_of(dtype, kOnes));
        trained.set_grad(tensor_of(dtype, kGrads));

        subject.optim().sgd({.params = {trained}, .lr = 0.1, .mode = mode}).step();

        for (std::size_t i = 0; i < kGrads.size(); ++i) {
          const double got = trained.read().real_at(i);
          const bool is_step =
              dtype == Dtype::kFloat32 ? is_step_of<float>(i, got) : is_step_of<double>(i, got);
          expect_true(is_step, "the sum of 1 and the gradient times the rate, rounded");
        }
      }
    }
  });

  conformance("calls_are_counted", {"SCL-302"}, [](Session& subject) {
    auto optimizer = subject.optim().sgd({.params = {param(subject, 1, 1)}, .lr = 0.25});

    optimizer.step();
    optimizer.step();

    expect_equal(optimizer.calls(), std::int64_t{2});
  });
}

}  // namespace assay::suites
