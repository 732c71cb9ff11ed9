// Unit tests of the registry of translated kernels and variables.
#include "cuda_impl/on_cpu/ptx/translated.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace assay::cuda::on_cpu {
namespace {

void nothing(void* const*) {}

constexpr std::array<std::uint32_t, 2> kSizes = {8, 4};
constexpr std::array<std::uint32_t, 2> kOtherSizes = {8, 8};

TranslatedKernel kernel_named(const char* name, std::span<const std::uint32_t> parameter_bytes) {
  return {name, &nothing, parameter_bytes, {}, 0, 0, 0};
}

TEST(Translated, AKernelIsFoundByItsName) {
  static const std::array kernels = {kernel_named("found_by_name", kSizes)};

  EXPECT_TRUE(add_translated(kernels, {}));

  EXPECT_EQ(find_translated_kernel("found_by_name"), &kernels[0]);
  EXPECT_EQ(find_translated_kernel("found_by_nam"), nullptr);
}

TEST(Translated, AKernelMayComeTwiceIfItsParametersAgree) {
  static const std::array first = {kernel_named("twice", kSizes)};
  static const std::array same = {kernel_named("twice", kSizes)};
  static const std::array other = {kernel_named("twice", kOtherSizes)};
  add_translated(first, {});

  EXPECT_NO_THROW(add_translated(same, {}));
  EXPECT_THROW(add_translated(other, {}), std::logic_error);

  EXPECT_EQ(find_translated_kernel("twice"), &first[0]);
}

TEST(Translated, AVariableOfTwoFilesIsNotGuessed) {
  static int value = 0;
  static const std::array once = {TranslatedVariable{"once", &value, sizeof value}};
  static const std::array again = {TranslatedVariable{"again", &value, sizeof value}};
  add_translated({}, once);
  add_translated({}, again);
  add_translated({}, again);

  EXPECT_EQ(find_translated_variable("once")->address, &value);
  EXPECT_EQ(find_translated_variable("nowhere"), nullptr);
  EXPECT_THROW(find_translated_variable("again"), std::logic_error);
}

}  // namespace
}  // namespace assay::cuda::on_cpu
