// A fused step launches with the smallest table that holds its list, whatever the type.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"
#include "cuda_impl/scaler/fused_training_for_tests.hpp"

/// Of the simulated runtime; null with the real one.
extern "C" [[gnu::weak]] const char* assay_cudart_log();

namespace assay::cuda {
namespace {

/// The bytes of the tables of a step's launches, as the names of kernels show them.
std::vector<std::size_t> tables_of(const FusedLists& lists) {
  const FusedTraining training(lists);
  training.optimizer->step({});
  assay_cudart_log();  // forgets what came before
  training.optimizer->step({});
  std::vector<std::size_t> tables;
  constexpr std::string_view kBefore = "ELm";
  const std::string log = assay_cudart_log();
  for (std::size_t at = log.find("ChunkTable"); at != std::string::npos;
       at = log.find("ChunkTable", at + 1)) {
    tables.push_back(std::stoul(log.substr(log.find(kBefore, at) + kBefore.size())));
  }
  return tables;
}

class TableSizes : public ::testing::TestWithParam<Dtype> {};

TEST_P(TableSizes, AreThoseThatTheListUses) {
  if (!HeldStream::is_possible()) return;
  for (const bool has_moments : {false, true}) {
    const auto of = [&](int params) { return tables_of({params, has_moments, {GetParam()}}); };

    EXPECT_EQ(of(1), std::vector<std::size_t>{kSmallParameters});
    EXPECT_EQ(of(50), std::vector<std::size_t>{kSmallParameters});
    EXPECT_EQ(of(100), std::vector<std::size_t>{8192});
    EXPECT_EQ(of(200), std::vector<std::size_t>{16384});
    EXPECT_EQ(of(400), std::vector<std::size_t>{kLargeParameters});
    EXPECT_EQ(of(600), std::vector<std::size_t>(2, kLargeParameters));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, TableSizes,
                         ::testing::Values(Dtype::kFloat32, Dtype::kFloat16, Dtype::kBFloat16),
                         [](const auto& dtype) { return std::string(facts(dtype.param).name); });

}  // namespace
}  // namespace assay::cuda
