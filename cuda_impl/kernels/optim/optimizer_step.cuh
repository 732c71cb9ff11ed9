// Applies an optimizer's update rule to all elements of all rows, in a kernel or in a loop on the
// host.
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/multi_tensor.cuh"
#include "cuda_impl/kernels/optim/arithmetic.cuh"
#include "cuda_impl/kernels/optim/steps.hpp"
#include "cuda_impl/kernels/vectors.cuh"

namespace assay::cuda {

// A rule declares the number of pointers in a row (kLists) and how many of them, from the first on,
// are element lists (kElementLists). It says which lists it writes and provides the values of a
// row, the update of one element, and the final action for a row.

/// Elements per list that a thread processes at once. A rule is instantiated for each type, and
/// more than four cost more compile time than they save at run time.
template <typename Real>
inline constexpr int kStepLanes = sizeof(Real) == 8 ? 2 : 4;
/// Vectors that a thread processes in sequence.
inline constexpr int kStepRounds = 4;
template <typename Real>
inline constexpr int kStepTile = kBlock* kStepRounds* kStepLanes<Real>;

/// The lanes [first, last) of a vector, which are elements of the tile.
struct Lanes {
  int first;
  int last;

  __device__ bool has(int lane) const { return lane >= first && lane < last; }
};

/// The lists of one row from the first element of a tile, rounded down to a vector boundary; null
/// for a list that the row lacks.
template <typename Rule>
struct StepLists {
  using Real = typename Rule::Real;
  static constexpr int kCount = Rule::kElementLists;
  static constexpr int kLanes = kStepLanes<Real>;
  using Held = Vector<Real, kLanes>;

  Real* at[kCount];
  int before;    ///< lanes of the first vector in front of the tile
  bool in_step;  ///< all lists have the same alignment within a vector
  int elements;

  __device__ StepLists(const Tile<Rule::kLists>& tile)
      : before(beyond_vector<kLanes>(list_of(tile, 0))), in_step(true), elements(tile.count) {
#pragma unroll
    for (int list = 0; list < kCount; ++list) {
      Real* const first = list_of(tile, list);
      in_step = in_step && (first == nullptr || beyond_vector<kLanes>(first) == before);
      at[list] = first == nullptr ? nullptr : first - before;
    }
  }

  __device__ int vectors() const { return (before + elements + kLanes - 1) / kLanes; }
  __device__ Lanes lanes_of(int vector) const {
    return {before - vector * kLanes, before + elements - vector * kLanes};
  }
  __device__ bool is_whole(const Lanes& lanes) const {
    return in_step && lanes.first <= 0 && lanes.last >= kLanes;
  }

  __device__ Held load(int list, int vector, const Lanes& lanes) const {
    const Real* const from = at[list] + vector * kLanes;
    if (is_whole(lanes)) return *reinterpret_cast<const Held*>(from);
    Held held = {};
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane) {
      if (lanes.has(lane)) held.at[lane] = from[lane];
    }
    return held;
  }
  __device__ void store(int list, int vector, const Lanes& lanes, const Held& held) const {
    Real* const to = at[list] + vector * kLanes;
    if (is_whole(lanes)) {
      *reinterpret_cast<Held*>(to) = held;
      return;
    }
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane) {
      if (lanes.has(lane)) to[lane] = held.at[lane];
    }
  }

 private:
  __device__ static Real* list_of(const Tile<Rule::kLists>& tile, int list) {
    auto* const data = static_cast<Real*>(tile.row.data[list]);
    return data == nullptr ? nullptr : data + tile.first;
  }
};

template <typename Rule, typename Facts>
__device__ void step_vector(const Rule& rule, const Facts& facts, const StepLists<Rule>& lists,
                            int vector) {
  constexpr int kCount = Rule::kElementLists;
  typename StepLists<Rule>::Held held[kCount] = {};
  const Lanes lanes = lists.lanes_of(vector);
#pragma unroll
  for (int list = 0; list < kCount; ++list) {
    if (lists.at[list] != nullptr) held[list] = lists.load(list, vector, lanes);
  }
#pragma unroll
  for (int lane = 0; lane < StepLists<Rule>::kLanes; ++lane) {
    typename Rule::Real values[kCount];
#pragma unroll
    for (int list = 0; list < kCount; ++list) values[list] = held[list].at[lane];
    rule(values, facts);
#pragma unroll
    for (int list = 0; list < kCount; ++list) held[list].at[lane] = values[list];
  }
#pragma unroll
  for (int list = 0; list < kCount; ++list) {
    if (lists.at[list] != nullptr && rule.writes(list)) {
      lists.store(list, vector, lanes, held[list]);
    }
  }
}

/// Returns true in all threads of exactly one block: the last one to call. Reads and writes of the
/// other blocks happen before its return. One thread's fence is enough, since the barrier orders
/// the block's other accesses before it.
__device__ inline bool is_last_block(std::uint32_t* ticket) {
  bool& is_last = shared_variable<bool>();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
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
  auto& found = shared_variable<decltype(rule.facts(nullptr))>();
  const auto tile = tile_of_block<kStepTile<typename Rule::Real>>(table);
  if (tile.row.data[0] != nullptr && tile.count > 0) {
    if (threadIdx.x == 0) found = rule.facts(tile.row.data);
    __syncthreads();
    const auto facts = found;
    const StepLists<Rule> lists(tile);
    const int vectors = facts.runs ? lists.vectors() : 0;
    for (int vector = threadIdx.x; vector < vectors; vector += kBlock) {
      step_vector(rule, facts, lists, vector);
    }
  }
  if (ticket == nullptr || !is_last_block(ticket)) return;
  const int rows = table.chunks[gridDim.y - 1].row + 1;
  for (int row = static_cast<int>(threadIdx.x); row < rows; row += kBlock) {
    rule.finish(table.rows[row].data);
  }
}

template <typename Rule>
void step_on_device(const Rule& rule, std::span<const StepRow<Rule::kLists>> rows,
                    std::uint32_t* ticket) {
  using Real = typename Rule::Real;
  const auto launch_one = [&]<typename Table>(const Table& table, dim3 grid, bool) {
    launch(step_kernel<Rule, Table>, {.grid = grid}, table, rule, ticket);
  };
  // Every device that nvcc 13 supports takes large tables. Doubles, which are rarely stepped, have
  // only those, to limit code size.
  if constexpr (std::is_same_v<Real, double>) {
    for_each_launch_of<LargeTable<Rule::kLists>>(rows, kStepTile<Real>, launch_one);
  } else {
    for_each_sized_launch(rows, kStepTile<Real>, launch_one);
  }
}

template <typename Rule>
void step_row_on_host(const Rule& rule, const StepRow<Rule::kLists>& row) {
  using Real = typename Rule::Real;
  const auto facts = rule.facts(row.data);
  if (!facts.runs || row.data[0] == nullptr) return;
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

template <typename Rule>
void step_on_host(const Rule& rule, std::span<const StepRow<Rule::kLists>> rows) {
  for (const auto& row : rows) {
    step_row_on_host(rule, row);
    rule.finish(row.data);
  }
}

/// Calls `step` with a value of the C++ type of a
/// floating dtype. Raises `error` for other dtypes.
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
  step_on_host(rule, rows);
}

}  // namespace assay::cuda
