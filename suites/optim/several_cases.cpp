// What holds for each of several: parameters, groups, devices and saved states, and not for the
// first of them alone.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/reading.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

Param on_device(Session& subject, int device, double value, double grad) {
  const Param made(subject, on(f32({value}), subject.device(device)));
  made.set_grad(on(f32({grad}), subject.device(device)));
  return made;
}

/// All kinds, with momentum for SGD.
OptimizerHandle with_state(Session& subject, const std::string& kind,
                           const std::vector<Value>& params, const std::string& mode) {
  if (kind != "sgd") return made(subject, kind, params, mode);
  return subject.optim().sgd({.params = params, .lr = 0.25, .momentum = 0.5, .mode = mode});
}

const char* moment_of(const std::string& kind) {
  return kind == "sgd" ? "momentum_buffer" : "exp_avg";
}

Device place_of(const OptimizerHandle& optimizer, std::size_t index, const char* name) {
  const Value held = state_of(optimizer, index, name);
  return tensor_in(held).device;
}

/// A saved Adam of two parameters in one group; the second state has a counter or not.
Dict saved_pair(bool has_counter) {
  Dict first{{{"step", scalar_of(Dtype::kFloat32, 3)},
              {"exp_avg", f32({0.5})},
              {"exp_avg_sq", f32({0.25})}}};
  Dict second = first;
  if (!has_counter) second.items.erase(second.items.begin());
  const Dict group{{{"lr", 0.25},
                    {"betas", Tuple{{0.5, 0.75}}},
                    {"eps", 1e-8},
                    {"weight_decay", 0.0},
                    {"params", List{{std::int64_t{0}, std::int64_t{1}}}}}};
  return Dict{{{"state", Dict{{{std::int64_t{0}, first}, {std::int64_t{1}, second}}}},
               {"param_groups", List{{group}}}}};
}

}  // namespace

CASES("optim/several") {
  on_cuda("each_parameter_s_moments_are_beside_it", {"OPT-010"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      for (const std::string& mode : modes(subject)) {
        if (kind == "adamw" && mode == "fused" && subject.contract().release == Release::k1_13) {
          continue;
        }
        const ScopedTrace at(kind + ", " + mode);
        const Param here = on_device(subject, 0, 1, 2);
        const Param there = on_device(subject, 1, 1, 2);
        const auto optimizer = with_state(subject, kind, {there, here}, mode);

        optimizer.step();

        expect_equal(place_of(optimizer, 0, moment_of(kind)), subject.device(1));
        expect_equal(place_of(optimizer, 1, moment_of(kind)), subject.device(0));
        expect_equal(there.read().device, subject.device(1));
        expect_bits(there.read(), on(here.read(), subject.device(1)));
        optimizer.step();
        expect_bits(there.read(), on(here.read(), subject.device(1)));
      }
    }
  });

  on_cuda("each_loaded_moment_goes_to_its_parameter", {"OPT-012"}, [](Session& subject) {
    for (const std::string kind : {"sgd", "adam"}) {
      const ScopedTrace at(kind);
      const auto saved = with_state(
          subject, kind, {on_device(subject, 0, 1, 2), on_device(subject, 0, 1, 4)}, "plain");
      saved.step();
      const Param there = on_device(subject, 1, 1, 2);
      const Param here = on_device(subject, 0, 1, 2);
      const auto loaded = with_state(subject, kind, {there, here}, "plain");

      loaded.load_state_dict(saved.state_dict().ref);

      expect_equal(place_of(loaded, 0, moment_of(kind)), subject.device(1));
      expect_equal(place_of(loaded, 1, moment_of(kind)), subject.device(0));
      loaded.step();
      expect_equal(there.read().device, subject.device(1));
    }
  });

  on_cuda("capturable_steps_count_for_each_parameter", {"OPT-024"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach", "fused"}) {
      const ScopedTrace at(mode);
      const Param a = param(subject, 1, 2);
      const Param b = param(subject, 1, 2);
      const auto optimizer = subject.optim().adam(
          {.params = {a, b}, .lr = 0.25, .betas = {{0.5, 0.75}}, .capturable = true, .mode = mode});

      optimizer.step();
      optimizer.step();

      expect_equal(number_in(state_of(optimizer, 0, "step")), 2.0);
      expect_equal(number_in(state_of(optimizer, 1, "step")), 2.0);
      expect_bits(b.read(), a.read());
    }
  }).since(Release::k2_11);

  on_cuda("foreach_takes_a_tensor_as_rate_if_it_is_capturable", {"OPT-023", "OPT-024"},
          [](Session& subject) {
            const Param a = param(subject, 1, 2);
            const Ref rate = subject.core().tensor(scalar_of(Dtype::kFloat32, 0.25));
            const auto optimizer = subject.optim().adam({.params = {a},
                                                         .lr = {},
                                                         .rate = rate,
                                                         .betas = {{0.5, 0.75}},
                                                         .capturable = true,
                                                         .mode = "foreach"});

            optimizer.step();

            expect_bits(a.read(), f32({0.75}));
          })
      .since(Release::k2_11);

  conformance("every_parameter_of_a_new_group_is_looked_at", {"OPT-001"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const Param a = param(subject, 1, 1);
      const Param b = param(subject, 1, 1);

      expect_error(
          [&] {
            made(subject, kind, {List{{a}}, List{{b, a}}});
          },
          ErrorKind::kValue, {"more than one parameter group"});
      const auto optimizer = made(subject, kind, {a});
      expect_error(
          [&] {
            optimizer.add_param_group({b, a});
          },
          ErrorKind::kValue, {"more than one parameter group"});
    }
  });

  conformance("a_parameter_twice_is_saved_once", {"OPT-011", "OPT-001"}, [](Session& subject) {
    const Param a = param(subject, 1, 2);
    const auto optimizer = with_state(subject, "sgd", {a, a}, "plain");
    optimizer.step();

    const SavedOptimizer saved = optimizer.state_dict();

    expect_equal(static_cast<std::int64_t>(saved.state.items.size()), std::int64_t{1});
    expect_equal(entry(saved.groups.at(0), "params"), List{{std::int64_t{1}, std::int64_t{1}}});
  });

  conformance("every_loaded_state_needs_a_counter", {"OPT-012"}, [](Session& subject) {
    for (const char* kind : {"adam", "adamw"}) {
      const ScopedTrace at(kind);
      const auto loaded = made(subject, kind, {param(subject, 1, 2), param(subject, 1, 2)});

      expect_error([&] { loaded.load_state_dict(saved_pair(false)); }, ErrorKind::kKey, {"step"});

      const auto other = made(subject, kind, {param(subject, 1, 2), param(subject, 1, 2)});
      other.load_state_dict(saved_pair(true));
      expect_equal(number_in(state_of(other, 1, "step")), 3.0);
    }
  }).since(Release::k2_4);

  conformance("only_the_first_loaded_state_needed_a_counter", {"OPT-012"}, [](Session& subject) {
    const auto loaded = made(subject, "adam", {param(subject, 1, 2), param(subject, 1, 2)});

    loaded.load_state_dict(saved_pair(false));

    expect_equal(number_in(state_of(loaded, 0, "step")), 3.0);
    expect_true(state_of(loaded, 1, "step").is_none(), "it has none");
  }).until(Release::k1_13);

  conformance(
      "what_a_saved_group_lacks_is_off_or_left_to_the_runtime", {"OPT-012"}, [](Session& subject) {
        const auto adam = made(subject, "adam", {param(subject, 1, 2), param(subject, 1, 2)});
        adam.load_state_dict(saved_pair(true));
        const Dict of_adam = adam.groups().at(0);
        const auto sgd = made(subject, "sgd", {param(subject, 1, 2), param(subject, 1, 2)});
        Dict saved = saved_pair(true);
        saved.items.at(0).second = Dict{};
        sgd.load_state_dict(saved);
        const Dict of_sgd = sgd.groups().at(0);

        expect_equal(entry(of_adam, "foreach"), Value());
        expect_equal(entry(of_sgd, "foreach"), Value());
        expect_equal(entry(of_adam, "maximize"), Value(false));
        expect_equal(entry(of_sgd, "maximize"), Value(false));
        const bool had_none = subject.contract().release == Release::k1_13;
        expect_equal(entry(of_adam, "fused"), had_none ? Value(false) : Value());
        if (!had_none) expect_equal(entry(of_sgd, "fused"), Value(false));
      });

  conformance("every_group_of_an_adamw_stays_decoupled", {"OPT-012"}, [](Session& subject) {
    const auto decaying = [&](bool decoupled, const Param& a, const Param& b) {
      return subject.optim().adam({.params = {List{{a}}, List{{b}}},
                                   .lr = 0.25,
                                   .weight_decay = 0.5,
                                   .decoupled = decoupled});
    };
    const auto fresh = [&] { return param(subject, 64, 0); };
    for (const bool is_loaded_decoupled : {true, false}) {
      const ScopedTrace at(is_loaded_decoupled ? "adamw" : "adam");
      const Param a = fresh();
      const Param b = fresh();
      const auto saved = decaying(false, fresh(), fresh());
      const auto loaded = decaying(is_loaded_decoupled, a, b);

      loaded.load_state_dict(saved.state_dict().ref);
      loaded.step();

      if (subject.contract().release >= Release::k2_11) {
        for (const Dict& group : loaded.groups()) {
          expect_equal(entry(group, "decoupled_weight_decay"), Value(is_loaded_decoupled));
        }
      }
      // 64 * (1 - 0.25 * 0.5), or a step of the rate along the decay.
      for (const Param* each : {&a, &b}) {
        expect_within(each->read(), {is_loaded_decoupled ? 56 : 63.75}, {0x1p-16}, "OPT-012");
      }
    }
  });

  conformance("a_group_that_is_not_there_has_no_settings", {"OPT-015"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const Param a = param(subject, 1, 1);
      const auto optimizer = made(subject, kind, {List{{a}}, List{{param(subject, 1, 1)}}});

      expect_error([&] { optimizer.set_setting(2, "lr", 0.5); }, ErrorKind::kIndex);

      optimizer.set_setting(1, "lr", 0.5);
      expect_equal(number_in(entry(optimizer.groups().at(1), "lr")), 0.5);
      expect_equal(number_in(entry(optimizer.groups().at(0), "lr")), 0.25);
    }
  });

  conformance("every_keyword_of_a_step_is_looked_at", {"OPT-013"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const Param a = param(subject, 1, 1);
      const auto optimizer = made(subject, kind, {a});

      expect_error(
          [&] {
            subject.send("optim.step", {{"optimizer", optimizer},
                                        {"kwargs", Dict{{{"closure", Value()}, {"other", 1}}}}});
          },
          ErrorKind::kType, {"other"});

      expect_bits(a.read(), f32({1}));
    }
  });

  conformance("each_parameter_has_an_entry_without_momentum", {"OPT-010"}, [](Session& subject) {
    const auto optimizer = made(subject, "sgd", {param(subject, 1, 2), param(subject, 1, 2)});

    optimizer.step();

    const auto state = optimizer.state();
    expect_equal(static_cast<std::int64_t>(state.at(0).items.size()), std::int64_t{1});
    expect_equal(static_cast<std::int64_t>(state.at(1).items.size()), std::int64_t{1});
  }).until(Release::k1_13);

  conformance("every_fused_parameter_was_checked_at_once", {"OPT-006"}, [](Session& subject) {
    const bool is_old = subject.contract().release == Release::k1_13;
    for (const std::string& kind : is_old ? std::vector<std::string>{"adam"} : kinds()) {
      const ScopedTrace at(kind);
      const Param a = param(subject, 1, 1);
      const Param whole(subject, i64({1}));

      expect_error(
          [&] {
            made(subject, kind, {a, whole}, "fused");
          },
          ErrorKind::kError, {"floating point"});
      made(subject, kind, {a, whole}, "plain").step();
    }
  }).until(Release::k2_4);

  conformance("adamw_was_never_fused", {"OPT-006"}, [](Session& subject) {
    expect_error([&] { made(subject, "adamw", {param(subject, 1, 1)}, "fused"); }, ErrorKind::kType,
                 {"fused"});
  }).until(Release::k1_13);
}

CASES("optim/settings") {
  conformance("what_no_step_multiplies_by_may_be_out_of_range", {"OPT-019"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      const ScopedTrace at(mode);
      const Param a = param(subject, 1, 1);
      const auto optimizer =
          subject.optim().sgd({.params = {a}, .lr = 0.25, .dampening = 1e39, .mode = mode});
      optimizer.step();
      optimizer.step();
      expect_bits(a.read(), f32({0.5}));
      const Param b = param(subject, 1, 1);
      const auto decoupled = subject.optim().adam(
          {.params = {b}, .lr = 0.25, .weight_decay = 1e39, .decoupled = true, .mode = mode});
      decoupled.step();
      expect_equal(number_in(state_of(decoupled, 0, "step")), 1.0);
    }
  });

  conformance(
      "nesterov_s_momentum_and_adam_s_decay_are_factors", {"OPT-019"},
      [](Session& subject) {
        const std::vector<std::string> words{"value", "cannot be converted", "overflow"};
        for (const char* mode : {"plain", "foreach"}) {
          const ScopedTrace at(mode);
          const Param a = param(subject, 1, 1);
          const auto nesterov = subject.optim().sgd(
              {.params = {a}, .lr = 0.25, .momentum = 1e39, .nesterov = true, .mode = mode});
          expect_error([&] { nesterov.step(); }, ErrorKind::kError, words);
          const Param b = param(subject, 1, 1);
          const auto coupled =
              subject.optim().adam({.params = {b}, .lr = 0.25, .weight_decay = 1e39, .mode = mode});
          expect_error([&] { coupled.step(); }, ErrorKind::kError, words);
          expect_bits(a.read(), f32({1}));
          expect_bits(b.read(), f32({1}));
        }
      })
      .reach(Reach::kArguments);
}

}  // namespace assay::suites
