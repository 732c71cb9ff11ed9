// Applies a function to every element: vectorized for contiguous tensors, one element at a time for
// any other geometry.
#pragma once

#include <algorithm>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/geometry.cuh"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

// A function declares the types `In` and `Out`; its call operator computes one `Out` from two `In`.

/// Elements per vector access. More than four cost more compile time than they save at run time.
template <typename Function>
inline constexpr int kMapLanes = std::min<int>(4, kVectorBytes /
                                                      std::max(sizeof(typename Function::In),
                                                               sizeof(typename Function::Out)));
/// Vector accesses per tensor that a thread has in flight: four, unless the function declares fewer
/// in `kVectors`.
template <typename Function>
constexpr int map_vectors() {
  if constexpr (requires { Function::kVectors; }) return Function::kVectors;
  return 4;
}

/// An input: as many elements as the output, one element for all, or none.
template <typename T>
struct Source {
  const T* data = nullptr;
  bool is_single = false;

  __device__ bool is_row() const { return data != nullptr && !is_single; }
  __device__ T single() const { return is_single ? *data : T{}; }
  __device__ T at(std::int64_t index) const {
    return data == nullptr ? T{} : data[is_single ? 0 : index];
  }
  template <int kLanes>
  __device__ WordsOf<T, kLanes> words(std::int64_t head, std::int64_t vector) const {
    return reinterpret_cast<const WordsOf<T, kLanes>*>(data + head)[vector];
  }
};

/// The output may alias an input, since a thread reads each element before it writes it. Vectors
/// are aligned to the output.
template <typename Function>
__global__ void __launch_bounds__(kBlock)
    map_row_kernel(typename Function::Out* out, Source<typename Function::In> left,
                   Source<typename Function::In> right, VectorCut<std::int64_t> cut,
                   Function function) {
  using In = typename Function::In;
  constexpr int kLanes = kMapLanes<Function>;
  constexpr int kVectors = map_vectors<Function>();
  auto* const vectors = reinterpret_cast<Vector<typename Function::Out, kLanes>*>(out + cut.head);
  const std::int64_t first = std::int64_t{blockIdx.x} * kBlock * kVectors + threadIdx.x;
  const In a = left.single();
  const In b = right.single();
  WordsOf<In, kLanes> held_a[kVectors] = {};
  WordsOf<In, kLanes> held_b[kVectors] = {};
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const std::int64_t vector = first + i * kBlock;
    if (vector >= cut.vectors) continue;
    if (left.is_row()) held_a[i] = left.template words<kLanes>(cut.head, vector);
    if (right.is_row()) held_b[i] = right.template words<kLanes>(cut.head, vector);
  }
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const std::int64_t vector = first + i * kBlock;
    if (vector >= cut.vectors) continue;
    const auto row_a = elements_of<In, kLanes>(held_a[i]);
    const auto row_b = elements_of<In, kLanes>(held_b[i]);
    Vector<typename Function::Out, kLanes> result;
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane) {
      result.at[lane] =
          function(left.is_row() ? row_a.at[lane] : a, right.is_row() ? row_b.at[lane] : b);
    }
    vectors[vector] = result;
  }
  if (blockIdx.x != 0 || threadIdx.x >= cut.edges()) return;
  const std::int64_t behind = threadIdx.x < cut.head ? 0 : cut.vectors * kLanes;
  const std::int64_t edge = threadIdx.x + behind;
  out[edge] = function(left.at(edge), right.at(edge));
}

/// The geometry describes the output, left and right.
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
Source<T> source_of(const void* data, const Geometry<3>& geometry, std::size_t tensor) {
  return {static_cast<const T*>(data), is_single(geometry, tensor)};
}

/// Returns whether the source's vectors are aligned when the output's are.
template <typename Function, typename T>
bool is_in_step(const Source<T>& source, const typename Function::Out* out) {
  constexpr int kLanes = kMapLanes<Function>;
  return source.data == nullptr || source.is_single ||
         beyond_vector<kLanes>(source.data) == beyond_vector<kLanes>(out);
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

/// Requires `geometry.count` >= 1.
template <typename Function>
void launch_map(const Addresses& addresses, const Geometry<3>& geometry, const Function& function) {
  using In = typename Function::In;
  auto* out = static_cast<typename Function::Out*>(addresses.out);
  const auto left = source_of<In>(addresses.left, geometry, 1);
  const auto right = source_of<In>(addresses.right, geometry, 2);
  if (!are_rows(geometry) || !is_in_step<Function>(left, out) ||
      !is_in_step<Function>(right, out)) {
    return launch_strided(addresses, geometry, function);
  }
  const auto cut = cut_into_vectors<kMapLanes<Function>>(out, geometry.count);
  constexpr std::int64_t kTile = kBlock * map_vectors<Function>();
  const std::int64_t tiles = std::max<std::int64_t>(1, (cut.vectors + kTile - 1) / kTile);
  launch(map_row_kernel<Function>, {static_cast<unsigned>(tiles)}, out, left, right, cut, function);
}

}  // namespace assay::cuda
