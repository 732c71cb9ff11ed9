// Loops of the update of the scale, from the launch of its kernel up to the boxed call, a rung
// each.
#include <array>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/amp/registered.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/subject/bench/scale_work.hpp"
#include "cuda_impl/subject/bench/works.hpp"

namespace assay::cuda {
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
class ArgumentsWork final : public ScaleWork {
 public:
  explicit ArgumentsWork(Call& call) : contract_(call.contract()) {}
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

constexpr std::array kUpdateWorks{NamedWork{"kernel", make_work<CheckedLaunchWork>},
                                  NamedWork{"update_scale", make_work<FunctionWork>},
                                  NamedWork{"update_scale_launch", make_work<LaunchWork>},
                                  NamedWork{"update_scale_check", make_work<CheckedLaunchWork>},
                                  NamedWork{"update_scale_arguments", make_work<ArgumentsWork>},
                                  NamedWork{"update_scale_choice", make_work<FunctionWork>},
                                  NamedWork{"update_scale_dispatch", make_work<DispatchWork>},
                                  NamedWork{"update_scale_boxing", make_work<BoxingWork>}};

}  // namespace

std::span<const NamedWork> update_works() { return kUpdateWorks; }

}  // namespace assay::cuda
