// Construction of optimizers: parameter groups, settings with their ranges, and defaults.
#include <functional>

#include "harness/suite/clients/core.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

using Make = std::function<void()>;

struct Refusal {
  const char* what;
  Make make;
  std::vector<std::string> tokens;
};

std::vector<Refusal> bad_sgd(Session& subject, const Value& given) {
  const auto with = [&subject, given](SgdOptions options) -> Make {
    options.params = {given};
    if (*options.lr == 0) options.lr = 0.25;
    return [&subject, options] { subject.optim().sgd(options); };
  };
  return {
      {"rate below 0", with({.lr = -0.25}), {"learning rate"}},
      {"momentum below 0", with({.momentum = -0.5}), {"momentum value"}},
      {"weight decay below 0", with({.weight_decay = -0.5}), {"weight_decay value"}},
      {"nesterov alone", with({.nesterov = true}), {"nesterov", "momentum"}},
      {"nesterov and dampening",
       with({.momentum = 0.5, .dampening = 0.5, .nesterov = true}),
       {"nesterov", "dampening"}},
  };
}

std::vector<Refusal> bad_adam(Session& subject, const Value& given, bool decoupled) {
  const auto with = [&subject, given, decoupled](AdamOptions options) -> Make {
    options.params = {given};
    options.decoupled = decoupled;
    return [&subject, options] { subject.optim().adam(options); };
  };
  const double nan = kNaN;
  return {
      {"rate below 0", with({.lr = -0.25}), {"learning rate"}},
      {"rate NaN", with({.lr = nan}), {"learning rate"}},
      {"epsilon below 0", with({.eps = -1.0}), {"epsilon value"}},
      {"epsilon NaN", with({.eps = nan}), {"epsilon value"}},
      {"weight decay below 0", with({.weight_decay = -0.5}), {"weight_decay value"}},
      {"weight decay NaN", with({.weight_decay = nan}), {"weight_decay value"}},
      {"first beta 1", with({.betas = {{1.0, 0.5}}}), {"beta", "index 0"}},
      {"first beta NaN", with({.betas = {{nan, 0.5}}}), {"beta", "index 0"}},
      {"second beta 1", with({.betas = {{0.5, 1.0}}}), {"beta", "index 1"}},
      {"second beta below 0", with({.betas = {{0.5, -0.5}}}), {"beta", "index 1"}},
  };
}

void expect_refused(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    const ScopedTrace at(refusal.what);
    expect_error(refusal.make, ErrorKind::kValue, refusal.tokens);
  }
}

double setting(const OptimizerHandle& optimizer, std::string_view name, std::size_t group = 0) {
  return number_in(entry(optimizer.groups().at(group), name));
}

}  // namespace

CASES("optim/groups") {
  conformance("there_is_at_least_one", {"OPT-001"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      expect_error([&] { made(subject, kind, {}); }, ErrorKind::kValue, {"empty"});
    }
  });

  conformance("a_parameter_is_in_one_of_them", {"OPT-001"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const Param a = param(subject, 1, 1);

      expect_error(
          [&] {
            made(subject, kind, {List{{a}}, List{{a}}});
          },
          ErrorKind::kValue, {"more than one parameter group"});
    }
  });

  conformance("a_parameter_twice_in_one_is_warned_of_and_stepped_twice", {"OPT-001"},
              [](Session& subject) {
                const Param a = param(subject, 1, 1);

                const auto optimizer = made(subject, "sgd", {a, a});
                expect_warning(subject.warnings(), "UserWarning", {"duplicate"});
                optimizer.step();

                expect_bits(a.read(), f32({0.5}));
              });

  conformance(
      "a_parameter_twice_in_one_begins_its_momentum_twice", {"OPT-001"}, [](Session& subject) {
        // In the other implementations both steps are in one launch, which is a race on a device.
        const Param a = param(subject, 1, 1);
        const auto optimizer =
            subject.optim().sgd({.params = {a, a}, .lr = 0.25, .momentum = 0.5, .mode = "plain"});

        optimizer.step();

        expect_bits(a.read(), f32({0.5}));
      });

  conformance("parameters_are_leaves", {"OPT-001"}, [](Session& subject) {
    const Ref leaf = subject.core().leaf(f32({1}));
    const Ref twice = subject.core().op_ref("mul", {leaf, 2});

    expect_error([&] { made(subject, "sgd", {twice}); }, ErrorKind::kValue, {"non-leaf"});
  });

  conformance("another_one_takes_what_the_constructor_was_given", {"OPT-015"},
              [](Session& subject) {
                const Param a = param(subject, 1, 1);
                const Param b = param(subject, 1, 1);
                const auto optimizer =
                    subject.optim().sgd({.params = {a}, .lr = 0.25, .weight_decay = 0.5});

                optimizer.add_param_group({b});
                optimizer.step();

                expect_bits(b.read(), f32({0.625}));
                expect_equal(setting(optimizer, "weight_decay", 1), 0.5);
              });

  conformance("another_one_may_say_its_own_settings", {"OPT-015"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = param(subject, 1, 1);
      const Param b = param(subject, 1, 1);
      const auto optimizer = made(subject, "sgd", {a}, mode);

      optimizer.add_param_group({b}, Dict{{{"lr", 0.5}}});
      optimizer.step();

      expect_bits(a.read(), f32({0.75}));
      expect_bits(b.read(), f32({0.5}));
    }
  });

  conformance("another_one_is_held_to_the_same_rules", {"OPT-001", "OPT-015"},
              [](Session& subject) {
                const Param a = param(subject, 1, 1);
                const auto optimizer = made(subject, "adam", {a});

                expect_error([&] { optimizer.add_param_group({a}); }, ErrorKind::kValue,
                             {"more than one parameter group"});
                expect_equal(static_cast<std::int64_t>(optimizer.groups().size()), std::int64_t{1});
              });

  conformance("a_later_one_counts_its_own_steps", {"OPT-015"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param a = param(subject, 1, 1);
      const Param b = param(subject, 1, 1);
      const auto optimizer = made(subject, "adam", {a}, mode);
      optimizer.step();

      optimizer.add_param_group({b});
      optimizer.step();

      expect_equal(number_in(state_of(optimizer, 0, "step")), 2.0);
      expect_equal(number_in(state_of(optimizer, 1, "step")), 1.0);
    }
  });
}

CASES("optim/settings") {
  conformance("sgd_refuses_what_is_below_zero", {"OPT-002"},
              [](Session& subject) { expect_refused(bad_sgd(subject, param(subject, 1, 1))); });

  conformance("adam_refuses_what_is_out_of_range", {"OPT-002"}, [](Session& subject) {
    for (const bool decoupled : {false, true}) {
      const ScopedTrace at(decoupled ? "adamw" : "adam");
      expect_refused(bad_adam(subject, param(subject, 1, 1), decoupled));
    }
  });

  conformance("sgd_takes_a_nan", {"OPT-002"}, [](Session& subject) {
    const double nan = kNaN;
    for (const SgdOptions& given :
         {SgdOptions{.lr = nan}, SgdOptions{.lr = 0.25, .weight_decay = nan},
          SgdOptions{.lr = 0.25, .momentum = nan, .nesterov = true}}) {
      const Param a = param(subject, 1, 1);
      SgdOptions options = given;
      options.params = {a};

      const auto optimizer = subject.optim().sgd(options);
      optimizer.step();

      const bool is_first_momentum = options.momentum.has_value() && !options.nesterov;
      if (!is_first_momentum) expect_bits(a.read(), f32({kNaN}));
    }
  });

  conformance("what_is_at_the_edge_is_taken", {"OPT-002"}, [](Session& subject) {
    const Param a = param(subject, 1, 1);
    const double infinite = kInf;

    subject.optim().sgd({.params = {a}, .lr = infinite});
    subject.optim().sgd({.params = {a}, .lr = 0.25, .dampening = -1.0});
    subject.optim().adam({.params = {a}, .lr = infinite, .betas = {{0.0, 0.0}}, .eps = 0.0});
  });

  conformance("a_bad_setting_is_told_before_a_bad_group", {"OPT-002"}, [](Session& subject) {
    const Param a = param(subject, 1, 1);
    const std::vector<Value> twice{List{{a}}, List{{a}}};

    expect_error([&] { subject.optim().sgd({.params = twice, .lr = -1.0}); }, ErrorKind::kValue,
                 {"learning rate"});
    expect_error([&] { subject.optim().adam({.params = twice, .lr = -1.0}); }, ErrorKind::kValue,
                 {"learning rate"});
  });

  conformance("those_of_a_group_are_not_looked_at", {"OPT-002"}, [](Session& subject) {
    const Param a = param(subject, 1, 1);
    const Param b = param(subject, 1, 1);
    const auto optimizer = made(subject, "sgd", {a});

    optimizer.add_param_group({b}, Dict{{{"lr", -0.25}}});
    optimizer.step();

    expect_bits(b.read(), f32({1.25}));
  });

  conformance("those_left_out_are_pytorch_s", {"OPT-003"}, [](Session& subject) {
    const Param a = param(subject, 1, 1);
    const auto sgd = subject.optim().sgd({.params = {a}, .lr = 0.25});
    for (const char* name : {"momentum", "dampening", "weight_decay"}) {
      const ScopedTrace at(name);
      expect_equal(setting(sgd, name), 0.0);
    }
    for (const bool decoupled : {false, true}) {
      const ScopedTrace at(decoupled ? "adamw" : "adam");
      const auto adam = subject.optim().adam({.params = {a}, .lr = {}, .decoupled = decoupled});

      expect_equal(setting(adam, "lr"), 1e-3);
      expect_equal(setting(adam, "eps"), 1e-8);
      expect_equal(setting(adam, "weight_decay"), decoupled ? 0.01 : 0.0);
      const Value betas = entry(adam.groups().at(0), "betas");
      expect_equal(betas, Tuple{{0.9, 0.999}});
    }
  });

  conformance("adamw_decays_by_a_hundredth_where_nothing_is_said", {"OPT-003"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  const ScopedTrace at(mode);
                  const Param plain = param(subject, 64, 0);
                  const Param decayed = param(subject, 64, 0);

                  made(subject, "adam", {plain}, mode).step();
                  made(subject, "adamw", {decayed}, mode).step();

                  expect_bits(plain.read(), f32({64}));
                  // 64 - 64/400, with rounding errors of about 2^-17 each.
                  expect_within(decayed.read(), {63.84}, {0x1p-16}, "one decay of 0.25 * 0.01");
                }
              });

  conformance("the_rate_of_sgd_was_required_once", {"OPT-003"}, [](Session& subject) {
    const Param a = param(subject, 1, 1);

    expect_error([&] { subject.optim().sgd({.params = {a}, .lr = {}}); }, ErrorKind::kValue,
                 {"required", "lr"});
  }).until(Release::k1_13);

  conformance("the_rate_of_sgd_is_a_thousandth", {"OPT-003"}, [](Session& subject) {
    const Param a = param(subject, 1, 1);

    expect_equal(setting(subject.optim().sgd({.params = {a}, .lr = {}}), "lr"), 1e-3);
  }).since(Release::k2_4);

  conformance("a_rate_holds_from_the_next_step_on_and_for_its_group", {"OPT-015"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  const ScopedTrace at(mode);
                  const Param a = param(subject, 1, 1);
                  const Param b = param(subject, 1, 1);
                  const auto optimizer = made(subject, "sgd", {List{{a}}, List{{b}}}, mode);
                  optimizer.step();

                  optimizer.set_setting(1, "lr", 0.5);
                  optimizer.step();

                  expect_bits(a.read(), f32({0.5}));
                  expect_bits(b.read(), f32({0.25}));
                }
              });
}

}  // namespace assay::suites
