// Dtypes: numbers, sizes and predicates.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

struct Row {
  Dtype dtype;
  std::int64_t number;
  std::int64_t size;
  const char* kind;  ///< `floating`, `complex`, `integral`, `bool`, `quantised`
};

constexpr Row kRows[] = {
    {Dtype::kUint8, 0, 1, "integral"},       {Dtype::kInt8, 1, 1, "integral"},
    {Dtype::kInt16, 2, 2, "integral"},       {Dtype::kInt32, 3, 4, "integral"},
    {Dtype::kInt64, 4, 8, "integral"},       {Dtype::kFloat16, 5, 2, "floating"},
    {Dtype::kFloat32, 6, 4, "floating"},     {Dtype::kFloat64, 7, 8, "floating"},
    {Dtype::kComplex32, 8, 4, "complex"},    {Dtype::kComplex64, 9, 8, "complex"},
    {Dtype::kComplex128, 10, 16, "complex"}, {Dtype::kBool, 11, 1, "bool"},
    {Dtype::kQint8, 12, 1, "quantised"},     {Dtype::kQuint8, 13, 1, "quantised"},
    {Dtype::kQint32, 14, 4, "quantised"},    {Dtype::kBfloat16, 15, 2, "floating"},
    {Dtype::kQuint4x2, 16, 1, "quantised"},  {Dtype::kQuint2x4, 17, 1, "quantised"},
};

constexpr Dtype kTypesOf2x[] = {
    Dtype::kBits1x8,        Dtype::kBits2x4,    Dtype::kBits4x2,      Dtype::kBits8,
    Dtype::kBits16,         Dtype::kFloat8E5m2, Dtype::kFloat8E4m3fn, Dtype::kFloat8E5m2fnuz,
    Dtype::kFloat8E4m3fnuz, Dtype::kUint16,     Dtype::kUint32,       Dtype::kUint64,
};

}  // namespace

CASES("core/dtype") {
  conformance("numbers_are_those_that_schemas_store", {"CORE-01"}, [](Session& subject) {
    for (const Row& row : kRows) {
      const ScopedTrace at{std::string(name_of(row.dtype))};

      expect_equal(subject.core().dtype(row.dtype).number, row.number);
    }
  });

  conformance("newer_types_are_numbered_from_18", {"CORE-01"}, [](Session& subject) {
    std::int64_t number = 18;
    for (const Dtype dtype : kTypesOf2x) {
      const ScopedTrace at{std::string(name_of(dtype))};

      expect_equal(subject.core().dtype(dtype).number, number++);
    }
  }).since(Release::k2_4);

  conformance("undefined_comes_after_the_17_of_1_13", {"CORE-01"}, [](Session& subject) {
    expect_equal(subject.core().dtype(Dtype::kUndefined).number, 18);
  }).until(Release::k1_13);

  conformance("undefined_has_moved_behind_the_newer_types", {"CORE-01"}, [](Session& subject) {
    expect_true(subject.core().dtype(Dtype::kUndefined).number >= 30,
                "Undefined is the last of all types");
  }).since(Release::k2_4);

  conformance("elements_have_these_sizes", {"CORE-02"}, [](Session& subject) {
    for (const Row& row : kRows) {
      const ScopedTrace at{std::string(name_of(row.dtype))};

      expect_equal(subject.core().dtype(row.dtype).size.value_or(-1), row.size);
    }
  });

  conformance("undefined_has_no_element_size", {"CORE-02"}, [](Session& subject) {
    const DtypeInfo info = subject.core().dtype(Dtype::kUndefined);

    expect_false(info.size.has_value(), "Undefined has no element size");
    expect_false(info.is_signed.has_value(), "Undefined is neither signed nor unsigned");
  });

  conformance("each_type_is_of_one_category", {"CORE-02"}, [](Session& subject) {
    for (const Row& row : kRows) {
      const ScopedTrace at{std::string(name_of(row.dtype))};
      const DtypeInfo info = subject.core().dtype(row.dtype);
      const std::string kind = row.kind;

      expect_equal(info.floating, kind == "floating");
      expect_equal(info.complex, kind == "complex");
      expect_equal(info.integral, kind == "integral");
      expect_equal(info.integral_or_bool, kind == "integral" || kind == "bool");
    }
  });

  conformance("floats_of_8_bits_are_floating", {"CORE-02"}, [](Session& subject) {
    for (const Dtype dtype : {Dtype::kFloat8E5m2, Dtype::kFloat8E4m3fn, Dtype::kFloat8E5m2fnuz,
                              Dtype::kFloat8E4m3fnuz}) {
      const ScopedTrace at{std::string(name_of(dtype))};
      const DtypeInfo info = subject.core().dtype(dtype);

      expect_true(info.floating, "a float of 8 bits is floating");
      expect_equal(info.size.value_or(-1), 1);
    }
  }).since(Release::k2_4);

  conformance("only_types_without_scale_have_a_sign_or_none", {"CORE-02"}, [](Session& subject) {
    for (const Row& row : kRows) {
      const ScopedTrace at{std::string(name_of(row.dtype))};
      const std::optional<bool> is_signed = subject.core().dtype(row.dtype).is_signed;
      const bool is_quantised = std::string(row.kind) == "quantised";
      const bool is_unsigned = row.dtype == Dtype::kUint8 || row.dtype == Dtype::kBool;

      expect_equal(is_signed.has_value(), !is_quantised);
      if (is_signed) expect_equal(*is_signed, !is_unsigned);
    }
  });
}

}  // namespace assay::suites
