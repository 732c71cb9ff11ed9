// Pickling, deep copies, moves, and attributes used by external code.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

/// Both kinds of copies follow the same rule (SCL-511).
const std::pair<const char*, ScalerHandle (ScalerHandle::*)() const> kCopies[] = {
    {"pickle", &ScalerHandle::pickle}, {"deepcopy", &ScalerHandle::deepcopy}};

void expect_no_copy(const ScalerHandle& scaler, Where where = Where::current()) {
  for (const auto& [name, copy] : kCopies) {
    const ScopedTrace at(name);
    expect_error([&scaler, copy = copy] { (scaler.*copy)(); }, ErrorKind::kAssertion,
                 {"pickled", "iteration"}, where);
  }
}

}  // namespace

CASES("scaler/copies") {
  scaling("a_copy_has_the_values_but_not_the_tensors", {"SCL-510", "SCL-511"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 2});
            for (int i = 0; i < 3; ++i) {
              scaler.step(sgd(subject, {parameter(subject, 1, 1)}));
              scaler.update();
            }
            for (const auto& [name, copy] : kCopies) {
              const ScopedTrace at(name);
              auto copied = (scaler.*copy)();

              expect_no_tensors(copied);
              expect_bits(copied.get_scale(), 8.0);
              expect_tracker(copied, 1);
            }
          });

  scaling("a_copy_keeps_the_factors", {"SCL-510", "SCL-511"}, [](Session& subject) {
    for (const auto& [name, copy] : kCopies) {
      const ScopedTrace at(name);
      auto scaler = subject.scaler().make(
          {.init_scale = 3, .growth_factor = 4, .backoff_factor = 0.5, .growth_interval = 2});

      auto copied = (scaler.*copy)();

      expect_bits(copied.get_growth_factor(), 4.0);
      expect_bits(copied.get_backoff_factor(), 0.5);
      expect_equal(copied.get_growth_interval(), std::int64_t{2});
      expect_bits(copied.scale(f32({4})), f32({12}));
    }
  });

  scaling("a_copy_lives_its_own_life", {"SCL-510", "SCL-511"}, [](Session& subject) {
    for (const auto& [name, copy] : kCopies) {
      const ScopedTrace at(name);
      auto scaler = ready(subject, {.init_scale = 4});
      auto copied = (scaler.*copy)();
      copied.scale(f32({1}));

      copied.update(32.0);

      expect_scale(scaler, 4);
      expect_scale(copied, 32);
    }
  });

  scaling("a_copy_meets_its_own_first_device", {"SCL-510"}, [](Session& subject) {
    auto copied = ready(subject, {.init_scale = 4}).pickle();

    copied.scale(on(f32({1}), subject.device(1)));

    expect_equal(tensor_in(copied.tensors().scale).device, subject.device(1));
  }).only(DeviceRules::kCuda);

  scaling("no_copy_is_made_in_the_middle_of_an_iteration", {"SCL-510", "SCL-511"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = sgd(subject, {parameter(subject, 1, 8)});

            scaler.unscale_(optimizer);
            expect_no_copy(scaler);
            scaler.step(optimizer);
            expect_no_copy(scaler);
            scaler.update();

            expect_bits(scaler.pickle().get_scale(), 4.0);
            expect_bits(scaler.deepcopy().get_scale(), 4.0);
          });

  scaling("a_disabled_scaler_is_always_copied", {"SCL-512"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4, .enabled = false});
    scaler.step(sgd(subject, {parameter(subject, 1, 8)}));

    for (const auto& [name, copy] : kCopies) {
      const ScopedTrace at(name);
      auto copied = (scaler.*copy)();
      expect_false(copied.is_enabled(), "the copy is disabled");
      expect_bits(copied.get_scale(), 1.0);
    }
  });

  scaling("asking_for_flags_makes_an_entry_that_is_ready", {"SCL-513"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8)});

    expect_true(scaler.found_inf(optimizer).empty(), "there is no flag");

    expect_true(scaler.stage(optimizer).known, "there is an entry for the optimizer");
    expect_stage(scaler, optimizer, "READY");
    expect_no_copy(scaler);
  });

  scaling("a_check_flags_without_unscaling", {"SCL-513"}, [](Session& subject) {
    for (const auto& [bad, flag] : {std::pair{kInf, 1.0}, {kNaN, 1.0}, {8.0F, 0.0}}) {
      auto scaler = ready(subject, {.init_scale = 4});
      const Tensor param = parameter(subject, f32({1, 1}), f32({8, bad}));
      auto optimizer = sgd(subject, {param});

      const auto flags = scaler.check_inf(optimizer);

      expect_equal(tensor_in(flags.at(0).second).real_at(0), flag);
      expect_bits(param.grad(), f32({8, bad}));
      expect_stage(scaler, optimizer, "READY");
      expect_flags(scaler, optimizer, {flag});
    }
  });

  scaling("a_check_takes_float16", {"SCL-513"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, f16({1, 1}), f16({8, kInf}));
    auto optimizer = sgd(subject, {param});

    scaler.check_inf(optimizer);

    expect_flags(scaler, optimizer, {1});
    expect_bits(param.grad(), f16({8, kInf}));
  });

  scaling("a_check_overwrites_the_flags_and_leaves_the_stage", {"SCL-513"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, kInf);
    auto optimizer = sgd(subject, {param});
    scaler.unscale_(optimizer);

    param.set_grad(f32({8}));
    scaler.check_inf(optimizer);

    expect_flags(scaler, optimizer, {0});
    expect_stage(scaler, optimizer, "UNSCALED");
    expect_bits(param.grad(), f32({8}));
  });

  scaling("a_check_that_raises_leaves_no_entry_and_the_flags_of_the_one_before", {"SCL-513"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor single = parameter(subject, 1, kInf);
            const Tensor whole(subject, i64({1}));
            auto optimizer = sgd(subject, {single, whole});
            const auto check_raises = [&] {
              whole.set_grad(i64({1}));
              expect_error([&] { scaler.check_inf(optimizer); }, ErrorKind::kNotImplemented);
            };
            check_raises();
            scaler.deepcopy();

            whole.set_grad(Value());
            scaler.check_inf(optimizer);
            single.set_grad(f32({1}));
            check_raises();

            expect_flags(scaler, optimizer, {1});
          })
      .since(Release::k2_11);

  scaling("a_disabled_scaler_has_no_probes", {"SCL-513"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8)});

    expect_error([&] { scaler.found_inf(optimizer); }, ErrorKind::kAttribute);
    expect_error([&] { scaler.check_inf(optimizer); }, ErrorKind::kAttribute);
  });

  scaling("what_was_moved_from_is_disabled", {"SCL-904"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    auto moved = scaler.move();

    expect_false(moved.moved_from_enabled, "the reply says that it is disabled");
    expect_false(scaler.is_enabled(), "what was moved from is disabled");
    expect_bits(scaler.get_scale(), 1.0);
    expect_true(moved.to.is_enabled(), "what was moved to is enabled");
  });

  scaling("a_move_keeps_the_very_scalars", {"SCL-904"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    scaler.tensors("before");

    auto moved = scaler.move();

    moved.to.tensors("after");
    expect_true(subject.alias("before.scale", "after.scale"), "the storage is the same");
    expect_true(subject.alias("before.tracker", "after.tracker"), "the storage is the same");
    expect_scale(moved.to, 4);
  });

  scaling("a_move_keeps_the_stages_and_flags", {"SCL-904"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, kInf)});
    scaler.unscale_(optimizer);

    auto moved = scaler.move();

    expect_stage(moved.to, optimizer, "UNSCALED");
    expect_flags(moved.to, optimizer, {1});
    moved.to.step(optimizer);
    moved.to.update();
    expect_scale(moved.to, 2);
  });

  scaling("what_was_moved_to_is_not_copied_in_the_middle_of_an_iteration", {"SCL-904", "SCL-510"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            scaler.unscale_(sgd(subject, {parameter(subject, 1, 8)}));

            expect_no_copy(scaler.move().to);
          });
}

}  // namespace assay::suites
