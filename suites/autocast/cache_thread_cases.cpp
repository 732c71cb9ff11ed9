// The weight cache: other threads, and what bypasses it.
#include "suites/autocast/cache.hpp"

namespace assay::suites {

CASES("autocast/cache") {
  conformance("another_thread_hits_and_its_last_exit_clears", {"CAST-515", "CAST-110"},
              [](Session& subject) {
                const Bench bench(subject);
                bench.inside([&] {
                  expect_equal(bench.use(), 1);
                  expect_equal(conversions_elsewhere(subject, bench), 0);
                  expect_equal(bench.use(), 1);
                });
              })
      .since(Release::k2_4);

  conformance("another_thread_had_a_cache_of_its_own", {"CAST-515", "CAST-110"},
              [](Session& subject) {
                const Bench bench(subject);
                bench.inside([&] {
                  expect_equal(bench.use(), 1);
                  expect_equal(conversions_elsewhere(subject, bench), 1);
                  expect_equal(bench.use(), 0);
                });
              })
      .until(Release::k1_13);

  conformance("concurrent_first_uses_insert_once", {"CAST-515"}, [](Session& subject) {
    const Bench bench(subject);
    const Block first_use = subject.block([&](Session& inner) {
      inner.autocast().set_enabled(true, bench.target().type);
      product_of(inner, bench.low(), bench.weight());
    });
    for (int round = 0; round < 20; ++round) {
      subject.autocast().clear_cache();
      const std::int64_t before = subject.autocast().stat("cache_inserts");
      subject.together({{"a", first_use}, {"b", first_use}}, 1);
      expect_equal(subject.autocast().stat("cache_inserts") - before, 1);
    }
  }).since(Release::k2_4);

  conformance("static_outputs_are_never_cached", {"CAST-516", "CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    subject.autocast().static_output(bench.weight(), true);
    bench.inside([&] {
      expect_equal(bench.use(), 1);
      expect_equal(bench.use(), 1);
      subject.autocast().static_output(bench.weight(), false);
      expect_equal(bench.use(), 1);
      expect_equal(bench.use(), 0);
    });
  }).since(Release::k2_4);

  conformance("with_the_cache_off_every_use_converts", {"CAST-517", "CAST-109"},
              [](Session& subject) {
                const Bench bench(subject);
                const RegionOptions off{.device = bench.target().type, .cache_enabled = false};
                inside(subject, off, [&] {
                  expect_equal(bench.use(), 1);
                  expect_equal(bench.use(), 1);
                });
                bench.inside([&] {
                  expect_equal(bench.use(), 1);
                  inside(subject, off, [&] { expect_equal(bench.use(), 1); });
                  expect_equal(bench.use(), 0);
                });
              });

  conformance("fp32_never_caches", {"CAST-518"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref leaf = subject.core().leaf(matrix(bench.target(), bench.target().low));
    const auto use = [&] {
      return conversions(subject, [&] {
        call(subject, "aten::mse_loss", {leaf, matrix(bench.target(), Dtype::kFloat32)});
      });
    };
    bench.inside([&] {
      expect_equal(use(), 1);
      expect_equal(use(), 1);
    });
  });

  conformance("a_low_type_of_float32_caches_nothing", {"CAST-518"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref leaf = subject.core().leaf(matrix(bench.target(), bench.target().low));
    bench.inside([&] {
      subject.autocast().set_dtype(Dtype::kFloat32, bench.target().type);
      mm(subject, leaf, leaf);
      mm(subject, bench.weight(), bench.weight());
      expect_equal(subject.autocast().stat("cache_size"), 0);
    });
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("a_cast_to_another_type_than_low_is_not_cached", {"CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    const Target& target = bench.target();
    const auto cast = [&] {
      return conversions(subject, [&] {
        subject.autocast().cached_cast(target.other, bench.weight(), target.type);
      });
    };
    bench.inside([&] {
      expect_equal(cast(), 1);
      expect_equal(cast(), 1);
    });
  });

  conformance("casting_by_hand_caches_while_autocast_is_off", {"CAST-519"}, [](Session& subject) {
    const Bench bench(subject);
    const Target& target = bench.target();
    const auto cast = [&] {
      return conversions(subject, [&] {
        subject.autocast().cached_cast(target.low, bench.weight(), target.type);
      });
    };
    expect_equal(cast(), 1);
    expect_equal(cast(), 0);
    bench.inside([&] { expect_equal(bench.use(), 0); });
    expect_equal(cast(), 1);
  });
}

}  // namespace assay::suites
