// Loops of single kernels and operators, and of the update of the scale.
#include <algorithm>
#include <array>
#include <limits>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/amp/registered.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"
#include "cuda_impl/kernels/probe.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/subject/bench/works.hpp"

namespace assay::cuda {
namespace {

// The scalars that loops of the scale's update work on.

inline Tensor bench_scalar(double value, Dtype dtype = Dtype::kFloat32) {
  return full({}, value, dtype, home());
}

inline void set_to_zero(const Tensor& tensor) {
  cuda_check(cudaMemsetAsync(tensor.data(), 0, tensor.size_bytes(), current_stream()));
}

/// The scale stays 1 and the tracker counts.
class ScaleWork : public BenchWork {
 public:
  void restore() override { set_to_zero(tracker_); }
  std::vector<Tensor> results() const override { return {scale_, tracker_}; }

 protected:
  static constexpr double kGrowth = 2;
  static constexpr double kBackoff = 0.5;
  static constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();

  Tensor scale_ = bench_scalar(1);
  Tensor tracker_ = bench_scalar(0, Dtype::kInt32);
  const Tensor found_inf_ = bench_scalar(0);
};

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

// Loops of the update of the scale, from the launch of its kernel up to the boxed call, a rung
// each.

namespace {

/// The kernel, of one thread: the smallest launch that there is.
class LaunchWork : public ScaleWork {
 public:
  explicit LaunchWork(Call&) {}
  std::uint64_t queue() override {
    return try_launch_update_scale(state_, factors_) == cudaSuccess ? 1 : 0;
  }

 protected:
  const ScaleState state_{scale_.data_as<float>(), tracker_.data_as<std::int32_t>(),
                          found_inf_.data_as<float>()};
  const ScaleFactors factors_{kGrowth, kBackoff, kNever, false};
};

class CheckedLaunchWork final : public LaunchWork {
 public:
  using LaunchWork::LaunchWork;
  std::uint64_t queue() override {
    launch_update_scale(state_, factors_);
    return 1;
  }
};

/// What the dispatcher calls.
class CheckedArgumentsWork final : public ScaleWork {
 public:
  explicit CheckedArgumentsWork(Call& call) : contract_(call.contract()) {}
  std::uint64_t queue() override {
    update_scale_kernel(contract_, DeviceKind::kCuda, {scale_, tracker_, found_inf_},
                        {kGrowth, kBackoff, kNever});
    return 1;
  }

 private:
  const Contract contract_;
};

class FunctionWork final : public ScaleWork {
 public:
  explicit FunctionWork(Call& call) : contract_(call.contract()) {}
  std::uint64_t queue() override {
    amp_update_scale_(contract_, {scale_, tracker_, found_inf_}, {kGrowth, kBackoff, kNever});
    return 1;
  }

 private:
  const Contract contract_;
};

class DispatchWork : public ScaleWork {
 public:
  explicit DispatchWork(Call& call) : dispatcher_(dispatch::Dispatcher::make(call.contract())) {
    register_amp_operators(*dispatcher_);
    operator_ = dispatcher_->find({"aten::_amp_update_scale_", ""});
    handle_.emplace(*operator_);
  }
  std::uint64_t queue() override {
    handle_->call(scale_, tracker_, found_inf_, kGrowth, kBackoff, kNever);
    return 1;
  }

 protected:
  dispatch::Operator& op() { return *operator_; }

 private:
  using UpdateScale = Tensor&(Tensor&, Tensor&, const Tensor&, double, double, std::int64_t);

  std::shared_ptr<dispatch::Dispatcher> dispatcher_;
  dispatch::Operator* operator_ = nullptr;
  std::optional<dispatch::TypedHandle<UpdateScale>> handle_;
};

class BoxingWork final : public DispatchWork {
 public:
  using DispatchWork::DispatchWork;
  std::uint64_t queue() override {
    for (const Tensor* tensor : std::array<const Tensor*, 3>{&scale_, &tracker_, &found_inf_}) {
      stack_.emplace_back(*tensor);
    }
    stack_.emplace_back(kGrowth);
    stack_.emplace_back(kBackoff);
    stack_.emplace_back(std::int64_t{kNever});
    dispatch::call_boxed(op(), stack_);
    stack_.clear();
    return 1;
  }

 private:
  dispatch::Stack stack_;
};

constexpr std::array kUpdateWorks{
    NamedWork{"kernel", make_work<CheckedLaunchWork>},
    NamedWork{"update_scale", make_work<FunctionWork>},
    NamedWork{"update_scale_launch", make_work<LaunchWork>},
    NamedWork{"update_scale_check", make_work<CheckedLaunchWork>},
    NamedWork{"update_scale_arguments", make_work<CheckedArgumentsWork>},
    NamedWork{"update_scale_choice", make_work<FunctionWork>},
    NamedWork{"update_scale_dispatch", make_work<DispatchWork>},
    NamedWork{"update_scale_boxing", make_work<BoxingWork>}};

}  // namespace

std::span<const NamedWork> update_works() { return kUpdateWorks; }

}  // namespace assay::cuda
