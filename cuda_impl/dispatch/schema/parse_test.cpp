// Parsing and printing of schemas: equality and kinds of errors.
#include <gtest/gtest.h>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {
namespace {

constexpr Contract kStrict{Release::k2_11, true};
constexpr Contract kCompat{Release::k2_11, false};

ErrorKind kind_of_refusal(std::string_view text, const Contract& contract = kStrict) {
  try {
    parse_schema(text, contract);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "'" << text << "' was read";
  return ErrorKind::kAssertion;
}

TEST(CudaSchema, ItEqualsWhatItsTextReadsAs) {
  const Schema schema = parse_schema(
      "ns::f.out(Tensor(a)[] x, int[2] n=1, *, Tensor? o=None, Tensor(b!) out) -> Tensor(b!)");

  EXPECT_EQ(parse_schema(schema.text()), schema);
  EXPECT_EQ(schema.name(), (OperatorName{"ns::f", "out"}));
  EXPECT_EQ(schema.name().namespace_name(), "ns");
}

TEST(CudaSchema, EachPartCountsForEquality) {
  const Schema schema = parse_schema("f(Tensor(a) x, int[2] n=1) -> int");

  for (const char* other :
       {"g(Tensor(a) x, int[2] n=1) -> int", "f(Tensor(b) x, int[2] n=1) -> int",
        "f(Tensor(a) y, int[2] n=1) -> int", "f(Tensor(a) x, int[3] n=1) -> int",
        "f(Tensor(a) x, int[2] n=2) -> int", "f(Tensor(a) x, *, int[2] n=1) -> int",
        "f(Tensor(a) x, int[2] n=1) -> float", "f(Tensor(a) x, int[2] n=1) -> ...",
        "f(Tensor(a) x, int[2] n) -> int", "f(Tensor(a) x) -> int"}) {
    EXPECT_NE(parse_schema(other), schema) << other;
  }
}

TEST(CudaSchema, TheEmptyNamespaceIsNone) {
  EXPECT_EQ(parse_name("f.ov").namespace_name(), "");
  EXPECT_EQ(parse_name("f.ov").text(), "f.ov");
}

TEST(CudaSchema, RefusalsHaveTheKindThatTheClausesName) {
  EXPECT_EQ(kind_of_refusal("f(int x=1, int y) -> ()"), ErrorKind::kSchema);
  EXPECT_EQ(kind_of_refusal("f(int x=1, int y) -> ()", kCompat), ErrorKind::kInternal);
  EXPECT_EQ(kind_of_refusal("f(int x=99999999999999999999) -> ()"), ErrorKind::kSchema);
  EXPECT_EQ(kind_of_refusal("f(int x=99999999999999999999) -> ()", kCompat), ErrorKind::kIndex);
  EXPECT_EQ(kind_of_refusal("f.default() -> ()"), ErrorKind::kError);
}

TEST(CudaSchema, AStringWithoutAnEndIsRefused) {
  for (const char* text : {"f(str x='a) -> ()", "f(str x=\"", "f(str x='\\'"}) {
    EXPECT_EQ(kind_of_refusal(text), ErrorKind::kSchema) << text;
  }
}

TEST(CudaSchema, TheSmallestFloatIsRead) {
  const Schema schema = parse_schema("f(float x=5e-324) -> ()");

  EXPECT_EQ(*schema.arguments()[0].default_value, Constant(5e-324));
  EXPECT_EQ(kind_of_refusal("f(float x=1e999) -> ()"), ErrorKind::kSchema);
}

TEST(CudaSchema, VariablesAreFoundInsideOfTypes) {
  EXPECT_TRUE(parse_schema("f(Dict(int, t[]) x) -> ()", kCompat).has_variable());
  EXPECT_TRUE(parse_schema("f() -> (int, t?)", kCompat).has_variable());
  EXPECT_FALSE(parse_schema("f(Dict(int, Tensor[]) x) -> ()", kCompat).has_variable());
}

}  // namespace
}  // namespace assay::cuda::dispatch
