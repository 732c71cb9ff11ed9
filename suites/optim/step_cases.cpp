// What a step reads, writes, keeps and counts.
#include "harness/suite/clients/core.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

Value tensor_of_state(const OptimizerHandle& optimizer, std::string_view name) {
  const Value value = state_of(optimizer, 0, name);
  if (value.tensor() == nullptr) throw BadReply("no tensor is kept as " + std::string(name));
  return value;
}

OptimizerHandle nesterov(Session& subject, const Param& trained, const std::string& mode) {
  return subject.optim().sgd(
      {.params = {trained}, .lr = 0.25, .momentum = 0.5, .nesterov = true, .mode = mode});
}

OptimizerHandle decayed_adam(Session& subject, const Param& trained, const std::string& mode) {
  return subject.optim().adam({.params = {trained}, .lr = 0.25, .weight_decay = 0.5, .mode = mode});
}

}  // namespace

CASES("optim/step") {
  conformance("gradients_keep_their_bits", {"OPT-004"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const At at(mode);
      for (const bool is_sgd : {true, false}) {
        const At kind(is_sgd ? "sgd, nesterov" : "adam, weight decay");
        const Param trained = param(subject, 1, 2);
        const auto optimizer =
            is_sgd ? nesterov(subject, trained, mode) : decayed_adam(subject, trained, mode);

        optimizer.step();
        optimizer.step();

        expect_bits(trained.grad(), f32({2}));
      }
    }
  }).only(Deviations::kStrict);

  conformance("only_foreach_sgd_with_nesterov_changes_gradients", {"OPT-004"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  const At at(mode);
                  const Param trained = param(subject, 1, 2);
                  const auto optimizer = nesterov(subject, trained, mode);

                  optimizer.step();

                  expect_bits(trained.grad(), f32({mode == "foreach" ? 3.0 : 2.0}));
                  expect_bits(trained.read(), f32({0.25}));
                }
              })
      .only(Deviations::kCompat);

  conformance("a_copy_of_the_gradients_is_changed_instead", {"OPT-004"}, [](Session& subject) {
    for (const SgdOptions& given :
         {SgdOptions{.weight_decay = 0.5}, SgdOptions{.maximize = true}}) {
      const Param trained = param(subject, 1, 2);
      SgdOptions options = given;
      options.params = {trained};
      options.lr = 0.25;
      options.momentum = 0.5;
      options.nesterov = true;
      options.mode = "foreach";

      subject.optim().sgd(options).step();

      expect_bits(trained.grad(), f32({2}));
    }
  });

  conformance("foreach_adam_once_added_its_decay_to_the_gradients", {"OPT-004"},
              [](Session& subject) {
                const Param trained = param(subject, 1, 2);

                decayed_adam(subject, trained, "foreach").step();

                expect_bits(trained.grad(), f32({2.5}));
              })
      .until(Release::k1_13)
      .only(Deviations::kCompat);

  conformance("sgd_counts_as_operators_in_place_do", {"OPT-005"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      const At at(mode);
      const Param trained = param(subject, 1, 2);
      const std::int64_t before = trained.version();
      const auto optimizer = subject.optim().sgd(
          {.params = {trained}, .lr = 0.25, .momentum = 0.5, .weight_decay = 0.5, .mode = mode});

      optimizer.step();
      optimizer.step();

      expect_equal(trained.version() - before, std::int64_t{2});
    }
  });

  conformance("adam_counts_as_operators_in_place_do", {"OPT-005"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      for (const bool decoupled : {false, true}) {
        const At at(std::string(mode) + (decoupled ? ", adamw" : ", adam"));
        const Param trained = param(subject, 1, 2);
        const std::int64_t before = trained.version();
        const auto optimizer = subject.optim().adam({.params = {trained},
                                                     .lr = 0.25,
                                                     .weight_decay = 0.5,
                                                     .decoupled = decoupled,
                                                     .mode = mode});

        optimizer.step();

        expect_equal(trained.version() - before, std::int64_t{decoupled ? 2 : 1});
      }
    }
  });

  conformance("a_fused_step_counts_nothing", {"OPT-005"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const At at(kind);
      const Param trained = param(subject, 1, 2);
      const std::int64_t before = trained.version();
      const auto optimizer = made(subject, kind, {trained}, "fused");
      const Ref scale = subject.core().tensor(scalar_of(Dtype::kFloat32, 2));
      optimizer.set("grad_scale", scale);

      optimizer.step();

      expect_bits(trained.grad(), f32({1}));
      expect_equal(trained.version() - before, std::int64_t{0});
    }
  }).since(Release::k2_4);

  conformance("one_that_is_not_fused_refuses_what_is_lent", {"OPT-006"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      for (const char* mode : {"plain", "foreach"}) {
        for (const char* name : {"grad_scale", "found_inf"}) {
          const At at(kind + ", " + mode + ", " + name);
          const Param trained = param(subject, 1, 2);
          const auto optimizer = made(subject, kind, {trained}, mode);
          const Ref lent = subject.core().tensor(scalar_of(Dtype::kFloat32, 0));
          optimizer.set(name, lent);

          expect_error([&] { optimizer.step(); }, ErrorKind::kAssertion);

          expect_bits(trained.read(), f32({1}));
        }
      }
    }
  }).since(Release::k2_4);

  conformance("one_that_is_not_fused_refuses_without_gradients_as_well", {"OPT-006"},
              [](Session& subject) {
                for (const std::string& kind : kinds()) {
                  for (const char* mode : {"plain", "foreach"}) {
                    const At at(kind + ", " + mode);
                    const auto optimizer = made(subject, kind, {Param(subject, f32({1}))}, mode);
                    optimizer.set("found_inf", 0.0);

                    const bool has_nothing_to_do =
                        kind != "sgd" && std::string_view(mode) == "foreach";
                    if (has_nothing_to_do) {
                      optimizer.step();
                    } else {
                      expect_error([&] { optimizer.step(); }, ErrorKind::kAssertion);
                    }
                  }
                }
              })
      .since(Release::k2_4);

  conformance("none_is_as_good_as_nothing", {"OPT-006"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const At at(mode);
      const Param trained = param(subject, 1, 2);
      const auto optimizer = made(subject, "sgd", {trained}, mode);
      optimizer.set("grad_scale", Value());
      optimizer.set("found_inf", Value());

      optimizer.step();

      expect_bits(trained.read(), f32({0.5}));
    }
  });

  conformance("it_was_not_looked_at_once", {"OPT-006"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      const At at(mode);
      const Param trained = param(subject, 1, 2);
      const auto optimizer = made(subject, "sgd", {trained}, mode);
      optimizer.set("grad_scale", 4.0);

      optimizer.step();

      expect_bits(trained.read(), f32({0.5}));
    }
  }).until(Release::k1_13);

  conformance("a_fused_one_takes_tensors_alone", {"OPT-006"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      for (const char* name : {"grad_scale", "found_inf"}) {
        for (const Value& number : {Value(1.0), Value(std::int64_t{1})}) {
          const At at(kind + ", " + name);
          const Param trained = param(subject, 1, 2);
          const auto optimizer = made(subject, kind, {trained}, "fused");
          optimizer.set(name, number);

          expect_error([&] { optimizer.step(); }, ErrorKind::kAttribute, {"device"});

          expect_bits(trained.read(), f32({1}));
        }
      }
    }
  }).since(Release::k2_4);

  conformance("a_fused_one_without_gradients_does_not_look", {"OPT-006"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const At at(kind);
      const auto optimizer = made(subject, kind, {Param(subject, f32({1}))}, "fused");
      optimizer.set("found_inf", std::int64_t{0});

      optimizer.step();
    }
  }).since(Release::k2_4);

  conformance("nothing_is_kept_without_a_gradient", {"OPT-010"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const At at(mode);
      const Param without(subject, f32({1}));
      const Param with = param(subject, 1, 1);
      const auto optimizer =
          subject.optim().adam({.params = {without, with}, .lr = 0.25, .mode = mode});
      expect_true(optimizer.state().at(1).items.empty(), "nothing is kept before a step");

      optimizer.step();

      expect_true(optimizer.state().at(0).items.empty(), "nothing is kept without a gradient");
      expect_equal(number_in(state_of(optimizer, 1, "step")), 1.0);
    }
  });

  conformance("sgd_keeps_momentum_alone", {"OPT-010"}, [](Session& subject) {
    const bool has_none = subject.contract().release == Release::k1_13;
    for (const std::string& mode : modes(subject)) {
      const At at(mode);
      const Param trained = param(subject, 1, 1);
      const auto optimizer = made(subject, "sgd", {trained}, mode);

      optimizer.step();

      const Dict kept = optimizer.state().at(0);
      expect_equal(static_cast<std::int64_t>(kept.items.size()), std::int64_t{has_none ? 1 : 0});
      expect_true(entry(kept, "momentum_buffer").is_none(), "no buffer is kept");
    }
  });

  conformance("moments_are_as_narrow_as_the_parameter_and_the_counter_is_not", {"OPT-010"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  for (const Dtype dtype : {Dtype::kBfloat16, Dtype::kFloat64}) {
                    const At at(mode);
                    const Param trained(subject, tensor_of(dtype, {1, 2}));
                    trained.set_grad(tensor_of(dtype, {1, 1}));
                    const auto optimizer = subject.optim().adam(
                        {.params = {trained}, .lr = 0.25, .amsgrad = true, .mode = mode});

                    optimizer.step();

                    for (const char* name : {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}) {
                      const Value moment = tensor_of_state(optimizer, name);
                      expect_true(moment.tensor()->dtype == dtype, name);
                      expect_equal(moment.tensor()->shape, {2});
                    }
                    const Value step = tensor_of_state(optimizer, "step");
                    expect_bits(step, scalar_of(Dtype::kFloat32, 1));
                    if (mode != "fused") expect_true(step.tensor()->device.type == "cpu", "host");
                  }
                }
              });

  conformance("the_counter_of_a_fused_step_is_beside_its_parameter", {"OPT-010"},
              [](Session& subject) {
                const Param trained = param(subject, 1, 1);
                const auto optimizer = made(subject, "adam", {trained}, "fused");

                optimizer.step();

                expect_equal(tensor_of_state(optimizer, "step").tensor()->device, subject.device());
              })
      .since(Release::k2_4);

  conformance("a_parameter_may_get_its_first_gradient_later", {"OPT-017"}, [](Session& subject) {
    const bool is_strict = subject.contract().deviations == Deviations::kStrict;
    for (const std::string& mode : modes(subject)) {
      const At at(mode);
      const Param early = param(subject, 1, 1);
      const Param late(subject, f32({1}));
      const auto optimizer =
          subject.optim().sgd({.params = {early, late}, .lr = 0.25, .momentum = 0.5, .mode = mode});
      optimizer.step();
      late.set_grad(f32({1}));

      if (mode == "fused" && !is_strict) {
        expect_error([&] { optimizer.step(); }, ErrorKind::kType);
      } else {
        optimizer.step();
        expect_bits(early.read(), f32({0.375}));
        expect_bits(late.read(), f32({0.75}));
      }
    }
  });

  conformance("float16_adam_has_a_hole_where_its_square_underflows", {"OPT-016"},
              [](Session& subject) {
                for (const char* mode : {"plain", "foreach"}) {
                  for (const std::string kind : {"adam", "adamw"}) {
                    const At at(kind + ", " + mode);
                    const Param still(subject, f16({1}));
                    still.set_grad(f16({0}));
                    const Param moved(subject, f16({1}));
                    moved.set_grad(f16({0x1p-10}));

                    made(subject, kind, {still, moved}, mode).step();

                    expect_bits(still.read(), f16({kNaN}));
                    expect_bits(moved.read(), f16({-kInf}));
                  }
                }
              })
      .since(Release::k2_4);

  conformance("float16_adam_has_none_where_it_is_fused", {"OPT-016"}, [](Session& subject) {
    const Param still(subject, f16({1}));
    still.set_grad(f16({0}));
    const Param moved(subject, f16({1}));
    moved.set_grad(f16({0x1p-10}));

    const auto optimizer = made(subject, "adam", {still, moved}, "fused");
    optimizer.step();

    expect_bits(still.read(), f16({1}));
    expect_bits(moved.read(), f16({0.75}));
    expect_bits(state_of(optimizer, 1, "exp_avg_sq"), f16({0}));
  }).since(Release::k2_4);

  conformance("bfloat16_adam_has_none", {"OPT-016"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const At at(mode);
      const Param still(subject, bf16({1}));
      still.set_grad(bf16({0}));

      made(subject, "adam", {still}, mode).step();

      expect_bits(still.read(), bf16({1}));
    }
  });

  conformance("sgd_keeps_float16_momentum", {"OPT-010", "OPT-016"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const At at(mode);
      const Param trained(subject, f16({1}));
      trained.set_grad(f16({0x1p-24}));
      const auto optimizer =
          subject.optim().sgd({.params = {trained}, .lr = 0.25, .momentum = 0.5, .mode = mode});

      optimizer.step();
      optimizer.step();

      expect_bits(trained.read(), f16({1}));
      // 2^-24 / 2 + 2^-24, rounded to even where the half of the smallest number is rounded first.
      expect_bits(state_of(optimizer, 0, "momentum_buffer"),
                  f16({mode == "fused" ? 0x1p-23 : 0x1p-24}));
    }
  });
}

CASES("optim/default_form") {
  conformance("it_is_the_loop_on_a_cpu", {"OPT-014"}, [](Session& subject) {
    const Param trained = param(subject, 1, 2);
    const auto optimizer = nesterov(subject, trained, "default");

    optimizer.step();

    expect_bits(trained.grad(), f32({2}));
    expect_true(entry(optimizer.groups().at(0), "foreach").is_none(), "nothing was asked for");
  }).only(DeviceRules::kCpu);

  conformance("it_is_one_launch_for_a_list_on_an_accelerator", {"OPT-014"}, [](Session& subject) {
    const bool has_lists = subject.contract().release != Release::k1_13;
    for (const char* kind : {"sgd", "adam"}) {
      const At at(kind);
      const auto optimizer =
          made(subject, kind, {param(subject, 1, 1), param(subject, 1, 1), param(subject, 1, 1)},
               "default");

      subject.count();
      optimizer.step();
      subject.count(false);

      expect_equal(subject.counted("launches"), std::int64_t{has_lists ? 1 : 3});
    }
  }).only(DeviceRules::kCuda);
}

}  // namespace assay::suites
