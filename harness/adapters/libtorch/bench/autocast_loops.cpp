// Loops of `bench.run` for calls under autocast.
#include <ATen/autocast_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "harness/adapters/libtorch/bench/loops.hpp"
#include "harness/adapters/libtorch/bench/operator.hpp"
#include "harness/adapters/libtorch/release.hpp"

namespace assay::libtorch {
namespace {

using at::Tensor;
using c10::DispatchKey;
using On1 = void(const Tensor&);
using On2 = void(const Tensor&, const Tensor&);

/// Enables autocast to bfloat16 on the CPU, with its cache, during its lifetime, and clears the
/// cache afterwards. Autocast is enabled by not excluding its key, in every release.
class AutocastOn {
 public:
  AutocastOn()
      : was_off_(c10::impl::tls_is_dispatch_key_excluded(DispatchKey::AutocastCPU)),
        dtype_(autocast_cpu_dtype()),
        was_caching_(at::autocast::is_autocast_cache_enabled()) {
    c10::impl::tls_set_dispatch_key_excluded(DispatchKey::AutocastCPU, false);
    set_autocast_cpu_dtype(at::kBFloat16);
    at::autocast::set_autocast_cache_enabled(true);
  }
  ~AutocastOn() {
    at::autocast::clear_cache();
    at::autocast::set_autocast_cache_enabled(was_caching_);
    set_autocast_cpu_dtype(dtype_);
    c10::impl::tls_set_dispatch_key_excluded(DispatchKey::AutocastCPU, was_off_);
  }
  AutocastOn(const AutocastOn&) = delete;
  AutocastOn& operator=(const AutocastOn&) = delete;

 private:
  bool was_off_;
  at::ScalarType dtype_;
  bool was_caching_;
};

const c10::TypedOperatorHandle<On1>*& cast_handle() {
  static const c10::TypedOperatorHandle<On1>* handle = nullptr;
  return handle;
}

/// Written like PyTorch's wrappers: excludes its own key, casts the argument, and calls again.
void casting(const Tensor& a) {
  const c10::impl::ExcludeDispatchKeyGuard off(DispatchKey::AutocastCPU);
  cast_handle()->call(at::autocast::cached_cast(autocast_cpu_dtype(), a, at::kCPU));
}

const c10::TypedOperatorHandle<On2>*& promoted_handle() {
  static const c10::TypedOperatorHandle<On2>* handle = nullptr;
  return handle;
}

void promoting(const Tensor& a, const Tensor& b) {
  const c10::impl::ExcludeDispatchKeyGuard off(DispatchKey::AutocastCPU);
  const at::ScalarType wide = at::autocast::promote_type(autocast_cpu_dtype(), at::kCPU, a, b);
  promoted_handle()->call(at::autocast::cached_cast(wide, a, at::kCPU),
                          at::autocast::cached_cast(wide, b, at::kCPU));
}

void types_kernel(const Tensor& a, const Tensor& b) {
  bench_sum().step(static_cast<std::uint64_t>(a.scalar_type()));
  bench_sum().step(static_cast<std::uint64_t>(b.scalar_type()));
}

/// Records the dtype of its argument.
void type_kernel(const Tensor& a) { bench_sum().step(static_cast<std::uint64_t>(a.scalar_type())); }

/// The kernels of a wrapped operator, and a leaf as its argument.
struct CastOperator {
  CastOperator() {
    op.add(DispatchKey::AutocastCPU, TORCH_FN(casting));
    op.add_fallthrough(DispatchKey::Autograd);
    op.add(DispatchKey::CPU, TORCH_FN(type_kernel));
    leaf.set_requires_grad(true);
  }

  BenchOperator op{"Tensor a"};
  Tensor leaf = bench_tensor(1);
};

/// Restores the initial state of the process.
BenchRun off(std::int64_t times) {
  const CastOperator cast;
  const auto typed = cast.op.handle().typed<On1>();
  const c10::impl::ExcludeDispatchKeyGuard autocast(DispatchKey::AutocastCPU);
  return run_bench_loop(times, [&] { typed.call(cast.leaf); });
}

BenchRun hit(std::int64_t times) {
  const CastOperator cast;
  const auto typed = cast.op.handle().typed<On1>();
  cast_handle() = &typed;
  const AutocastOn on;
  typed.call(cast.leaf);  // casts and caches the result
  return run_bench_loop(times, [&] { typed.call(cast.leaf); });
}

BenchRun miss(std::int64_t times) {
  const CastOperator cast;
  const auto typed = cast.op.handle().typed<On1>();
  cast_handle() = &typed;
  const AutocastOn on;
  return run_bench_loop(times, [&] {
    at::autocast::clear_cache();
    typed.call(cast.leaf);
  });
}

BenchRun promote(std::int64_t times) {
  BenchOperator op("Tensor a, Tensor b");
  op.add(DispatchKey::AutocastCPU, TORCH_FN(promoting));
  op.add_fallthrough(DispatchKey::Autograd);
  op.add(DispatchKey::CPU, TORCH_FN(types_kernel));
  const auto typed = op.handle().typed<On2>();
  promoted_handle() = &typed;
  const Tensor narrow = at::detail::empty_cpu({1}, at::kBFloat16);
  const Tensor wide = bench_tensor(1);
  const AutocastOn on;
  return run_bench_loop(times, [&] { typed.call(narrow, wide); });
}

}  // namespace

std::vector<NamedBenchLoop> autocast_bench_loops() {
  return {{"autocast_off", off},
          {"autocast_hit", hit},
          {"autocast_miss", miss},
          {"autocast_promote", promote}};
}

}  // namespace assay::libtorch
