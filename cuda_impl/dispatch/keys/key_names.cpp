// Prints and parses the names of keys (DSP-116).
#include <algorithm>
#include <array>
#include <string>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/keys/layout.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

/// A backend whose per-backend keys PyTorch can parse, since a release.
struct Readable {
  Backend backend;
  Release since = Release::k1_13;
};

constexpr std::array kQuantizedNames = {Readable{Backend::kCpu}, Readable{Backend::kCuda},
                                        Readable{Backend::kXpu},
                                        Readable{Backend::kPrivateUse1, Release::k2_4}};
constexpr std::array kNestedNames = {Readable{Backend::kCpu},
                                     Readable{Backend::kCuda},
                                     Readable{Backend::kPrivateUse1, Release::k2_4},
                                     Readable{Backend::kMeta, Release::k2_4},
                                     Readable{Backend::kXpu, Release::k2_11},
                                     Readable{Backend::kHpu, Release::k2_11}};
constexpr std::array kSparseNames = {Readable{Backend::kCpu},
                                     Readable{Backend::kCuda},
                                     Readable{Backend::kHip},
                                     Readable{Backend::kXpu},
                                     Readable{Backend::kVe},
                                     Readable{Backend::kPrivateUse1, Release::k2_4},
                                     Readable{Backend::kMeta, Release::k2_4},
                                     Readable{Backend::kMps, Release::k2_11}};
constexpr std::array kAutogradNames = {
    Readable{Backend::kCpu},         Readable{Backend::kCuda},
    Readable{Backend::kXla},         Readable{Backend::kMps},
    Readable{Backend::kIpu},         Readable{Backend::kXpu},
    Readable{Backend::kHpu},         Readable{Backend::kLazy},
    Readable{Backend::kMeta},        Readable{Backend::kPrivateUse1},
    Readable{Backend::kPrivateUse2}, Readable{Backend::kPrivateUse3}};

std::span<const Readable> readable(Functionality functionality) {
  if (functionality == kQuantized) return kQuantizedNames;
  if (functionality == kNestedTensor) return kNestedNames;
  if (functionality == kAutograd) return kAutogradNames;
  return kSparseNames;
}

bool is_read_by_pytorch(Key key, Release release) {
  if (key.backend == Backend::kNone || key.functionality == kDense) return true;
  return std::ranges::any_of(readable(key.functionality), [&](const Readable& one) {
    return one.backend == key.backend && one.since <= release;
  });
}

}  // namespace

std::string name_of(Key key) {
  const FunctionalityFacts& known = facts(key.functionality);
  if (key.backend == Backend::kNone) return std::string(known.name);
  return std::string(known.prefix) + std::string(name_of(key.backend));
}

std::optional<Key> Layout::find(std::string_view name) const {
  if (name == "CatchAll") return Key();
  if (name == "DefaultBackend") return Key(kCompositeExplicit);
  if (name == "Autocast") return Key(kAutocastCuda);
  for (const Key key : keys_) {
    if (name_of(key) == name) return key;
  }
  for (const auto& all : {functionalities_, aliases_}) {
    for (const Functionality functionality : all) {
      if (facts(functionality).name == name) return Key(functionality);
    }
  }
  return std::nullopt;
}

Key Layout::parse(std::string_view text, const Contract& contract) const {
  const auto found = find(text);
  const bool is_own_name = found && name_of(*found) == text;
  const bool is_read = is_own_name && (contract.is_strict || is_read_by_pytorch(*found, release_));
  require(is_read, [&] { return "could not parse dispatch key: " + std::string(text); });
  return *found;
}

}  // namespace assay::cuda::dispatch
