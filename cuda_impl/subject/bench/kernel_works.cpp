// Loops of single kernels and operators.
#include <algorithm>
#include <array>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"
#include "cuda_impl/kernels/probe.hpp"
#include "cuda_impl/subject/bench/arguments.hpp"
#include "cuda_impl/subject/bench/data.hpp"
#include "cuda_impl/subject/bench/scale_work.hpp"
#include "cuda_impl/subject/bench/works.hpp"

namespace assay::cuda {
namespace {

/// Every iteration flips the signs.
class UnscaleWork final : public BenchWork {
 public:
  explicit UnscaleWork(Call& call)
      : dtype_(bench_dtype(call)), numbers_(dtype_, home()), contract_(call.contract()) {
    const std::int64_t alignment = bench_alignment(call);
    for (const std::int64_t size : bench_sizes(call)) {
      grads_.push_back(bench_tensor(size, dtype_, alignment));
    }
  }
  void restore() override {
    for (const Tensor& grad : grads_) numbers_.fill(grad);
  }
  std::uint64_t queue() override {
    amp_unscale_(contract_, {grads_, found_inf_, inv_scale_});
    return 1;
  }
  std::vector<Tensor> results() const override { return grads_; }

 private:
  const Dtype dtype_;
  const BenchNumbers numbers_;
  const Contract contract_;
  std::vector<Tensor> grads_;
  const Tensor found_inf_ = bench_scalar(0);
  const Tensor inv_scale_ = bench_scalar(-1);
};

/// One thread, with arguments of a given size.
class ArgumentsWork final : public BenchWork {
 public:
  explicit ArgumentsWork(std::int64_t bytes) : bytes_(static_cast<int>(bytes)) {}
  void restore() override { set_to_zero(counter_); }
  std::uint64_t queue() override {
    launch_with_arguments(bytes_, counter_.data_as<std::int32_t>());
    return 1;
  }
  std::vector<Tensor> results() const override { return {counter_}; }

 private:
  const int bytes_;
  const Tensor counter_ = bench_scalar(0, Dtype::kInt32);
};

/// Measures the cost of the clocks themselves.
class NothingWork final : public BenchWork {
 public:
  void restore() override {}
  std::uint64_t queue() override { return 1; }
  std::vector<Tensor> results() const override { return {}; }
};

std::unique_ptr<BenchWork> unscale(Call& call) { return std::make_unique<UnscaleWork>(call); }

std::unique_ptr<BenchWork> arguments(Call& call) {
  const std::int64_t bytes = call.arguments().integer("bytes");
  if (std::ranges::find(kArgumentBytes, bytes) == std::end(kArgumentBytes)) {
    throw NotSupported("there is no kernel whose arguments take " + std::to_string(bytes) +
                       " bytes");
  }
  if (bytes > static_cast<std::int64_t>(parameter_bytes())) {
    throw NotSupported("a launch carries no more than " + std::to_string(parameter_bytes()) +
                       " bytes of arguments here");
  }
  return std::make_unique<ArgumentsWork>(bytes);
}

std::unique_ptr<BenchWork> nothing(Call&) { return std::make_unique<NothingWork>(); }

constexpr std::array kKernelWorks{NamedWork{"unscale", unscale}, NamedWork{"arguments", arguments},
                                  NamedWork{"nothing", nothing}};

}  // namespace

std::span<const NamedWork> kernel_works() { return kKernelWorks; }

}  // namespace assay::cuda
