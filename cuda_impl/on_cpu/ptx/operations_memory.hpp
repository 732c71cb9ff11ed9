// Loads, stores, atomic operations and fences of PTX, on the process's own memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>

#include "cuda_impl/on_cpu/ptx/faults.hpp"
#include "cuda_impl/on_cpu/ptx/operations_float.hpp"
#include "cuda_impl/on_cpu/ptx/operations_half.hpp"
#include "cuda_impl/on_cpu/ptx/operations_integer.hpp"
#include "cuda_impl/on_cpu/ptx/values.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu::ptx {

inline u64 address_of(const volatile void* pointer) { return reinterpret_cast<u64>(pointer); }

namespace detail {

inline void check_alignment(u64 address, u32 bytes) {
  if (address % bytes != 0) [[unlikely]] {
    misaligned_access(address, bytes);
  }
}

/// A plain load of the size of T, so that sanitizers see it.
template <HasBits T>
T plain_load(u64 address) {
  T value;
  std::memcpy(&value, std::assume_aligned<sizeof(T)>(reinterpret_cast<const std::byte*>(address)),
              sizeof(T));
  return value;
}

template <HasBits T>
void plain_store(u64 address, T value) {
  std::memcpy(std::assume_aligned<sizeof(T)>(reinterpret_cast<std::byte*>(address)), &value,
              sizeof(T));
}

template <HasBits T>
std::atomic_ref<BitsOf<T>> atomic_at(u64 address) {
  return std::atomic_ref<BitsOf<T>>(*reinterpret_cast<BitsOf<T>*>(address));
}

template <Access kAccess>
constexpr std::memory_order order() {
  using enum Access;
  if constexpr (kAccess == acquire_) return std::memory_order_acquire;
  if constexpr (kAccess == release_) return std::memory_order_release;
  if constexpr (kAccess == acq_rel_) return std::memory_order_acq_rel;
  if constexpr (kAccess == relaxed_ || kAccess == volatile_) return std::memory_order_relaxed;
}

template <Access kAccess, HasBits T>
T load_one(u64 address) {
  if constexpr (kAccess == Access::weak_) {
    return plain_load<T>(address);
  } else {
    return std::bit_cast<T>(atomic_at<T>(address).load(order<kAccess>()));
  }
}

template <Access kAccess, HasBits T>
void store_one(u64 address, T value) {
  if constexpr (kAccess == Access::weak_) {
    plain_store(address, value);
  } else {
    atomic_at<T>(address).store(bits_of(value), order<kAccess>());
  }
}

/// Atomically replaces the value by operation(value). Returns the old value.
template <Access kAccess, HasBits T, class Operation>
T atomically(u64 address, Operation operation) {
  check_alignment(address, sizeof(T));
  const auto place = atomic_at<T>(address);
  auto old = place.load(std::memory_order_relaxed);
  while (!place.compare_exchange_weak(old, bits_of(T{operation(std::bit_cast<T>(old))}),
                                      order<kAccess>(), std::memory_order_relaxed)) {
  }
  return std::bit_cast<T>(old);
}

/// Flushes a subnormal number to zero, keeping its sign.
inline f32 flushed(f32 value) {
  return std::fabs(value) < std::numeric_limits<f32>::min() ? std::copysign(0.0F, value) : value;
}

}  // namespace detail

/// ld: one value, or an array of kCount.
template <Access kAccess, HasBits T, std::size_t kCount>
auto load(u64 address) {
  detail::check_alignment(address, sizeof(T) * kCount);
  if constexpr (kCount == 1) {
    return detail::load_one<kAccess, T>(address);
  } else {
    std::array<T, kCount> values;
    for (std::size_t i = 0; i < kCount; ++i) {
      values[i] = detail::load_one<kAccess, T>(address + i * sizeof(T));
    }
    return values;
  }
}

/// ldu: a load of memory that no thread writes.
template <HasBits T, std::size_t kCount>
auto load(u64 address) {
  return load<Access::weak_, T, kCount>(address);
}

/// st: one value, or several of a vector.
template <Access kAccess, HasBits T, std::same_as<T>... More>
void store(u64 address, T value, More... more) {
  detail::check_alignment(address, sizeof(T) * (1 + sizeof...(more)));
  detail::store_one<kAccess>(address, value);
  ((address += sizeof(T), detail::store_one<kAccess>(address, more)), ...);
}

/// Nothing is read.
inline void prefetch(u64) {}

template <Access kAccess, Integer T>
T atom_add(u64 address, T value) {
  detail::check_alignment(address, sizeof(T));
  return std::bit_cast<T>(
      detail::atomic_at<T>(address).fetch_add(bits_of(value), detail::order<kAccess>()));
}

template <Access kAccess, class T>
requires(std::same_as<T, f64> || HalfFloat<T> || HalfPair<T>) T atom_add(u64 address, T value) {
  return detail::atomically<kAccess, T>(address,
                                        [&](T old) { return add<Rounding::rn>(old, value); });
}

/// As PTX specifies, subnormal operands and sums are flushed to zero outside shared memory.
template <Access kAccess, Window kWindow, std::same_as<f32> T>
T atom_add(u64 address, T value) {
  const bool is_kept =
      kWindow == Window::shared || (kWindow == Window::generic && is_in_shared_memory(address));
  return detail::atomically<kAccess, T>(address, [&](T old) {
    if (is_kept) return add<Rounding::rn>(old, value);
    return detail::flushed(add<Rounding::rn>(detail::flushed(old), detail::flushed(value)));
  });
}

template <Access kAccess, Integer T>
T atom_exch(u64 address, T value) {
  detail::check_alignment(address, sizeof(T));
  return detail::atomic_at<T>(address).exchange(value, detail::order<kAccess>());
}

template <Access kAccess, Integer T>
T atom_cas(u64 address, T expected, T value) {
  detail::check_alignment(address, sizeof(T));
  detail::atomic_at<T>(address).compare_exchange_strong(expected, value, detail::order<kAccess>(),
                                                        std::memory_order_relaxed);
  return expected;
}

template <Access kAccess, Integer T>
T atom_min(u64 address, T value) {
  return detail::atomically<kAccess, T>(address, [&](T old) { return min(old, value); });
}

template <Access kAccess, Integer T>
T atom_max(u64 address, T value) {
  return detail::atomically<kAccess, T>(address, [&](T old) { return max(old, value); });
}

template <Access kAccess, Integer T>
T atom_and(u64 address, T value) {
  detail::check_alignment(address, sizeof(T));
  return detail::atomic_at<T>(address).fetch_and(value, detail::order<kAccess>());
}

template <Access kAccess, Integer T>
T atom_or(u64 address, T value) {
  detail::check_alignment(address, sizeof(T));
  return detail::atomic_at<T>(address).fetch_or(value, detail::order<kAccess>());
}

template <Access kAccess, Integer T>
T atom_xor(u64 address, T value) {
  detail::check_alignment(address, sizeof(T));
  return detail::atomic_at<T>(address).fetch_xor(value, detail::order<kAccess>());
}

/// Increments; after `last`, wraps to 0.
template <Access kAccess, Word T>
T atom_inc(u64 address, T last) {
  return detail::atomically<kAccess, T>(address, [&](T old) { return old >= last ? 0 : old + 1; });
}

/// Decrements; after 0, or if greater than `last`, wraps to `last`.
template <Access kAccess, Word T>
T atom_dec(u64 address, T last) {
  return detail::atomically<kAccess, T>(
      address, [&](T old) { return old == 0 || old > last ? last : old - 1; });
}

/// membar, fence.
inline void fence() {
#ifdef __SANITIZE_THREAD__
  memory_fence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// cvta: shared memory is a separate window in PTX, but part of the process's memory here.
inline u64 generic_of_shared(u64 offset, u64 shared) { return shared + offset; }
inline u64 shared_of_generic(u64 address, u64 shared) { return address - shared; }

}  // namespace assay::cuda::on_cpu::ptx
