// Loops of the operators of loss scaling, on the CPU.
#include <array>
#include <cstring>

#include "cuda_impl/amp/registered.hpp"
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

constexpr std::array kLoops = {
    NamedLoop{"amp_update_scale", update_scale},
    NamedLoop{"amp_unscale", unscale},
};

}  // namespace

std::span<const NamedLoop> amp_loops() { return kLoops; }

}  // namespace assay::cuda
