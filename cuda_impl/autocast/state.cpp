// The state of threads, in one cache line each.
#include "cuda_impl/autocast/state.hpp"

#include <array>
#include <atomic>
#include <string>

#include "cuda_impl/autocast/weight_cache.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda::autocast {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1;

/// CAST-101, CAST-105: a kind of device that has had autocast since some release.
struct KindFacts {
  std::string_view key = {};  ///< empty: no autocast
  Release since = Release::k1_13;
  Dtype low = Dtype::kUndefined;
  bool counts = false;  ///< for is_any_enabled (CAST-116)
};

KindFacts facts_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::kCpu:
      return {"AutocastCPU", Release::k1_13, Dtype::kBFloat16, true};
    case DeviceKind::kCuda:
      return {"AutocastCUDA", Release::k1_13, Dtype::kFloat16, true};
    case DeviceKind::kXpu:
      return {"AutocastXPU", Release::k1_13, Dtype::kFloat16, true};
    case DeviceKind::kIpu:
      return {"AutocastIPU", Release::k2_4, Dtype::kFloat16, true};
    case DeviceKind::kHpu:
      return {"AutocastHPU", Release::k2_4, Dtype::kBFloat16, true};
    case DeviceKind::kXla:
      return {"AutocastXLA", Release::k2_4, Dtype::kBFloat16, true};
    case DeviceKind::kPrivateUse1:
      return {"AutocastPrivateUse1", Release::k2_4, Dtype::kFloat16, true};
    case DeviceKind::kMps:
      return {"AutocastMPS", Release::k2_11, Dtype::kFloat16, false};
    case DeviceKind::kMtia:
      return {"AutocastMTIA", Release::k2_11, Dtype::kFloat16, false};
    case DeviceKind::kMaia:
      return {"AutocastMAIA", Release::k2_11, Dtype::kBFloat16, false};
    case DeviceKind::kHip:
      return {{}, Release::k1_13, Dtype::kFloat16, false};
    default:
      return {};
  }
}

/// Replaced only while nobody asks: between two clients' sessions.
Contract& stored_contract() {
  static Contract contract;
  return contract;
}
std::atomic<std::uint64_t> resets = 1;

Dtype default_low(DeviceKind kind) {
  const Release release = contract().release;
  const KindFacts facts = facts_of(kind);
  if (kind == DeviceKind::kXpu && release == Release::k1_13) return Dtype::kBFloat16;
  const bool has_one_later = facts.since == Release::k2_11 && release < facts.since;
  return has_one_later ? Dtype::kUndefined : facts.low;
}

struct alignas(64) ThreadState {
  std::uint64_t generation = 0;
  std::uint32_t enabled = 0;  ///< a bit for each DeviceKind
  int nesting = 0;
  bool is_cache_enabled = true;
  std::array<Dtype, kKinds> low = {};
};
static_assert(sizeof(ThreadState) == 64);

void renew(ThreadState& state) {
  state = ThreadState{};
  state.generation = generation();
  for (std::size_t i = 0; i < kKinds; ++i) {
    state.low[i] = default_low(static_cast<DeviceKind>(i));
  }
}

ThreadState& of_thread() {
  thread_local ThreadState state;
  if (state.generation != generation()) [[unlikely]]
    renew(state);
  return state;
}

std::uint32_t bit_of(DeviceKind device) { return 1U << static_cast<unsigned>(device); }

void require_key(DeviceKind device, std::string_view query) {
  require(is_available(device), [&] {
    return std::string(query) + ": unknown device type for autocast: " +
           std::string(assay::cuda::name_of(device, contract().release));
  });
}

std::uint32_t counted_bits() {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<DeviceKind>(i);
    if (facts_of(kind).counts) bits |= bit_of(kind);
  }
  return bits;
}

}  // namespace

void reset(const Contract& contract) {
  stored_contract() = contract;
  resets.fetch_add(1);
  reset_weight_caches();
}

const Contract& contract() { return stored_contract(); }

std::uint64_t generation() { return resets.load(std::memory_order_acquire); }

bool is_available(DeviceKind device) {
  const KindFacts facts = facts_of(device);
  return !facts.key.empty() && facts.since <= contract().release;
}

std::string_view key_of(DeviceKind device) {
  require_key(device, "the autocast key");
  return facts_of(device).key;
}

bool is_enabled(DeviceKind device) {
  require_key(device, "is_autocast_enabled");
  return (of_thread().enabled & bit_of(device)) != 0;
}

void set_enabled(DeviceKind device, bool is_on) {
  require_key(device, "set_autocast_enabled");
  std::uint32_t& enabled = of_thread().enabled;
  enabled = is_on ? enabled | bit_of(device) : enabled & ~bit_of(device);
}

bool is_any_enabled() {
  static const std::uint32_t counted = counted_bits();
  return (of_thread().enabled & counted) != 0;
}

Dtype low_dtype(DeviceKind device) { return of_thread().low[static_cast<std::size_t>(device)]; }

void set_low_dtype(DeviceKind device, Dtype dtype) {
  const bool is_old_cpu = device == DeviceKind::kCpu && contract().release == Release::k1_13;
  require(!is_old_cpu || dtype == Dtype::kBFloat16, [&] {
    return "autocast on a CPU supports bfloat16 alone, not " + std::string(facts(dtype).name);
  });
  of_thread().low[static_cast<std::size_t>(device)] = dtype;
}

int change_nesting(int by) { return of_thread().nesting += by; }

bool is_cache_enabled() { return of_thread().is_cache_enabled; }

void set_cache_enabled(bool is_on) { of_thread().is_cache_enabled = is_on; }

}  // namespace assay::cuda::autocast
