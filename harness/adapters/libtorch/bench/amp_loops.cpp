// Loops of `bench.run` for the amp operators on the CPU.
#include <cstring>

#include "harness/adapters/libtorch/bench/loops.hpp"
#include "harness/adapters/libtorch/bench/operator.hpp"

namespace assay::libtorch {
namespace {

using at::Tensor;
using UpdateScale = Tensor&(Tensor&, Tensor&, const Tensor&, double, double, std::int64_t);
using Unscale = void(at::TensorList, Tensor&, const Tensor&);

/// 1.13 has no CPU kernels for these operators (AMP-004).
c10::OperatorHandle amp_operator(const char* name) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
  if (!op.hasKernelForDispatchKey(c10::DispatchKey::CPU)) {
    throw NotSupported(std::string(name) + " has no kernel for the CPU in this PyTorch");
  }
  return op;
}

std::uint64_t bits_of(const void* element) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, element, sizeof bits);
  return bits;
}

BenchRun update_scale(std::int64_t times) {
  const auto typed = amp_operator("aten::_amp_update_scale_").typed<UpdateScale>();
  Tensor scale = bench_tensor(1, {});
  Tensor tracker = at::detail::empty_cpu({}, at::kInt);
  *tracker.data_ptr<int>() = 0;
  const Tensor found_inf = bench_tensor(0, {});
  return run_bench_loop(times, [&, written = tracker.data_ptr<int>()] {
    typed.call(scale, tracker, found_inf, 1.0, 1.0, 2);
    bench_sum().step(bits_of(written));
  });
}

BenchRun unscale(std::int64_t times) {
  const auto typed =
      amp_operator("aten::_amp_foreach_non_finite_check_and_unscale_").typed<Unscale>();
  const Tensor grad = bench_tensor(1);
  Tensor found_inf = bench_tensor(0, {});
  const Tensor inv_scale = bench_tensor(-1, {});
  return run_bench_loop(times, [&, written = grad.data_ptr<float>()] {
    typed.call(at::TensorList(grad), found_inf, inv_scale);
    bench_sum().step(bits_of(written));
  });
}

}  // namespace

std::vector<NamedBenchLoop> amp_bench_loops() {
  return {{"amp_update_scale", update_scale}, {"amp_unscale", unscale}};
}

}  // namespace assay::libtorch
