// Custom functions inside and outside regions: custom_fwd, custom_bwd, and checkpoints.
#include "harness/suite/itself.hpp"
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

/// A function that multiplies its arguments and saves the second; backward multiplies too.
Ref product_function(Session& subject, const Target& target, std::optional<Dtype> inputs) {
  const Callable forward =
      subject.callback(subject.fresh_name("forward"), subject.block([](Session& inner) {
        inner.send("dispatch.call", {{"op", "aten::mm"}, {"args", List{{Ref{"$0"}, Ref{"$1"}}}}},
                   "product");
        inner.send("value", {{"value", List{{Ref{"product"}, Ref{"$1"}}}}});
      }));
  const Ref other = subject.core().tensor(matrix(target, Dtype::kFloat32));
  const Callable backward =
      subject.callback(subject.fresh_name("backward"), subject.block([&](Session& inner) {
        // A product of two float32 tensors, whose dtypes show the autocast state.
        inner.send("dispatch.call", {{"op", "aten::mm"}, {"args", List{{other, other}}}},
                   "gradient");
        inner.send("value", {{"value", List{{Ref{"gradient"}, Ref{"gradient"}}}}});
      }));
  return subject.autograd().function(forward, backward,
                                     CustomCasts{.device = target.type, .inputs = inputs});
}

Ref apply(Session& subject, const Ref& function, const Value& left, const Value& right) {
  return subject.autograd().apply(function, {left, right});
}

/// The dtypes of the product inside a backward pass.
std::string product_of_backward(Session& subject, const Ref& output, const Value& gradient) {
  const auto runs =
      traced(subject, [&](Session& inner) { inner.autograd().backward(output, gradient); });
  return only_word(reached_by(runs, "aten::mm"));
}

/// In 1.13, custom_fwd is only for CUDA.
CaseOptions custom(std::string_view name, std::vector<std::string> clauses,
                   std::function<void(Session&)> body, Where where = Where::current()) {
  return conformance(name, std::move(clauses), std::move(body), where)
      .except(Release::k1_13, DeviceRules::kCpu);
}

/// The number of conversions of a cached weight after a backward in the same region.
std::int64_t conversions_after_backward_inside(Session& subject) {
  const Target target = target_of(subject);
  const Ref function = product_function(subject, target, {});
  const Ref leaf = subject.core().leaf(matrix(target, Dtype::kFloat32));
  const Ref output = apply(subject, function, leaf, matrix(target, Dtype::kFloat32));
  const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
  const Value low = matrix(target, target.low);
  const auto use = [&] { return conversions(subject, [&] { mm(subject, low, weight); }); };
  std::int64_t again = 0;
  inside(subject, target, [&] {
    use();
    expect_equal(use(), 0);
    subject.autograd().backward(output, matrix(target, Dtype::kFloat32));
    again = use();
  });
  return again;
}

}  // namespace

CASES("autocast/custom") {
  custom("forward_runs_in_the_current_state", {"CAST-701"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, {});
    const Value plain = matrix(target, Dtype::kFloat32);

    expect_dtype(subject, apply(subject, function, plain, plain), Dtype::kFloat32);
    inside(subject, target,
           [&] { expect_dtype(subject, apply(subject, function, plain, plain), target.low); });
  });

  custom("inputs_are_untouched_unless_casts_are_asked_for", {"CAST-701"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Callable forward = subject.callback("forward", subject.block([](Session& inner) {
      inner.send("dispatch.call", {{"op", "aten::relu"}, {"args", List{{Ref{"$0"}}}}});
    }));
    const Callable backward = subject.callback("backward", subject.block([](Session& inner) {
      inner.send("value", {{"value", Ref{"$0"}}});
    }));
    const Ref function =
        subject.autograd().function(forward, backward, CustomCasts{.device = target.type});
    inside(subject, target, [&] {
      const Ref result = subject.autograd().apply(function, {matrix(target, Dtype::kFloat32)});
      expect_dtype(subject, result, Dtype::kFloat32);
    });
  });

  custom("cast_inputs_cast_and_switch_autocast_off", {"CAST-702"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, Dtype::kFloat32);
    const Value low = matrix(target, target.low);
    inside(subject, target, [&] {
      // Autocast would convert the product again.
      expect_dtype(subject, apply(subject, function, low, low), Dtype::kFloat32);
      expect_true(subject.autocast().is_enabled(target.type), "autocast is on after forward");
    });
  });

  custom("cast_inputs_leave_none_as_it_is", {"CAST-702"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Callable forward = subject.callback("forward", subject.block([](Session& inner) {
      inner.send("dispatch.call", {{"op", "aten::relu"}, {"args", List{{Ref{"$1"}}}}});
    }));
    const Callable backward = subject.callback("backward", subject.block([](Session& inner) {
      inner.send("value", {{"value", List{{Value(), Ref{"$0"}}}}});
    }));
    const Ref function = subject.autograd().function(
        forward, backward, CustomCasts{.device = target.type, .inputs = Dtype::kFloat32});
    const Ref leaf = subject.core().leaf(matrix(target, target.low));
    Ref output;
    inside(subject, target, [&] { output = subject.autograd().apply(function, {Value(), leaf}); });

    expect_dtype(subject, output, Dtype::kFloat32);
    subject.autograd().backward(output, matrix(target, Dtype::kFloat32));
    expect_bits(subject.core().grad(leaf), matrix(target, target.low));
  });

  custom("cast_inputs_leave_what_is_not_eligible", {"CAST-702"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, Dtype::kFloat32);
    const Value wide = matrix(target, Dtype::kFloat64);
    inside(subject, target,
           [&] { expect_dtype(subject, apply(subject, function, wide, wide), Dtype::kFloat64); });
  });

  custom("what_is_saved_is_cast", {"CAST-702"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Callable forward = subject.callback("forward", subject.block([](Session& inner) {
      inner.send("dispatch.call", {{"op", "aten::relu"}, {"args", List{{Ref{"$0"}}}}}, "result");
      inner.send("value", {{"value", List{{Ref{"result"}, Ref{"$0"}}}}});
    }));
    const Callable backward = subject.callback("backward", subject.block([](Session& inner) {
      inner.send("dispatch.call", {{"op", "aten::stack"}, {"args", List{{Ref{"$saved"}, 0}}}},
                 "kept");
      inner.send("value", {{"value", Ref{"$0"}}});
    }));
    const Ref function = subject.autograd().function(
        forward, backward, CustomCasts{.device = target.type, .inputs = Dtype::kFloat32});
    const Ref leaf = subject.core().leaf(matrix(target, target.low));
    Ref output;
    inside(subject, target, [&] { output = subject.autograd().apply(function, {leaf}); });

    const Value gradient = matrix(target, Dtype::kFloat32);
    const auto runs =
        traced(subject, [&](Session& inner) { inner.autograd().backward(output, gradient); });

    expect_equal(only_word(reached_by(runs, "aten::stack")), "f");
  });

  custom("outside_of_a_region_cast_inputs_do_nothing", {"CAST-703"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, Dtype::kFloat32);
    const Value low = matrix(target, target.low);

    expect_dtype(subject, apply(subject, function, low, low), target.low);
  });

  custom("containers_are_cast_recursively", {"CAST-704"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Callable forward = subject.callback("forward", subject.block([](Session& inner) {
      inner.send("dispatch.call", {{"op", "aten::cat"}, {"args", List{{Ref{"$0"}, 0}}}});
    }));
    const Callable backward = subject.callback("backward", subject.block([](Session& inner) {
      inner.send("value", {{"value", {}}});
    }));
    const Ref function = subject.autograd().function(
        forward, backward, CustomCasts{.device = target.type, .inputs = Dtype::kFloat32});
    const std::vector<Value> tensors = {matrix(target, target.low), matrix(target, target.low)};
    inside(subject, target, [&] {
      const Ref result = subject.autograd().apply(function, {List{tensors}});
      expect_dtype(subject, result, Dtype::kFloat32);
    });
  });

  custom("each_item_of_a_list_and_of_a_tuple_is_cast", {"CAST-704"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Value low = matrix(target, target.low);
    const auto function_of = [&](const Block& body) {
      const Callable backward = subject.callback(subject.fresh_name("backward"), body);
      return subject.autograd().function(
          subject.callback(subject.fresh_name("forward"), body), backward,
          CustomCasts{.device = target.type, .inputs = Dtype::kFloat32});
    };
    const Ref joins = function_of(subject.block([](Session& inner) {
      inner.send("dispatch.call", {{"op", "aten::cat"}, {"args", List{{Ref{"$0"}, 0}}}});
    }));
    const Ref returns_first = function_of(subject.block([](Session& inner) {
      inner.send("value", {{"value", Ref{"$0"}}});
    }));
    inside(subject, target, [&] {
      const auto runs = traced(subject, [&](Session& inner) {
        inner.autograd().apply(joins, {List{{low, low, low}}});
      });
      expect_equal(only_word(reached_by(runs, "aten::cat")), "fff");
      const Ref first = subject.autograd().apply(returns_first, {Tuple{{low, low}}});
      expect_dtype(subject, first, Dtype::kFloat32);
    });
  });

  custom("texts_and_numbers_pass", {"CAST-704"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Callable forward = subject.callback("forward", subject.block([](Session& inner) {
      inner.send("dispatch.call",
                 {{"op", "aten::softmax.int"}, {"args", List{{Ref{"$0"}, Ref{"$1"}, {}}}}});
    }));
    const Callable backward = subject.callback("backward", subject.block([](Session& inner) {
      inner.send("value", {{"value", {}}});
    }));
    const Ref function = subject.autograd().function(
        forward, backward, CustomCasts{.device = target.type, .inputs = Dtype::kFloat32});
    inside(subject, target, [&] {
      const Ref result =
          subject.autograd().apply(function, {matrix(target, target.low), 1, "text"});
      expect_dtype(subject, result, Dtype::kFloat32);
    });
  });

  custom("backward_runs_with_the_recorded_type", {"CAST-705", "CAST-701"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, {});
    const Ref leaf = subject.core().leaf(matrix(target, Dtype::kFloat32));
    for (const Dtype dtype : {target.low, target.other}) {
      Ref output;
      inside(subject, {.device = target.type, .dtype = dtype},
             [&] { output = apply(subject, function, leaf, matrix(target, Dtype::kFloat32)); });

      expect_equal(product_of_backward(subject, output, matrix(target, dtype)),
                   letters_of({dtype, dtype}));
    }
  }).since(Release::k2_4);

  custom("backward_ran_with_the_default_type", {"CAST-705"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, {});
    const Ref leaf = subject.core().leaf(matrix(target, Dtype::kFloat32));
    Ref output;
    inside(subject, {.device = target.type, .dtype = target.other},
           [&] { output = apply(subject, function, leaf, matrix(target, Dtype::kFloat32)); });

    expect_equal(product_of_backward(subject, output, matrix(target, target.other)),
                 letters_of({target.low, target.low}));
  }).until(Release::k1_13);

  custom(
      "backward_of_a_forward_outside_is_not_cast_in_a_region", {"CAST-705"}, [](Session& subject) {
        const Target target = target_of(subject);
        const Ref function = product_function(subject, target, {});
        const Ref leaf = subject.core().leaf(matrix(target, Dtype::kFloat32));
        const Ref output = apply(subject, function, leaf, matrix(target, Dtype::kFloat32));
        inside(subject, target, [&] {
          expect_equal(product_of_backward(subject, output, matrix(target, Dtype::kFloat32)), "ff");
        });
      });

  custom("after_cast_inputs_backward_is_disabled", {"CAST-705", "CAST-702"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, Dtype::kFloat32);
    const Ref leaf = subject.core().leaf(matrix(target, Dtype::kFloat32));
    inside(subject, target, [&] {
      const Ref output = apply(subject, function, leaf, matrix(target, target.low));
      expect_equal(product_of_backward(subject, output, matrix(target, Dtype::kFloat32)), "ff");
    });
  });

  custom("backward_outside_of_every_region_clears_the_cache", {"CAST-706"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, {});
    const Ref leaf = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Ref output = apply(subject, function, leaf, matrix(target, Dtype::kFloat32));
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Value low = matrix(target, target.low);
    const auto use = [&] { return conversions(subject, [&] { mm(subject, low, weight); }); };
    subject.autocast().set_enabled(true, target.type);
    expect_equal(use(), 1);
    expect_equal(use(), 0);

    subject.autograd().backward(output, matrix(target, Dtype::kFloat32));

    expect_equal(use(), 1);
  });

  custom("backward_inside_a_region_clears_nothing", {"CAST-706"}, [](Session& subject) {
    expect_cpu_itself(subject);
    expect_equal(conversions_after_backward_inside(subject), 0);
  }).only(DeviceRules::kCpu);

  custom("backward_of_cuda_clears_the_cache_inside_a_region_too", {"CAST-706"},
         [](Session& subject) { expect_equal(conversions_after_backward_inside(subject), 1); })
      .only(DeviceRules::kCuda);

  custom("a_weight_cast_in_forward_keeps_its_history", {"CAST-707", "CAST-503"},
         [](Session& subject) {
           const Target target = target_of(subject);
           const Ref function = product_function(subject, target, {});
           const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
           const Value low = matrix(target, target.low);
           inside(subject, target, [&] {
             apply(subject, function, low, weight);
             const Ref later = call_ref(subject, "aten::mm", {low, weight});
             expect_true(subject.core().info(later).requires_grad, "it has a history");
           });
         })
      .since(Release::k2_11);

  custom("a_weight_cast_in_forward_lost_its_history", {"CAST-707"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref function = product_function(subject, target, {});
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Value low = matrix(target, target.low);
    inside(subject, target, [&] {
      apply(subject, function, low, weight);
      const Ref later = call_ref(subject, "aten::mm", {low, weight});
      expect_false(subject.core().info(later).requires_grad, "it has no history");
    });
  }).until(Release::k2_4);

  conformance("a_checkpoint_sees_the_state_of_its_forward", {"CAST-708"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Callable body = subject.callback(
        "body", subject.block([](Session& inner) { mm(inner, Ref{"$0"}, Ref{"$1"}); }));
    const Ref left = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Ref right = subject.core().leaf(matrix(target, Dtype::kFloat32));
    Ref output;

    inside(subject, {.device = target.type, .dtype = target.other}, [&] {
      output = subject.autograd().checkpoint(body, {left, right});
    });

    expect_dtype(subject, output, target.other);
    expect_true(subject.core().info(output).requires_grad, "it has a history");
    const Value gradient = matrix(target, target.other);
    const auto runs =
        traced(subject, [&](Session& inner) { inner.autograd().backward(output, gradient); });
    const std::string wanted = letters_of({target.other, target.other});
    for (const std::string& run : reached_by(runs, "aten::mm")) expect_equal(run, wanted);
    expect_dtype(subject, subject.core().grad(left), Dtype::kFloat32);
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("a_checkpoint_sees_both_devices", {"CAST-708"}, [](Session& subject) {
    const Target cuda = target_of(subject);
    const Target cpu = cpu_target();
    const Ref plain = subject.core().tensor(matrix(cpu, Dtype::kFloat32));
    const Callable body = subject.callback("body", subject.block([&](Session& inner) {
      mm(inner, plain, plain);
      mm(inner, Ref{"$0"}, Ref{"$1"});
    }));
    const Ref leaf = subject.core().leaf(matrix(cuda, Dtype::kFloat32));
    Ref output;
    inside(subject, cuda, [&] {
      inside(subject, cpu, [&] { output = subject.autograd().checkpoint(body, {leaf, leaf}); });
    });

    const Value gradient = matrix(cuda, cuda.low);
    const auto runs =
        traced(subject, [&](Session& inner) { inner.autograd().backward(output, gradient); });

    const std::vector<std::string> products = reached_by(runs, "aten::mm");
    expect_true(products.size() >= 2, "the products are computed again");
    expect_equal(products.at(0), "bb");
    expect_equal(products.at(1), "hh");
  }).only(DeviceRules::kCuda);
}

}  // namespace assay::suites
