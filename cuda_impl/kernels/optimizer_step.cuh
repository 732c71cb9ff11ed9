// How a rule of an optimizer is carried to all elements of all rows: by one kernel, or by a loop of
// the host.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/multi_tensor.cuh"
#include "cuda_impl/kernels/step_rows.hpp"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

// A rule knows how many pointers a row has (kLists) and how many of them are elements
// (kElementLists, the first ones), which of these it writes, the facts of a row, what becomes of
// one element of each list, and what is left to do once for a row.

/// Vectors of each list that a thread works on, one after the other.
inline constexpr int kStepVectors = 4;
template <typename Real>
inline constexpr int kStepTile = kBlock* kStepVectors* Vector<Real>::kElements;

/// Where the lists of one row begin for a block; null where a row has no such list.
template <typename Rule>
struct StepLists {
  using Real = typename Rule::Real;
  static constexpr int kCount = Rule::kElementLists;
  Real* at[kCount];

  __device__ StepLists(void* const* data, std::int64_t first) {
#pragma unroll
    for (int list = 0; list < kCount; ++list) {
      at[list] = data[list] == nullptr ? nullptr : static_cast<Real*>(data[list]) + first;
    }
  }

  /// All head, element by element, where the lists do not reach a multiple of 16 bytes together.
  __device__ VectorCut cut(int count) const {
    bool together = true;
#pragma unroll
    for (int list = 1; list < kCount; ++list) {
      const auto apart =
          reinterpret_cast<std::uintptr_t>(at[list]) ^ reinterpret_cast<std::uintptr_t>(at[0]);
      together = together && (at[list] == nullptr || apart % 16 == 0);
    }
    return together ? cut_into_vectors(at[0], count) : VectorCut{count, 0, 0};
  }
};

template <typename Rule, typename Facts>
__device__ void step_element(const Rule& rule, const Facts& facts, const StepLists<Rule>& lists,
                             int index) {
  typename Rule::Real values[Rule::kElementLists] = {};
#pragma unroll
  for (int list = 0; list < Rule::kElementLists; ++list) {
    if (lists.at[list] != nullptr) values[list] = lists.at[list][index];
  }
  rule(values, facts);
#pragma unroll
  for (int list = 0; list < Rule::kElementLists; ++list) {
    if (lists.at[list] != nullptr && rule.writes(list)) lists.at[list][index] = values[list];
  }
}

/// `index` is that of the vector's first element.
template <typename Rule, typename Facts>
__device__ void step_vector(const Rule& rule, const Facts& facts, const StepLists<Rule>& lists,
                            int index) {
  using Real = typename Rule::Real;
  Vector<Real> vectors[Rule::kElementLists] = {};
#pragma unroll
  for (int list = 0; list < Rule::kElementLists; ++list) {
    if (lists.at[list] != nullptr) vectors[list] = load_vector(lists.at[list] + index);
  }
#pragma unroll
  for (int lane = 0; lane < Vector<Real>::kElements; ++lane) {
    Real values[Rule::kElementLists];
#pragma unroll
    for (int list = 0; list < Rule::kElementLists; ++list) values[list] = vectors[list].at[lane];
    rule(values, facts);
#pragma unroll
    for (int list = 0; list < Rule::kElementLists; ++list) vectors[list].at[lane] = values[list];
  }
#pragma unroll
  for (int list = 0; list < Rule::kElementLists; ++list) {
    if (lists.at[list] != nullptr && rule.writes(list)) {
      store_vector(lists.at[list] + index, vectors[list]);
    }
  }
}

template <typename Rule, typename Facts>
__device__ void step_tile(const Rule& rule, const Facts& facts, const StepLists<Rule>& lists,
                          int count) {
  constexpr int kElements = Vector<typename Rule::Real>::kElements;
  const VectorCut cut = lists.cut(count);
  const auto thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < cut.head; i += kBlock) step_element(rule, facts, lists, i);
  for (int v = thread; v < cut.vectors; v += kBlock) {
    step_vector(rule, facts, lists, cut.head + v * kElements);
  }
  if (thread < cut.tail) step_element(rule, facts, lists, count - cut.tail + thread);
}

/// True in one block of the grid, for all of its threads: in the last one that asks. What the other
/// blocks have read and written before is behind it.
__device__ inline bool is_last_block(std::uint32_t* ticket) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(ticket, 1u) == gridDim.x * gridDim.y - 1;
    if (is_last) *ticket = 0;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

template <typename Rule, typename Table>
__global__ void __launch_bounds__(kBlock)
    step_kernel(const __grid_constant__ Table table, Rule rule, std::uint32_t* ticket) {
  using Facts = decltype(rule.facts(nullptr));
  __shared__ Facts facts;
  const auto chunk = chunk_of_block(table);
  void* const* data = chunk.row.data;
  if (data[0] != nullptr) {
    if (threadIdx.x == 0) facts = rule.facts(data);
    __syncthreads();
    if (facts.runs) {
      for_each_tile<kStepTile<typename Rule::Real>>(chunk, [&](std::int64_t first, int count) {
        step_tile(rule, facts, StepLists<Rule>(data, first), count);
      });
    }
  }
  if (ticket == nullptr || !is_last_block(ticket)) return;
  const int rows = table.chunks[gridDim.x - 1].row + 1;
  for (int row = static_cast<int>(threadIdx.x); row < rows; row += kBlock) {
    rule.finish(table.rows[row].data);
  }
}

template <typename Rule>
void step_on_device(const Rule& rule, std::span<const StepRow<Rule::kLists>> rows,
                    std::uint32_t* ticket) {
  std::vector<TensorRow<Rule::kLists>> table_rows;
  table_rows.reserve(rows.size());
  for (const auto& row : rows) {
    auto& made = table_rows.emplace_back();
    for (int list = 0; list < Rule::kLists; ++list) made.data[list] = row.data[list];
    made.count = row.count > 0 ? row.count : 1;
  }
  const auto launch_one = [&]<typename Table>(const Table& table, dim3 grid, bool) {
    launch(step_kernel<Rule, Table>, {.grid = grid}, table, rule, ticket);
  };
  for_each_launch(std::span<const TensorRow<Rule::kLists>>(table_rows),
                  kStepTile<typename Rule::Real>, launch_one);
}

template <typename Rule>
void step_row_on_host(const Rule& rule, const StepRow<Rule::kLists>& row) {
  using Real = typename Rule::Real;
  const auto facts = rule.facts(row.data.data());
  if (!facts.runs) return;
  for (std::int64_t i = 0; i < row.count; ++i) {
    Real values[Rule::kElementLists] = {};
    for (int list = 0; list < Rule::kElementLists; ++list) {
      if (row.data[list] != nullptr) values[list] = static_cast<Real*>(row.data[list])[i];
    }
    rule(values, facts);
    for (int list = 0; list < Rule::kElementLists; ++list) {
      if (row.data[list] == nullptr || !rule.writes(list)) continue;
      static_cast<Real*>(row.data[list])[i] = values[list];
    }
  }
}

/// Calls `step` with a value of the type that a floating dtype has in C++. Raises `error` for
/// others.
template <typename Step>
void for_step_type(Dtype dtype, const Step& step) {
  switch (dtype) {
    case Dtype::kFloat32:
      return step(float{});
    case Dtype::kFloat64:
      return step(double{});
    case Dtype::kFloat16:
      return step(__half{});
    case Dtype::kBFloat16:
      return step(__nv_bfloat16{});
    default:
      throw Error("an optimizer steps floating point types, not " + std::string(facts(dtype).name));
  }
}

template <typename Rule>
void step_rows(const Rule& rule, std::span<const StepRow<Rule::kLists>> rows,
               const StepPlace& place) {
  if (place.on_device) return step_on_device(rule, rows, place.ticket);
  for (const auto& row : rows) {
    step_row_on_host(rule, row);
    rule.finish(row.data.data());
  }
}

}  // namespace assay::cuda
