// The loops of `bench.run`: kernels and operators on a device.
#include "cuda_impl/subject/bench/work.hpp"

#include <array>
#include <functional>
#include <limits>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/kernels/scaler/update_scale.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/subject/bench/data.hpp"
#include "cuda_impl/subject/simulated.hpp"

namespace assay::cuda {
namespace {

/// Simulated threads take a microsecond or so each.
constexpr std::int64_t kMostSimulated = std::int64_t{1} << 18;

Tensor number(double value, Dtype dtype = Dtype::kFloat32) {
  return full({}, value, dtype, home());
}

void set_to_zero(const Tensor& tensor) {
  cuda_check(cudaMemsetAsync(tensor.data(), 0, tensor.size_bytes(), current_stream()));
}

/// The scale stays 1, and the tracker counts.
class ScaleWork : public BenchWork {
 public:
  void restore() override { set_to_zero(tracker_); }
  std::vector<Tensor> results() const override { return {scale_, tracker_}; }

 protected:
  static constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();

  const Tensor scale_ = number(1);
  const Tensor tracker_ = number(0, Dtype::kInt32);
  const Tensor found_inf_ = number(0);
};

/// The smallest kernel that there is: one thread.
class KernelWork final : public ScaleWork {
 public:
  void queue() override { launch_update_scale(state_, {2.0, 0.5, kNever, false}); }

 private:
  const ScaleState state_{scale_.data_as<float>(), tracker_.data_as<std::int32_t>(),
                          found_inf_.data_as<float>()};
};

class UpdateScaleWork final : public ScaleWork {
 public:
  explicit UpdateScaleWork(const Contract& contract) : contract_(contract) {}
  void queue() override {
    amp_update_scale_({scale_, tracker_, found_inf_}, {2.0, 0.5, kNever}, contract_);
  }

 private:
  const Contract contract_;
};

/// Every iteration turns the signs.
class UnscaleWork final : public BenchWork {
 public:
  struct Sizes {
    std::int64_t tensors;
    std::int64_t elements;
  };

  UnscaleWork(Dtype dtype, Sizes sizes, const Contract& contract)
      : numbers_(dtype, home()), contract_(contract) {
    for (std::int64_t i = 0; i < sizes.tensors; ++i) {
      grads_.push_back(empty({sizes.elements}, dtype, home()));
    }
  }
  void restore() override {
    for (const Tensor& grad : grads_) numbers_.fill(grad);
  }
  void queue() override { amp_unscale_({grads_, found_inf_, inv_scale_}, contract_); }
  std::vector<Tensor> results() const override { return grads_; }

 private:
  const BenchNumbers numbers_;
  const Contract contract_;
  std::vector<Tensor> grads_;
  const Tensor found_inf_ = number(0);
  const Tensor inv_scale_ = number(-1);
};

/// From one type to another, or from one place to another.
class CopyWork final : public BenchWork {
 public:
  CopyWork(Dtype from, Dtype to, std::int64_t elements)
      : source_(empty({elements}, from, home())), target_(empty({elements}, to, home())) {
    BenchNumbers(from, home()).fill(source_);
  }
  void restore() override { set_to_zero(target_); }
  void queue() override { copy_elements(target_, source_); }
  std::vector<Tensor> results() const override { return {target_}; }

 private:
  const Tensor source_;
  const Tensor target_;
};

Dtype dtype_argument(Call& call) {
  const std::string name = call.arguments().text("dtype");
  if (name == "f32") return Dtype::kFloat32;
  if (name == "f16") return Dtype::kFloat16;
  if (name == "bf16") return Dtype::kBFloat16;
  throw NotSupported("there is no dtype " + name + " for loops");
}

std::int64_t count_argument(Call& call, const char* name) {
  const std::int64_t count = call.arguments().integer(name);
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (count < 1 || count > kMost) {
    throw InvalidArgument(std::string("bench.run: '") + name + "' must be 1 to 2^40");
  }
  return count;
}

void refuse_too_much(std::int64_t elements, std::int64_t tensors) {
  if (!is_simulated() || elements <= kMostSimulated / tensors) return;
  throw NotSupported("a simulated device takes too long for more than " +
                     std::to_string(kMostSimulated) + " elements");
}

std::int64_t elements_argument(Call& call) {
  const std::int64_t elements = count_argument(call, "N");
  refuse_too_much(elements, 1);
  return elements;
}

std::unique_ptr<BenchWork> unscale(Call& call) {
  const Dtype dtype = dtype_argument(call);
  const UnscaleWork::Sizes sizes{count_argument(call, "tensors"), count_argument(call, "N")};
  refuse_too_much(sizes.elements, sizes.tensors);
  return std::make_unique<UnscaleWork>(dtype, sizes, call.contract());
}

std::unique_ptr<BenchWork> cast_to(Call& call) {
  const Dtype dtype = dtype_argument(call);
  return std::make_unique<CopyWork>(Dtype::kFloat32, dtype, elements_argument(call));
}

std::unique_ptr<BenchWork> cast_from(Call& call) {
  const Dtype dtype = dtype_argument(call);
  return std::make_unique<CopyWork>(dtype, Dtype::kFloat32, elements_argument(call));
}

std::unique_ptr<BenchWork> copy(Call& call) {
  return std::make_unique<CopyWork>(Dtype::kFloat32, Dtype::kFloat32, elements_argument(call));
}

std::unique_ptr<BenchWork> kernel(Call&) { return std::make_unique<KernelWork>(); }

std::unique_ptr<BenchWork> update_scale(Call& call) {
  return std::make_unique<UpdateScaleWork>(call.contract());
}

using Maker = std::unique_ptr<BenchWork> (*)(Call& call);
constexpr std::array kMakers{
    std::pair<std::string_view, Maker>{"kernel", kernel},
    std::pair<std::string_view, Maker>{"update_scale", update_scale},
    std::pair<std::string_view, Maker>{"unscale", unscale},
    std::pair<std::string_view, Maker>{"cast_to", cast_to},
    std::pair<std::string_view, Maker>{"cast_from", cast_from},
    std::pair<std::string_view, Maker>{"copy", copy},
};

}  // namespace

std::unique_ptr<BenchWork> make_bench_work(Call& call) {
  const std::string name = call.arguments().text("loop");
  for (const auto& [known, make] : kMakers) {
    if (known != name) continue;
    if (!home().is_cuda()) throw NotSupported("under the device rules of a CPU there is no device");
    return make(call);
  }
  throw NotSupported("there is no loop " + name);
}

}  // namespace assay::cuda
