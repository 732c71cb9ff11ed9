// Steps on a device against the same steps on the host: to the bit, but for fused Adam, which the
// host computes otherwise; for every type, length and alignment, and for more tensors than one
// launch takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/optim/steps.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

using Bytes = std::vector<std::byte>;

/// Element `i` of a stream of small numbers, as the bits of a type: any 16 bits that are finite.
std::uint64_t bits_of(Dtype dtype, std::uint64_t i) {
  std::uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u;
  mixed ^= mixed >> 29;
  const double number = static_cast<double>(mixed % 4001) / 1000 - 2;
  if (dtype == Dtype::kFloat64) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
  }
  const auto single = static_cast<float>(number);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof(bits));
  if (dtype == Dtype::kFloat32) return bits;
  if (dtype == Dtype::kBFloat16) return bits >> 16;
  return (mixed & 0x83ffu) | 0x3800u;  // float16 between 0.5 and 1, of either sign
}

Bytes elements(Dtype dtype, std::int64_t count, std::uint64_t seed) {
  const std::size_t width = size_bytes(dtype);
  Bytes bytes(static_cast<std::size_t>(count) * width);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::uint64_t bits = bits_of(dtype, seed * 1000003 + i);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}

struct Piece {
  std::int64_t count;
  std::int64_t skipped;  ///< elements before the first, which spoil its alignment
};

/// Tensors of rows in one place, `lists` for each shape. Second moments must not be negative.
std::vector<Tensor> tensors_on(Device device, Dtype dtype, const std::vector<Piece>& shapes,
                               std::size_t lists) {
  std::vector<Tensor> made;
  for (std::size_t i = 0; i < shapes.size() * lists; ++i) {
    const auto [count, skipped] = shapes[i / lists];
    const Tensor whole = empty({count + skipped}, dtype, device);
    made.push_back(as_strided(whole, {count}, {1}, skipped));
    Bytes bytes = elements(dtype, count, i);
    if (i % lists >= 3) {
      for (std::size_t at = size_bytes(dtype) - 1; at < bytes.size(); at += size_bytes(dtype)) {
        bytes[at] &= std::byte{0x7f};
      }
    }
    write_elements(made.back(), bytes.data());
  }
  return made;
}

template <std::size_t kLists>
std::vector<StepRow<kLists>> rows_of(const std::vector<Tensor>& tensors, std::size_t lists) {
  std::vector<StepRow<kLists>> rows;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i % lists == 0) rows.push_back({{}, tensors[i].numel()});
    rows.back().data[i % lists] = tensors[i].data();
  }
  return rows;
}

const std::vector<Piece>& awkward_shapes() {
  static const std::vector<Piece> shapes = {{1, 0},    {2, 1},  {3, 0},     {7, 3},
                                            {8, 0},    {63, 1}, {4096, 0},  {4097, 0},
                                            {8191, 5}, {5, 0},  {20000, 0}, {9, 7}};
  return shapes;
}

void expect_same(const std::vector<Tensor>& device, const std::vector<Tensor>& host,
                 const char* what) {
  for (std::size_t i = 0; i < device.size(); ++i) {
    EXPECT_EQ(read_elements(device[i]), read_elements(host[i])) << what << ", tensor " << i;
  }
}

std::vector<double> numbers_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(to(tensor, Dtype::kFloat64));
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// The tolerance is several roundings of the type, since corrections by 1 - beta2 ^ step magnify
/// them.
void expect_near(const std::vector<Tensor>& device, const std::vector<Tensor>& host, Dtype dtype) {
  const double rounding = dtype == Dtype::kFloat64   ? 0x1p-52
                          : dtype == Dtype::kFloat32 ? 0x1p-23
                          : dtype == Dtype::kFloat16 ? 0x1p-10
                                                     : 0x1p-7;
  for (std::size_t i = 0; i < device.size(); ++i) {
    const std::vector<double> got = numbers_of(device[i]);
    const std::vector<double> wanted = numbers_of(host[i]);
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t at = 0; at < got.size(); ++at) {
      const double bound = 32 * rounding * std::max(1.0, std::abs(wanted[at]));
      ASSERT_NEAR(got[at], wanted[at], bound) << "tensor " << i << ", element " << at;
    }
  }
}

const Dtype kTypes[] = {Dtype::kFloat32, Dtype::kFloat64, Dtype::kFloat16, Dtype::kBFloat16};

void compare_sgd(Dtype dtype, const SgdSettings& settings, const std::vector<Piece>& shapes) {
  std::vector<Tensor> results[2];
  for (const bool on_device : {false, true}) {
    auto& tensors = results[on_device ? 1 : 0];
    tensors = tensors_on(on_device ? cuda_device(0) : kCpu, dtype, shapes, 3);
    step_sgd(rows_of<4>(tensors, 3), settings, {}, {dtype, on_device, nullptr});
  }
  expect_same(results[1], results[0], facts(dtype).name.data());
}

SgdSettings every_part(StepArithmetic arithmetic) {
  SgdSettings settings;
  settings.lr = 0.1;
  settings.momentum = 0.9;
  settings.dampening = 0.25;
  settings.weight_decay = 0.01;
  settings.maximize = true;
  settings.arithmetic = arithmetic;
  return settings;
}

TEST(DeviceSteps, OfSgdAreThoseOfTheHost) {
  for (const StepArithmetic arithmetic : {StepArithmetic::kStepwise, StepArithmetic::kFused}) {
    for (const Dtype dtype : kTypes) compare_sgd(dtype, every_part(arithmetic), awkward_shapes());
  }
}

TEST(DeviceSteps, OfNesterovWriteTheGradientWhereAskedTo) {
  SgdSettings settings;
  settings.lr = 0.1;
  settings.momentum = 0.9;
  settings.nesterov = true;
  settings.writes_grad = true;
  for (const Dtype dtype : kTypes) compare_sgd(dtype, settings, awkward_shapes());
}

AdamSettings adam_settings(StepArithmetic arithmetic, bool keeps_doubles) {
  AdamSettings settings;
  settings.lr = 0.1;
  settings.beta1 = 0.9;
  settings.beta2 = 0.99;
  settings.eps = 1e-6;
  settings.weight_decay = 0.01;
  settings.amsgrad = true;
  settings.step_size = 0.3;
  settings.root = 0.2;
  settings.arithmetic = arithmetic;
  settings.keeps_doubles = keeps_doubles;
  return settings;
}

/// Passes counters and a ticket with the rows; null if the implementation has none.
void compare_adam(Dtype dtype, const AdamSettings& settings) {
  const bool is_fused = settings.arithmetic == StepArithmetic::kFused;
  std::vector<Tensor> results[2];
  for (const bool on_device : {false, true}) {
    const Device device = on_device ? cuda_device(0) : kCpu;
    auto& tensors = results[on_device ? 1 : 0];
    tensors = tensors_on(device, dtype, awkward_shapes(), 5);
    auto rows = rows_of<6>(tensors, 5);
    const Tensor ticket = full({}, 0, Dtype::kInt32, device);
    const Tensor counters =
        full({static_cast<std::int64_t>(rows.size())}, 3, Dtype::kFloat32, device);
    for (std::size_t i = 0; i < rows.size() && is_fused; ++i) {
      rows[i].data[5] = counters.data_as<float>() + i;
    }
    step_adam(rows, settings, {},
              {dtype, on_device, is_fused ? ticket.data_as<std::uint32_t>() : nullptr});
    tensors.push_back(counters);
    tensors.push_back(ticket);
  }
  if (is_fused) {
    expect_near(results[1], results[0], dtype);
  } else {
    expect_same(results[1], results[0], facts(dtype).name.data());
  }
  EXPECT_EQ(read_number(as_strided(results[1][results[1].size() - 2], {}, {}, 5)),
            is_fused ? 4.0 : 3.0);
}

TEST(DeviceSteps, OfAdamAreThoseOfTheHost) {
  for (const Dtype dtype : kTypes) {
    compare_adam(dtype, adam_settings(StepArithmetic::kStepwise, false));
    compare_adam(dtype, adam_settings(StepArithmetic::kFused, false));
    compare_adam(dtype, adam_settings(StepArithmetic::kFused, true));
  }
}

TEST(DeviceSteps, ReachEveryTensorOfALongList) {
  std::vector<Piece> shapes(700, Piece{3, 0});
  shapes[500].count = 9000;
  compare_sgd(Dtype::kFloat32, every_part(StepArithmetic::kFused), shapes);
}

TEST(DeviceSteps, TakeHundredsOfTensorsInOneLaunch) {
  const std::vector<Piece> shapes(300, Piece{5, 0});
  const auto tensors = tensors_on(cuda_device(0), Dtype::kFloat32, shapes, 3);
  const std::int64_t before = counters().launches;

  step_sgd(rows_of<4>(tensors, 3), every_part(StepArithmetic::kFused), {},
           {Dtype::kFloat32, true, nullptr});

  EXPECT_EQ(counters().launches - before, 1);
}

TEST(DeviceSteps, OfNothingLaunchNothing) {
  const std::int64_t before = counters().launches;

  step_sgd({}, every_part(StepArithmetic::kFused), {}, {Dtype::kFloat32, true, nullptr});

  EXPECT_EQ(counters().launches, before);
}

}  // namespace
}  // namespace assay::cuda
