// Tensor handles: sharing, reference counts, undefined tensors.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

std::int64_t uses(Session& subject, const Ref& object) {
  return field_as<std::int64_t>(subject.send("uses", {{"object", object}}), "result");
}

Ref weak(Session& subject, const Ref& object) {
  Ref name{subject.fresh_name("w")};
  subject.send("weak", {{"object", object}}, name.name);
  return name;
}

bool gone(Session& subject, const Ref& weak_handle) {
  return field_as<bool>(subject.send("gone", {{"weak", weak_handle}}), "result");
}

std::int64_t version(Session& subject, const Ref& tensor) {
  return subject.core().info(tensor).version;
}

}  // namespace

CASES("core/handle") {
  conformance("the_undefined_tensor_has_no_elements_but_one_dimension", {"CORE-11"},
              [](Session& subject) {
                const TensorInfo info = subject.core().info(subject.core().undefined());

                expect_false(info.defined, "the undefined tensor is not defined");
                expect_equal(info.numel, 0);
                expect_equal(info.dim, 1);
                expect_equal(info.shape, Shape{0});
                expect_equal(info.dtype, Dtype::kUndefined);
                expect_false(info.device.has_value(), "the undefined tensor has no device");
              });

  conformance("the_undefined_tensor_is_one_object_that_nobody_owns", {"CORE-11"},
              [](Session& subject) {
                const Ref first = subject.core().undefined();
                const Ref second = subject.core().undefined();

                expect_true(subject.same(first.name, second.name), "they are one object");
                expect_equal(uses(subject, first), 0);
              });

  conformance("an_ordinary_tensor_is_defined", {"CORE-11"}, [](Session& subject) {
    expect_true(subject.core().info(f32({1})).defined, "a tensor with elements is defined");
  });

  conformance("a_copied_handle_shares_its_tensor", {"CORE-11"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));
    const std::int64_t before = uses(subject, x);

    const Boxed holder = subject.core().ivalue(x);

    expect_equal(uses(subject, x), before + 1);
    subject.drop(holder.ref.name);
    expect_equal(uses(subject, x), before);
  });

  conformance("a_tensor_lives_as_long_as_something_holds_it", {"CORE-11"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1}));
    const Ref handle = weak(subject, x);
    const Boxed holder = subject.core().ivalue(x);

    subject.drop(x.name);
    expect_false(gone(subject, handle), "it lives while a boxed value holds it");

    subject.drop(holder.ref.name);
    expect_true(gone(subject, handle), "it is gone when nobody holds it");
  });

  conformance("two_tensors_of_equal_content_are_two", {"CORE-11"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1}));
    const Ref y = subject.core().tensor(f32({1}));

    expect_false(subject.same(x.name, y.name), "they are two objects");
    expect_false(subject.alias(x.name, y.name), "they share no storage");
  });
}

CASES("core/data_access") {
  conformance("data_of_another_type_is_refused_by_both_names", {"CORE-13"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));

    for (const char* access : {"plain", "const", "mutable"}) {
      const ScopedTrace at{access};

      expect_error([&] { subject.core().null_data_ptr(x, Dtype::kFloat64, access); },
                   ErrorKind::kError, {"expected scalar type Double but found Float"});
      expect_error([&] { subject.core().null_data_ptr(x, Dtype::kInt32, access); },
                   ErrorKind::kError, {"expected scalar type Int but found Float"});
      expect_false(subject.core().null_data_ptr(x, Dtype::kFloat32, access),
                   "its data is not null");
    }
  });

  conformance("reaching_for_the_data_bumps_no_version", {"CORE-13"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));
    const std::int64_t before = version(subject, x);

    for (const char* access : {"plain", "const", "mutable"}) {
      subject.core().null_data_ptr(x, Dtype::kFloat32, access);
    }

    expect_equal(version(subject, x), before);
  });

  conformance("each_write_in_place_bumps_the_version_by_one", {"CORE-13"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));
    const std::int64_t before = version(subject, x);

    subject.core().add_(x, 1);
    expect_equal(version(subject, x), before + 1);

    subject.core().fill_(x, 5);
    expect_equal(version(subject, x), before + 2);

    subject.core().copy_(x, f32({8, 9}));
    expect_equal(version(subject, x), before + 3);
  });

  conformance("reading_bumps_no_version", {"CORE-13"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));
    const std::int64_t before = version(subject, x);

    subject.core().op("add", {x, x});
    subject.core().to(x, {.dtype = Dtype::kFloat16});
    subject.core().read(x);

    expect_equal(version(subject, x), before);
  });

  conformance("a_view_shares_storage_and_version", {"CORE-13"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2, 3}));
    const Ref tail = subject.core().as_strided(x, {.shape = {2}, .strides = {1}, .offset = 1});
    const std::int64_t before = version(subject, x);

    subject.core().fill_(tail, 7);

    expect_true(subject.alias(x.name, tail.name), "the view shares the storage");
    expect_bits(subject.core().read(x), f32({1, 7, 7}));
    expect_equal(version(subject, x), before + 1);
    expect_equal(version(subject, tail), version(subject, x));
  });

  conformance("a_detached_tensor_is_another_handle_on_the_same", {"CORE-13"}, [](Session& subject) {
    const Ref x = subject.core().leaf(f32({1, 2}));
    const Ref y = subject.core().detach(x);
    const std::int64_t before = version(subject, x);

    subject.core().fill_(y, 3);

    expect_false(subject.same(x.name, y.name), "detach returns a new tensor");
    expect_true(subject.alias(x.name, y.name), "a detached tensor shares the storage");
    expect_false(subject.core().info(y).requires_grad, "it requires no gradient");
    expect_bits(subject.core().read(x), f32({3, 3}));
    expect_equal(version(subject, x), before + 1);
    expect_equal(version(subject, y), before + 1);
  });

  conformance("the_version_of_another_tensor_stays", {"CORE-13"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1}));
    const Ref y = subject.core().to(x, {.copy = true});
    const std::int64_t before = version(subject, x);

    subject.core().fill_(y, 3);

    expect_equal(version(subject, x), before);
    expect_bits(subject.core().read(x), f32({1}));
  });
}

}  // namespace assay::suites
