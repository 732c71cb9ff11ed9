// The dtype, device and memory format of each tensor after each kind of conversion.
#include "suites/module/moving.hpp"

namespace assay::suites {
namespace {

/// A contiguous float32 tensor of ones.
TensorValue ones(const Shape& shape) {
  std::int64_t numel = 1;
  for (const std::int64_t size : shape) numel *= size;
  return shaped(filled(Dtype::kFloat32, numel, 1), shape);
}

/// The same with its dimensions stored in reverse order.
TensorValue reversed(const Shape& shape) {
  Shape strides;
  std::int64_t stride = 1;
  for (const std::int64_t size : shape) {
    strides.push_back(stride);
    stride *= size;
  }
  return strided(ones(shape), strides);
}

Device another(Session& subject) {
  return subject.device().type == "cpu" ? kMeta : subject.device(1);
}

void expect_elsewhere(Session& subject, const ModuleHandle& module, const Device& device) {
  for (const char* name : {"w", "i", "c"}) {
    const ScopedTrace at{name};
    expect_device(subject, module.parameter(name), device);
  }
  for (const char* name : {"b", "bi"}) {
    const ScopedTrace at{name};
    expect_device(subject, module.buffer(name), device);
  }
}

struct Wanted {
  Dtype real;
  Dtype integral;
  Dtype complex;
  Dtype real_buffer;
  Dtype integral_buffer;
};

void expect_dtypes(Session& subject, const ModuleHandle& module, const Wanted& wanted,
                   Where where = Where::current()) {
  expect_dtype(subject, module.parameter("w"), wanted.real, where);
  expect_dtype(subject, module.parameter("i"), wanted.integral, where);
  expect_dtype(subject, module.parameter("c"), wanted.complex, where);
  expect_dtype(subject, module.buffer("b"), wanted.real_buffer, where);
  expect_dtype(subject, module.buffer("bi"), wanted.integral_buffer, where);
}

}  // namespace

CASES("module/to") {
  conformance("casts_floating_and_complex_tensors_only", {"MOVE-02"}, [](Session& subject) {
    const MixedModule mixed = mixture(subject);

    mixed.module.to({.dtype = Dtype::kFloat64});

    expect_dtypes(
        subject, mixed.module,
        {Dtype::kFloat64, Dtype::kInt64, Dtype::kFloat64, Dtype::kFloat64, Dtype::kInt32});
    expect_bits(subject.core().read(mixed.real), f64({1.5, -2}));
    expect_kept(subject, mixed.complex, mixed.module.parameter("c"));
    expect_replaced(subject, mixed.real_buffer, mixed.module.buffer("b"));
    expect_kept(subject, mixed.integral_buffer, mixed.module.buffer("bi"));
  });

  conformance("to_half_casts_complex_tensors_too", {"MOVE-02", "MOVE-03"}, [](Session& subject) {
    const MixedModule mixed = mixture(subject);

    mixed.module.to({.dtype = Dtype::kFloat16});

    expect_dtypes(
        subject, mixed.module,
        {Dtype::kFloat16, Dtype::kInt64, Dtype::kFloat16, Dtype::kFloat16, Dtype::kInt32});
  });

  conformance(
      "refuses_a_dtype_that_is_neither_floating_nor_complex", {"MOVE-02"}, [](Session& subject) {
        const MixedModule mixed = mixture(subject);

        expect_error([&] { mixed.module.to({.dtype = Dtype::kInt32}); }, ErrorKind::kType,
                     {"int32", "floating point", "complex"});
        expect_error([&] { mixed.module.to({.like = i64({1})}); }, ErrorKind::kType,
                     {"int64", "floating point", "complex"});
        expect_error([&] { mixed.module.to({.dtype = Dtype::kBool}); }, ErrorKind::kType, {"bool"});

        expect_dtype(subject, mixed.real, Dtype::kFloat32);
      });

  conformance("moves_tensors_of_every_dtype_to_a_device", {"MOVE-02"}, [](Session& subject) {
    const MixedModule mixed = mixture(subject);
    const Device device = another(subject);

    mixed.module.to({.device = device});

    expect_elsewhere(subject, mixed.module, device);
    expect_dtypes(
        subject, mixed.module,
        {Dtype::kFloat32, Dtype::kInt64, Dtype::kComplex64, Dtype::kFloat32, Dtype::kInt32});
  });

  conformance("takes_dtype_and_device_from_another_tensor", {"MOVE-02"}, [](Session& subject) {
    const MixedModule mixed = mixture(subject);
    const Device device = another(subject);

    mixed.module.to({.like = Value(on(f64({1}), device))});

    expect_elsewhere(subject, mixed.module, device);
    expect_dtypes(
        subject, mixed.module,
        {Dtype::kFloat64, Dtype::kInt64, Dtype::kFloat64, Dtype::kFloat64, Dtype::kInt32});
  });

  conformance("has_no_argument_copy", {"MOVE-02"}, [](Session& subject) {
    const Single one = single(subject);

    expect_error([&] { one.module.to({.dtype = Dtype::kFloat64, .copy = true}); },
                 ErrorKind::kError, {"copy"});

    expect_dtype(subject, one.parameter, Dtype::kFloat32);
  });

  conformance("a_complex_dtype_makes_real_parameters_complex_and_warns", {"MOVE-02"},
              [](Session& subject) {
                const Single one = single(subject);

                one.module.to({.dtype = Dtype::kComplex64});

                expect_warning(subject.warnings(), "UserWarning", {"complex modules"});
                expect_dtype(subject, one.parameter, Dtype::kComplex64);
                one.module.to({.dtype = Dtype::kFloat64});
                expect_bits(subject.core().read(one.parameter), f64({1, 2}));
              });

  conformance("a_real_dtype_discards_imaginary_parts_and_warns", {"MOVE-02"}, [](Session& subject) {
    const Single one = single(subject);
    one.module.to({.dtype = Dtype::kComplex64});

    one.module.to({.dtype = Dtype::kFloat32});

    expect_warning(subject.warnings(), "UserWarning", {"imaginary part"});
    expect_bits(subject.core().read(one.parameter), f32({1, 2}));
  }).fresh();

  conformance("non_blocking_reaches_every_copy", {"MOVE-02"}, [](Session& subject) {
    const TensorValue nans =
        on(from_bits(Dtype::kFloat32, std::vector<std::uint64_t>(64, 0x7fc00000)), kHost);
    for (const bool non_blocking : {false, true}) {
      const ScopedTrace at{non_blocking ? "non-blocking" : "blocking"};
      const ModuleHandle module = subject.modules().plain();
      module.set_parameter("w", nans);
      module.set_buffer("b", nans);

      module.to(
          {.dtype = Dtype::kBfloat16, .device = subject.device(), .non_blocking = non_blocking});

      const std::uint64_t converted = non_blocking ? 0x7fff : 0xffff;
      const TensorValue wanted =
          from_bits(Dtype::kBfloat16, std::vector<std::uint64_t>(64, converted));
      expect_exact_bits(subject.core().read(module.parameter("w")), wanted);
      expect_exact_bits(subject.core().read(module.buffer("b")), wanted);
    }
  }).only(DeviceRules::kCuda);

  conformance("what_is_replaced_must_be_a_parameter", {"MOVE-02"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const Ref first = module.set_parameter("first", f32({1}));
    module.set_parameter("raw", f32({2}), {.raw = true});

    expect_error([&] { module.to({.device = kMeta}); }, ErrorKind::kAssertion);

    expect_device(subject, module.parameter("first"), kMeta);
    expect_replaced(subject, first, module.parameter("first"));
  });

  conformance("what_is_kept_need_not_be_a_parameter", {"MOVE-02"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const Ref raw = module.set_parameter("raw", f32({2}), {.raw = true});

    module.move("double");

    expect_kept(subject, raw, module.parameter("raw"));
    expect_bits(subject.core().read(raw), f64({2}));
  });
}

CASES("module/cast") {
  conformance("each_cast_converts_real_floating_tensors_only", {"MOVE-03"}, [](Session& subject) {
    const std::pair<const char*, Dtype> casts[] = {{"half", Dtype::kFloat16},
                                                   {"bfloat16", Dtype::kBfloat16},
                                                   {"double", Dtype::kFloat64},
                                                   {"float", Dtype::kFloat32}};
    const MixedModule mixed = mixture(subject);
    for (const auto& [how, dtype] : casts) {
      const ScopedTrace at{how};

      mixed.module.move(how);

      expect_dtypes(subject, mixed.module,
                    {dtype, Dtype::kInt64, Dtype::kComplex64, dtype, Dtype::kInt32});
      expect_bits(subject.core().read(mixed.real), tensor_of(dtype, {1.5, -2}));
    }
  });

  conformance("type_casts_integral_tensors_too", {"MOVE-03"}, [](Session& subject) {
    const MixedModule mixed = mixture(subject);

    mixed.module.type(Dtype::kFloat16);

    expect_dtypes(
        subject, mixed.module,
        {Dtype::kFloat16, Dtype::kFloat16, Dtype::kFloat16, Dtype::kFloat16, Dtype::kFloat16});
  });

  conformance("type_gives_no_integers_to_what_requires_gradients", {"MOVE-03"},
              [](Session& subject) {
                const Single one = single(subject);

                expect_error([&] { one.module.type(Dtype::kInt32); }, ErrorKind::kError,
                             {"floating point", "complex"});

                expect_bits(subject.core().read(one.parameter), f32({1, 2}));
              });

  conformance("type_gives_integers_to_what_is_frozen", {"MOVE-03"}, [](Session& subject) {
    const Single one = single(subject, {.requires_grad = false});

    one.module.type(Dtype::kInt32);

    expect_bits(subject.core().read(one.parameter), i32({1, 2}));
  });
}

CASES("module/format") {
  conformance("a_format_applies_to_four_dimensions", {"MOVE-12"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const Ref conv = module.set_parameter("conv", ones({2, 2, 1, 1}));
    const Ref linear = module.set_parameter("linear", ones({2, 2}));
    const Ref buffer = module.set_buffer("three", ones({2, 3, 4}));

    module.to({.memory_format = "channels_last"});

    expect_equal(subject.core().info(conv).strides, {2, 1, 2, 2});
    expect_kept(subject, conv, module.parameter("conv"));
    expect_equal(subject.core().info(linear).strides, {2, 1});
    expect_kept(subject, buffer, module.buffer("three"));
  });

  conformance("a_format_comes_with_a_dtype_or_alone", {"MOVE-12"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const Ref conv = module.set_parameter("conv", ones({2, 3, 4, 5}));

    module.to({.dtype = Dtype::kFloat16, .memory_format = "channels_last"});
    expect_equal(subject.core().info(conv).strides, {60, 1, 15, 3});
    expect_dtype(subject, conv, Dtype::kFloat16);

    module.to({.memory_format = "contiguous"});
    expect_equal(subject.core().info(conv).strides, {60, 20, 5, 1});
    expect_dtype(subject, conv, Dtype::kFloat16);
  });

  conformance("channels_last_refuses_five_dimensions", {"MOVE-12"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    module.set_parameter("five", ones({1, 1, 1, 1, 1}));

    expect_error([&] { module.to({.memory_format = "channels_last"}); }, ErrorKind::kError,
                 {"rank 4", "channels_last"});
  });
}

CASES("module/empty") {
  conformance("to_empty_keeps_geometry_and_dtypes", {"MOVE-12"}, [](Session& subject) {
    const MixedModule mixed = mixture(subject);
    mixed.module.set_parameter("r", reversed({2, 3}));

    mixed.module.to_empty(kMeta);

    expect_elsewhere(subject, mixed.module, kMeta);
    expect_dtypes(
        subject, mixed.module,
        {Dtype::kFloat32, Dtype::kInt64, Dtype::kComplex64, Dtype::kFloat32, Dtype::kInt32});
    const TensorInfo info = subject.core().info(mixed.module.parameter("r"));
    expect_equal(info.shape, {2, 3});
    expect_equal(info.strides, {1, 2});
  });

  conformance("to_empty_gives_meta_tensors_a_storage", {"MOVE-12"}, [](Session& subject) {
    const Single one = single(subject);
    one.module.to({.device = kMeta});
    const Ref meta = one.module.parameter("w");

    one.module.to_empty(subject.device());

    expect_replaced(subject, meta, one.module.parameter("w"));
    expect_device(subject, one.module.parameter("w"), subject.device());
    expect_false(subject.core().info(one.module.parameter("w")).null, "the pointer is not null");
  });

  conformance("to_empty_makes_a_storage_of_its_own", {"MOVE-12"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref alias = subject.core().detach(one.parameter);

    one.module.to_empty(subject.device());

    expect_kept(subject, one.parameter, one.module.parameter("w"));
    expect_false(subject.alias(alias.name, one.parameter.name), "the storage is a new one");
  });

  conformance("to_cannot_copy_out_of_meta", {"MOVE-12", "MOVE-11"}, [](Session& subject) {
    const Single one = single(subject);
    one.module.to({.device = kMeta});

    expect_error([&] { one.module.to({.device = subject.device()}); }, ErrorKind::kNotImplemented,
                 {"meta"});

    expect_device(subject, one.module.parameter("w"), kMeta);
  });

  conformance("to_empty_can_leave_children_alone", {"MOVE-12"}, [](Session& subject) {
    const Single inner = single(subject);
    const Single outer = single(subject);
    outer.module.set_child("sub", inner.module);

    outer.module.to_empty(kMeta, false);

    expect_device(subject, outer.module.parameter("w"), kMeta);
    expect_kept(subject, inner.parameter, outer.module.parameter("sub.w"));
    expect_bits(subject.core().read(inner.parameter), f32({1, 2}));
  }).since(Release::k2_4);

  conformance(
      "modules_and_losses_without_tensors_return_themselves", {"MOVE-12"}, [](Session& subject) {
        for (const ModuleHandle& module :
             {subject.modules().plain(), subject.modules().mse_loss(), subject.modules().relu(),
              subject.modules().sequential({})}) {
          expect_equal(module.to({.dtype = Dtype::kFloat64, .device = kMeta}).name, module.name());
          expect_equal(module.to_empty(subject.device()).name, module.name());
          expect_true(module.list().parameters.empty(), "there are no parameters");
          expect_true(module.list().buffers.empty(), "there are no buffers");
        }
      });

  conformance("frozen_parameters_stay_frozen", {"MOVE-12", "MOVE-04"}, [](Session& subject) {
    for (const bool trains : {false, true}) {
      const ScopedTrace at{trains ? "requires a gradient" : "frozen"};
      const Single one = single(subject, {.requires_grad = trains});

      one.module.move("double");
      expect_equal(subject.core().info(one.module.parameter("w")).requires_grad, trains);

      one.module.to({.device = kMeta});
      expect_equal(subject.core().info(one.module.parameter("w")).requires_grad, trains);
      expect_true(subject.core().info(one.module.parameter("w")).leaf, "it is a leaf");
    }
  });
}

}  // namespace assay::suites
