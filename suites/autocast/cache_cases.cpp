// The weight cache: what is kept, what hits, what is stale, and who clears it.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

/// A weight and an operand that is low already, so that only the weight is ever converted.
class Bench {
 public:
  explicit Bench(Session& subject)
      : subject_(subject),
        target_(target_of(subject)),
        weight_(subject.core().leaf(matrix(target_, Dtype::kFloat32))),
        low_(subject.core().tensor(matrix(target_, target_.low))) {}

  const Target& target() const { return target_; }
  const Ref& weight() const { return weight_; }
  const Ref& low() const { return low_; }

  /// Conversions of one product with that weight.
  std::int64_t use(const Value& weight) const {
    return conversions(subject_, [&] { mm(subject_, low_, weight); });
  }
  std::int64_t use() const { return use(weight_); }
  Ref product(const Value& weight) const { return call_ref(subject_, "aten::mm", {low_, weight}); }
  Ref product() const { return product(weight_); }
  void inside(const std::function<void()>& body) const { suites::inside(subject_, target_, body); }
  /// With grad mode off, or in inference mode.
  std::vector<Reply> under(Block mode, const std::function<void(Session&)>& body) const {
    return subject_.scope(std::move(mode), subject_.block(body));
  }

 private:
  Session& subject_;
  Target target_;
  Ref weight_;
  Ref low_;
};

void product_of(Session& inner, const Ref& left, const Ref& right, std::string as = {}) {
  inner.send("dispatch.call", {{"op", "aten::mm"}, {"args", List{{left, right}}}}, std::move(as));
}

bool requires_grad(Session& subject, const Ref& tensor) {
  return field_as<bool>(subject.send("core.info", {{"tensor", tensor}}), "requires_grad");
}

/// How often `tensor` is converted when it is used twice.
std::int64_t twice(Session& subject, const Bench& bench, const Ref& tensor) {
  std::int64_t count = 0;
  subject.autocast().clear_cache();
  bench.inside([&] { count = bench.use(tensor) + bench.use(tensor); });
  return count;
}

/// What one use of the weight converts in a region of another thread.
std::int64_t conversions_elsewhere(Session& subject, const Bench& bench) {
  return conversions(subject, [&] {
    on_thread(subject, "other", [&](Session& inner) {
      const RegionHandle region = inner.autocast().construct({.device = bench.target().type});
      region.enter();
      product_of(inner, bench.low(), bench.weight());
      region.exit();
    });
  });
}

}  // namespace

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
      expect_true(subject.same(first, second), "two uses got two tensors");
      expect_true(subject.autograd().same_node(Ref{first}, Ref{second}), "two nodes");
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

  conformance("first_without_and_then_with_grad", {"CAST-508", "CAST-503"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      bench.under(subject.autograd().grad_mode(false),
                  [&](Session& inner) { product_of(inner, bench.low(), bench.weight()); });
      const Ref later = bench.product();

      expect_true(requires_grad(subject, later), "the later output has no history");
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
                  expect_false(requires_grad(subject, bench.product()), "it has a history");
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
      expect_false(requires_grad(subject, Ref{quiet}), "no_grad made a history");
      expect_true(requires_grad(subject, bench.product()), "the history is lost");
    });
  });

  conformance("under_no_grad_the_output_has_no_history", {"CAST-503"}, [](Session& subject) {
    const Bench bench(subject);
    const std::string quiet = subject.fresh_name("quiet");
    bench.inside([&] {
      bench.under(subject.autograd().grad_mode(false),
                  [&](Session& inner) { product_of(inner, bench.low(), bench.weight(), quiet); });
      expect_false(requires_grad(subject, Ref{quiet}), "no_grad made a history");
    });
  });

  conformance("alternating_grad_modes", {"CAST-508"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      for (int round = 0; round < 4; ++round) {
        bench.under(subject.autograd().grad_mode(false),
                    [&](Session& inner) { product_of(inner, bench.low(), bench.weight()); });
        expect_true(requires_grad(subject, bench.product()), "the history is lost");
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
                  expect_true(requires_grad(subject, bench.product()), "the history is lost");
                });
              })
      .since(Release::k2_11);

  conformance("inference_mode_poisoned_it", {"CAST-509"}, [](Session& subject) {
    const Bench bench(subject);
    bench.inside([&] {
      bench.under(subject.autograd().inference_mode(true),
                  [&](Session& inner) { product_of(inner, bench.low(), bench.weight()); });
      expect_equal(bench.use(), 0);
      expect_false(requires_grad(subject, bench.product()), "it has a history");
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
                expect_false(requires_grad(subject, Ref{inferred}), "it has a history");
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

  conformance("with_the_cache_gradients_meet_in_the_low_type", {"CAST-511"}, [](Session& subject) {
    const Target cpu = cpu_target();
    for (const bool cached : {true, false}) {
      const At at(cached ? "with the cache" : "without");
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
      expect_false(gone(), "the parameter is gone while its entry has a node");
    });
    expect_true(gone(), "the parameter outlives its region");
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
                  "an entry without a node keeps its source");
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
      expect_false(gone(), "the copy is gone before the clear");
      subject.autocast().clear_cache();
      expect_true(gone(), "the copy outlives the clear");
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
