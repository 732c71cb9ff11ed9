// Schema mismatches and their messages.
#include "cuda_impl/dispatch/schema/difference.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda::dispatch {
namespace {

std::string refusal(const std::string& declared, const std::string& inferred) {
  const Schema one = parse_schema(declared);
  const Schema other = parse_schema(inferred);
  try {
    require_fit(one.name(), {one, "defined at a.cpp:1"}, {other, "registered at b.cpp:2"});
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(CudaSchemaDifference, TheErrorSaysAllThatIsNeededToFindIt) {
  const std::string message = refusal("ns::f(Tensor a) -> int", "_(Tensor _0) -> float _0");

  for (const char* part :
       {"doesn't match the expected function schema", "ns::f(Tensor a) -> int", "a.cpp:1",
        "(Tensor _0) -> float _0", "b.cpp:2", "reason: Type mismatch in return 1: int vs float."}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in:\n" << message;
  }
}

TEST(CudaSchemaDifference, WhatFitsIsNoError) {
  EXPECT_EQ(refusal("f(int[2] a=1, *, Tensor(x!)? b) -> ()", "g(int[] _0, Tensor? _1) -> ()"), "");
}

TEST(CudaSchemaDifference, OnlyPytorchsOwnOperatorsAreDefinedWithVariables) {
  const Contract newer{Release::k2_4, false};
  const Contract oldest{Release::k1_13, false};
  const Schema foreign = parse_schema("my::f(t x) -> t", newer);

  EXPECT_THROW(require_definable(foreign, newer), Error);
  EXPECT_NO_THROW(require_definable(foreign, oldest));
  EXPECT_NO_THROW(require_definable(parse_schema("aten::f(t x) -> t", newer), newer));
  EXPECT_NO_THROW(require_definable(parse_schema("prim::f(t x) -> t", newer), newer));
  EXPECT_THROW(require_definable(parse_schema("atenish::f(t x) -> t", newer), newer), Error);
}

}  // namespace
}  // namespace assay::cuda::dispatch
