// Regions: what the constructor captures, and the effects of entering and leaving in order.
#include "harness/suite/mistake.hpp"
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

RegionHandle construct(Session& subject, const RegionOptions& options) {
  return subject.autocast().construct(options);
}

}  // namespace

CASES("autocast/region") {
  conformance("nothing_changes_before_entry", {"CAST-601"}, [](Session& subject) {
    const Target target = target_of(subject);

    construct(subject, {.device = target.type, .dtype = target.low, .cache_enabled = false});

    expect_false(subject.autocast().is_enabled(target.type),
                 "construction does not enable autocast");
    expect_true(subject.autocast().is_cache_enabled(), "the cache flag is unchanged");
    expect_equal(depth(subject), 0);
  });

  conformance("leaving_what_was_not_entered_has_counted_in_pytorch", {"CAST-603"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const RegionHandle region = construct(subject, {.device = target.type});
                subject.autocast().nesting(1);

                expect_error([&] { region.exit(); }, ErrorKind::kAttribute, {"prev"});

                expect_equal(depth(subject), 0);
                expect_false(subject.autocast().is_enabled(target.type), "autocast is off");
                expect_equal(subject.autocast().dtype(target.type), target.low);
              })
      .only(Deviations::kCompat);

  conformance("what_was_entered_halfway_can_be_left", {"CAST-602", "CAST-603"},
              [](Session& subject) {
                const RegionHandle region =
                    construct(subject, {.device = "cpu", .dtype = Dtype::kFloat16});
                subject.autocast().nesting(1);
                expect_error([&] { region.enter(); }, ErrorKind::kError, {"bfloat16"});

                region.exit();

                expect_equal(depth(subject), 0);
                expect_false(subject.autocast().is_enabled("cpu"), "autocast is off");
              })
      .until(Release::k1_13);

  conformance("what_was_not_entered_cannot_be_left", {"CAST-603"}, [](Session& subject) {
    const Target target = target_of(subject);
    const RegionHandle region = construct(subject, {.device = target.type});

    expect_error([&] { region.exit(); }, ErrorKind::kValue, {"entered"});

    expect_equal(depth(subject), 0);
    expect_equal(subject.autocast().dtype(target.type), target.low);
  }).only(Deviations::kStrict);

  conformance("an_absent_type_is_the_one_at_construction", {"CAST-601"}, [](Session& subject) {
    const Target target = target_of(subject);
    const RegionHandle region = construct(subject, {.device = target.type});
    subject.autocast().set_dtype(target.other, target.type);

    region.enter();

    expect_equal(subject.autocast().dtype(target.type), target.low);
    region.exit();
    expect_equal(subject.autocast().dtype(target.type), target.other);
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("an_absent_cache_flag_is_the_one_at_construction", {"CAST-601"},
              [](Session& subject) {
                const RegionHandle region = construct(subject, {.device = target_of(subject).type});
                subject.autocast().set_cache_enabled(false);

                region.enter();

                expect_true(subject.autocast().is_cache_enabled(), "entering sets the flag");
                region.exit();
                expect_false(subject.autocast().is_cache_enabled(), "the flag is restored");
              });

  conformance("entry_sets_everything", {"CAST-602"}, [](Session& subject) {
    const Target target = target_of(subject);
    const RegionOptions options{
        .device = target.type, .dtype = target.other, .cache_enabled = false};

    inside(subject, options, [&] {
      expect_true(subject.autocast().is_enabled(target.type), "autocast is on");
      expect_equal(subject.autocast().dtype(target.type), target.other);
      expect_false(subject.autocast().is_cache_enabled(), "the cache is off");
      expect_equal(depth(subject), 1);
    });
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance(
      "a_disabled_region_sets_type_and_cache_flag_too", {"CAST-602", "CAST-611"},
      [](Session& subject) {
        const Target target = target_of(subject);
        const RegionOptions options{
            .device = target.type, .dtype = target.other, .enabled = false, .cache_enabled = false};

        inside(subject, options, [&] {
          expect_false(subject.autocast().is_enabled(target.type), "autocast is off");
          expect_equal(subject.autocast().dtype(target.type), target.other);
          expect_false(subject.autocast().is_cache_enabled(), "the cache is off");
          expect_equal(depth(subject), 1);
        });
      })
      .except(Release::k1_13, DeviceRules::kCpu);

  conformance("entering_returns_the_region", {"CAST-602"}, [](Session& subject) {
    const RegionHandle region = construct(subject, {.device = target_of(subject).type});

    expect_equal(region.enter(), Value(region));

    region.exit();
  }).since(Release::k2_11);

  conformance("entering_returned_none", {"CAST-602"}, [](Session& subject) {
    const RegionHandle region = construct(subject, {.device = target_of(subject).type});

    expect_true(region.enter().is_none(), "it returns nothing");

    region.exit();
  }).until(Release::k2_4);

  conformance("a_failed_entry_has_set_the_flag_and_not_nested", {"CAST-602", "CAST-611"},
              [](Session& subject) {
                subject.autocast().set_enabled(true, "cpu");
                const RegionHandle region =
                    construct(subject, {.device = "cpu", .dtype = Dtype::kFloat16});

                expect_error([&] { region.enter(); }, ErrorKind::kError, {"bfloat16"});

                expect_false(subject.autocast().is_enabled("cpu"), "autocast is off again");
                expect_equal(depth(subject), 0);
              })
      .until(Release::k1_13);

  conformance("leaving_restores_everything", {"CAST-603"}, [](Session& subject) {
    const Target target = target_of(subject);
    const RegionOptions outer{.device = target.type, .dtype = target.other, .cache_enabled = false};
    const RegionOptions inner{
        .device = target.type, .dtype = target.low, .enabled = false, .cache_enabled = true};
    inside(subject, outer, [&] {
      inside(subject, inner, [] {});
      expect_true(subject.autocast().is_enabled(target.type), "the enabled state is restored");
      expect_equal(subject.autocast().dtype(target.type), target.other);
      expect_false(subject.autocast().is_cache_enabled(), "the cache flag is restored");
      expect_equal(depth(subject), 1);
    });
    expect_false(subject.autocast().is_enabled(target.type), "autocast is off after the last exit");
    expect_equal(subject.autocast().dtype(target.type), target.low);
    expect_true(subject.autocast().is_cache_enabled(), "the cache is on after the last exit");
    expect_equal(depth(subject), 0);
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("an_exception_goes_on_and_the_state_is_restored", {"CAST-603"}, [](Session& subject) {
    const Target target = target_of(subject);
    Command raise;
    raise.verb = "raise";
    raise.with = {{"kind", "value"}, {"message", "thrown inside"}};

    expect_error(
        [&] { subject.scope(subject.autocast().region({.device = target.type}), {raise}); },
        ErrorKind::kValue, {"thrown inside"});

    expect_false(subject.autocast().is_enabled(target.type), "autocast is off again");
    expect_equal(depth(subject), 0);
  });

  conformance(
      "the_outermost_exit_clears_the_cache", {"CAST-603", "CAST-604"}, [](Session& subject) {
        const Target target = target_of(subject);
        const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
        const Value low = matrix(target, target.low);
        const auto use = [&] { return conversions(subject, [&] { mm(subject, low, weight); }); };
        inside(subject, target, [&] { expect_equal(use(), 1); });
        inside(subject, target, [&] { expect_equal(use(), 1); });
      });

  conformance("an_inner_exit_clears_nothing", {"CAST-604"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Value low = matrix(target, target.low);
    const auto use = [&] { return conversions(subject, [&] { mm(subject, low, weight); }); };
    inside(subject, target, [&] {
      expect_equal(use(), 1);
      inside(subject, {.device = target.type, .enabled = false}, [] {});
      expect_equal(use(), 0);
      inside(subject, target, [&] { expect_equal(use(), 0); });
      expect_equal(use(), 0);
    });
  });

  conformance("regions_of_other_devices_count", {"CAST-604"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Value low = matrix(target, target.low);
    const auto use = [&] { return conversions(subject, [&] { mm(subject, low, weight); }); };
    const std::string other = target.type == "cpu" ? "cuda" : "cpu";
    inside(subject, {.device = other, .enabled = false}, [&] {
      inside(subject, target, [&] { expect_equal(use(), 1); });
      inside(subject, target, [&] { expect_equal(use(), 0); });
    });
  });

  conformance("leaving_an_outermost_disabled_region_clears", {"CAST-604", "CAST-605"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
                const Value low = matrix(target, target.low);
                const auto use = [&] {
                  return conversions(subject, [&] { mm(subject, low, weight); });
                };
                subject.autocast().set_enabled(true, target.type);
                expect_equal(use(), 1);
                inside(subject, {.device = target.type, .enabled = false}, [] {});
                expect_equal(use(), 1);
              });

  conformance(
      "entries_made_without_a_region_leak_into_the_next", {"CAST-605"}, [](Session& subject) {
        const Target target = target_of(subject);
        const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
        const Ref plain = subject.core().tensor(matrix(target, Dtype::kFloat32));
        const auto use = [&] { return conversions(subject, [&] { mm(subject, plain, weight); }); };
        subject.autocast().set_enabled(true, target.type);
        expect_equal(use(), 2);
        subject.autocast().set_enabled(false, target.type);
        inside(subject, target, [&] { expect_equal(use(), 1); });
        inside(subject, target, [&] { expect_equal(use(), 2); });
      });

  conformance("inside_a_disabled_region_operators_run_as_they_are", {"CAST-606"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const Value plain = matrix(target, Dtype::kFloat32);
                inside(subject, target, [&] {
                  const Value low = mm(subject, plain, plain).result();
                  inside(subject, {.device = target.type, .enabled = false}, [&] {
                    expect_equal(mm(subject, plain, plain).dtype(), Dtype::kFloat32);
                    expect_error([&] { mm(subject, low, plain); }, ErrorKind::kError, {});
                  });
                  expect_equal(mm(subject, plain, plain).dtype(), target.low);
                });
              });

  conformance("distinct_regions_restore_level_by_level", {"CAST-607"}, [](Session& subject) {
    const Target target = target_of(subject);
    const auto expect_state = [&](bool enabled, std::int64_t levels) {
      expect_equal(subject.autocast().is_enabled(target.type), enabled);
      expect_equal(depth(subject), levels);
    };
    inside(subject, target, [&] {
      inside(subject, {.device = target.type, .enabled = false}, [&] {
        inside(subject, target, [&] { expect_state(true, 3); });
        expect_state(false, 2);
      });
      expect_state(true, 1);
    });
    expect_state(false, 0);
  });

  conformance("different_devices_nest_freely", {"CAST-607"}, [](Session& subject) {
    const Target cuda = target_of(subject);
    const auto expect_state = [&](bool on_cuda, bool on_cpu) {
      expect_equal(subject.autocast().is_enabled("cuda"), on_cuda);
      expect_equal(subject.autocast().is_enabled("cpu"), on_cpu);
    };
    inside(subject, cuda, [&] {
      expect_state(true, false);
      inside(subject, cpu_target(), [&] { expect_state(true, true); });
      expect_state(true, false);
    });
    expect_state(false, false);
  }).only(DeviceRules::kCuda);

  conformance("entering_one_object_twice_leaks", {"CAST-608"}, [](Session& subject) {
    const Target target = target_of(subject);
    const RegionHandle region = construct(subject, {.device = target.type});

    region.enter();
    region.enter();
    region.exit();
    region.exit();

    expect_true(subject.autocast().is_enabled(target.type), "autocast is left on");
    expect_equal(depth(subject), 0);
    shows_mistake(
        "an autocast object that is entered again inside itself leaves autocast on, so that all "
        "later code, the optimizer's and the evaluation's too, runs in low precision");
  }).only(Deviations::kCompat);

  conformance("entering_one_object_twice_is_refused", {"CAST-608"}, [](Session& subject) {
    const Target target = target_of(subject);
    const RegionHandle region = construct(subject, {.device = target.type});
    region.enter();

    expect_error([&] { region.enter(); }, ErrorKind::kValue, {});

    region.exit();
    expect_false(subject.autocast().is_enabled(target.type), "autocast is off again");
    expect_equal(depth(subject), 0);
  }).only(Deviations::kStrict);

  conformance("one_object_can_be_entered_again_after_it_was_left", {"CAST-608"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const RegionHandle region = construct(subject, {.device = target.type});
                for (int round = 0; round < 2; ++round) {
                  region.enter();
                  expect_true(subject.autocast().is_enabled(target.type), "autocast is on");
                  region.exit();
                  expect_false(subject.autocast().is_enabled(target.type), "autocast is off again");
                }
              });

  conformance("leaving_out_of_order_restores_stale_state", {"CAST-608", "CAST-603"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const RegionHandle outer = construct(subject, {.device = target.type});
                const RegionHandle inner =
                    construct(subject, {.device = target.type, .enabled = false});
                outer.enter();
                inner.enter();

                outer.exit();
                inner.exit();

                expect_true(subject.autocast().is_enabled(target.type), "the state is not stale");
                expect_equal(depth(subject), 0);
              })
      .only(Deviations::kCompat);
}

}  // namespace assay::suites
