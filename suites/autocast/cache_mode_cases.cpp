// The weight cache under grad modes and inference mode.
#include "suites/autocast/cache.hpp"

namespace assay::suites {

CASES("autocast/cache") {
  conformance("first_without_and_then_with_grad", {"CAST-508", "CAST-503"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      bench.under(subject.autograd().grad_mode(false),
                  [&](Session& inner) { product_of(inner, bench.low(), bench.weight()); });
      const Ref later = bench.product();

      expect_true(requires_grad(subject, later), "the later output has a history");
      subject.autograd().backward(later, matrix(bench.target(), bench.target().low));
      expect_bits(subject.core().grad(bench.weight()), matrix(bench.target(), Dtype::kFloat32));
    });
  }).since(Release::k2_11);

  conformance("first_without_and_then_with_grad_lost_the_history", {"CAST-508"},
              [](Session& subject) {
                const Bench bench(subject);
                bench.inside([&] {
                  bench.under(subject.autograd().grad_mode(false), [&](Session& inner) {
                    product_of(inner, bench.low(), bench.weight());
                  });
                  expect_false(requires_grad(subject, bench.product()), "it has no history");
                });
              })
      .until(Release::k2_4);

  conformance("grad_first_is_right_in_every_release", {"CAST-508"}, [](Session& subject) {
    const Bench bench(subject);
    const std::string quiet = subject.fresh_name("quiet");
    bench.inside([&] {
      bench.product();
      bench.under(subject.autograd().grad_mode(false),
                  [&](Session& inner) { product_of(inner, bench.low(), bench.weight(), quiet); });
      expect_false(requires_grad(subject, Ref{quiet}), "no history is made under no_grad");
      expect_true(requires_grad(subject, bench.product()), "it has a history");
    });
  });

  conformance("under_no_grad_the_output_has_no_history", {"CAST-503"}, [](Session& subject) {
    const Bench bench(subject);
    const std::string quiet = subject.fresh_name("quiet");
    bench.inside([&] {
      bench.under(subject.autograd().grad_mode(false),
                  [&](Session& inner) { product_of(inner, bench.low(), bench.weight(), quiet); });
      expect_false(requires_grad(subject, Ref{quiet}), "no history is made under no_grad");
    });
  });

  conformance("alternating_grad_modes", {"CAST-508"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      for (int round = 0; round < 4; ++round) {
        bench.under(subject.autograd().grad_mode(false),
                    [&](Session& inner) { product_of(inner, bench.low(), bench.weight()); });
        expect_true(requires_grad(subject, bench.product()), "it has a history");
      }
    });
  }).since(Release::k2_11);

  conformance("inference_mode_neither_asks_nor_fills_it", {"CAST-509", "CAST-501"},
              [](Session& subject) {
                const Bench bench(subject);
                const std::string inferred = subject.fresh_name("inferred");
                bench.inside([&] {
                  bench.under(subject.autograd().inference_mode(true), [&](Session& inner) {
                    product_of(inner, bench.low(), bench.weight(), inferred);
                  });
                  expect_dtype(subject, Ref{inferred}, bench.target().low);
                  expect_equal(bench.use(), 1);
                  expect_true(requires_grad(subject, bench.product()), "it has a history");
                });
              })
      .since(Release::k2_11);

  conformance("inference_mode_poisoned_it", {"CAST-509"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      bench.under(subject.autograd().inference_mode(true),
                  [&](Session& inner) { product_of(inner, bench.low(), bench.weight()); });
      expect_equal(bench.use(), 0);
      expect_false(requires_grad(subject, bench.product()), "it has no history");
    });
  }).until(Release::k2_4);

  conformance("a_region_inside_inference_mode_casts_without_history", {"CAST-509"},
              [](Session& subject) {
                const Bench bench(subject);
                const std::string inferred = subject.fresh_name("inferred");
                Block region = subject.autocast().region({.device = bench.target().type});
                Block enter = subject.autograd().inference_mode(true);
                enter.insert(enter.end(), region.begin(), region.end());
                bench.under(enter, [&](Session& inner) {
                  product_of(inner, bench.low(), bench.weight(), inferred);
                });
                expect_dtype(subject, Ref{inferred}, bench.target().low);
                expect_false(requires_grad(subject, Ref{inferred}), "it has no history");
              });

  conformance("repeated_use_under_no_grad_does_not_grow", {"CAST-510"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      const std::int64_t count = conversions(subject, [&] {
        for (int i = 0; i < 4; ++i) {
          bench.under(subject.autograd().grad_mode(false),
                      [&](Session& inner) { product_of(inner, bench.low(), bench.weight()); });
        }
      });
      expect_equal(count, 1);
    });
  });
}

}  // namespace assay::suites
