// The weight cache: lifetime of its entries, and the effect of clearing.
#include "suites/autocast/cache.hpp"

namespace assay::suites {

CASES("autocast/cache") {
  conformance("with_the_cache_gradients_meet_in_the_low_type", {"CAST-511"}, [](Session& subject) {
    const Target cpu = cpu_target();
    for (const bool cached : {true, false}) {
      const ScopedTrace at(cached ? "with the cache" : "without");
      const Ref weight = subject.core().leaf(matrix(cpu, Dtype::kFloat32));
      Ref sum;
      inside(subject, {.device = "cpu", .cache_enabled = cached}, [&] {
        const Ref many =
            call_ref(subject, "aten::mm", {matrix(cpu, Dtype::kBfloat16, 256), weight});
        const Ref one = call_ref(subject, "aten::mm", {matrix(cpu, Dtype::kBfloat16, 1), weight});
        sum = call_ref(subject, "aten::add.Tensor", {many, one});
      });
      subject.autograd().backward(sum, matrix(cpu, Dtype::kBfloat16));
      expect_bits(subject.core().grad(weight), matrix(cpu, Dtype::kFloat32, cached ? 256 : 257));
    }
  });

  conformance("the_entry_keeps_a_source_with_a_node_alive", {"CAST-512"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref weak{subject.fresh_name("weak")};
    const auto gone = [&] {
      return field_as<bool>(subject.send("gone", {{"weak", weak}}), "result");
    };
    bench.inside([&] {
      mm(subject, bench.low(), bench.weight());
      subject.send("weak", {{"object", bench.weight()}}, weak.name);
      subject.drop(bench.weight().name);
      expect_false(gone(), "an entry with a node keeps its parameter alive");
    });
    expect_true(gone(), "the parameter ends with its region");
  });

  conformance("an_entry_without_a_node_let_its_source_go", {"CAST-512"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref weak{subject.fresh_name("weak")};
    bench.inside([&] {
      bench.under(subject.autograd().grad_mode(false), [&](Session& inner) {
        inner.send("dispatch.call",
                   {{"op", "aten::mm"}, {"args", List{{bench.low(), bench.weight()}}}});
      });
      subject.send("weak", {{"object", bench.weight()}}, weak.name);
      subject.drop(bench.weight().name);
      expect_true(field_as<bool>(subject.send("gone", {{"weak", weak}}), "result"),
                  "an entry without a node does not keep its source");
    });
  }).until(Release::k2_4);

  conformance("a_freed_source_leaves_no_false_hit", {"CAST-512", "CAST-502"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Value low = matrix(target, target.low);
    inside(subject, target, [&] {
      for (int round = 0; round < 8; ++round) {
        const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32, round + 1));
        const Ref product = call_ref(subject, "aten::mm", {low, weight});
        expect_equal(number_of(subject, product), static_cast<double>(round + 1));
        subject.drop(product.name);
        subject.drop(weight.name);
      }
    });
  });

  conformance("a_graph_outlives_the_clear", {"CAST-513"}, [](Session& subject) {
    const Bench bench(subject);
    Ref product;
    bench.inside([&] { product = bench.product(); });

    subject.autograd().backward(product, matrix(bench.target(), bench.target().low));

    expect_bits(subject.core().grad(bench.weight()), matrix(bench.target(), Dtype::kFloat32));
  });

  conformance("copies_live_until_the_clear", {"CAST-513", "CAST-514"}, [](Session& subject) {
    const Bench bench(subject);
    const Target& target = bench.target();
    const std::string copy = subject.fresh_name("copy");
    const Ref weak{subject.fresh_name("weak")};
    const auto gone = [&] {
      return field_as<bool>(subject.send("gone", {{"weak", weak}}), "result");
    };
    bench.inside([&] {
      subject.autocast().cached_cast(target.low, bench.weight(), target.type, copy);
      subject.send("weak", {{"object", Ref{copy}}}, weak.name);
      subject.drop(copy);
      expect_false(gone(), "the copy lives until the clear");
      subject.autocast().clear_cache();
      expect_true(gone(), "the copy ends with the clear");
    });
  });

  conformance("clearing_empties_it", {"CAST-514"}, [](Session& subject) {
    const Bench bench(subject);
    const Ref plain = subject.core().tensor(matrix(bench.target(), Dtype::kFloat32));
    bench.inside([&] {
      bench.product();
      subject.autocast().clear_cache();
      subject.autocast().clear_cache();
      expect_equal(conversions(subject, [&] { mm(subject, plain, bench.weight()); }), 2);
      expect_equal(bench.use(), 0);
    });
  });

  conformance("clearing_works_while_autocast_is_off", {"CAST-514"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      bench.product();
      inside(subject, {.device = bench.target().type, .enabled = false},
             [&] { subject.autocast().clear_cache(); });
      expect_equal(bench.use(), 1);
    });
  });
}

}  // namespace assay::suites
