// Conversions between any two types, which are known only when the kernel runs.
#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/cast.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {
/// Integers, signed or shorter than 64 bits, pass as int64; so every pair of types needs no code of
/// its own.
template <typename T>
using CarrierOf = std::conditional_t<
    kIsHalf<T>, float,
    std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, WideOf<T>>>;

template <typename Carrier>
__device__ void store_as(Dtype dtype, void* out, std::int64_t at, Carrier value) {
  visit_stored(dtype, [&](auto tag) {
    using To = Tagged<decltype(tag)>;
    static_cast<To*>(out)[at] = convert<To>(value);
  });
}

__global__ void __launch_bounds__(kBlock)
    cast_any_kernel(void* out, Dtype to, const void* in, Dtype from,
                    const __grid_constant__ Geometry<3> geometry) {
  for (auto i = first_index(); i < geometry.count; i += index_stride()) {
    const Offsets<3> at = offsets_at(geometry, i);
    visit_stored(from, [&](auto tag) {
      using From = Tagged<decltype(tag)>;
      const From value = static_cast<const From*>(in)[at.of[1]];
      store_as(to, out, at.of[0], convert<CarrierOf<From>>(value));
    });
  }
}

void launch_cast_any(const CastTask& task) {
  launch(cast_any_kernel, {blocks_for(task.geometry.count)}, task.addresses.out, task.to,
         task.addresses.left, task.from, task.geometry);
}

}  // namespace assay::cuda
