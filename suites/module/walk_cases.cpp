// Which tensors a conversion visits, in which order, and how often.
#include "suites/module/moving.hpp"

namespace assay::suites {
namespace {

/// A module `sub` with a parameter and a buffer, inside a module with both.
struct Family {
  ModuleHandle parent;
  ModuleHandle child;
  Ref weight;
  Ref child_weight;
};

Family family(Session& subject, const TensorValue& weight, const TensorValue& child_weight) {
  const ModuleHandle parent = subject.modules().plain();
  const ModuleHandle child = subject.modules().plain();
  const Ref own = parent.set_parameter("w", weight);
  parent.set_child("sub", child);
  const Ref below = child.set_parameter("weight", child_weight);
  return {.parent = parent, .child = child, .weight = own, .child_weight = below};
}

TensorValue scalar() { return scalar_of(Dtype::kFloat32, 1); }

}  // namespace

CASES("module/walk") {
  conformance("parameters_gradients_and_buffers_move_at_every_depth", {"MOVE-01"},
              [](Session& subject) {
                const Family all = family(subject, f32({1, 2}), f32({3}));
                const Ref grad = give_grad(subject, all.weight, f32({4, 5}));
                const Ref child_grad = give_grad(subject, all.child_weight, f32({6}));
                all.parent.set_buffer("b", f32({7}));
                all.child.set_buffer("b", f32({8}), false);

                all.parent.move("double");

                expect_bits(subject.core().read(all.parent.parameter("w")), f64({1, 2}));
                expect_bits(subject.core().read(all.parent.parameter("sub.weight")), f64({3}));
                expect_bits(subject.core().read(grad), f64({4, 5}));
                expect_bits(subject.core().read(child_grad), f64({6}));
                expect_bits(subject.core().read(all.parent.buffer("b")), f64({7}));
                expect_bits(subject.core().read(all.parent.buffer("sub.b")), f64({8}));
              });

  conformance("what_a_module_does_not_know_stays", {"MOVE-01"}, [](Session& subject) {
    const ModuleHandle module = single(subject).module;
    const Ref plain = subject.core().tensor(f32({1}));
    const Ref listed = subject.core().tensor(f32({2}));
    module.set_attribute("plain", plain);
    module.set_attribute("listed", List{{listed, f32({3})}});

    module.move("double");

    expect_kept(subject, plain, module.attribute("plain"));
    expect_dtype(subject, plain, Dtype::kFloat32);
    for (const Ref& tensor : module.attributes("listed")) {
      expect_dtype(subject, tensor, Dtype::kFloat32);
    }
  });

  conformance("empty_slots_are_skipped", {"MOVE-01"}, [](Session& subject) {
    const ModuleHandle module = single(subject).module;
    module.set_empty_parameter("bias");
    module.set_empty_buffer("mean");
    module.set_child("sub", None{});

    module.move("double");

    expect_equal(module.parameter_value("bias"), None{});
    expect_dtype(subject, module.parameter("w"), Dtype::kFloat64);
  });

  conformance("the_training_flag_stays", {"MOVE-01"}, [](Session& subject) {
    const Family all = family(subject, f32({1}), f32({2}));
    for (const bool trains : {false, true}) {
      all.parent.train(trains);

      all.parent.move(trains ? "float" : "double");

      expect_equal(all.parent.is_training(), trains);
      expect_equal(all.child.is_training(), trains);
    }
  });

  conformance("every_move_returns_the_module", {"MOVE-01"}, [](Session& subject) {
    const ModuleHandle module = single(subject).module;

    for (const char* how : {"half", "float", "double", "bfloat16", "cpu"}) {
      const ScopedTrace at{how};
      expect_equal(module.move(how).name, module.name());
    }

    expect_equal(module.to({.dtype = Dtype::kFloat16}).name, module.name());
    expect_equal(module.type(Dtype::kFloat32).name, module.name());
    expect_equal(module.apply_tensors(doubling(subject)).name, module.name());
    expect_equal(module.to_empty(kMeta).name, module.name());
  });

  conformance(
      "a_module_lists_its_own_tensors_before_those_below", {"MOVE-01"}, [](Session& subject) {
        const Family all = family(subject, f32({1}), f32({2}));
        all.parent.set_parameter("v", all.weight);
        all.child.set_buffer("b", f32({3}));

        const ModuleList list = all.parent.list();

        expect_true(list.parameters == std::vector<std::string>{"w", "v", "sub.weight"},
                    "the parameters are w, v, sub.weight");
        expect_true(list.buffers == std::vector<std::string>{"sub.b"}, "the buffers are sub.b");
      });

  conformance("a_path_names_every_module_on_the_way", {"MOVE-01"}, [](Session& subject) {
    const Family all = family(subject, f32({1}), f32({2}));
    const ModuleHandle deepest = subject.modules().plain();
    deepest.set_parameter("bias", f32({3}));
    deepest.set_buffer("mean", f32({4}));
    all.child.set_child("inner", deepest);

    const ModuleList list = all.parent.list();

    expect_true(list.parameters == std::vector<std::string>{"w", "sub.weight", "sub.inner.bias"},
                "the parameters are w, sub.weight, sub.inner.bias");
    expect_true(list.buffers == std::vector<std::string>{"sub.inner.mean"},
                "the buffers are sub.inner.mean");
  });

  conformance("children_are_converted_before_their_parent", {"MOVE-01", "MOVE-11"},
              [](Session& subject) {
                const Family all = family(subject, f32({1, 2}), scalar());
                const Callable fails = casting_all_but_scalars(subject);

                expect_error([&] { all.parent.apply_tensors(fails); }, ErrorKind::kIndex);

                expect_dtype(subject, all.parent.parameter("w"), Dtype::kFloat32);
              });

  conformance("what_was_converted_before_a_failure_stays_so", {"MOVE-11"}, [](Session& subject) {
    const Family all = family(subject, scalar(), f32({1, 2}));
    all.child.set_parameter("bias", f32({3}));
    const Callable fails = casting_all_but_scalars(subject);

    expect_error([&] { all.parent.apply_tensors(fails); }, ErrorKind::kIndex);

    expect_dtype(subject, all.parent.parameter("sub.weight"), Dtype::kFloat64);
    expect_dtype(subject, all.parent.parameter("sub.bias"), Dtype::kFloat64);
    expect_dtype(subject, all.parent.parameter("w"), Dtype::kFloat32);
  });

  conformance("a_gradient_follows_its_parameter_and_buffers_come_last", {"MOVE-02", "MOVE-11"},
              [](Session& subject) {
                const ModuleHandle module = subject.modules().plain();
                const Ref buffer = module.set_buffer("b", f32({1}));
                const Ref first = module.set_parameter("first", f32({2}));
                const Ref grad = give_grad(subject, first, f32({3}));
                module.set_parameter("second", scalar());

                expect_error([&] { module.apply_tensors(casting_all_but_scalars(subject)); },
                             ErrorKind::kIndex);

                expect_dtype(subject, module.parameter("first"), Dtype::kFloat64);
                expect_dtype(subject, grad, Dtype::kFloat64);
                expect_dtype(subject, module.buffer("b"), Dtype::kFloat32);
                expect_kept(subject, buffer, module.buffer("b"));
              });

  conformance("without_recursion_children_stay", {"MOVE-10"}, [](Session& subject) {
    const Family all = family(subject, f32({1}), f32({2}));

    all.parent.apply_tensors(doubling(subject), false);

    expect_bits(subject.core().read(all.parent.parameter("w")), f32({2}));
    expect_bits(subject.core().read(all.parent.parameter("sub.weight")), f32({2}));
  }).since(Release::k2_4);
}

CASES("module/sharing") {
  conformance("a_function_is_applied_once_for_each_name_of_a_parameter", {"MOVE-08"},
              [](Session& subject) {
                const Single tied = single(subject);
                tied.module.set_parameter("v", tied.parameter);

                tied.module.apply_tensors(doubling(subject));

                expect_bits(subject.core().read(tied.module.parameter("w")), f32({4, 8}));
                expect_kept(subject, tied.module.parameter("w"), tied.module.parameter("v"));
              });

  conformance("a_tie_survives_a_cast_and_not_a_replacement", {"MOVE-08"}, [](Session& subject) {
    const Ref weight =
        subject.modules().plain().set_parameter("shared", shaped(f32({1, 2}), {1, 2}));
    const ModuleHandle first = subject.modules().linear(weight);
    const ModuleHandle second = subject.modules().linear(weight);
    const ModuleHandle both = subject.modules().sequential({first, second});

    both.move("double");
    expect_kept(subject, both.parameter("0.weight"), both.parameter("1.weight"));

    both.to({.device = kMeta});
    expect_replaced(subject, both.parameter("0.weight"), both.parameter("1.weight"));
  });

  conformance("overwriting_breaks_a_tie", {"MOVE-08", "MOVE-10"}, [](Session& subject) {
    const Single tied = single(subject);
    tied.module.set_parameter("v", tied.parameter);
    subject.modules().flags({.overwrite = true});

    tied.module.move("double");

    expect_replaced(subject, tied.module.parameter("w"), tied.module.parameter("v"));
  });

  conformance("a_child_with_two_names_is_visited_once", {"MOVE-08"}, [](Session& subject) {
    const Single shared = single(subject);
    const ModuleHandle parent = subject.modules().plain();
    parent.set_child("first", shared.module);
    parent.set_child("second", shared.module);

    parent.apply_tensors(doubling(subject));

    expect_bits(subject.core().read(shared.parameter), f32({2, 4}));
  });

  conformance("a_child_of_two_parents_is_visited_twice", {"MOVE-08"}, [](Session& subject) {
    const Single shared = single(subject);
    const ModuleHandle left = subject.modules().plain();
    const ModuleHandle right = subject.modules().plain();
    left.set_child("shared", shared.module);
    right.set_child("shared", shared.module);

    subject.modules().sequential({left, right}).apply_tensors(doubling(subject));

    expect_bits(subject.core().read(shared.parameter), f32({4, 8}));
  });

  conformance("a_name_stands_for_one_thing", {"MOVE-14"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const ModuleHandle other = subject.modules().plain();
    module.set_parameter("p", scalar());
    module.set_buffer("b", scalar());
    module.set_child("c", other);
    const std::vector<std::string> words{"already exists"};

    expect_error([&] { module.set_buffer("p", scalar()); }, ErrorKind::kKey, words);
    expect_error([&] { module.set_child("p", other); }, ErrorKind::kKey, words);
    expect_error([&] { module.set_parameter("b", scalar()); }, ErrorKind::kKey, words);
    expect_error([&] { module.set_child("b", other); }, ErrorKind::kKey, words);
    expect_error([&] { module.set_parameter("c", scalar()); }, ErrorKind::kKey, words);
    expect_error([&] { module.set_buffer("c", scalar()); }, ErrorKind::kKey, words);
    const Ref again = module.set_parameter("p", f32({2}));
    expect_bits(subject.core().read(again), f32({2}));
  });

  conformance("a_module_without_a_forward_says_so_first", {"MOVE-14"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();

    expect_error([&] { module.forward({f32({1})}); }, ErrorKind::kNotImplemented, {});
    expect_error([&] { module.forward({f32({1}), f32({1})}); }, ErrorKind::kNotImplemented, {});
  });
}

}  // namespace assay::suites
