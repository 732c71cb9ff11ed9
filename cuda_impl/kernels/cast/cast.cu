// Conversions between floating types, each by its own kernel, and between any two types, which are
// known only at run time.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/cast/cast.cuh"
#include "cuda_impl/kernels/cast/truncation.cuh"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/map.cuh"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

template <typename To, typename From>
struct Cast {
  using In = From;
  using Out = To;

  __device__ To operator()(From value, From) const { return convert<To>(value); }
};

template <typename To, typename From>
void launch_cast_of(const CastTask& task) {
  launch_map(task.addresses, task.geometry, Cast<To, From>{});
}

namespace {

template <typename To, typename OtherHalf>
void launch_half(const CastTask& task) {
  switch (task.from) {
    case Dtype::kFloat64:
      return launch_cast_of<To, double>(task);
    case Dtype::kFloat32:
      return launch_cast_of<To, float>(task);
    default:
      return launch_cast_of<To, OtherHalf>(task);
  }
}

}  // namespace

void launch_cast_to_half(const CastTask& task) {
  if (task.to == Dtype::kFloat16) return launch_half<Half, BFloat16>(task);
  launch_half<BFloat16, Half>(task);
}

namespace {

template <typename To, typename OtherWide>
void launch_wide(const CastTask& task) {
  switch (task.from) {
    case Dtype::kFloat16:
      return launch_cast_of<To, Half>(task);
    case Dtype::kBFloat16:
      return launch_cast_of<To, BFloat16>(task);
    default:
      return launch_cast_of<To, OtherWide>(task);
  }
}

}  // namespace

void launch_cast_to_wide(const CastTask& task) {
  if (task.to == Dtype::kFloat32) return launch_wide<float, double>(task);
  launch_wide<double, float>(task);
}

/// Conversions go through a carrier type: int64 for integers, except uint64. So the kernel needs no
/// code for each pair of types.
template <typename T>
using CarrierOf = std::conditional_t<
    kIsHalf<T>, float,
    std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, WideOf<T>>>;

struct CastTypes {
  Dtype to;
  Dtype from;
};

/// Calls `body(Tag<Carrier>{})` with the carrier type of a dtype.
template <typename Body>
__device__ void visit_carrier(Dtype dtype, const Body& body) {
  switch (dtype) {
    case Dtype::kFloat16:
    case Dtype::kBFloat16:
    case Dtype::kFloat32:
      return body(Tag<float>{});
    case Dtype::kFloat64:
      return body(Tag<double>{});
    case Dtype::kUInt64:
      return body(Tag<std::uint64_t>{});
    default:
      return body(Tag<std::int64_t>{});
  }
}

/// Integers of up to 32 bits are truncated in int32, others, and those without a sign, in int64.
template <typename To, typename Carrier>
__device__ To from_carrier(Carrier value) {
  if constexpr (std::is_floating_point_v<Carrier> && std::is_integral_v<To> &&
                !std::is_same_v<To, bool>) {
    constexpr bool kIsNarrow = std::is_signed_v<To> && sizeof(To) <= 4;
    using Whole = std::conditional_t<kIsNarrow, std::int32_t, std::int64_t>;
    return static_cast<To>(truncated<Whole>(value));
  } else {
    return convert<To>(value);
  }
}

/// Converts one vector of `kLanes` elements; indices are in vectors.
template <int kLanes>
__device__ void cast_vector(const CastTypes& types, void* out, std::int64_t to, const void* in,
                            std::int64_t from) {
  visit_carrier(types.from, [&](auto carrier) {
    using Carrier = Tagged<decltype(carrier)>;
    Carrier held[kLanes];
    visit_stored(types.from, [&](auto tag) {
      using From = Tagged<decltype(tag)>;
      if constexpr (std::is_same_v<CarrierOf<From>, Carrier>) {
        const auto vector = static_cast<const Vector<From, kLanes>*>(in)[from];
        for (int i = 0; i < kLanes; ++i) held[i] = convert<Carrier>(vector.at[i]);
      }
    });
    visit_stored(types.to, [&](auto tag) {
      using To = Tagged<decltype(tag)>;
      Vector<To, kLanes> result;
      for (int i = 0; i < kLanes; ++i) result.at[i] = from_carrier<To>(held[i]);
      static_cast<Vector<To, kLanes>*>(out)[to] = result;
    });
  });
}

/// For contiguous tensors whose length is a multiple of the vector size.
template <int kLanes>
__global__ void __launch_bounds__(kBlock)
    cast_any_row_kernel(CastTypes types, void* out, const void* in, std::int64_t vectors) {
  for (auto i = first_index(); i < vectors; i += index_stride()) {
    cast_vector<kLanes>(types, out, i, in, i);
  }
}

__global__ void __launch_bounds__(kBlock)
    cast_any_kernel(CastTypes types, void* out, const void* in,
                    const __grid_constant__ Geometry<3> geometry) {
  for (auto i = first_index(); i < geometry.count; i += index_stride()) {
    const Offsets<3> at = offsets_at(geometry, i);
    cast_vector<1>(types, out, at.of[0], in, at.of[1]);
  }
}

namespace {

constexpr int kLanes = 4;

bool starts_vector(const void* address, Dtype dtype) {
  return reinterpret_cast<std::uintptr_t>(address) % (kLanes * size_bytes(dtype)) == 0;
}

/// Returns whether the row kernel applies; other tensors use the kernel for any geometry.
bool are_whole_vectors(const CastTask& task) {
  return are_rows(task.geometry) && !is_single(task.geometry, 1) &&
         task.geometry.count % kLanes == 0 && starts_vector(task.addresses.out, task.to) &&
         starts_vector(task.addresses.left, task.from);
}

}  // namespace

void launch_cast_any(const CastTask& task) {
  const CastTypes types{task.to, task.from};
  const auto& [out, in, unused] = task.addresses;
  const std::int64_t count = task.geometry.count;
  if (are_whole_vectors(task)) {
    return launch(cast_any_row_kernel<kLanes>, {blocks_for(count / kLanes)}, types, out, in,
                  count / kLanes);
  }
  launch(cast_any_kernel, {blocks_for(count)}, types, out, in, task.geometry);
}

}  // namespace assay::cuda
