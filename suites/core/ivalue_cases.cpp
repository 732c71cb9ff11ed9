// Boxed values: the kind of each value, and unboxing.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

struct KindRow {
  const char* text;
  Value value;
  const char* kind;
};

std::vector<KindRow> kinds() {
  return {{"None", None{}, "None"},
          {"1.5", 1.5, "Double"},
          {"1+2j", Complex{1, 2}, "ComplexDouble"},
          {"7", 7, "Int"},
          {"true", true, "Bool"},
          {"text", "word", "String"},
          {"list", List{{1, 2}}, "List"},
          {"empty list", List{}, "List"},
          {"dict", Dict{{{Value("a"), Value(1)}}}, "Dict"},
          {"tuple", Tuple{{1, "b"}}, "Tuple"},
          {"device", Device{"cpu", -1}, "Device"},
          {"generator", Generator{Device{"cpu", -1}, 7}, "Generator"},
          {"tensor", f32({1}), "Tensor"}};
}

}  // namespace

CASES("core/ivalue") {
  conformance("each_value_is_of_one_kind", {"CORE-15"}, [](Session& subject) {
    for (const KindRow& row : kinds()) {
      const ScopedTrace at{row.text};

      expect_equal(subject.core().ivalue(row.value).kind, row.kind);
    }
  });

  conformance("a_dtype_is_boxed_as_its_number", {"CORE-15"}, [](Session& subject) {
    const Boxed boxed = subject.core().ivalue(Dtype::kBfloat16);

    expect_equal(boxed.kind, "Int");
    expect_equal(subject.core().ivalue_to(boxed.ref, "Int"), 15);
  });

  conformance("an_undefined_tensor_is_a_tensor_and_not_none", {"CORE-15"}, [](Session& subject) {
    expect_equal(subject.core().ivalue(subject.core().undefined()).kind, "Tensor");
  });

  conformance("a_value_comes_out_as_it_went_in", {"CORE-15", "CORE-16"}, [](Session& subject) {
    const auto round_trip = [&](const Value& value, const char* kind) {
      const ScopedTrace at{kind};
      expect_equal(subject.core().ivalue_to(subject.core().ivalue(value).ref, kind), value);
    };
    round_trip(1.5, "Double");
    round_trip(std::numeric_limits<std::int64_t>::min(), "Int");
    round_trip(true, "Bool");
    round_trip("word", "String");
    round_trip(List{{1, 2, 3}}, "List");
    round_trip(Complex{1, -2}, "ComplexDouble");
  });

  conformance("numbers_are_not_converted_on_the_way_out", {"CORE-16"}, [](Session& subject) {
    const Ref integer = subject.core().ivalue(3).ref;
    const Ref real = subject.core().ivalue(3.0).ref;
    const Ref truth = subject.core().ivalue(true).ref;

    expect_error([&] { subject.core().ivalue_to(integer, "Double"); }, ErrorKind::kInternal);
    expect_error([&] { subject.core().ivalue_to(real, "Int"); }, ErrorKind::kInternal);
    expect_error([&] { subject.core().ivalue_to(truth, "Int"); }, ErrorKind::kInternal);
    expect_error([&] { subject.core().ivalue_to(integer, "Bool"); }, ErrorKind::kInternal);
  });

  conformance("every_number_is_a_scalar", {"CORE-16"}, [](Session& subject) {
    for (const Value& number : {Value(3), Value(1.5), Value(true), Value(Complex{1, 2})}) {
      expect_equal(subject.core().ivalue_to(subject.core().ivalue(number).ref, "Scalar"), number);
    }
  });

  conformance("none_is_no_tensor", {"CORE-16"}, [](Session& subject) {
    const Ref none = subject.core().ivalue(None{}).ref;

    expect_error([&] { subject.core().ivalue_to(none, "Tensor"); }, ErrorKind::kError,
                 {"Expected Tensor but got None"});
  });

  conformance("a_boxed_tensor_is_the_tensor_itself", {"CORE-16"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));
    const Boxed boxed = subject.core().ivalue(x);

    const Value out = subject.core().ivalue_to(boxed.ref, "Tensor");

    expect_equal(out, x);
  });

  conformance("a_copy_shares_its_list_with_the_original", {"CORE-16"}, [](Session& subject) {
    const Ref original = subject.core().ivalue(List{{1}}).ref;
    const Ref copy = subject.core().ivalue_copy(original);

    subject.core().ivalue_push(original, 2);

    expect_equal(subject.core().ivalue_to(copy, "List"), List{{1, 2}});
  });

  conformance("what_was_moved_from_is_none", {"CORE-16"}, [](Session& subject) {
    const Ref original = subject.core().ivalue(7).ref;

    const auto [moved, left] = subject.core().ivalue_move(original);

    expect_equal(left, "None");
    expect_equal(subject.core().ivalue_to(moved, "Int"), 7);
    expect_error([&] { subject.core().ivalue_to(original, "Tensor"); }, ErrorKind::kError,
                 {"Expected Tensor but got None"});
  });
}

}  // namespace assay::suites
