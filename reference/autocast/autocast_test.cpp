// Region guards: not copyable or movable; effects of leaving out of order. Compile-time tests of
// function traits and of wrappers based on them.
#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "reference/autocast/region.hpp"
#include "reference/autocast/signature_traits.hpp"
#include "reference/core/tensor/factory.hpp"

namespace assay::reference {
namespace {

template <typename T>
constexpr bool kStays = !std::is_copy_constructible_v<T> && !std::is_move_constructible_v<T> &&
                        !std::is_copy_assignable_v<T> && !std::is_move_assignable_v<T>;

// CAST-616
TEST(RegionGuard, LeftOutOfOrderRestoresWhatItHadSeen) {
  EXPECT_TRUE(kStays<RegionGuard>);
  EXPECT_TRUE(kStays<AutocastRegion>);
  Runtime runtime;
  AutocastRegion outer(runtime, {.device = "cuda", .cuda_available = true});
  AutocastRegion inner(runtime, {.device = "cuda", .enabled = false, .cuda_available = true});
  auto first = std::make_unique<RegionGuard>(outer);
  auto second = std::make_unique<RegionGuard>(inner);
  EXPECT_FALSE(is_autocast_enabled(runtime, DeviceType::kCuda));

  first.reset();
  EXPECT_FALSE(is_autocast_enabled(runtime, DeviceType::kCuda)) << "as before the outer one";
  second.reset();

  EXPECT_TRUE(is_autocast_enabled(runtime, DeviceType::kCuda)) << "as before the inner one";
}

TEST(RegionGuard, LeftInOrderRestoresEverything) {
  Runtime runtime;
  AutocastRegion region(runtime, {.device = "cuda", .cuda_available = true});
  {
    const RegionGuard guard(region);
    EXPECT_TRUE(is_autocast_enabled(runtime, DeviceType::kCuda));
  }

  EXPECT_FALSE(is_autocast_enabled(runtime, DeviceType::kCuda));
}

// Function traits.

using AddOne = int(int);
static_assert(std::is_same_v<SignatureTraits<AddOne>::Return, int>);
static_assert(SignatureTraits<AddOne>::kArity == 1);
static_assert(SignatureTraits<void()>::kArity == 0);
// References are preserved.
static_assert(std::is_same_v<SignatureTraits<void(const Tensor&, Tensor&, float)>::ParameterTypes,
                             std::tuple<const Tensor&, Tensor&, float>>);

template <typename T>
concept HasTraits = requires {
  SignatureTraits<T>::kArity;
};
template <typename T>
concept HasInferredTraits = requires {
  InferredSignature<T>::kArity;
};
static_assert(HasTraits<AddOne>);
static_assert(!HasTraits<AddOne*>, "a pointer is no plain function type");
static_assert(!HasTraits<int>);

int add_one(int a) { return a + 1; }
float add_two(float a, float b) { return a + b + 1; }
long add_three(long a, long b, long c) { return a + b + c + 1; }
constexpr auto kFunctor = [](double, bool) { return 1L; };

static_assert(HasInferredTraits<decltype(&add_one)>);
static_assert(std::is_same_v<InferredSignature<decltype(kFunctor)>::ParameterTypes,
                             std::tuple<double, bool>>);
static_assert(std::is_same_v<InferredSignature<decltype(kFunctor)>::Return, long>);

TEST(SignatureTraits, TellReturnParametersAndArity) {
  using Plain = SignatureTraits<long(const Tensor&, Tensor&, float)>;
  using Inferred = InferredSignature<decltype(&add_two)>;

  EXPECT_EQ(Plain::kArity, 3U);
  EXPECT_TRUE((std::is_same_v<Plain::Return, long>));
  EXPECT_TRUE((std::is_same_v<Plain::ParameterTypes, std::tuple<const Tensor&, Tensor&, float>>));
  EXPECT_EQ(Inferred::kArity, 2U);
  EXPECT_TRUE((std::is_same_v<Inferred::ParameterTypes, std::tuple<float, float>>));
  EXPECT_FALSE(HasTraits<AddOne*>) << "a pointer goes through the inferring form alone";
}

constexpr auto kAbsolute = [](auto value) { return value < 0 ? -value : value; };

TEST(MappedFunction, MapsEachArgumentOnceBeforeItCalls) {
  using One = MappedFunction<int(int), int(int), &add_one>;
  using Two = MappedFunction<float(float, float), float(float, float), &add_two>;
  using Three = MappedFunction<long(long, long, long), long(long, long, long), &add_three>;

  EXPECT_EQ(One::call(kAbsolute, -10), 11);
  EXPECT_EQ(Two::call(kAbsolute, -10.0F, -10.0F), 21.0F);
  EXPECT_EQ(Three::call(kAbsolute, -10L, -10L, -10L), 31L);
}

TEST(MappedFunction, ConvertsToTheRegisteredTypesOnEntry) {
  using One = MappedFunction<int(int), int(int), &add_one>;

  const char small = -10;
  EXPECT_EQ(One::call(kAbsolute, small), 11);
  static_assert(std::is_same_v<decltype(One::call(kAbsolute, small)), int>);
}

template <typename Wrapper, typename... Arguments>
concept Callable = requires(Arguments... arguments) {
  Wrapper::call(kAbsolute, arguments...);
};

TEST(MappedFunction, DoesNotCompileWithAnotherArity) {
  using Two = MappedFunction<float(float, float), float(float, float), &add_two>;

  EXPECT_TRUE((Callable<Two, float, float>));
  EXPECT_FALSE((Callable<Two, float>));
  EXPECT_FALSE((Callable<Two, float, float, float>));
}

ScalarType with_dtype(const Tensor& tensor, int, ScalarType dtype) {
  return tensor.defined() ? dtype : ScalarType::kUndefined;
}

TEST(MappedFunction, PassesWhatOnlyTheOtherSignatureHas) {
  using Appended = MappedFunction<ScalarType(const Tensor&, int),
                                  ScalarType(const Tensor&, int, ScalarType), &with_dtype>;
  Runtime runtime;
  const Tensor tensor = zeros(runtime, {2}, ScalarType::kHalf, cuda_device(0));
  const TypedCast keep{runtime, ScalarType::kHalf, DeviceType::kCuda};

  EXPECT_EQ(Appended::call(keep, tensor, 2, ScalarType::kFloat), ScalarType::kFloat);
}

std::size_t count_half(const Tensor& a, const std::optional<Tensor>& b,
                       const std::vector<Tensor>& list, double) {
  std::size_t found = a.dtype() == ScalarType::kHalf ? 1 : 0;
  if (b && b->dtype() == ScalarType::kHalf) ++found;
  for (const Tensor& tensor : list) found += tensor.dtype() == ScalarType::kHalf ? 1U : 0U;
  return found;
}

TEST(TypedCast, CastsTensorsOptionalsAndListsAndNothingElse) {
  using Wrapped = MappedFunction<decltype(count_half), decltype(count_half), &count_half>;
  Runtime runtime;
  const auto make = [&](ScalarType dtype) { return zeros(runtime, {2}, dtype, cuda_device(0)); };
  const TypedCast cast{runtime, ScalarType::kHalf, DeviceType::kCuda};
  const Tensor wide = make(ScalarType::kFloat);

  const std::size_t all = Wrapped::call(cast, wide, wide, {wide, make(ScalarType::kDouble)}, 2.0);
  const std::size_t some = Wrapped::call(cast, wide, std::nullopt, {}, 2.0);

  EXPECT_EQ(all, 3U);
  EXPECT_EQ(some, 1U);
}

}  // namespace
}  // namespace assay::reference
