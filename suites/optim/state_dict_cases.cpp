// Saving and loading optimizers.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/reading.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

OptimizerHandle adam(Session& subject, const std::vector<Value>& params,
                     const std::string& mode = "plain", double lr = 0.25) {
  return subject.optim().adam({.params = params, .lr = lr, .betas = {{0.5, 0.75}}, .mode = mode});
}

OptimizerHandle heavy_sgd(Session& subject, const std::vector<Value>& params) {
  return subject.optim().sgd({.params = params, .lr = 0.25, .momentum = 0.5});
}

/// The saved state of the parameter with this number.
Dict saved_of(const SavedOptimizer& saved, std::int64_t number) {
  for (const auto& [key, value] : saved.state.items) {
    const auto* whole = key.get_if<std::int64_t>();
    if (whole != nullptr && *whole == number && value.get_if<Dict>() != nullptr) {
      return held_in<Dict>(value);
    }
  }
  throw BadReply("nothing is saved for parameter " + std::to_string(number));
}

TensorValue on_host(TensorValue value) {
  value.device = Device{"cpu", -1};
  return value;
}

/// An Adam of one parameter that has loaded this state, in the loop or in foreach.
OptimizerHandle loaded_state(Session& subject, const Param& x, const Dict& kept, bool foreach) {
  auto loaded = adam(subject, {x});
  const Dict group{{{"lr", 0.25},
                    {"betas", Tuple{{0.5, 0.75}}},
                    {"eps", 1e-8},
                    {"weight_decay", 0.0},
                    {"amsgrad", false},
                    {"foreach", foreach},
                    {"params", List{{std::int64_t{0}}}}}};
  loaded.load_state_dict(
      Dict{{{"state", Dict{{{std::int64_t{0}, kept}}}}, {"param_groups", List{{group}}}}});
  return loaded;
}

/// The same with this counter.
OptimizerHandle loaded_with(Session& subject, const Param& x, Value step, bool foreach) {
  const Dict kept{
      {{"step", std::move(step)}, {"exp_avg", f32({0.5})}, {"exp_avg_sq", f32({0.25})}}};
  return loaded_state(subject, x, kept, foreach);
}

}  // namespace

CASES("optim/state_dict") {
  conformance("numbers_parameters_through_all_groups", {"OPT-011"}, [](Session& subject) {
    const Param a = param(subject, 1, 2);
    const Param without(subject, f32({1}));
    const Param c = param(subject, 1, 4);
    const auto optimizer = adam(subject, {List{{a, without}}, List{{c}}});
    optimizer.step();

    const SavedOptimizer saved = optimizer.state_dict();

    expect_equal(static_cast<std::int64_t>(saved.state.items.size()), std::int64_t{2});
    expect_bits(entry(saved_of(saved, 0), "exp_avg"), f32({1}));
    expect_bits(entry(saved_of(saved, 2), "exp_avg"), f32({2}));
    expect_equal(entry(saved.groups.at(0), "params"), List{{std::int64_t{0}, std::int64_t{1}}});
    expect_equal(entry(saved.groups.at(1), "params"), List{{std::int64_t{2}}});
  });

  conformance("has_the_settings_of_each_group", {"OPT-011"}, [](Session& subject) {
    const auto optimizer =
        heavy_sgd(subject, {List{{param(subject, 1, 1)}}, List{{param(subject, 1, 1)}}});
    optimizer.set_setting(1, "lr", 0.125);

    const SavedOptimizer saved = optimizer.state_dict();

    expect_true(saved.state.items.empty(), "nothing is kept before a step");
    expect_equal(number_in(entry(saved.groups.at(0), "lr")), 0.25);
    expect_equal(number_in(entry(saved.groups.at(1), "lr")), 0.125);
    expect_equal(number_in(entry(saved.groups.at(1), "momentum")), 0.5);
  });

  conformance("shows_later_steps", {"OPT-011"}, [](Session& subject) {
    const Param a = param(subject, 1, 2);
    const auto optimizer = adam(subject, {a});
    optimizer.step();
    const SavedOptimizer saved = optimizer.state_dict();

    optimizer.step();

    const Param b = param(subject, 1, 0);
    const auto other = adam(subject, {b});
    other.load_state_dict(saved.ref);
    expect_bits(state_of(other, 0, "exp_avg"), f32({1.5}));
    expect_equal(number_in(state_of(other, 0, "step")), 2.0);
  });

  conformance("loaded_it_goes_on_where_it_was", {"OPT-012"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param straight = param(subject, 1, 2);
      const Param broken = param(subject, 1, 2);
      const auto first = adam(subject, {straight}, mode);
      const auto second = adam(subject, {broken}, mode);
      first.step();
      second.step();

      const auto third = adam(subject, {broken}, mode);
      third.load_state_dict(second.state_dict().ref);
      straight.set_grad(f32({-1}));
      broken.set_grad(f32({-1}));
      first.step();
      third.step();

      expect_bits(broken.read(), straight.read());
      expect_equal(number_in(state_of(third, 0, "step")), 2.0);
    }
  });

  conformance("its_settings_replace_those_that_were_there", {"OPT-012"}, [](Session& subject) {
    const Param a = param(subject, 1, 2);
    const Param b = param(subject, 1, 2);
    const auto saved = made(subject, "sgd", {a});
    const auto loaded =
        subject.optim().sgd({.params = {b}, .lr = 2.0, .weight_decay = 0.5, .maximize = true});

    loaded.load_state_dict(saved.state_dict().ref);
    loaded.step();

    expect_bits(b.read(), f32({0.5}));
    expect_equal(number_in(entry(loaded.groups().at(0), "lr")), 0.25);
  });

  conformance("what_was_kept_is_replaced", {"OPT-012"}, [](Session& subject) {
    const Param a = param(subject, 1, 2);
    const Param b = param(subject, 1, 2);
    const auto fresh = adam(subject, {a});
    const auto stepped = adam(subject, {b});
    stepped.step();

    stepped.load_state_dict(fresh.state_dict().ref);

    expect_true(stepped.state().at(0).items.empty(), "nothing is kept now");
  });

  conformance(
      "a_loaded_maximum_that_is_nan_stays_nan", {"OPT-012", "SCL-709"},
      [](Session& subject) {
        for (const std::string& mode : modes(subject)) {
          const ScopedTrace at(mode);
          const Param x = param(subject, 1, 2);
          const auto loaded = subject.optim().adam(
              {.params = {x}, .lr = 0.25, .betas = {{0.5, 0.75}}, .amsgrad = true, .mode = mode});
          loaded.step();
          const SavedOptimizer saved = loaded.state_dict();
          Dict kept = saved_of(saved, 0);
          for (auto& [name, value] : kept.items) {
            if (held_in<std::string>(name) == "max_exp_avg_sq") value = f32({kNaN});
          }

          loaded.load_state_dict(Dict{{{"state", Dict{{{std::int64_t{0}, kept}}}},
                                       {"param_groups", List{{saved.groups.at(0)}}}}});
          loaded.step();

          expect_bits(state_of(loaded, 0, "max_exp_avg_sq"), f32({kNaN}));
          expect_bits(x.read(), f32({kNaN}));
        }
      })
      .reach(Reach::kState);

  conformance(
      "each_group_s_settings_are_loaded_into_that_group", {"OPT-012"}, [](Session& subject) {
        const Param a = param(subject, 1, 2);
        const Param b = param(subject, 1, 2);
        const Param c = param(subject, 1, 2);
        const auto loaded = subject.optim().sgd({.params = {List{{a}}, List{{b, c}}}, .lr = 1});
        const auto group = [](double lr, List params) {
          return Dict{{{"lr", lr},
                       {"momentum", 0.0},
                       {"dampening", 0.0},
                       {"weight_decay", 0.0},
                       {"nesterov", false},
                       {"maximize", false},
                       {"foreach", {}},
                       {"differentiable", false},
                       {"fused", {}},
                       {"params", std::move(params)}}};
        };

        loaded.load_state_dict(
            Dict{{{"state", Dict{}},
                  {"param_groups", List{{group(0.25, {{std::int64_t{0}}}),
                                         group(0.125, {{std::int64_t{1}, std::int64_t{2}}})}}}}});
        loaded.step();

        expect_bits(a.read(), f32({0.5}));
        expect_bits(b.read(), f32({0.75}));
        expect_bits(c.read(), f32({0.75}));
      });

  conformance("moments_become_the_parameter_s_type_and_the_counter_does_not", {"OPT-012"},
              [](Session& subject) {
                for (const Dtype dtype : {Dtype::kBfloat16, Dtype::kFloat16, Dtype::kFloat64}) {
                  // Its last digit does not fit into a half.
                  const Param a = param(subject, 1, 1 + 0x1p-20);
                  const Param b(subject, tensor_of(dtype, {1}));
                  b.set_grad(tensor_of(dtype, {1}));
                  const auto saved = adam(subject, {a});
                  saved.step();

                  const auto loaded = adam(subject, {b});
                  loaded.load_state_dict(saved.state_dict().ref);

                  const double wanted = dtype == Dtype::kFloat64 ? 0.5 + 0x1p-21 : 0.5;
                  expect_bits(state_of(loaded, 0, "exp_avg"), tensor_of(dtype, {wanted}));
                  expect_bits(state_of(loaded, 0, "step"), scalar_of(Dtype::kFloat32, 1));
                }
              });

  conformance("a_long_run_s_counter_survives_half_parameters", {"OPT-012"}, [](Session& subject) {
    const Param b(subject, bf16({1}));
    b.set_grad(bf16({1}));
    const auto loaded = adam(subject, {b});
    const Dict group{{{"lr", 0.25},
                      {"betas", Tuple{{0.5, 0.75}}},
                      {"eps", 1e-8},
                      {"weight_decay", 0.0},
                      {"amsgrad", false},
                      {"params", List{{std::int64_t{0}}}}}};
    const Dict kept{{{"step", scalar_of(Dtype::kFloat32, 1001)},
                     {"exp_avg", f32({0.5})},
                     {"exp_avg_sq", f32({0.25})}}};

    loaded.load_state_dict(
        Dict{{{"state", Dict{{{std::int64_t{0}, kept}}}}, {"param_groups", List{{group}}}}});

    expect_bits(state_of(loaded, 0, "step"), scalar_of(Dtype::kFloat32, 1001));
    expect_bits(state_of(loaded, 0, "exp_avg"), bf16({0.5}));
    loaded.step();
    expect_bits(state_of(loaded, 0, "step"), scalar_of(Dtype::kFloat32, 1002));
  });

  conformance(
      "a_step_that_was_saved_as_a_number_becomes_a_tensor", {"OPT-012"}, [](Session& subject) {
        for (const Value& number : {Value(1001.0), Value(std::int64_t{1001})}) {
          const Param b = param(subject, 1, 2);
          const auto loaded = adam(subject, {b});
          const Dict kept{{{"step", number}, {"exp_avg", f32({0.5})}, {"exp_avg_sq", f32({0.25})}}};
          const Dict group{{{"lr", 0.25},
                            {"betas", Tuple{{0.5, 0.75}}},
                            {"eps", 1e-8},
                            {"weight_decay", 0.0},
                            {"amsgrad", false},
                            {"params", List{{std::int64_t{0}}}}}};

          loaded.load_state_dict(
              Dict{{{"state", Dict{{{std::int64_t{0}, kept}}}}, {"param_groups", List{{group}}}}});

          expect_bits(state_of(loaded, 0, "step"), scalar_of(Dtype::kFloat32, 1001));
          loaded.step();
          expect_bits(state_of(loaded, 0, "step"), scalar_of(Dtype::kFloat32, 1002));
        }
      });

  conformance("the_loop_counts_in_the_type_that_was_saved", {"OPT-012"}, [](Session& subject) {
    for (const Dtype dtype : {Dtype::kFloat64, Dtype::kInt64}) {
      const ScopedTrace at(std::string(name_of(dtype)));
      const Param expected = param(subject, 1, 2);
      const Param stepped = param(subject, 1, 2);
      const auto plain = loaded_with(subject, expected, scalar_of(Dtype::kFloat32, 3), false);
      const auto other = loaded_with(subject, stepped, scalar_of(dtype, 3), false);

      plain.step();
      other.step();

      expect_bits(state_of(other, 0, "step"), scalar_of(dtype, 4));
      expect_bits(stepped.read(), expected.read());
    }
  });

  conformance("foreach_counts_in_floating_types_only", {"OPT-012"}, [](Session& subject) {
    const Param x = param(subject, 1, 2);
    const auto wide = loaded_with(subject, x, on_host(scalar_of(Dtype::kFloat64, 3)), true);
    wide.step();
    expect_bits(state_of(wide, 0, "step"), scalar_of(Dtype::kFloat64, 4));

    const Param y = param(subject, 1, 2);
    const auto whole = loaded_with(subject, y, on_host(scalar_of(Dtype::kInt64, 3)), true);

    expect_error([&] { whole.step(); }, ErrorKind::kError, {"step", "float32"});

    expect_bits(y.read(), f32({1}));
  }).since(Release::k2_11);

  conformance("a_step_that_is_true_counts_as_one", {"OPT-012"}, [](Session& subject) {
    const Param x = param(subject, 1, 2);

    const auto loaded = loaded_with(subject, x, true, false);

    expect_bits(state_of(loaded, 0, "step"), scalar_of(Dtype::kFloat32, 1));
  });

  conformance("groups_must_be_as_many_and_as_large", {"OPT-012"}, [](Session& subject) {
    const Param a = param(subject, 1, 2);
    const Param b = param(subject, 1, 2);
    const Param c = param(subject, 1, 2);
    const auto one = adam(subject, {a});
    const auto larger = adam(subject, {a, b});
    const auto more = adam(subject, {List{{a}}, List{{b}}});
    const auto target = adam(subject, {c});
    target.step();

    expect_error([&] { target.load_state_dict(more.state_dict().ref); }, ErrorKind::kValue,
                 {"number of parameter groups"});
    expect_error([&] { target.load_state_dict(larger.state_dict().ref); }, ErrorKind::kValue,
                 {"size"});

    expect_equal(number_in(state_of(target, 0, "step")), 1.0);
  });

  conformance("an_entry_that_is_missing_is_named", {"OPT-012"}, [](Session& subject) {
    const auto target = adam(subject, {param(subject, 1, 2)});

    expect_error([&] { target.load_state_dict(Dict{}); }, ErrorKind::kKey, {"param_groups"});
  });

  conformance("adam_wants_a_counter_in_what_it_loads", {"OPT-012"}, [](Session& subject) {
    for (const char* kind : {"adam", "adamw"}) {
      const ScopedTrace at(kind);
      const auto rolling = heavy_sgd(subject, {param(subject, 1, 2)});
      rolling.step();
      const auto loaded = made(subject, kind, {param(subject, 1, 2)});

      expect_error([&] { loaded.load_state_dict(rolling.state_dict().ref); }, ErrorKind::kKey,
                   {"step"});
    }
  });

  conformance("entries_of_another_optimizer_are_kept", {"OPT-012"}, [](Session& subject) {
    const Param weight = param(subject, 1, 2);
    const auto adam = made(subject, "adam", {weight});
    adam.step();
    const auto loaded = heavy_sgd(subject, {weight});

    loaded.load_state_dict(adam.state_dict().ref);

    for (const char* name : {"step", "exp_avg", "exp_avg_sq"}) {
      const ScopedTrace at(name);
      expect_equal(entry(loaded.state().at(0), name), entry(adam.state().at(0), name));
    }
    const Dict kept{{{"step", on_host(scalar_of(Dtype::kFloat32, 1))},
                     {"exp_avg", f32({0.5})},
                     {"exp_avg_sq", f32({0.25})},
                     {"momentum_buffer", f32({7})}}};
    const auto other = loaded_state(subject, param(subject, 1, 2), kept, false);
    other.step();
    expect_bits(state_of(other, 0, "momentum_buffer"), f32({7}));
  });

  conformance("settings_that_a_saved_group_lacks_are_off", {"OPT-012"}, [](Session& subject) {
    const auto saved = heavy_sgd(subject, {param(subject, 1, 2)});
    const auto loaded =
        subject.optim().adam({.params = {param(subject, 1, 2)}, .lr = 0.5, .amsgrad = true});

    loaded.load_state_dict(saved.state_dict().ref);

    expect_equal(entry(loaded.groups().at(0), "amsgrad"), Value(false));
    expect_equal(number_in(entry(loaded.groups().at(0), "momentum")), 0.5);
  });

  conformance("two_optimizers_share_what_needed_no_change", {"OPT-012"}, [](Session& subject) {
    const Param a = param(subject, 1, 2);
    const Param b = param(subject, 1, 2);
    const auto saved = heavy_sgd(subject, {a});
    saved.step();
    const auto loaded = heavy_sgd(subject, {b});
    loaded.load_state_dict(saved.state_dict().ref);

    saved.step();

    const bool is_shared = subject.contract().release != Release::k1_13;
    expect_bits(state_of(loaded, 0, "momentum_buffer"), f32({is_shared ? 3.0 : 2.0}));
  });
}

}  // namespace assay::suites
