// Inferred schemas agree with those parsed from signature texts.
#include "cuda_impl/dispatch/schema/signature.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda::dispatch {
namespace {

template <typename T>
concept HasSchemaType = requires {
  SchemaType<T>::get();
};

TEST(CudaSignature, TypesAndTextsGiveTheSameSchema) {
  EXPECT_EQ(infer_schema<void()>(), schema_of_signature("void()"));
  EXPECT_EQ((infer_schema<Tensor&(const Tensor&, Tensor&)>()),
            schema_of_signature("Tensor&(const Tensor&,Tensor&)"));
  EXPECT_EQ((infer_schema<std::tuple<Tensor, std::int64_t>(std::optional<Tensor>, double, bool)>()),
            schema_of_signature("tuple<Tensor,int64_t>(optional<Tensor>,double,bool)"));
  EXPECT_EQ((infer_schema<void(std::array<Tensor, 2>, std::span<const std::int64_t>)>()),
            schema_of_signature("void(array<Tensor,2>,IntList)"));
  EXPECT_EQ((infer_schema<void(const Scalar&, std::string_view, Device, std::optional<Dtype>)>()),
            schema_of_signature("void(const Scalar&,string,Device,optional<ScalarType>)"));
}

TEST(CudaSignature, AnEmptyTupleIsNoReturn) {
  EXPECT_EQ(infer_schema<std::tuple<>(Tensor)>().text(), "(Tensor _0) -> ()");
  EXPECT_EQ(schema_of_signature("tuple<>(Tensor)").text(), "(Tensor _0) -> ()");
}

TEST(CudaSignature, TypesThatNoKernelTakesHaveNone) {
  static_assert(HasSchemaType<std::int64_t>);
  static_assert(!HasSchemaType<float>);
  static_assert(!HasSchemaType<int>);
  static_assert(!HasSchemaType<std::uint64_t>);
  static_assert(!HasSchemaType<const char*>);
  for (const char* signature : {"void(float)", "void(List<Scalar>)", "void(Dict<Tensor,int64_t>)",
                                "void(vector<bool>)", "void", "void(Tensor", "void(Tensor)x"}) {
    EXPECT_THROW(schema_of_signature(signature), Error) << signature;
  }
}

}  // namespace
}  // namespace assay::cuda::dispatch
