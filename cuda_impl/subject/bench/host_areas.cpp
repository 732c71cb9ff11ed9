// Loops of the operators of loss scaling and through autocast, on the CPU.
#include <array>
#include <cstring>

#include "cuda_impl/amp/registered.hpp"
#include "cuda_impl/autocast/typed_wrapper.hpp"
#include "cuda_impl/autocast/weight_cache.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/subject/bench/host.hpp"

namespace assay::cuda {
namespace {

using dispatch::TensorList;
using UpdateScale = Tensor&(Tensor&, Tensor&, const Tensor&, double, double, std::int64_t);
using Unscale = void(TensorList, Tensor&, const Tensor&);

/// 1.13 has no such kernels for the CPU (AMP-004).
std::shared_ptr<dispatch::Dispatcher> with_amp(const Contract& contract) {
  if (contract.release == Release::k1_13) {
    throw NotSupported("the operators of loss scaling have no kernels for the CPU in 1.13");
  }
  auto dispatcher = dispatch::Dispatcher::make(contract);
  register_amp_operators(*dispatcher);
  return dispatcher;
}

Tensor number(double value, Dtype dtype = Dtype::kFloat32) { return full({}, value, dtype, kCpu); }

std::uint64_t bits_of(const Tensor& element) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, element.data(), sizeof bits);
  return bits;
}

BenchRun update_scale(const Contract& contract, std::int64_t times) {
  const auto dispatcher = with_amp(contract);
  const dispatch::TypedHandle<UpdateScale> handle(
      *dispatcher->find({"aten::_amp_update_scale_", ""}));
  Tensor scale = number(1);
  Tensor tracker = number(0, Dtype::kInt32);
  const Tensor found_inf = number(0);
  return run_bench_loop(times, [&] {
    handle.call(scale, tracker, found_inf, 1.0, 1.0, 2);
    bench_sum().step(bits_of(tracker));
  });
}

BenchRun unscale(const Contract& contract, std::int64_t times) {
  const auto dispatcher = with_amp(contract);
  const dispatch::TypedHandle<Unscale> handle(
      *dispatcher->find({"aten::_amp_foreach_non_finite_check_and_unscale_", ""}));
  const Tensor grad = full({1}, 1, Dtype::kFloat32, kCpu);
  Tensor found_inf = number(0);
  const Tensor inv_scale = number(-1);
  return run_bench_loop(times, [&] {
    handle.call(TensorList(&grad, 1), found_inf, inv_scale);
    bench_sum().step(bits_of(grad));
  });
}

constexpr std::array kAmpLoops = {
    NamedLoop{"amp_update_scale", update_scale},
    NamedLoop{"amp_unscale", unscale},
};

}  // namespace

std::span<const NamedLoop> amp_loops() { return kAmpLoops; }

// Through autocast.

namespace {

using autocast::CastPolicy;

/// Enables autocast to bfloat16 with the cache for the scope, and clears the cache at its end.
class AutocastOn {
 public:
  AutocastOn() {
    autocast::set_enabled(DeviceKind::kCpu, true);
    autocast::set_low_dtype(DeviceKind::kCpu, Dtype::kBFloat16);
    autocast::set_cache_enabled(true);
  }
  ~AutocastOn() {
    autocast::weight_cache().clear();
    autocast::set_cache_enabled(was_caching_);
    autocast::set_low_dtype(DeviceKind::kCpu, low_);
    autocast::set_enabled(DeviceKind::kCpu, was_on_);
  }
  AutocastOn(const AutocastOn&) = delete;
  AutocastOn& operator=(const AutocastOn&) = delete;

 private:
  const bool was_on_ = autocast::is_enabled(DeviceKind::kCpu);
  const Dtype low_ = autocast::low_dtype(DeviceKind::kCpu);
  const bool was_caching_ = autocast::is_cache_enabled();
};

/// Returns a checksum of the dtypes of its arguments.
template <typename... Tensors>
void types_kernel(const Tensors&... tensors) {
  (bench_sum().step(static_cast<std::uint64_t>(tensors.dtype())), ...);
}

/// An operator that a policy wraps, with a kernel that reports the dtypes.
template <CastPolicy kPolicy, typename... Tensors>
void wrap(BenchOperator& op) {
  using Signature = void(const Tensors&...);
  op.add(autocast::key_of(DeviceKind::kCpu),
         autocast::typed_wrapper<kPolicy, DeviceKind::kCpu, Signature>(op.op()));
  op.add(dispatch::Functionality::kAliasAutograd, dispatch::Kernel::fallthrough());
  op.add(dispatch::Backend::kCpu, dispatch::typed_kernel<&types_kernel<Tensors...>>());
}

/// An operator that autocast casts to the low-precision type, with a leaf as its argument.
struct CastOperator {
  explicit CastOperator(const Contract& contract) : op(contract, 1) {
    wrap<CastPolicy::kLowerPrecision, Tensor>(op);
    op.tensor(0)->requires_grad = true;
  }

  BenchOperator op;
};

BenchRun off(const Contract& contract, std::int64_t times) {
  const CastOperator cast(contract);
  const autocast::OffGuard autocast(DeviceKind::kCpu);
  return cast.op.call_unary(times);
}

BenchRun hit(const Contract& contract, std::int64_t times) {
  const CastOperator cast(contract);
  const AutocastOn on;
  cast.op.call_unary(1);  // casts once and fills the cache
  return cast.op.call_unary(times);
}

BenchRun miss(const Contract& contract, std::int64_t times) {
  const CastOperator cast(contract);
  const AutocastOn on;
  const dispatch::TypedHandle<Unary> handle(cast.op.op());
  const Tensor& leaf = cast.op.tensor(0);
  return run_bench_loop(times, [&] {
    autocast::clear_weight_cache();
    handle.call(leaf);
  });
}

BenchRun promote(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 2);
  wrap<CastPolicy::kPromote, Tensor, Tensor>(op);
  const AutocastOn on;
  const dispatch::TypedHandle<void(const Tensor&, const Tensor&)> handle(op.op());
  const Tensor narrow = full({1}, 1.0, Dtype::kBFloat16, kCpu);
  return run_bench_loop(times, [&] { handle.call(narrow, op.tensor(1)); });
}

constexpr std::array kAutocastLoops = {
    NamedLoop{"autocast_off", off},
    NamedLoop{"autocast_hit", hit},
    NamedLoop{"autocast_miss", miss},
    NamedLoop{"autocast_promote", promote},
};

}  // namespace

std::span<const NamedLoop> autocast_loops() { return kAutocastLoops; }

}  // namespace assay::cuda
