// Which tensors are cast, and how arguments of each kind are converted.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

Ref probe(Session& subject, const Fields& what) {
  const Ref name{subject.fresh_name("probe")};
  subject.send("dispatch.tensor", what, name.name);
  return name;
}

Value reference(const Ref& ref) { return Value(ref); }

}  // namespace

CASES("autocast/mapping") {
  conformance("floating_types_but_float64_are_eligible", {"CAST-201"}, [](Session& subject) {
    const Target target = target_of(subject);
    for (const char letter : {'f', 'h', 'b', 'd', 'i', 'j', 'o', 'c', 'z'}) {
      const ScopedTrace at(std::string(1, letter));
      const Ref tensor =
          probe(subject, {{"device", target.type}, {"dtype", dtype_of_letter(letter)}});
      const bool wanted = std::string("fhb").find(letter) != std::string::npos;
      expect_equal(subject.autocast().is_eligible(tensor, target.type), wanted);
    }
  });

  conformance("an_undefined_tensor_is_not", {"CAST-201", "CAST-204"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref undefined = subject.core().undefined();

    expect_false(subject.autocast().is_eligible(undefined, target.type), "it is not eligible");
    expect_equal(subject.autocast().cached_cast(target.low, undefined, target.type),
                 reference(undefined));
  });

  conformance("small_floating_types_are", {"CAST-203", "CAST-201"}, [](Session& subject) {
    const Target target = target_of(subject);
    for (const Dtype dtype : {Dtype::kFloat8E5m2, Dtype::kFloat8E4m3fn}) {
      const Ref tensor = probe(subject, {{"device", target.type}, {"dtype", dtype}});
      expect_true(subject.autocast().is_eligible(tensor, target.type), "it is eligible");
    }
  }).since(Release::k2_4);

  conformance(
      "promote_throws_on_small_floating_types", {"CAST-203", "CAST-409"},
      [](Session& subject) {
        const Target target = target_of(subject);
        const Ref tensor = probe(subject, {{"device", target.type}, {"dtype", Dtype::kFloat8E5m2}});

        expect_error([&] { subject.autocast().prioritize(target.low, tensor, target.type); },
                     ErrorKind::kError, {"unexpected floating"});
      })
      .since(Release::k2_4);

  conformance("eligible_for_its_own_kind_of_device_alone", {"CAST-202"}, [](Session& subject) {
    const std::vector<std::string> types = {"cpu", "cuda", "xpu"};
    for (const std::string& tensor_type : types) {
      const Ref tensor = probe(subject, {{"device", tensor_type}});
      for (const std::string& asked : types) {
        const ScopedTrace at(tensor_type + " for " + asked);
        expect_equal(subject.autocast().is_eligible(tensor, asked), tensor_type == asked);
      }
    }
  });

  conformance("mkldnn_tensors_are_eligible_for_the_cpu", {"CAST-202"}, [](Session& subject) {
    const Ref tensor = probe(subject, {{"device", "cpu"}, {"layout", "mkldnn"}});

    expect_true(subject.autocast().is_eligible(tensor, "cpu"), "it is eligible");
  });

  conformance("no_tensor_is_eligible_for_an_unknown_kind", {"CAST-202"}, [](Session& subject) {
    const Target target = target_of(subject);

    expect_false(subject.autocast().is_eligible(matrix(target, Dtype::kFloat32), "meta"),
                 "it is not eligible");
  }).since(Release::k2_4);

  conformance("what_needs_no_cast_stays_the_same_object", {"CAST-204"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string low = letters_of({target.low});
    for (const char letter : {'d', 'i', 'o', low.at(0)}) {
      const ScopedTrace at(std::string(1, letter));
      const Ref tensor = subject.core().tensor(matrix(target, dtype_of_letter(letter)));
      expect_equal(subject.autocast().cached_cast(target.low, tensor, target.type),
                   reference(tensor));
    }
  });

  conformance("identity_is_no_conversion", {"CAST-204"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string low = letters_of({target.low});
    inside(subject, target, [&] {
      for (const std::string& letters : {std::string("dd"), low + low}) {
        const std::vector<Value> args = operands(target, letters);
        expect_equal(conversions(subject, [&] { mm(subject, args[0], args[1]); }), 0);
      }
    });
  });

  conformance("a_cast_keeps_the_strides", {"CAST-204"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref transposed =
        subject.core().tensor(strided(of_shape(target, Dtype::kFloat32, {2, 3}), {1, 2}));

    const std::string name = subject.fresh_name("cast");
    subject.autocast().cached_cast(target.low, transposed, target.type, name);

    const TensorInfo info = subject.core().info(Ref{name});
    expect_equal(info.dtype, target.low);
    expect_equal(info.strides, {1, 2});
  });

  conformance("an_absent_tensor_stays_absent", {"CAST-205"}, [](Session& subject) {
    const Target target = target_of(subject);

    expect_true(subject.autocast().cached_cast(target.low, {}, target.type).is_none(),
                "None stays None");
  });

  conformance("an_optional_tensor_is_cast_and_cached", {"CAST-205"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref bias = subject.core().leaf(of_shape(target, Dtype::kFloat32, {1}));
    const Value low = matrix(target, target.low);
    inside(subject, target, [&] {
      expect_equal(call(subject, "aten::linear", {low, low, {}}).dtype(), target.low);
      const auto use = [&] {
        return conversions(subject, [&] {
          expect_equal(call(subject, "aten::linear", {low, low, bias}).dtype(), target.low);
        });
      };
      expect_equal(use(), 1);
      expect_equal(use(), 0);
    });
  });

  conformance("lists_are_mapped_element_by_element", {"CAST-206"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref wide = subject.core().tensor(matrix(target, Dtype::kFloat64));
    const Ref whole = subject.core().tensor(matrix(target, Dtype::kInt64));
    const Ref leaf = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const List given{{matrix(target, Dtype::kFloat32), wide, whole, leaf}};

    const Value mapped = subject.autocast().cached_cast(target.low, given, target.type);

    const List* list = mapped.get_if<List>();
    expect_true(list != nullptr && list->items.size() == 4, "the list has four items");
    expect_dtype(subject, list->items.at(0), target.low);
    expect_equal(list->items.at(1), reference(wide));
    expect_equal(list->items.at(2), reference(whole));
    expect_dtype(subject, list->items.at(3), target.low);
  });

  conformance("an_empty_list_stays_empty", {"CAST-206"}, [](Session& subject) {
    const Target target = target_of(subject);

    const Value mapped = subject.autocast().cached_cast(target.low, List{}, target.type);

    const List* list = mapped.get_if<List>();
    expect_true(list != nullptr && list->items.empty(), "the empty list stays empty");
  });

  conformance("cat_on_the_cpu_promotes_as_stack_does", {"CAST-206"}, [](Session& subject) {
    const Target cpu = cpu_target();
    inside(subject, cpu, [&] {
      expect_equal(call(subject, "aten::cat", {List{operands(cpu, "bbf")}, 0}).dtype(),
                   Dtype::kFloat32);
      expect_error(
          [&] {
            call(subject, "aten::cat", {List{operands(cpu, "hh")}, 0});
          },
          ErrorKind::kError, {"unexpected floating"});
    });
  }).since(Release::k2_4);

  conformance("cat_on_the_cpu_was_inert", {"CAST-206"}, [](Session& subject) {
    const Target cpu = cpu_target();
    inside(subject, cpu, [&] {
      expect_equal(call(subject, "aten::cat", {List{operands(cpu, "hh")}, 0}).dtype(),
                   Dtype::kFloat16);
    });
  }).until(Release::k1_13);

  conformance("every_element_of_a_list_votes", {"CAST-206", "CAST-408"}, [](Session& subject) {
    const Target cpu = cpu_target();
    inside(subject, cpu, [&] {
      const Called called = call(subject, "aten::stack", {List{operands(cpu, "bbf")}, 0});
      expect_equal(called.dtype(), Dtype::kFloat32);
    });
  });

  conformance("a_list_of_optional_tensors_is_not_looked_at", {"CAST-207"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op =
        define(subject, target,
               {"indexed(Tensor x, Tensor?[] at, Tensor y) -> Tensor", {{"behaviour", "return"}}});
    subject.autocast().wrap("lower_precision_fp", op, target.type);
    const std::vector<Value> args = operands(target, "fff");

    inside(subject, target, [&] {
      const Called called = call(subject, op, {args[0], List{{args[1]}}, args[2]});
      const std::string low = letters_of({target.low});
      expect_equal(called.reached(), low + "f" + low);
    });
  });

  conformance("everything_else_passes_by_value", {"CAST-207"}, [](Session& subject) {
    const Target target = target_of(subject);
    for (const Value& thing :
         {Value(7), Value(0.5), Value(true), Value("text"), Value(List{{1, 2}})}) {
      expect_equal(subject.autocast().cached_cast(target.low, thing, target.type), thing);
    }
  });

  conformance("tensors_without_elements_are_cast_too", {"CAST-208"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const Called called = mm(subject, of_shape(target, Dtype::kFloat32, {0, 3}),
                               of_shape(target, Dtype::kFloat32, {3, 0}));
      expect_equal(called.dtype(), target.low);
    });
  });

  conformance("an_empty_parameter_is_cached", {"CAST-208"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref empty = subject.core().leaf(of_shape(target, Dtype::kFloat32, {1, 0}));
    const Value low = matrix(target, target.low);
    inside(subject, target, [&] {
      expect_equal(conversions(subject, [&] { mm(subject, low, empty); }), 1);
      expect_equal(conversions(subject, [&] { mm(subject, low, empty); }), 0);
    });
  });

  conformance("a_tensor_without_dimensions_is_cast_too", {"CAST-208"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Value scalar = on(scalar_of(Dtype::kFloat32, 1), target.device);
    expect_dtype(subject, subject.autocast().cached_cast(target.low, scalar, target.type),
                 target.low);
  });

  conformance("gradients_come_back_in_the_type_of_the_source", {"CAST-209"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    Ref product;
    inside(subject, target, [&] {
      product = call_ref(subject, "aten::mm", {matrix(target, Dtype::kFloat32), weight});
    });

    subject.autograd().backward(product, matrix(target, target.low));

    expect_bits(subject.core().grad(weight), matrix(target, Dtype::kFloat32));
  });

  conformance("a_source_without_gradient_has_no_cast_node", {"CAST-209"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const Ref product = call_ref(subject, "aten::mm", operands(target, "ff"));
      expect_equal(subject.autograd().node(product).kind, "none");
    });
  });
}

}  // namespace assay::suites
