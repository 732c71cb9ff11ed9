// The autocast state of threads, one cache line each.
#include "cuda_impl/autocast/state.hpp"

#include <string>

#include "cuda_impl/autocast/weight_cache.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda::autocast {

thread_local constinit detail::ThreadState detail::thread_state;

namespace {

using detail::bit_of;
using detail::KeyBits;
using detail::of_thread;
using dispatch::Functionality;

/// CAST-101, CAST-105: the autocast properties of a device kind.
struct KindFacts {
  Functionality key = Functionality::kUndefined;  ///< kUndefined: no autocast
  Release since = Release::k1_13;
  Dtype low = Dtype::kUndefined;
  bool counts = false;  ///< is considered by is_any_enabled (CAST-116)
};

KindFacts facts_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::kCpu:
      return {Functionality::kAutocastCpu, Release::k1_13, Dtype::kBFloat16, true};
    case DeviceKind::kCuda:
      return {Functionality::kAutocastCuda, Release::k1_13, Dtype::kFloat16, true};
    case DeviceKind::kXpu:
      return {Functionality::kAutocastXpu, Release::k1_13, Dtype::kFloat16, true};
    case DeviceKind::kIpu:
      return {Functionality::kAutocastIpu, Release::k2_4, Dtype::kFloat16, true};
    case DeviceKind::kHpu:
      return {Functionality::kAutocastHpu, Release::k2_4, Dtype::kBFloat16, true};
    case DeviceKind::kXla:
      return {Functionality::kAutocastXla, Release::k2_4, Dtype::kBFloat16, true};
    case DeviceKind::kPrivateUse1:
      return {Functionality::kAutocastPrivateUse1, Release::k2_4, Dtype::kFloat16, true};
    case DeviceKind::kMps:
      return {Functionality::kAutocastMps, Release::k2_11, Dtype::kFloat16, false};
    case DeviceKind::kMtia:
      return {Functionality::kAutocastMtia, Release::k2_11, Dtype::kFloat16,
              contract().release >= Release::k2_13};
    case DeviceKind::kMaia:
      return {Functionality::kAutocastMaia, Release::k2_11, Dtype::kBFloat16, false};
    case DeviceKind::kHip:
      return {Functionality::kUndefined, Release::k1_13, Dtype::kFloat16, false};
    default:
      return {};
  }
}

Dtype default_low(DeviceKind kind) {
  const Release release = contract().release;
  const KindFacts facts = facts_of(kind);
  if (kind == DeviceKind::kXpu && release == Release::k1_13) return Dtype::kBFloat16;
  const bool has_one_later = facts.since >= Release::k2_11 && release < facts.since;
  return has_one_later ? Dtype::kUndefined : facts.low;
}

bool has_key(DeviceKind device) {
  const KindFacts facts = facts_of(device);
  return facts.key != Functionality::kUndefined && facts.since <= contract().release;
}

KeyBits make_bits() {
  const dispatch::Layout& layout = dispatch::Layout::of(contract().release);
  KeyBits bits;
  for (std::size_t i = 0; i < kDeviceKinds; ++i) {
    const auto kind = static_cast<DeviceKind>(i);
    if (!has_key(kind)) continue;
    bits.of[i] = layout.set_of(dispatch::Key(facts_of(kind).key)).bits;
    if (facts_of(kind).counts) bits.counted |= bits.of[i];
  }
  bits.restored = contract().release >= Release::k2_12 ? ~std::uint64_t{0} : 0;
  return bits;
}

void require_key(DeviceKind device, std::string_view query) {
  require(is_available(device), [&] {
    return std::string(query) + ": unknown device type for autocast: " +
           std::string(assay::cuda::name_of(device, contract().release));
  });
}

}  // namespace

void detail::renew(ThreadState& state) {
  static const bool has_bits = (key_bits = make_bits(), true);
  static_cast<void>(has_bits);
  state = ThreadState{};
  state.generation = generation();
  for (std::size_t i = 0; i < kDeviceKinds; ++i) {
    state.low[i] = default_low(static_cast<DeviceKind>(i));
  }
}

void reset(const Contract& contract) {
  detail::current_contract = contract;
  detail::key_bits = make_bits();
  detail::resets.fetch_add(1);
  reset_weight_caches();
}

bool is_available(DeviceKind device) { return bit_of(device) != 0; }

dispatch::Key key_of(DeviceKind device) {
  require_key(device, "the autocast key");
  return dispatch::Key(facts_of(device).key);
}

/// All autocast keys are excluded by default, and a thread stores the difference from the default:
/// a set bit means that autocast is enabled (CAST-104).
bool is_enabled(DeviceKind device) {
  require_key(device, "is_autocast_enabled");
  return (dispatch::thread_state.excluded & bit_of(device)) != 0;
}

void set_enabled(DeviceKind device, bool is_on) {
  require_key(device, "set_autocast_enabled");
  std::uint64_t& differs = dispatch::thread_state.excluded;
  differs = is_on ? differs | bit_of(device) : differs & ~bit_of(device);
}

bool is_any_enabled() {
  static_cast<void>(of_thread());
  return (dispatch::thread_state.excluded & detail::key_bits.counted) != 0;
}

void set_low_dtype(DeviceKind device, Dtype dtype) {
  const bool is_old_cpu = device == DeviceKind::kCpu && contract().release == Release::k1_13;
  require(!is_old_cpu || dtype == Dtype::kBFloat16, [&] {
    return "autocast on a CPU supports bfloat16 alone, not " + std::string(facts(dtype).name);
  });
  of_thread().low[static_cast<std::size_t>(device)] = dtype;
}

LowTypes low_types() { return {of_thread().low}; }

void set_low_types(const LowTypes& types) { of_thread().low = types.of; }

int change_nesting(int by) { return of_thread().nesting += by; }

void set_cache_enabled(bool is_on) { of_thread().is_cache_enabled = is_on; }

}  // namespace assay::cuda::autocast
