// One function for every element: of rows without gaps, sixteen bytes at a time, and of tensors of
// any geometry.
#pragma once

#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/geometry.cuh"
#include "cuda_impl/kernels/pack.cuh"

namespace assay::cuda {

/// What a function of elements reads: a row as long as the output, one element for all, or nothing.
template <typename T>
struct Source {
  const T* data = nullptr;
  bool is_single = false;
  bool is_aligned = false;  ///< where the output's first pack is
};

template <typename Function>
struct MapShape {
  static constexpr int kIn = sizeof(typename Function::In);
  static constexpr int kOut = sizeof(typename Function::Out);
  static constexpr int kPack = kPackBytes / (kIn < kOut ? kIn : kOut);
  /// Packs that a thread has under way at once: 64 bytes and more.
  static constexpr int kUnroll = kIn == kOut ? 4 : 2;
  static constexpr int kTile = kBlock * kUnroll;
};

template <int kCount, typename T>
__device__ Pack<T, kCount> load_from(const Source<T>& source, std::int64_t at) {
  if (source.data == nullptr) return Pack<T, kCount>{};
  if (!source.is_single) return load_pack<kCount>(source.data + at, source.is_aligned);
  const T single = *source.data;
  Pack<T, kCount> pack;
#pragma unroll
  for (int i = 0; i < kCount; ++i) pack.items[i] = single;
  return pack;
}

template <typename T>
__device__ T load_one(const Source<T>& source, std::int64_t at) {
  if (source.data == nullptr) return T{};
  return source.data[source.is_single ? 0 : at];
}

/// `Function` names its types `In` and `Out`, and makes one `Out` of two `In`. The output may be an
/// input: whoever writes an element has read it before.
template <typename Function>
__global__ void __launch_bounds__(kBlock)
    map_row_kernel(typename Function::Out* out, Source<typename Function::In> left,
                   Source<typename Function::In> right, Packing packing, Function function) {
  using Shape = MapShape<Function>;
  using In = Pack<typename Function::In, Shape::kPack>;
  for (std::int64_t tile = blockIdx.x; tile * Shape::kTile < packing.packs; tile += gridDim.x) {
    In a[Shape::kUnroll], b[Shape::kUnroll];
#pragma unroll
    for (int i = 0; i < Shape::kUnroll; ++i) {
      const std::int64_t pack = tile * Shape::kTile + i * kBlock + threadIdx.x;
      if (pack >= packing.packs) continue;
      a[i] = load_from<Shape::kPack>(left, packing.head + pack * Shape::kPack);
      b[i] = load_from<Shape::kPack>(right, packing.head + pack * Shape::kPack);
    }
#pragma unroll
    for (int i = 0; i < Shape::kUnroll; ++i) {
      const std::int64_t pack = tile * Shape::kTile + i * kBlock + threadIdx.x;
      if (pack >= packing.packs) continue;
      Pack<typename Function::Out, Shape::kPack> result;
#pragma unroll
      for (int j = 0; j < Shape::kPack; ++j) {
        result.items[j] = function(a[i].items[j], b[i].items[j]);
      }
      store_pack(out + packing.head + pack * Shape::kPack, result);
    }
  }
  for (auto edge = first_index(); edge < packing.edges(Shape::kPack); edge += index_stride()) {
    const std::int64_t at = packing.edge_at(edge, Shape::kPack);
    out[at] = function(load_one(left, at), load_one(right, at));
  }
}

/// Tensors of the geometry: the output, left, right.
template <typename Function>
__global__ void __launch_bounds__(kBlock)
    map_strided_kernel(typename Function::Out* out, const typename Function::In* left,
                       const typename Function::In* right,
                       const __grid_constant__ Geometry<3> geometry, Function function) {
  using In = typename Function::In;
  for (auto i = first_index(); i < geometry.count; i += index_stride()) {
    const Offsets<3> at = offsets_at(geometry, i);
    const In a = left == nullptr ? In{} : left[at.of[1]];
    const In b = right == nullptr ? In{} : right[at.of[2]];
    out[at.of[0]] = function(a, b);
  }
}

template <typename T>
Source<T> source_of(const void* data, const Geometry<3>& geometry, std::size_t tensor,
                    std::int64_t head) {
  const auto* first = static_cast<const T*>(data);
  return {first, is_single(geometry, tensor), is_pack_aligned(first + head)};
}

/// Of tensors that `are_rows`.
template <typename Function>
void launch_rows(const Addresses& addresses, const Geometry<3>& geometry,
                 const Function& function) {
  using Shape = MapShape<Function>;
  using In = typename Function::In;
  auto* out = static_cast<typename Function::Out*>(addresses.out);
  const Packing packing = packing_of(out, geometry.count, Shape::kPack);
  const Source<In> left = source_of<In>(addresses.left, geometry, 1, packing.head);
  const Source<In> right = source_of<In>(addresses.right, geometry, 2, packing.head);
  launch(map_row_kernel<Function>, {blocks_for(packing.packs, Shape::kUnroll)}, out, left, right,
         packing, function);
}

template <typename Function>
void launch_strided(const Addresses& addresses, const Geometry<3>& geometry,
                    const Function& function) {
  using In = typename Function::In;
  launch(map_strided_kernel<Function>, {blocks_for(geometry.count)},
         static_cast<typename Function::Out*>(addresses.out),
         static_cast<const In*>(addresses.left), static_cast<const In*>(addresses.right), geometry,
         function);
}

/// `geometry.count` is at least 1.
template <typename Function>
void launch_map(const Addresses& addresses, const Geometry<3>& geometry, const Function& function) {
  if (are_rows(geometry)) return launch_rows(addresses, geometry, function);
  launch_strided(addresses, geometry, function);
}

}  // namespace assay::cuda
