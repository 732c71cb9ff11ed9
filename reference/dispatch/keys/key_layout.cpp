// The key lists of all releases, and the layouts derived from them.
#include "reference/dispatch/keys/key_layout.hpp"

#include <algorithm>
#include <string>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/forgotten_names.hpp"

namespace assay::reference {
namespace {

using enum Functionality;

// DSP-101, in ascending priority.
constexpr Backend kBackends1_13[] = {
    Backend::kCPU,         Backend::kCUDA,        Backend::kHIP,  Backend::kXLA,
    Backend::kMPS,         Backend::kIPU,         Backend::kXPU,  Backend::kHPU,
    Backend::kVE,          Backend::kLazy,        Backend::kMeta, Backend::kPrivateUse1,
    Backend::kPrivateUse2, Backend::kPrivateUse3,
};
constexpr Backend kBackends2_4[] = {
    Backend::kCPU,         Backend::kCUDA,        Backend::kHIP,  Backend::kXLA,
    Backend::kMPS,         Backend::kIPU,         Backend::kXPU,  Backend::kHPU,
    Backend::kVE,          Backend::kLazy,        Backend::kMTIA, Backend::kPrivateUse1,
    Backend::kPrivateUse2, Backend::kPrivateUse3, Backend::kMeta,
};
constexpr Backend kBackends2_11[] = {
    Backend::kCPU,         Backend::kCUDA,        Backend::kHIP,         Backend::kXLA,
    Backend::kMPS,         Backend::kIPU,         Backend::kXPU,         Backend::kHPU,
    Backend::kVE,          Backend::kLazy,        Backend::kMTIA,        Backend::kMAIA,
    Backend::kPrivateUse1, Backend::kPrivateUse2, Backend::kPrivateUse3, Backend::kMeta,
};

/// A functionality and the releases that have it, in the order of DSP-102.
struct Row {
  Functionality functionality;
  Release since = Release::k1_13;
  Release until = kNewestRelease;
};

constexpr Row kRows[] = {
    {kUndefined},
    {kDense},
    {kFPGA},
    {kORT, Release::k1_13, Release::k1_13},
    {kMAIA, Release::k2_4, Release::k2_4},
    {kVulkan},
    {kMetal},
    {kQuantized},
    {kCustomRNGKeyId},
    {kMkldnnCPU},
    {kSparse},
    {kSparseCsrCPU, Release::k1_13, Release::k1_13},
    {kSparseCsrCUDA, Release::k1_13, Release::k1_13},
    {kSparseCsr, Release::k2_4},
    {kNestedTensor},
    {kBackendSelect},
    {kFake, Release::k2_13},
    {kPython},
    {kFake, Release::k1_13, Release::k2_12},
    {kFuncTorchDynamicLayerBackMode},
    {kFunctionalize},
    {kNamed, Release::k1_13, Release::k2_12},
    {kConjugate},
    {kNegative},
    {kZeroTensor},
    {kADInplaceOrView},
    {kAutogradOther},
    {kAutogradFunctionality},
    {kAutogradNestedTensor},
    {kTracer},
    {kAutocastCPU},
    {kAutocastMTIA, Release::k2_11},
    {kAutocastMAIA, Release::k2_11},
    {kAutocastXPU},
    {kAutocastIPU, Release::k2_4},
    {kAutocastHPU, Release::k2_4},
    {kAutocastXLA, Release::k2_4},
    {kAutocastMPS, Release::k2_11},
    {kAutocastCUDA},
    {kAutocastPrivateUse1, Release::k2_4},
    {kFuncTorchBatched},
    {kBatchedNestedTensor, Release::k2_4},
    {kFuncTorchVmapMode},
    {kBatched},
    {kVmapMode},
    {kFuncTorchGradWrapper},
    {kDeferredInit},
    {kPythonTLSSnapshot},
    {kFuncTorchDynamicLayerFrontMode},
    {kTestingOnlyGenericWrapper},
    {kTestingOnlyGenericMode},
    {kPreDispatch, Release::k2_4},
    {kPythonDispatcher},
};

constexpr Row kAliasRows[] = {
    {kAutograd},
    {kCompositeImplicitAutograd},
    {kFuncTorchBatchedDecomposition, Release::k2_4},
    {kCompositeImplicitAutogradNestedTensor},
    {kCompositeExplicitAutograd},
    {kCompositeExplicitAutogradNonFunctional},
};

std::span<const Backend> backends_in(Release release) {
  if (release == Release::k1_13) return kBackends1_13;
  if (release == Release::k2_4) return kBackends2_4;
  return kBackends2_11;
}

std::vector<Functionality> present(std::span<const Row> rows, Release release) {
  std::vector<Functionality> there;
  for (const Row& row : rows) {
    if (row.since <= release && release <= row.until) there.push_back(row.functionality);
  }
  return there;
}

}  // namespace

KeyLayout::KeyLayout(Release release)
    : release_(release),
      backends_(backends_in(release).begin(), backends_in(release).end()),
      functionalities_(present(kRows, release)),
      aliases_(present(kAliasRows, release)) {
  backend_bit_.fill(-1);
  functionality_bit_.fill(-1);
  first_slot_.fill(-1);
  int bit = 0;
  for (const Backend backend : backends_) backend_bit_[static_cast<std::size_t>(backend)] = bit++;
  for (const Functionality functionality : functionalities_) {
    const auto index = static_cast<std::size_t>(functionality);
    if (functionality != kUndefined) functionality_bit_[index] = bit++;
    first_slot_[index] = slots();
    if (!is_per_backend(functionality)) {
      keys_.emplace_back(functionality);
      continue;
    }
    for (const Backend backend : backends_) keys_.emplace_back(functionality, backend);  // DSP-104
  }
}

const KeyLayout& KeyLayout::of(Release release) {
  static const auto layouts = [] {
    std::vector<KeyLayout> made;
    for (const Release each : kReleases) made.push_back(KeyLayout(each));
    return made;
  }();
  return layouts[static_cast<std::size_t>(release)];
}

std::vector<Functionality> KeyLayout::per_backend() const {
  std::vector<Functionality> found;
  std::ranges::copy_if(functionalities_, std::back_inserter(found),
                       [&](Functionality f) { return is_per_backend(f); });
  return found;
}

bool KeyLayout::is_per_backend(Functionality functionality) const {
  return functionality == kDense || functionality == kQuantized || functionality == kSparse ||
         functionality == kSparseCsr || functionality == kNestedTensor ||
         functionality == kAutogradFunctionality;  // DSP-103
}

bool KeyLayout::has(DispatchKey key) const {
  if (is_alias(key)) {
    return key.backend == Backend::kNone && std::ranges::count(aliases_, key.functionality) > 0;
  }
  if (std::ranges::count(functionalities_, key.functionality) == 0) return false;
  return key.backend == Backend::kNone ||
         (is_per_backend(key.functionality) && bit_of(key.backend) >= 0);
}

KeyKind KeyLayout::kind_of(DispatchKey key) const {
  if (is_alias(key)) return KeyKind::kAlias;
  if (key.functionality == kUndefined) return KeyKind::kUndefined;
  if (!is_per_backend(key.functionality)) return KeyKind::kPlain;
  return key.backend == Backend::kNone ? KeyKind::kBlock : KeyKind::kRuntime;
}

int KeyLayout::bit_of(Backend backend) const {
  return backend_bit_[static_cast<std::size_t>(backend)];
}

int KeyLayout::bit_of(Functionality functionality) const {
  return functionality_bit_[static_cast<std::size_t>(functionality)];
}

int KeyLayout::first_slot_of(Functionality functionality) const {
  return first_slot_[static_cast<std::size_t>(functionality)];
}

std::optional<int> KeyLayout::slot_of(DispatchKey key) const {
  const KeyKind kind = kind_of(key);
  if (kind == KeyKind::kAlias || kind == KeyKind::kBlock || !has(key)) return std::nullopt;
  const int first = first_slot_of(key.functionality);
  return kind == KeyKind::kRuntime ? first + bit_of(key.backend) : first;
}

std::optional<DispatchKey> KeyLayout::find(std::string_view name) const {
  // DSP-105: alternative names.
  if (name == "CatchAll") return kUndefined;
  if (name == "DefaultBackend") return kCompositeExplicitAutograd;
  if (name == "Autocast") return kAutocastCUDA;
  for (const DispatchKey key : keys_) {
    if (name_of(key) == name) return key;
  }
  for (const Functionality functionality : functionalities_) {
    if (name_of(functionality) == name) return functionality;
  }
  for (const Functionality alias : aliases_) {
    if (name_of(alias) == name) return alias;
  }
  return std::nullopt;
}

DispatchKey KeyLayout::parse(std::string_view text, Deviations deviations) const {
  const std::optional<DispatchKey> found = find(text);
  // DSP-116: accepts only the printed name.
  const bool is_known = found && name_of(*found) == text &&
                        (deviations == Deviations::kStrict || !is_forgotten(*found, release_));
  check(is_known, [&] { return "could not parse dispatch key: " + std::string(text); });
  return *found;
}

}  // namespace assay::reference
