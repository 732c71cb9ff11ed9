// The weight cache: what is cached, what hits, and what is stale.
#include "suites/autocast/cache.hpp"

namespace assay::suites {

CASES("autocast/cache") {
  conformance("a_plain_leaf_is_converted_once", {"CAST-501", "CAST-502", "CAST-503"},
              [](Session& subject) {
                const Bench bench(subject);
                bench.inside([&] {
                  expect_equal(bench.use(), 1);
                  expect_equal(bench.use(), 0);
                  expect_equal(bench.use(), 0);
                });
              });

  conformance("an_operand_that_is_no_leaf_counts_each_time", {"CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref plain = subject.core().tensor(matrix(bench.target(), Dtype::kFloat32));
    const auto use = [&](int times) {
      return conversions(subject, [&] {
        for (int i = 0; i < times; ++i) mm(subject, plain, bench.weight());
      });
    };
    bench.inside([&] {
      expect_equal(use(2), 3);
      expect_equal(use(1), 1);
    });
    bench.inside([&] { expect_equal(use(1), 2); });
  });

  conformance("a_tensor_without_gradient_is_not_cached", {"CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref plain = subject.core().tensor(matrix(bench.target(), Dtype::kFloat32));
    expect_equal(twice(subject, bench, plain), 2);
  });

  conformance("a_tensor_that_is_no_leaf_is_not_cached", {"CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref made = call_ref(subject, "aten::relu", {bench.weight()});
    expect_equal(twice(subject, bench, made), 2);
  });

  conformance("a_view_of_a_leaf_is_not_cached", {"CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref view =
        subject.core().as_strided(bench.weight(), {.shape = {1, 1}, .strides = {1, 1}});
    expect_equal(twice(subject, bench, view), 2);
  });

  conformance("a_view_that_is_a_leaf_is_not_cached", {"CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref plain = subject.core().tensor(matrix(bench.target(), Dtype::kFloat32));
    const Ref view = subject.core().as_strided(plain, {.shape = {1, 1}, .strides = {1, 1}});
    subject.core().requires_grad_(view, true);
    expect_equal(twice(subject, bench, view), 2);
  });

  conformance("a_leaf_of_another_low_type_is_not_cached", {"CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref leaf = subject.core().leaf(matrix(bench.target(), bench.target().other));
    expect_equal(twice(subject, bench, leaf), 2);
  });

  conformance("uncached_tensors_show_their_changes", {"CAST-501"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref frozen = subject.core().tensor(matrix(bench.target(), Dtype::kFloat32));
    bench.inside([&] {
      expect_equal(number_of(subject, bench.product(frozen)), 1.0);
      subject.core().fill_(frozen, 2.0);
      expect_equal(number_of(subject, bench.product(frozen)), 2.0);
    });
  });

  conformance("a_hit_has_the_same_cast_node", {"CAST-502"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      const std::string first = subject.fresh_name("cast");
      const std::string second = subject.fresh_name("cast");
      const Target& target = bench.target();
      subject.autocast().cached_cast(target.low, bench.weight(), target.type, first);
      subject.autocast().cached_cast(target.low, bench.weight(), target.type, second);
      expect_true(subject.same(first, second), "two uses get one tensor");
      expect_true(subject.autograd().same_node(Ref{first}, Ref{second}), "two uses get one node");
    });
  });

  conformance("other_operators_hit_too", {"CAST-502"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      expect_equal(bench.use(), 1);
      const auto other = [&] { call(subject, "aten::linear", {bench.low(), bench.weight(), {}}); };
      expect_equal(conversions(subject, other), 0);
    });
  });

  conformance("hits_and_inserts_are_counted", {"CAST-502", "CAST-503"}, [](Session& subject) {
    const Bench bench(subject);
    const AutocastClient autocast = subject.autocast();
    bench.inside([&] {
      bench.product();
      bench.product();
      expect_equal(autocast.stat("cache_inserts"), 1);
      expect_equal(autocast.stat("cache_hits"), 1);
      expect_equal(autocast.stat("cache_size"), 1);
    });
    expect_equal(autocast.stat("cache_size"), 0);
    expect_equal(autocast.stat("cache_clears"), 1);
  });

  conformance("the_key_ignores_the_type", {"CAST-504"}, [](Session& subject) {
    const Bench bench(subject);
    const Target& target = bench.target();
    bench.inside([&] {
      bench.product();
      inside(subject, {.device = target.type, .dtype = target.other}, [&] {
        const Called product = mm(subject, bench.weight(), bench.weight());
        expect_equal(product.dtype(), target.low);
      });
    });
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("a_stale_type_beside_a_fresh_one_is_the_operators_error", {"CAST-504"},
              [](Session& subject) {
                const Bench bench(subject);
                const Target& target = bench.target();
                bench.inside([&] {
                  bench.product();
                  inside(subject, {.device = target.type, .dtype = target.other}, [&] {
                    expect_error(
                        [&] { mm(subject, matrix(target, Dtype::kFloat32), bench.weight()); },
                        ErrorKind::kError, {});
                  });
                });
              })
      .except(Release::k1_13, DeviceRules::kCpu);

  conformance("clearing_is_the_way_out", {"CAST-504", "CAST-514"}, [](Session& subject) {
    const Bench bench(subject);
    const Target& target = bench.target();
    bench.inside([&] {
      bench.product();
      inside(subject, {.device = target.type, .dtype = target.other}, [&] {
        subject.autocast().clear_cache();
        const Called product = mm(subject, matrix(target, Dtype::kFloat32), bench.weight());
        expect_equal(product.dtype(), target.other);
      });
    });
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("changes_in_place_are_not_seen", {"CAST-505"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      expect_equal(number_of(subject, bench.product()), 1.0);
      subject.core().fill_(bench.weight(), 2.0);
      expect_equal(number_of(subject, bench.product()), 1.0);
    });
    bench.inside([&] { expect_equal(number_of(subject, bench.product()), 2.0); });
  });

  conformance("a_toggled_gradient_bypasses_and_hits_again", {"CAST-506"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      expect_equal(bench.use(), 1);
      subject.core().requires_grad_(bench.weight(), false);
      expect_equal(bench.use(), 1);
      expect_equal(bench.use(), 1);
      subject.core().requires_grad_(bench.weight(), true);
      expect_equal(bench.use(), 0);
    });
  });

  conformance("two_parameters_over_one_storage_are_two", {"CAST-507"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref twin = subject.core().detach(bench.weight());
    subject.core().requires_grad_(twin, true);
    bench.inside([&] {
      expect_equal(bench.use(), 1);
      expect_equal(bench.use(twin), 1);
      expect_equal(bench.use(), 0);
    });
  });
}

}  // namespace assay::suites
