// Kernels and the loops on the host compute equal elements, for random sizes, offsets and types.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/storage.hpp"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/optim/steps.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {
namespace {

constexpr std::size_t kRounds = 300;
constexpr Dtype kFloating[] = {Dtype::kFloat64, Dtype::kFloat32, Dtype::kFloat16, Dtype::kBFloat16};
constexpr Dtype kComputed[] = {Dtype::kFloat64, Dtype::kFloat32, Dtype::kFloat16, Dtype::kBFloat16,
                               Dtype::kInt64,   Dtype::kInt32,   Dtype::kInt16,   Dtype::kInt8,
                               Dtype::kUInt8,   Dtype::kBool};

/// Draws sizes, types and elements. A failure names the round, which repeats it.
class Draw {
 public:
  explicit Draw(std::size_t round) : bits_(static_cast<unsigned>(round)) {}

  std::int64_t upto(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(bits_);
  }
  template <std::size_t kCount>
  Dtype one_of(const Dtype (&types)[kCount]) {
    return types[upto(kCount - 1)];
  }
  /// Few or many, so that all loops have tails.
  std::int64_t count() { return 1 + upto(upto(1) == 0 ? 70 : 5000); }
  double number() {
    constexpr double kSpecial[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, 65504, 1e-7};
    if (upto(9) == 0) return kSpecial[upto(7)];
    return std::ldexp(static_cast<double>(upto(2000) - 1000), static_cast<int>(upto(12)) - 8);
  }
  double small_whole() { return static_cast<double>(upto(100)); }

 private:
  std::mt19937 bits_;
};

/// Memory that host and device read and write, with elements drawn from both sides of `first`.
class Elements {
 public:
  Elements(Draw& draw, Dtype dtype, std::int64_t count, bool are_whole)
      : dtype_(dtype), offset_(draw.upto(9)), count_(count + 2 * 9) {
    memory_ = Storage::pinned(bytes());
    visit_computed(dtype, [&](auto tag) {
      using T = Tagged<decltype(tag)>;
      auto* const all = reinterpret_cast<T*>(memory_->data());
      for (std::int64_t i = 0; i < count_; ++i) {
        const double number = are_whole || !kIsFloating<T> ? draw.small_whole() : draw.number();
        all[i] = convert<T>(number);
      }
    });
  }
  /// A copy at the same offset within a vector.
  Elements(const Elements& other)
      : dtype_(other.dtype_), offset_(other.offset_), count_(other.count_) {
    memory_ = Storage::pinned(bytes());
    std::memcpy(memory_->data(), other.memory_->data(), bytes());
  }
  Elements& operator=(const Elements&) = delete;

  void* first() const {
    return memory_->data() + static_cast<std::size_t>(offset_) * size_bytes(dtype_);
  }
  /// Bit for bit, but a NaN is equal to any other: processors make different ones.
  bool operator==(const Elements& other) const {
    bool are_equal = true;
    visit_computed(dtype_, [&](auto tag) {
      using T = Tagged<decltype(tag)>;
      const auto* const a = reinterpret_cast<const T*>(memory_->data());
      const auto* const b = reinterpret_cast<const T*>(other.memory_->data());
      for (std::int64_t i = 0; i < count_; ++i) {
        const auto x = convert<double>(a[i]);
        const auto y = convert<double>(b[i]);
        are_equal &= std::memcmp(a + i, b + i, sizeof(T)) == 0 || (x != x && y != y);
      }
    });
    return are_equal;
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * size_bytes(dtype_); }

  Dtype dtype_;
  std::int64_t offset_;
  std::int64_t count_;
  std::shared_ptr<Storage> memory_;
};

void wait() { cuda_check(cudaDeviceSynchronize()); }

/// Each input is a row, a repeated element, or two dimensions in another order.
Geometry<3> draw_geometry(Draw& draw, std::int64_t count, bool has_right) {
  const std::int64_t columns = 1 + draw.upto(4);
  const Shape sizes{count / columns + 1, columns};
  const Shape row{columns, 1};
  const Shape other{1, sizes[0]};
  const Shape one{0, 0};
  const Shape* const layouts[] = {&row, &row, &row, &other, &one};
  const Shape* const left = layouts[draw.upto(4)];
  return walk_of(sizes, {&row, left, has_right ? layouts[draw.upto(4)] : nullptr});
}

TEST(KernelsAgree, ConversionsOfAnyGeometry) {
  for (std::size_t round = 0; round < kRounds; ++round) {
    Draw draw(round);
    const Dtype from = draw.one_of(kComputed);
    const Dtype to = draw.one_of(kComputed);
    const Geometry<3> geometry = draw_geometry(draw, draw.count(), false);
    const Elements in(draw, from, geometry.count, !facts(to).is_floating);
    const Elements on_device(draw, to, geometry.count, true);
    const Elements on_host(on_device);

    launch_cast({to, from, {on_device.first(), in.first()}, geometry});
    wait();
    on_host::cast({to, from, {on_host.first(), in.first()}, geometry});

    ASSERT_EQ(on_device, on_host) << "round " << round << ", " << facts(from).name << " to "
                                  << facts(to).name << ", " << geometry.count << " elements";
  }
}

TEST(KernelsAgree, ArithmeticOfAnyGeometry) {
  constexpr Arithmetic kAll[] = {Arithmetic::kSum,
                                 Arithmetic::kProduct,
                                 Arithmetic::kSquaredDifference,
                                 Arithmetic::kWhereAboveZero,
                                 Arithmetic::kRelu,
                                 Arithmetic::kReluOnCuda,
                                 Arithmetic::kQuotient,
                                 Arithmetic::kSquareRoot};
  for (std::size_t round = 0; round < kRounds; ++round) {
    Draw draw(round);
    const Dtype dtype = draw.one_of(kComputed);
    ElementwiseTask task;
    task.arithmetic = kAll[draw.upto(facts(dtype).is_floating ? 7 : 5)];
    task.dtype = dtype;
    const bool has_right = draw.upto(3) != 0;
    task.geometry = draw_geometry(draw, draw.count(), has_right);
    const Elements left(draw, dtype, task.geometry.count, false);
    const Elements right(draw, dtype, task.geometry.count, false);
    const Elements on_device(draw, dtype, task.geometry.count, true);
    const Elements on_host(on_device);
    task.right = {2.5, 3};

    task.addresses = {on_device.first(), left.first(), has_right ? right.first() : nullptr};
    launch_elementwise(task);
    wait();
    task.addresses.out = on_host.first();
    on_host::elementwise(task);

    ASSERT_EQ(on_device, on_host) << "round " << round << ", " << facts(dtype).name
                                  << ", arithmetic " << static_cast<int>(task.arithmetic) << ", "
                                  << task.geometry.count << " elements";
  }
}

TEST(KernelsAgree, RunningTotals) {
  constexpr Dtype kScanned[] = {Dtype::kFloat32, Dtype::kFloat64, Dtype::kInt64};
  for (std::size_t round = 0; round < kRounds; ++round) {
    Draw draw(round);
    ScanTask task;
    task.dtype = draw.one_of(kScanned);
    task.rounds_to = draw.one_of(kFloating);
    task.multiplies = draw.upto(1) == 0;
    task.outer = 1 + draw.upto(20);
    task.length = 1 + draw.upto(20);
    task.inner = 1 + draw.upto(20);
    const std::int64_t count = task.outer * task.length * task.inner;
    const Elements in(draw, task.dtype, count, false);
    const Elements on_device(draw, task.dtype, count, true);
    const Elements on_host(on_device);
    task.in = in.first();

    task.out = on_device.first();
    launch_scan(task);
    wait();
    task.out = on_host.first();
    on_host::scan(task);

    ASSERT_EQ(on_device, on_host) << "round " << round;
  }
}

/// Of whole numbers, so that their order does not matter.
TEST(KernelsAgree, ReductionsOfWholeNumbers) {
  constexpr Dtype kReduced[] = {Dtype::kFloat64, Dtype::kFloat32, Dtype::kFloat16, Dtype::kBFloat16,
                                Dtype::kInt64};
  constexpr Combination kAll[] = {Combination::kSum, Combination::kMax, Combination::kMin};
  for (std::size_t round = 0; round < kRounds; ++round) {
    Draw draw(round);
    ReductionTask task;
    task.dtype = draw.one_of(kReduced);
    task.count = draw.count();
    task.rows = 1 + draw.upto(3);
    task.each = static_cast<ElementFunction>(draw.upto(3));
    task.combination = kAll[draw.upto(2)];
    const bool is_wide = task.dtype == Dtype::kFloat64 || task.dtype == Dtype::kInt64;
    const Dtype result = is_wide ? task.dtype : Dtype::kFloat32;
    const Elements in(draw, task.dtype, task.count * task.rows, true);
    const Elements on_device(draw, result, task.rows, true);
    const Elements on_host(on_device);
    task.elements = in.first();

    task.results = on_device.first();
    launch_reduction(task);
    wait();
    task.results = on_host.first();
    on_host::reduce(task);

    ASSERT_EQ(on_device, on_host) << "round " << round << ", " << facts(task.dtype).name << ", "
                                  << task.rows << " rows of " << task.count;
  }
}

TEST(KernelsAgree, StepsOfAdamOverListsOfParameters) {
  for (std::size_t round = 0; round < kRounds / 10; ++round) {
    Draw draw(round);
    const Dtype dtype = draw.one_of(kFloating);
    AdamSettings settings{.lr = 0.25, .beta1 = 0.75, .beta2 = 0.875, .eps = 1e-3};
    settings.weight_decay = draw.upto(1) == 0 ? 0 : 0.125;
    settings.decoupled = draw.upto(1) == 0;
    settings.amsgrad = draw.upto(1) == 0;
    settings.maximize = draw.upto(1) == 0;
    settings.step_size = 0.5;
    settings.root = 0.75;
    std::deque<Elements> of_device;
    std::deque<Elements> of_host;
    std::vector<AdamRow> device_rows;
    std::vector<AdamRow> host_rows;
    for (std::int64_t row = draw.upto(30); row >= 0; --row) {
      AdamRow on_device{};
      AdamRow on_host{};
      on_device.count = on_host.count = draw.count();
      for (int list = 0; list < 5; ++list) {
        of_device.emplace_back(draw, dtype, on_device.count, list >= 3);
        of_host.emplace_back(of_device.back());
        on_device.data[list] = of_device.back().first();
        on_host.data[list] = of_host.back().first();
      }
      device_rows.push_back(on_device);
      host_rows.push_back(on_host);
    }

    step_adam(device_rows, settings, {}, {.dtype = dtype, .on_device = true});
    wait();
    step_adam(host_rows, settings, {}, {.dtype = dtype});

    ASSERT_EQ(of_device, of_host) << "round " << round << ", " << facts(dtype).name;
  }
}

TEST(KernelsAgree, UnscalesOfListsOfGradients) {
  const auto scalars = Storage::pinned(2 * sizeof(float));
  auto* const inverse = reinterpret_cast<float*>(scalars->data());
  *inverse = 0.375f;
  for (std::size_t round = 0; round < kRounds / 3; ++round) {
    Draw draw(round);
    const Dtype dtype = draw.one_of(kFloating);
    std::deque<Elements> on_device;
    std::deque<Elements> on_host;
    std::vector<TensorRow<1>> rows;
    float wanted = 0;
    for (std::int64_t row = draw.upto(20); row >= 0; --row) {
      const std::int64_t count = draw.count();
      on_device.emplace_back(draw, dtype, count, draw.upto(20) != 0);
      on_host.emplace_back(on_device.back());
      rows.push_back({{on_device.back().first()}, count});
      visit_floating(dtype, [&](auto tag) {
        using T = Tagged<decltype(tag)>;
        auto* const all = static_cast<T*>(on_host.back().first());
        for (std::int64_t i = 0; i < count; ++i) {
          const auto value = convert<WideOf<T>>(all[i]);
          if (!std::isfinite(static_cast<float>(value))) wanted = 1;
          all[i] = convert<T>(value * static_cast<WideOf<T>>(*inverse));
        }
      });
    }
    inverse[1] = 0;

    launch_unscale(dtype, rows, {inverse, inverse + 1});
    wait();

    ASSERT_EQ(on_device, on_host) << "round " << round << ", " << facts(dtype).name;
    ASSERT_EQ(inverse[1], wanted) << "round " << round;
  }
}

}  // namespace
}  // namespace assay::cuda
