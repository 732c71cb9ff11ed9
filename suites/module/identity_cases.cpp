// Object identity in conversions: which objects survive, and what their other holders see.
#include "harness/suite/clients/autograd.hpp"
#include "suites/module/moving.hpp"

namespace assay::suites {
namespace {

/// The gradient of the module's current parameter, after a backward from the sum of its elements.
Value gradient_of_its_sum(Session& subject, const Single& one) {
  const Ref now = one.module.parameter("w");
  subject.autograd().backward(subject.core().op_ref("sum", {now}));
  return Value(subject.core().read(grad_of(subject, now)));
}

OptimizerHandle sgd(Session& subject, const Ref& parameter) {
  return subject.optim().sgd({.params = {parameter}, .lr = 0.5});
}

SparseValue sparse() {
  return {.indices = shaped(i64({0}), {1, 1}), .values = f32({3}), .shape = {2}};
}

/// Returns the same sparse tensor for any argument.
Callable making_sparse(Session& subject) {
  return function(subject, [](Session& inside) {
    inside.send("core.tensor", {{"value", Value(sparse())}});
  });
}

}  // namespace

CASES("module/identity") {
  conformance(
      "a_cast_keeps_the_parameter_and_replaces_its_data", {"MOVE-04"}, [](Session& subject) {
        const Single one = single(subject);
        for (const char* how : {"double", "half", "bfloat16", "float"}) {
          const ScopedTrace at{how};
          const Ref alias = subject.core().detach(one.parameter);

          one.module.move(how);

          expect_kept(subject, one.parameter, one.module.parameter("w"));
          expect_false(subject.alias(alias.name, one.parameter.name), "the storage is a new one");
          const TensorInfo info = subject.core().info(one.parameter);
          expect_true(info.requires_grad && info.leaf, "a leaf that requires gradients");
        }
      });

  conformance("keeps_the_parameter_between_cpu_and_cuda", {"MOVE-04"}, [](Session& subject) {
    const Single one = single(subject);
    for (const Device& device : {kHost, subject.device(1), subject.device(0)}) {
      const ScopedTrace at{to_text(device)};

      one.module.to({.device = device});

      expect_kept(subject, one.parameter, one.module.parameter("w"));
      expect_bits(subject.core().read(one.parameter), on(f32({1, 2}), device));
    }
  }).only(DeviceRules::kCuda);

  conformance("cuda_and_cpu_move_the_parameter_in_place", {"MOVE-04"}, [](Session& subject) {
    const MixedModule mixed = mixture(subject);

    mixed.module.move("cpu");
    expect_device(subject, mixed.integral, kHost);

    mixed.module.cuda(subject.device(1));
    expect_device(subject, mixed.real, subject.device(1));

    subject.core().set_device(subject.device(2));
    mixed.module.cuda();
    expect_device(subject, mixed.real, subject.device(2));
    expect_device(subject, mixed.module.buffer("bi"), subject.device(2));
    expect_kept(subject, mixed.real, mixed.module.parameter("w"));
  }).only(DeviceRules::kCuda);

  conformance("meta_is_another_kind_of_tensor", {"MOVE-04"}, [](Session& subject) {
    const Single one = single(subject);

    one.module.to({.device = kMeta});

    const Ref now = one.module.parameter("w");
    expect_replaced(subject, one.parameter, now);
    expect_device(subject, now, kMeta);
    expect_bits(subject.core().read(one.parameter), f32({1, 2}));
  });

  conformance("meta_parameters_are_cast_in_place", {"MOVE-04"}, [](Session& subject) {
    const Single one = single(subject);
    one.module.to({.device = kMeta});
    const Ref meta = one.module.parameter("w");

    one.module.move("double");

    expect_kept(subject, meta, one.module.parameter("w"));
    expect_dtype(subject, meta, Dtype::kFloat64);
  });

  conformance("a_sparse_tensor_does_not_fit_into_a_dense_parameter", {"MOVE-04"},
              [](Session& subject) {
                const Single one = single(subject);

                one.module.apply_tensors(making_sparse(subject));

                const Ref now = one.module.parameter("w");
                expect_replaced(subject, one.parameter, now);
                expect_bits(subject.core().read(one.parameter), f32({1, 2}));
                const Reply read = subject.send("core.read", {{"tensor", now}});
                expect_bits(field(read, "result"), Value(sparse()));
              });

  conformance("an_optimizer_holds_the_parameter_that_was_kept", {"MOVE-05"}, [](Session& subject) {
    const Single one = single(subject);
    const OptimizerHandle optimizer = sgd(subject, one.parameter);

    one.module.move("double");
    give_grad(subject, one.module.parameter("w"), f64({2, 4}));
    optimizer.step();

    expect_bits(subject.core().read(one.module.parameter("w")), f64({0, 0}));
  });

  conformance("an_optimizer_holds_the_stale_one_after_a_replacement", {"MOVE-05"},
              [](Session& subject) {
                const Single one = single(subject);
                const OptimizerHandle optimizer = sgd(subject, one.parameter);
                subject.modules().flags({.overwrite = true});

                one.module.move("double");
                give_grad(subject, one.module.parameter("w"), f64({2, 4}));
                give_grad(subject, one.parameter, f32({1, 1}));
                optimizer.step();

                expect_bits(subject.core().read(one.module.parameter("w")), f64({1, 2}));
                expect_bits(subject.core().read(one.parameter), f32({0.5, 1.5}));
              });

  conformance("earlier_aliases_keep_dtype_and_storage", {"MOVE-05"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref alias = subject.core().detach(one.parameter);

    one.module.move("double");
    subject.core().fill_(one.parameter, 9);

    expect_bits(subject.core().read(alias), f32({1, 2}));
  });

  conformance("hooks_stay_with_a_parameter_that_is_kept", {"MOVE-05"}, [](Session& subject) {
    const Single one = single(subject);
    subject.autograd().hook(one.parameter, 10);

    one.module.move("double");

    expect_bits(gradient_of_its_sum(subject, one), f64({10, 10}));
  });

  conformance("hooks_go_with_a_parameter_that_is_replaced", {"MOVE-05", "MOVE-10"},
              [](Session& subject) {
                const Single one = single(subject);
                subject.autograd().hook(one.parameter, 10);
                subject.modules().flags({.overwrite = true});

                one.module.move("double");

                expect_bits(gradient_of_its_sum(subject, one), f64({1, 1}));
              });

  conformance("a_replaced_parameter_keeps_its_data_and_gradient", {"MOVE-05", "MOVE-06"},
              [](Session& subject) {
                const Single one = single(subject);
                const Ref grad = give_grad(subject, one.parameter, f32({3, 4}));

                one.module.to({.device = kMeta});

                expect_bits(subject.core().read(one.parameter), f32({1, 2}));
                expect_kept(subject, grad, grad_of(subject, one.parameter));
                expect_bits(subject.core().read(grad), f32({3, 4}));
                const Ref moved = grad_of(subject, one.module.parameter("w"));
                expect_replaced(subject, grad, moved);
                expect_device(subject, moved, kMeta);
              });
}

CASES("module/grad") {
  conformance("a_gradient_is_converted_and_stays_the_same_object", {"MOVE-06"},
              [](Session& subject) {
                const Single one = single(subject);
                const Ref grad = give_grad(subject, one.parameter, f32({3, 3}));

                one.module.move("double");

                expect_kept(subject, grad, grad_of(subject, one.module.parameter("w")));
                expect_bits(subject.core().read(grad), f64({3, 3}));
              });

  conformance("an_absent_gradient_stays_absent", {"MOVE-06"}, [](Session& subject) {
    const Single one = single(subject);

    one.module.move("double");
    expect_equal(subject.core().grad(one.module.parameter("w")), None{});

    one.module.to({.device = kMeta});
    expect_equal(subject.core().grad(one.module.parameter("w")), None{});
  });

  conformance("a_gradient_that_requires_gradients_still_does", {"MOVE-06"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref grad = give_grad(subject, one.parameter, f32({3, 3}));
    subject.core().requires_grad_(grad, true);

    one.module.move("double");
    expect_true(subject.core().info(grad).requires_grad,
                "the gradient changed in place still requires gradients");

    one.module.to({.device = kMeta});
    const TensorInfo info = subject.core().info(grad_of(subject, one.module.parameter("w")));
    expect_true(info.requires_grad && info.leaf, "a new one is a leaf that requires gradients");
  });

  conformance("a_gradient_of_a_frozen_parameter_moves_too", {"MOVE-06"}, [](Session& subject) {
    const Single one = single(subject, {.requires_grad = false});
    const Ref grad = give_grad(subject, one.parameter, f32({3, 3}));

    one.module.move("half");

    expect_bits(subject.core().read(grad), f16({3, 3}));
  });
}

CASES("module/buffers") {
  conformance("a_converted_buffer_is_a_new_object", {"MOVE-07"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const Ref buffer = module.set_buffer("b", f32({1, 2}));

    module.move("double");

    expect_replaced(subject, buffer, module.buffer("b"));
    expect_bits(subject.core().read(module.buffer("b")), f64({1, 2}));
    expect_bits(subject.core().read(buffer), f32({1, 2}));
  });

  conformance("an_unchanged_buffer_is_the_same_object", {"MOVE-07", "MOVE-09"},
              [](Session& subject) {
                const ModuleHandle module = subject.modules().plain();
                const Ref buffer = module.set_buffer("b", f32({1, 2}));

                module.move("float");
                module.to({.dtype = Dtype::kFloat32, .device = subject.device()});

                expect_kept(subject, buffer, module.buffer("b"));
              });

  conformance("a_buffer_is_converted_in_the_callers_grad_mode", {"MOVE-02", "MOVE-07"},
              [](Session& subject) {
                const ModuleHandle module = subject.modules().plain();
                const Ref buffer = module.set_buffer("b", subject.core().leaf(f32({1, 2})));

                module.move("double");

                const Ref now = module.buffer("b");
                expect_false(subject.core().info(now).leaf, "it is not a leaf");
                subject.autograd().backward(subject.core().op_ref("sum", {now}));
                expect_bits(subject.core().read(grad_of(subject, buffer)), f32({1, 1}));
              });

  conformance("without_grad_mode_a_converted_buffer_is_a_leaf", {"MOVE-02", "MOVE-07"},
              [](Session& subject) {
                const ModuleHandle module = subject.modules().plain();
                module.set_buffer("b", subject.core().leaf(f32({1, 2})));

                subject.scope(subject.autograd().grad_mode(false),
                              subject.block([&](Session&) { module.move("double"); }));

                const TensorInfo info = subject.core().info(module.buffer("b"));
                expect_true(info.leaf, "it is a leaf");
                expect_false(info.requires_grad, "it requires no gradient");
              });

  conformance("parameters_and_gradients_are_converted_without_history", {"MOVE-02", "MOVE-06"},
              [](Session& subject) {
                const Single one = single(subject);
                subject.core().requires_grad_(give_grad(subject, one.parameter, f32({3, 3})), true);

                one.module.to({.device = kMeta});

                const Ref now = one.module.parameter("w");
                expect_true(subject.core().info(now).leaf, "the parameter is a leaf");
                expect_true(subject.core().info(grad_of(subject, now)).leaf,
                            "the gradient is a leaf");
              });

  conformance("a_buffer_with_two_names_becomes_two", {"MOVE-07"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const Ref buffer = module.set_buffer("p", f32({1}));
    module.set_buffer("q", buffer);

    module.move("float");
    expect_kept(subject, module.buffer("p"), module.buffer("q"));

    module.move("double");
    expect_replaced(subject, module.buffer("p"), module.buffer("q"));
  });
}

CASES("module/unchanged") {
  conformance("nothing_happens_to_a_parameter_that_fits", {"MOVE-09"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref grad = give_grad(subject, one.parameter, f32({3, 3}));
    subject.core().add_(one.parameter, f32({1, 1}));
    const std::int64_t version = subject.core().info(one.parameter).version;
    const Ref alias = subject.core().detach(one.parameter);

    one.module.move("float");
    one.module.to({.dtype = Dtype::kFloat32, .device = subject.device()});

    expect_kept(subject, one.parameter, one.module.parameter("w"));
    expect_kept(subject, grad, grad_of(subject, one.parameter));
    expect_true(subject.alias(alias.name, one.parameter.name), "the storage is the same");
    expect_equal(subject.core().info(one.parameter).version, version);
  });

  conformance("conversion_in_place_counts_as_no_write", {"MOVE-09"}, [](Session& subject) {
    const Single one = single(subject);
    subject.core().add_(one.parameter, f32({1, 1}));
    const std::int64_t version = subject.core().info(one.parameter).version;

    one.module.move("double");

    expect_equal(subject.core().info(one.parameter).version, version);
  });

  conformance("overwriting_makes_a_new_parameter_on_the_same_storage", {"MOVE-09", "MOVE-10"},
              [](Session& subject) {
                const Single one = single(subject);
                subject.core().add_(one.parameter, f32({1, 1}));
                subject.modules().flags({.overwrite = true});

                one.module.move("float");

                const Ref now = one.module.parameter("w");
                expect_replaced(subject, one.parameter, now);
                expect_true(subject.alias(one.parameter.name, now.name), "they share a storage");
                expect_equal(subject.core().info(now).version,
                             subject.core().info(one.parameter).version);
              });
}

}  // namespace assay::suites
