// Loops that copy and convert memory.
#include <array>
#include <cstring>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/subject/bench/works.hpp"

namespace assay::cuda {
namespace {

void clear(const Tensor& tensor) {
  cuda_check(cudaMemsetAsync(tensor.data(), 0, tensor.size_bytes(), current_stream()));
}

/// Copies between dtypes or devices.
class CopyWork final : public BenchWork {
 public:
  CopyWork(Call& call, Dtype from, Dtype to)
      : source_(bench_tensor(bench_elements(call), from, bench_alignment(call))),
        target_(bench_tensor(source_.numel(), to, bench_alignment(call))) {
    BenchNumbers(from, home()).fill(source_);
  }
  void restore() override { clear(target_); }
  std::uint64_t queue() override {
    copy_elements(target_, source_);
    return 1;
  }
  std::vector<Tensor> results() const override { return {target_}; }

 private:
  const Tensor source_;
  const Tensor target_;
};

/// Pinned host memory.
class HostFloats {
 public:
  explicit HostFloats(std::int64_t count)
      : bytes_(static_cast<std::size_t>(count) * sizeof(float)) {
    cuda_check(cudaMallocHost(&data_, bytes_));
  }
  ~HostFloats() { cuda_warn(cudaFreeHost(data_)); }
  HostFloats(const HostFloats&) = delete;
  HostFloats& operator=(const HostFloats&) = delete;

  void* data() const { return data_; }
  std::size_t size_bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

/// Copies between host and device.
class BusWork : public BenchWork {
 public:
  explicit BusWork(Call& call)
      : device_(empty({bench_elements(call)}, Dtype::kFloat32, home())), host_(device_.numel()) {}

 protected:
  void fill_device() const { BenchNumbers(Dtype::kFloat32, home()).fill(device_); }
  void to_host() const { move(host_.data(), device_.data(), cudaMemcpyDeviceToHost); }
  void to_device() const { move(device_.data(), host_.data(), cudaMemcpyHostToDevice); }
  const Tensor& on_device() const { return device_; }
  const HostFloats& on_host() const { return host_; }

 private:
  void move(void* to, const void* from, cudaMemcpyKind kind) const {
    cuda_check(cudaMemcpyAsync(to, from, host_.size_bytes(), kind, current_stream()));
    ++counters().copies;
  }

  const Tensor device_;
  const HostFloats host_;
};

class CopyInWork final : public BusWork {
 public:
  explicit CopyInWork(Call& call) : BusWork(call) {
    fill_device();
    to_host();
    cuda_check(cudaStreamSynchronize(current_stream()));
  }
  void restore() override { clear(on_device()); }
  std::uint64_t queue() override {
    to_device();
    return 1;
  }
  std::vector<Tensor> results() const override { return {on_device()}; }
};

class CopyOutWork final : public BusWork {
 public:
  explicit CopyOutWork(Call& call) : BusWork(call) { fill_device(); }
  void restore() override {
    cuda_check(cudaStreamSynchronize(current_stream()));
    std::memset(on_host().data(), 0, on_host().size_bytes());
  }
  std::uint64_t queue() override {
    to_host();
    return 1;
  }
  std::vector<Tensor> results() const override {
    const Tensor seen = empty({on_device().numel()}, Dtype::kFloat32, kCpu);
    std::memcpy(seen.data(), on_host().data(), on_host().size_bytes());
    return {seen};
  }
};

class MemsetWork final : public BenchWork {
 public:
  explicit MemsetWork(Call& call)
      : target_(empty({bench_elements(call)}, Dtype::kFloat32, home())) {}
  void restore() override { clear(target_); }
  std::uint64_t queue() override {
    constexpr int kByte = 0x5a;
    cuda_check(cudaMemsetAsync(target_.data(), kByte, target_.size_bytes(), current_stream()));
    return 1;
  }
  std::vector<Tensor> results() const override { return {target_}; }

 private:
  const Tensor target_;
};

std::unique_ptr<BenchWork> cast_to(Call& call) {
  return std::make_unique<CopyWork>(call, Dtype::kFloat32, bench_dtype(call));
}

std::unique_ptr<BenchWork> cast_from(Call& call) {
  return std::make_unique<CopyWork>(call, bench_dtype(call), Dtype::kFloat32);
}

std::unique_ptr<BenchWork> copy(Call& call) {
  return std::make_unique<CopyWork>(call, Dtype::kFloat32, Dtype::kFloat32);
}

constexpr std::array kCopyWorks{NamedWork{"cast_to", cast_to},
                                NamedWork{"cast_from", cast_from},
                                NamedWork{"copy", copy},
                                NamedWork{"copy_in", make_work<CopyInWork>},
                                NamedWork{"copy_out", make_work<CopyOutWork>},
                                NamedWork{"memset", make_work<MemsetWork>}};

}  // namespace

std::span<const NamedWork> copy_works() { return kCopyWorks; }

}  // namespace assay::cuda
