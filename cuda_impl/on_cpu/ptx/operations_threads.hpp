// Barriers, votes, shuffles and reductions of blocks and warps.
#pragma once

#include <utility>

#include "cuda_impl/on_cpu/ptx/faults.hpp"
#include "cuda_impl/on_cpu/ptx/operations_integer.hpp"
#include "cuda_impl/on_cpu/ptx/values.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu::ptx {

inline constexpr u32 kWarpIdentifiers = 64;  ///< of a multiprocessor of compute capability 9.0
inline u32 lanes_equal(const ThreadPlace& here) { return u32{1} << here.lane(); }
inline u32 lanes_below(const ThreadPlace& here) { return lanes_equal(here) - 1; }
inline u32 lanes_above(const ThreadPlace& here) { return ~(lanes_below(here) | lanes_equal(here)); }

void bar_sync(Word auto barrier) { block_barrier(false, barrier); }
void bar_sync(Word auto barrier, Word auto threads) { block_barrier(false, barrier, threads); }
void bar_arrive(Word auto barrier, Word auto threads) { arrive_at_barrier(barrier, threads); }

u32 bar_red_popc(Word auto barrier, Predicate auto vote) {
  return block_barrier(vote, barrier).count;
}
u32 bar_red_popc(Word auto barrier, Word auto threads, Predicate auto vote) {
  return block_barrier(vote, barrier, threads).count;
}
bool bar_red_and(Word auto barrier, Predicate auto vote) {
  return block_barrier(vote, barrier).all;
}
bool bar_red_and(Word auto barrier, Word auto threads, Predicate auto vote) {
  return block_barrier(vote, barrier, threads).all;
}
bool bar_red_or(Word auto barrier, Predicate auto vote) { return block_barrier(vote, barrier).any; }
bool bar_red_or(Word auto barrier, Word auto threads, Predicate auto vote) {
  return block_barrier(vote, barrier, threads).any;
}

void bar_warp_sync(Word auto mask) { warp_exchange(mask, 0, true); }
void nanosleep(Word auto) { yield(); }
inline u32 activemask() { return active_mask(); }

namespace detail {

/// Calls visit(lane, deposit) for each participating lane.
template <class Visit>
void for_each_lane(const Exchange& exchange, Visit visit) {
  for (u32 lane = 0; lane < 32; ++lane) {
    if ((exchange.lanes >> lane & 1) != 0) visit(lane, exchange.deposits[lane]);
  }
}

/// The lanes whose deposit is `value`.
inline u32 lanes_with(const Exchange& exchange, u64 value) {
  u32 lanes = 0;
  for_each_lane(exchange, [&](u32 lane, u64 deposit) {
    if (deposit == value) lanes |= u32{1} << lane;
  });
  return lanes;
}

template <class T, class Operation>
T over_lanes(u32 mask, T value, Operation operation) {
  const auto exchange = warp_exchange(mask, bits_of(value), false);
  bool is_first = true;
  T result{};
  for_each_lane(exchange, [&](u32, u64 deposit) {
    const T other = literal<T>(deposit);
    result = is_first ? other : operation(result, other);
    is_first = false;
  });
  return result;
}

/// The lane that shfl reads, and whether it is inside the segment given by c.
struct Source {
  u32 lane;
  bool is_in_range;
};

struct Segment {
  u32 first;
  u32 last;
  u32 inside;  ///< bits of a lane's index within its segment
};

inline Segment segment_of(u32 lane, u32 c) {
  const u32 outside = c >> 8 & 31;
  return {lane & outside, (lane & outside) | (c & 31 & ~outside), 31 & ~outside};
}

inline std::pair<u32, bool> shuffled(u32 value, u32 mask, u32 lane, Source source) {
  const auto exchange = warp_exchange(mask, value, false);
  const u32 from = source.is_in_range ? source.lane & 31 : lane;
  return {static_cast<u32>(exchange.deposits[from]), source.is_in_range};
}

}  // namespace detail

bool vote_all(Predicate auto vote, Word auto mask) {
  const auto exchange = warp_exchange(mask, vote, false);
  return detail::lanes_with(exchange, 1) == exchange.lanes;
}
bool vote_any(Predicate auto vote, Word auto mask) {
  return detail::lanes_with(warp_exchange(mask, vote, false), 1) != 0;
}
bool vote_uni(Predicate auto vote, Word auto mask) {
  const auto exchange = warp_exchange(mask, vote, false);
  const auto voters = detail::lanes_with(exchange, 1);
  return voters == 0 || voters == exchange.lanes;
}
u32 vote_ballot(Predicate auto vote, Word auto mask) {
  return detail::lanes_with(warp_exchange(mask, vote, false), 1);
}

template <Word T>
std::pair<u32, bool> shfl_up_in_range(T value, T b, T c, T mask, const ThreadPlace& here) {
  const u32 lane = here.lane();
  const u32 distance = b & 31;
  // For shfl.up, c gives the first lane of the segment, not the last.
  const bool is_in_range = lane >= detail::segment_of(lane, c).last + distance;
  return detail::shuffled(value, mask, lane, {lane - distance, is_in_range});
}
template <Word T>
std::pair<u32, bool> shfl_down_in_range(T value, T b, T c, T mask, const ThreadPlace& here) {
  const u32 lane = here.lane();
  const u32 from = lane + (b & 31);
  return detail::shuffled(value, mask, lane, {from, from <= detail::segment_of(lane, c).last});
}
template <Word T>
std::pair<u32, bool> shfl_bfly_in_range(T value, T b, T c, T mask, const ThreadPlace& here) {
  const u32 lane = here.lane();
  const u32 from = lane ^ (b & 31);
  return detail::shuffled(value, mask, lane, {from, from <= detail::segment_of(lane, c).last});
}
template <Word T>
std::pair<u32, bool> shfl_idx_in_range(T value, T b, T c, T mask, const ThreadPlace& here) {
  const u32 lane = here.lane();
  const auto segment = detail::segment_of(lane, c);
  const u32 from = segment.first | (b & segment.inside);
  return detail::shuffled(value, mask, lane, {from, from <= segment.last});
}

template <Word T>
u32 shfl_up(T value, T b, T c, T mask, const ThreadPlace& here) {
  return shfl_up_in_range(value, b, c, mask, here).first;
}
template <Word T>
u32 shfl_down(T value, T b, T c, T mask, const ThreadPlace& here) {
  return shfl_down_in_range(value, b, c, mask, here).first;
}
template <Word T>
u32 shfl_bfly(T value, T b, T c, T mask, const ThreadPlace& here) {
  return shfl_bfly_in_range(value, b, c, mask, here).first;
}
template <Word T>
u32 shfl_idx(T value, T b, T c, T mask, const ThreadPlace& here) {
  return shfl_idx_in_range(value, b, c, mask, here).first;
}

/// The lanes with the same value as the caller.
template <std::unsigned_integral T>
u32 match_any(T value, Word auto mask) {
  return detail::lanes_with(warp_exchange(mask, value, false), value);
}

/// All lanes and true if all have the same value, otherwise no lanes and false.
template <std::unsigned_integral T>
std::pair<u32, bool> match_all_and_whether(T value, Word auto mask) {
  const auto exchange = warp_exchange(mask, value, false);
  const bool is_same = detail::lanes_with(exchange, value) == exchange.lanes;
  return {is_same ? exchange.lanes : 0, is_same};
}
template <std::unsigned_integral T>
u32 match_all(T value, Word auto mask) {
  return match_all_and_whether(value, mask).first;
}

template <Integer T>
T redux_add(T value, Word auto mask) {
  return detail::over_lanes(mask, value, [](T a, T b) { return add(a, b); });
}
template <Integer T>
T redux_min(T value, Word auto mask) {
  return detail::over_lanes(mask, value, [](T a, T b) { return min(a, b); });
}
template <Integer T>
T redux_max(T value, Word auto mask) {
  return detail::over_lanes(mask, value, [](T a, T b) { return max(a, b); });
}
template <Integer T>
T redux_and(T value, Word auto mask) {
  return detail::over_lanes(mask, value, [](T a, T b) { return a & b; });
}
template <Integer T>
T redux_or(T value, Word auto mask) {
  return detail::over_lanes(mask, value, [](T a, T b) { return a | b; });
}
template <Integer T>
T redux_xor(T value, Word auto mask) {
  return detail::over_lanes(mask, value, [](T a, T b) { return a ^ b; });
}

/// isspacep.shared
inline bool is_shared(u64 address) { return is_in_shared_memory(address); }

}  // namespace assay::cuda::on_cpu::ptx
