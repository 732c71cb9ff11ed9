// Area runtime: kernels and gates.
#include <algorithm>
#include <limits>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/kernels/probe.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/guards.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"
#include "cuda_impl/subject/simulated.hpp"

namespace assay::cuda {
namespace {

/// Sets the stream's device; unlike a guard, does not restore streams.
class OnDeviceOf {
 public:
  explicit OnDeviceOf(const Stream& stream)
      : scope_(stream.device.index == -1 ? current_device() : stream.device.index) {}

 private:
  DeviceScope scope_;
};

void simulated_kernel(Call& call, const Stream& stream) {
  const std::string name = call.arguments().text("name", "kernel");
  const std::int64_t ns = call.arguments().integer("ns", 1000);
  const int fails = int_argument(call, "fails", 0);
  if (fails < 0) throw InvalidArgument("'fails' must be an error code, which is not negative");
  cuda_check(
      static_cast<cudaError_t>(assay_cudart_kernel(handle_of(stream), name.c_str(), ns, fails)));
}

/// Makes the given stream, or else the current stream of the tensor's device, current for the
/// scope.
class OnStreamFor {
 public:
  OnStreamFor(Call& call, const Tensor& tensor) {
    if (!tensor.is_cuda()) throw InvalidArgument("'tensor' must be on a device");
    if (const auto stream = stream_or_none(call)) guard_.emplace(*stream);
  }

 private:
  std::optional<StreamGuard> guard_;
};

dim3 extents(Call& call, const char* name) {
  std::vector<std::int64_t> given;
  if (call.has(name)) given = call.arguments().integers(name);
  if (given.size() > 3) throw InvalidArgument(std::string(name) + " has three extents at most");
  given.resize(3, 1);
  const auto extent = [](std::int64_t wanted) {
    constexpr std::int64_t kMost = std::numeric_limits<unsigned>::max();
    return static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 0, kMost));
  };
  return {extent(given[0]), extent(given[1]), extent(given[2])};
}

/// Memory for one launch, freed with this object.
template <typename Element>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<Element>& values) : size_bytes_(bytes_of(values)) {
    cuda_check_memory(cudaMalloc(&data_, std::max(size_bytes_, sizeof(Element))));
    const cudaError_t result =
        cudaMemcpy(data_, values.data(), size_bytes_, cudaMemcpyHostToDevice);
    if (result != cudaSuccess) cuda_warn(cudaFree(data_));  // there is no object to destroy
    cuda_check(result);
  }
  ~DeviceArray() { cuda_warn(cudaFree(data_)); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  Element* data() const { return static_cast<Element*>(data_); }
  std::vector<Element> read() const {
    std::vector<Element> values(size_bytes_ / sizeof(Element));
    cuda_check(cudaMemcpy(values.data(), data_, size_bytes_, cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  static std::size_t bytes_of(const std::vector<Element>& values) {
    return values.size() * sizeof(Element);
  }
  std::size_t size_bytes_;
  void* data_ = nullptr;
};

float first_addend(std::int64_t i) { return static_cast<float>(i); }
float second_addend(std::int64_t i) { return static_cast<float>(2 * i + 1); }

std::vector<float> numbers(std::int64_t count, float (*number)(std::int64_t)) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(number(i));
  return all;
}

std::int64_t count_right(const std::vector<float>& sums) {
  std::int64_t right = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    if (sums[i] == first_addend(place) + second_addend(place)) ++right;
  }
  return right;
}

SumShape shape_argument(Call& call) {
  return {extents(call, "grid"), extents(call, "block"),
          static_cast<std::size_t>(call.arguments().integer("shared", 0)),
          int_argument(call, "registers", 0)};
}

/// Blocks a stream until it is opened.
class Gate {
 public:
  Gate(const Stream& stream, std::int64_t timeout_ms)
      : held_(assay_cudart_gate(handle_of(stream), timeout_ms)) {
    if (held_ != nullptr) return;
    const cudaError_t last = cudaGetLastError();
    cuda_check(last == cudaSuccess ? cudaErrorInvalidResourceHandle : last);
  }
  ~Gate() {
    if (held_ != nullptr) assay_cudart_forget_gate(held_);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void open() const { assay_cudart_open(held_); }
  int state() const { return assay_cudart_gate_state(held_); }

 private:
  void* held_;
};

}  // namespace

void runtime_kernel(Call& call) {
  const Stream stream = stream_or_current(call);
  const OnDeviceOf device(stream);
  if (is_simulated()) return simulated_kernel(call, stream);
  static_cast<void>(call.arguments().text("name", ""));
  cuda_check(launch_nothing(handle_of(stream)));
}

void runtime_store(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const OnStreamFor stream(call, tensor);
  fill_(tensor, call.scalar("value"));
}

void runtime_load(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const OnStreamFor stream(call, tensor);
  call.result(clone(tensor));
}

/// FLT-019: leaves the launch's error in the register.
void runtime_launch(Call& call) {
  const Stream stream = stream_or_current(call);
  const SumShape shape = shape_argument(call);
  const std::int64_t count = call.arguments().integer("n", 0);
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  if (count < 0 || count > kMost) throw InvalidArgument("'n' must be from 0 to 2^24");
  const OnDeviceOf device(stream);
  const DeviceArray<float> a(numbers(count, first_addend));
  const DeviceArray<float> b(numbers(count, second_addend));
  const DeviceArray<float> sum(std::vector<float>(static_cast<std::size_t>(count), -1));
  const DeviceArray<unsigned> threads({0});
  cudaStream_t const handle = handle_of(stream);
  const SumOperands operands{a.data(), b.data(), sum.data(), count, threads.data()};
  static_cast<void>(launch_sum(operands, shape, handle));
  cuda_check(cudaStreamSynchronize(handle));
  call.set("runs", std::int64_t{threads.read().front()});
  call.set("right", count_right(sum.read()));
}

void runtime_launch_check(Call&) { cuda_check(cudaPeekAtLastError()); }

void runtime_gate(Call& call) {
  if (!is_simulated()) throw NotSupported("gates are made of a simulated runtime only");
  const Stream stream = stream_argument(call);
  const OnDeviceOf device(stream);
  const std::int64_t timeout_ms = call.arguments().integer("timeout_ms", 2000);
  call.result(Object(std::make_shared<Gate>(stream, timeout_ms), "gate"));
}

void runtime_open(Call& call) { call.held<Gate>("gate", "gate")->open(); }

void runtime_gate_state(Call& call) {
  constexpr std::array<const char*, 3> kNames{"closed", "open", "expired"};
  const int state = call.held<Gate>("gate", "gate")->state();
  call.result(Value(kNames.at(static_cast<std::size_t>(state))));
}

}  // namespace assay::cuda
