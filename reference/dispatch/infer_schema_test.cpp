// Which C++ functions can be kernels, and the schemas that they imply.
#include "reference/dispatch/infer_schema.hpp"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

template <typename F>
std::string inferred() {
  return to_text(infer_schema<F>());
}

TEST(InferSchema, names_arguments_and_returns_by_position) {
  using Kernel = std::tuple<Tensor, Tensor, std::int64_t>(const Tensor&, std::optional<Tensor>,
                                                          TensorList, std::int64_t, double, bool,
                                                          const Scalar&, std::string);

  EXPECT_EQ(inferred<Kernel>(),
            "(Tensor _0, Tensor? _1, Tensor[] _2, int _3, float _4, bool _5, Scalar _6, str _7) "
            "-> (Tensor _0, Tensor _1, int _2)");
}

TEST(InferSchema, drops_a_key_set_in_front) {
  EXPECT_EQ(inferred<void(KeySet, Tensor&)>(), "(Tensor _0) -> ()");
}

// DSP-313: these do not compile as kernels.
static_assert(!Inferable<void(float)>);
static_assert(!Inferable<void(int)>);
static_assert(!Inferable<void(std::uint64_t)>);
static_assert(!Inferable<void(const char*)>);
static_assert(!Inferable<void(std::vector<bool>)>);
static_assert(!Inferable<void(std::vector<Scalar>)>);
static_assert(!Inferable<void(std::map<std::string, Scalar>)>);
static_assert(!Inferable<void(std::map<Device, Tensor>)>);
static_assert(!Inferable<float(Tensor)>);
static_assert(Inferable<void(std::map<std::string, Tensor>)>);
static_assert(Inferable<std::tuple<>()>);

}  // namespace
}  // namespace assay::reference
