// Adam and AdamW in three implementations, compared with a computation in double.
#include <cmath>

#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

struct AdamRow {
  const char* what;
  AdamOptions options;
};

/// The algorithm in double, with PyTorch's order of the optional parts.
class AdamModel {
 public:
  explicit AdamModel(const AdamOptions& options)
      : options_(options), betas_(options.betas.value_or(std::vector<double>{0.9, 0.999})) {}

  double step(double param, double grad) {
    ++count_;
    if (options_.maximize.value_or(false)) grad = -grad;
    const double decay = options_.weight_decay.value_or(0);
    if (options_.decoupled.value_or(false)) {
      param -= *options_.lr * decay * param;
    } else {
      grad += decay * param;
    }
    first_ += (1 - betas_[0]) * (grad - first_);
    second_ = betas_[1] * second_ + (1 - betas_[1]) * grad * grad;
    largest_ = std::max(largest_, second_);
    const double used = options_.amsgrad.value_or(false) ? largest_ : second_;
    const double root = std::sqrt(used) / std::sqrt(1 - std::pow(betas_[1], count_));
    const double rate = *options_.lr / (1 - std::pow(betas_[0], count_));
    return param - rate * first_ / (root + options_.eps.value_or(1e-8));
  }

 private:
  AdamOptions options_;
  std::vector<double> betas_;
  int count_ = 0;
  double first_ = 0;
  double second_ = 0;
  double largest_ = 0;
};

std::vector<AdamRow> rows() {
  return {
      {"defaults", {}},
      {"other betas", {.betas = {{0.5, 0.75}}}},
      {"weight decay", {.weight_decay = 0.5}},
      {"decoupled decay", {.weight_decay = 0.5, .decoupled = true}},
      {"amsgrad", {.betas = {{0.5, 0.5}}, .amsgrad = true}},
      {"maximize", {.maximize = true}},
      {"weight decay and maximize", {.weight_decay = 0.5, .maximize = true}},
      {"everything",
       {.betas = {{0.5, 0.75}},
        .eps = 0.25,
        .weight_decay = 0.25,
        .amsgrad = true,
        .maximize = true}},
      {"a large eps", {.eps = 0.5}},
  };
}

const std::vector<double> kGrads{1, -2, 0.25, 0.125, 3};

/// Betas of a long training: the second one is 1 in float16, and far off in float32.
constexpr double kFirst = 0.9;
constexpr double kSecond = 0.999999;

/// An Adam of one float64 parameter that has loaded this counter and moments of 0.5.
OptimizerHandle far_on(Session& subject, const Param& trained, const std::string& mode,
                       double count) {
  const auto made = subject.optim().adam({.params = {trained}, .lr = 0.25, .mode = mode});
  const Dict kept{{{"step", f32({count})}, {"exp_avg", f64({0.5})}, {"exp_avg_sq", f64({0.5})}}};
  Dict group{{{"lr", 0.25},
              {"betas", Tuple{{kFirst, kSecond}}},
              {"eps", 0.0},
              {"weight_decay", 0.0},
              {"amsgrad", false},
              {"foreach", mode == "foreach"},
              {"params", List{{std::int64_t{0}}}}}};
  if (mode == "fused") group.items.emplace_back("fused", true);
  made.load_state_dict(
      Dict{{{"state", Dict{{{std::int64_t{0}, kept}}}}, {"param_groups", List{{group}}}}});
  return made;
}

/// 1 after that step with a gradient of 1.
double after_far_step(double count) {
  const double first = 0.5 + (1 - kFirst) * 0.5;
  const double second = kSecond * 0.5 + (1 - kSecond);
  const double root = std::sqrt(second) / std::sqrt(1 - std::pow(kSecond, count));
  return 1 - 0.25 / (1 - std::pow(kFirst, count)) * first / root;
}

}  // namespace

CASES("optim/adam") {
  conformance("every_setting_in_every_form_follows_the_rule", {"SCL-709"}, [](Session& subject) {
    for (const AdamRow& row : rows()) {
      for (const std::string& mode : modes(subject)) {
        const ScopedTrace at(std::string(row.what) + ", " + mode);
        AdamOptions options = row.options;
        const Param trained(subject, f32({1}));
        options.params = {trained};
        options.lr = 0.25;
        options.mode = mode;
        auto optimizer = subject.optim().adam(options);
        AdamModel model(options);

        double wanted = 1;
        for (std::size_t i = 0; i < kGrads.size(); ++i) {
          const ScopedTrace step("step " + std::to_string(i));
          trained.set_grad(f32({kGrads[i]}));
          optimizer.step();
          wanted = model.step(wanted, kGrads[i]);
          // About twelve roundings per step, each 2^-24 of a number below 4.
          const double bound = 12 * 4 * 0x1p-24 * static_cast<double>(i + 1);
          expect_within(trained.read(), {wanted}, {bound}, "float32 roundings of Adam");
        }
      }
    }
  });

  conformance("the_first_step_has_the_length_of_the_rate", {"SCL-709"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      for (const double grad : {4.0, -0.25}) {
        const ScopedTrace at(mode + ", gradient " + std::to_string(grad));
        const Param trained = param(subject, 1, grad);

        subject.optim()
            .adam({.params = {trained}, .lr = 0.25, .betas = {{0.5, 0.75}}, .eps = 0, .mode = mode})
            .step();

        expect_bits(trained.read(), f32({grad > 0 ? 0.75 : 1.25}));
      }
    }
  });

  conformance("moments_and_counter_are_kept_by_these_names", {"SCL-613"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);
      auto optimizer = subject.optim().adam(
          {.params = {trained}, .lr = 0.25, .betas = {{0.5, 0.75}}, .mode = mode});

      optimizer.step();
      optimizer.step();

      expect_bits(state_of(optimizer, 0, "exp_avg"), f32({1.5}));
      expect_bits(state_of(optimizer, 0, "exp_avg_sq"), f32({1.75}));
      expect_equal(number_in(state_of(optimizer, 0, "step")), 2.0);
    }
  });

  conformance("amsgrad_keeps_the_largest_second_moment", {"SCL-709"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);
      auto optimizer = subject.optim().adam(
          {.params = {trained}, .lr = 0.25, .betas = {{0.5, 0.5}}, .amsgrad = true, .mode = mode});
      optimizer.step();

      trained.set_grad(f32({0}));
      optimizer.step();

      expect_bits(state_of(optimizer, 0, "exp_avg_sq"), f32({1}));
      expect_bits(state_of(optimizer, 0, "max_exp_avg_sq"), f32({2}));
    }
  });

  conformance("a_nan_is_the_largest_but_for_fused_kernels", {"OPT-010"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      if (mode == "fused" && !subject.contract().cuda()) continue;
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);
      auto optimizer = subject.optim().adam(
          {.params = {trained}, .lr = 0.25, .betas = {{0.5, 0.5}}, .amsgrad = true, .mode = mode});
      for (const float grad : {2.0F, kNaN, 1.0F}) {
        trained.set_grad(f32({grad}));
        optimizer.step();
      }

      expect_bits(trained.read(), f32({kNaN}));
      expect_bits(state_of(optimizer, 0, "exp_avg_sq"), f32({kNaN}));
      expect_bits(state_of(optimizer, 0, "max_exp_avg_sq"), f32({mode == "fused" ? 2 : kNaN}));
    }
  }).reach(Reach::kArguments);

  conformance("corrections_are_those_of_doubles_after_a_million_steps", {"SCL-709", "OPT-027"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  for (const double count : {99.0, 99'999.0, 999'999.0}) {
                    const ScopedTrace at(mode + ", step " + std::to_string(count));
                    const Param trained(subject, f64({1}));
                    const auto optimizer = far_on(subject, trained, mode, count);
                    trained.set_grad(f64({1}));

                    optimizer.step();

                    expect_within(trained.read(), {after_far_step(count + 1)}, {0x1p-40},
                                  "float64 roundings of a power");
                  }
                }
              })
      .since(Release::k2_4);

  conformance("the_counter_is_a_float_and_ends_at_2_to_24", {"OPT-027", "OPT-010"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  const ScopedTrace at(mode);
                  const Param trained(subject, f64({1}));
                  const auto optimizer = far_on(subject, trained, mode, 16'777'215);
                  trained.set_grad(f64({1}));

                  optimizer.step();
                  expect_equal(number_in(state_of(optimizer, 0, "step")), 16'777'216.0);
                  optimizer.step();

                  expect_equal(number_in(state_of(optimizer, 0, "step")), 16'777'216.0);
                }
              })
      .since(Release::k2_4)
      .reach(Reach::kState);

  conformance("every_form_of_float64_agrees_closely", {"SCL-709"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained(subject, f64({1}));
      auto optimizer = subject.optim().adam({.params = {trained}, .lr = 0.25, .mode = mode});
      AdamModel model({.lr = 0.25});
      double wanted = 1;
      for (const double grad : kGrads) {
        trained.set_grad(f64({grad}));
        optimizer.step();
        wanted = model.step(wanted, grad);
      }

      expect_within(trained.read(), {wanted}, {12 * 4 * 5 * 0x1p-53}, "float64 roundings of Adam");
    }
  });
}

}  // namespace assay::suites
