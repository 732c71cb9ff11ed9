// Assigns bits and slots to keys; the keys that an alias stands for, and the autograd key of a
// backend.
#include "cuda_impl/dispatch/keys/layout.hpp"

#include <algorithm>
#include <array>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

bool is_in(Backend backend, Release release) {
  if (backend == Backend::kMtia) return release != Release::k1_13;
  if (backend == Backend::kMaia) return release >= Release::k2_11;
  return backend != Backend::kNone;
}

/// Since 2.13, Python ranks above Fake.
Functionality ranked(int rank, Release release) {
  const auto functionality = static_cast<Functionality>(rank);
  if (release < Release::k2_13) return functionality;
  if (functionality == kPython) return kFake;
  return functionality == kFake ? kPython : functionality;
}

std::vector<Backend> backends_of(Release release) {
  std::vector<Backend> all;
  for (int i = 0; i < kBackends; ++i) {
    const auto backend = static_cast<Backend>(i);
    if (is_in(backend, release)) all.push_back(backend);
  }
  if (release == Release::k1_13) {  // Meta was below the private backends
    std::rotate(all.end() - 4, all.end() - 1, all.end());
  }
  return all;
}

}  // namespace

const Layout& Layout::of(Release release) {
  static const auto all = [] {
    std::vector<Layout> made;
    for (const Release each : kReleases) made.push_back(Layout(each));
    return made;
  }();
  return all[static_cast<std::size_t>(release)];
}

Layout::Layout(Release release) : release_(release), backends_(backends_of(release)) {
  for (std::size_t i = 0; i < backends_.size(); ++i) {
    backend_at_[static_cast<std::size_t>(backends_[i])] = static_cast<std::uint8_t>(i);
  }
  map_.backends = bits_below(static_cast<unsigned>(backends_.size()));
  functionalities_.push_back(kUndefined);
  keys_.emplace_back();
  for (int i = 1; i < kFunctionalities; ++i) {
    const Functionality functionality = ranked(i, release);
    if (!facts(functionality).is_in(release)) continue;
    if (Key(functionality).is_alias()) {
      aliases_.push_back(functionality);
    } else {
      place(functionality);
    }
  }
  undefined_tensor_ = set_of({kADInplaceOrView, kAutogradOther});
}

void Layout::place(Functionality functionality) {
  const auto top = static_cast<unsigned>(backends_.size() + functionalities_.size() - 1);
  bit_at_[static_cast<std::size_t>(functionality)] = static_cast<std::uint8_t>(top);
  SlotMap::Row& row = map_.rows[63U - top];
  row.last = static_cast<std::uint32_t>(keys_.size());
  functionalities_.push_back(functionality);
  full_ = bits_below(top + 1);
  if (!facts(functionality).is_per_backend) {
    keys_.emplace_back(functionality);
    return;
  }
  row.last += 63U;
  row.per_backend = ~std::uint32_t{0};
  per_backend_bits_ |= key_bit(top);
  for (const Backend backend : backends_) keys_.emplace_back(functionality, backend);
}

bool Layout::has(Key key) const {
  if (!facts(key.functionality).is_in(release_)) return false;
  return key.backend == Backend::kNone || is_in(key.backend, release_);
}

KeyKind Layout::kind_of(Key key) const {
  if (key.is_undefined()) return KeyKind::kUndefined;
  if (key.is_alias()) return KeyKind::kAlias;
  if (!facts(key.functionality).is_per_backend) return KeyKind::kPlain;
  return key.backend == Backend::kNone ? KeyKind::kBlock : KeyKind::kRuntime;
}

std::optional<unsigned> Layout::slot_of(Key key) const {
  const KeyKind kind = kind_of(key);
  if (kind == KeyKind::kAlias || kind == KeyKind::kBlock) return std::nullopt;
  return map_.slot_of(set_of(key));
}

KeySet Layout::set_of(Key key) const {
  if (key.is_undefined() || key.is_alias()) return {};
  const std::uint64_t own = key_bit(bit_at_[static_cast<std::size_t>(key.functionality)]);
  return {key.backend == Backend::kNone ? own : own | key_bit(index_of(key.backend))};
}

KeySet Layout::set_of(std::initializer_list<Key> keys) const {
  KeySet set;
  for (const Key key : keys) set |= set_of(key);
  return set;
}

KeySet Layout::full_after(Key key) const {
  const KeySet last = set_of(kPythonDispatcher);
  if (key.is_undefined() || key.is_alias()) return KeySet{map_.backends << 1U} | last;
  return KeySet{bits_below(bit_at_[static_cast<std::size_t>(key.functionality)])} | last;
}

bool Layout::has(KeySet set, Key key) const {
  require(!key.is_undefined(), ErrorKind::kInternal,
          [] { return "no set of keys is asked for Undefined"; });
  return set.has_all(set_of(key));
}

bool Layout::has_any(KeySet set, KeySet any) const {
  const bool is_mixed = (any.bits & map_.backends) != 0 && (any.bits & per_backend_bits_) != 0;
  require(!is_mixed, ErrorKind::kInternal, [&] {
    return "has_any takes no set of backends and of functionalities that are per backend: " +
           text(any);
  });
  return !(set & any).empty();
}

Key Layout::highest(KeySet set) const {
  const KeySet functionality = set.without(all_backends());
  if (functionality.empty()) return {};
  const unsigned top = highest_index(functionality.bits);
  const Functionality found = functionalities_[top - backends_.size() + 1];
  const KeySet backends = set & all_backends();
  if (!facts(found).is_per_backend || backends.empty()) return found;
  return {found, backends_[highest_index(backends.bits)]};
}

Key Layout::highest_backend(KeySet set) const {
  KeySet wanted = all_backends() | set_of({kDense, kQuantized, kSparse});
  if (has(Key(kSparseCsr))) wanted |= set_of(kSparseCsr);
  return highest(set & wanted);
}

std::vector<Key> Layout::keys_of(KeySet set) const {
  std::vector<Key> found;
  for (std::size_t slot = 1; slot < keys_.size(); ++slot) {
    if (set.has_all(set_of(keys_[slot]))) found.push_back(keys_[slot]);
  }
  return found;
}

std::string Layout::text(KeySet set) const {
  std::string names;
  for (const Key key : keys_of(set)) names += (names.empty() ? "" : ", ") + name_of(key);
  return "DispatchKeySet(" + names + ")";
}

namespace {

/// Precomputed by functionality, because it is queried for each slot of each table.
constexpr auto kIsOfBackends = [] {
  std::array<bool, kFunctionalities> is_one = {};
  for (const Functionality one :
       {kDense, kQuantized, kSparse, kFpga, kOrt, kMaia, kVulkan, kMetal, kCustomRngKeyId,
        kMkldnnCpu, kSparseCsrCpu, kSparseCsrCuda, kSparseCsr}) {
    is_one[static_cast<std::size_t>(one)] = true;
  }
  return is_one;
}();

bool is_autograd(Functionality functionality) {
  return functionality == kAutogradOther || functionality == kAutograd ||
         functionality == kAutogradNestedTensor;
}

bool is_functional(Key key) {
  return key.functionality != kSparse && key.backend != Backend::kXla &&
         key.backend != Backend::kLazy;
}

}  // namespace

bool Layout::is_backend_key(Key key) const {
  return kIsOfBackends[static_cast<std::size_t>(key.functionality)];
}

/// DSP-106
bool Layout::is_member(Key key, Functionality alias) const {
  const Functionality own = key.functionality;
  switch (alias) {
    case kAliasAutograd:
      return is_autograd(own);
    case kCompositeExplicit:
      return is_backend_key(key);
    case kCompositeExplicitNonFunctional:
      return is_backend_key(key) && is_functional(key);
    case kCompositeImplicitNested:
      return own == kNestedTensor || own == kAutogradNestedTensor;
    case kCompositeImplicit:
      if (own == kFunctionalize) return release_ == Release::k2_4;
      return is_backend_key(key) || is_autograd(own) || own == kNestedTensor;
    case kBatchedDecomposition:
      return own == kFuncTorchBatched;
    default:
      return false;
  }
}

Slots Layout::members_of(Key key) const {
  Slots members;
  if (const auto own = slot_of(key)) members.set(*own);
  for (std::size_t slot = 1; key.is_alias() && slot < keys_.size(); ++slot) {
    members[slot] = is_member(keys_[slot], key.functionality);
  }
  return members;
}

Key Layout::autograd_of(Key key) const {
  switch (key.backend) {
    case Backend::kNone:
    case Backend::kHip:
    case Backend::kVe:
      return kAutogradOther;
    case Backend::kMtia:
      if (release_ < Release::k2_11) return kAutogradOther;
      break;
    default:
      break;
  }
  return {kAutograd, key.backend};
}

}  // namespace assay::cuda::dispatch
