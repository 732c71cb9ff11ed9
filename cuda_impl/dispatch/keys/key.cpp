// The tables of DSP-101, DSP-102 and DSP-105; prints and parses the names of keys (DSP-116).
#include "cuda_impl/dispatch/keys/key.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/keys/layout.hpp"

namespace assay::cuda::dispatch {
namespace {

constexpr auto k1_13 = Release::k1_13;
constexpr auto k2_4 = Release::k2_4;
constexpr auto k2_11 = Release::k2_11;
constexpr auto k2_12 = Release::k2_12;

constexpr FunctionalityFacts plain(std::string_view name, Release since = k1_13,
                                   Release until = kNewestRelease) {
  return {name, false, {}, since, until};
}
constexpr FunctionalityFacts each(std::string_view name, std::string_view prefix,
                                  Release since = k1_13) {
  return {name, true, prefix, since, kNewestRelease};
}

/// Indexed by Functionality.
constexpr std::array<FunctionalityFacts, kFunctionalities> kFacts = {
    plain("Undefined"),
    each("Dense", ""),
    plain("FPGA"),
    plain("ORT", k1_13, k1_13),
    plain("MAIA", k2_4, k2_4),
    plain("Vulkan"),
    plain("Metal"),
    each("Quantized", "Quantized"),
    plain("CustomRNGKeyId"),
    plain("MkldnnCPU"),
    each("Sparse", "Sparse"),
    plain("SparseCsrCPU", k1_13, k1_13),
    plain("SparseCsrCUDA", k1_13, k1_13),
    each("SparseCsr", "SparseCsr", k2_4),
    each("NestedTensor", "NestedTensor"),
    plain("BackendSelect"),
    plain("Python"),
    plain("Fake"),
    plain("FuncTorchDynamicLayerBackMode"),
    plain("Functionalize"),
    plain("Named", k1_13, k2_12),
    plain("Conjugate"),
    plain("Negative"),
    plain("ZeroTensor"),
    plain("ADInplaceOrView"),
    plain("AutogradOther"),
    each("AutogradFunctionality", "Autograd"),
    plain("AutogradNestedTensor"),
    plain("Tracer"),
    plain("AutocastCPU"),
    plain("AutocastMTIA", k2_11),
    plain("AutocastMAIA", k2_11),
    plain("AutocastXPU"),
    plain("AutocastIPU", k2_4),
    plain("AutocastHPU", k2_4),
    plain("AutocastXLA", k2_4),
    plain("AutocastMPS", k2_11),
    plain("AutocastCUDA"),
    plain("AutocastPrivateUse1", k2_4),
    plain("FuncTorchBatched"),
    plain("BatchedNestedTensor", k2_4),
    plain("FuncTorchVmapMode"),
    plain("Batched"),
    plain("VmapMode"),
    plain("FuncTorchGradWrapper"),
    plain("DeferredInit"),
    plain("PythonTLSSnapshot"),
    plain("FuncTorchDynamicLayerFrontMode"),
    plain("TESTING_ONLY_GenericWrapper"),
    plain("TESTING_ONLY_GenericMode"),
    plain("PreDispatch", k2_4),
    plain("PythonDispatcher"),
    plain("Autograd"),
    plain("CompositeImplicitAutograd"),
    plain("FuncTorchBatchedDecomposition", k2_4),
    plain("CompositeImplicitAutogradNestedTensor"),
    plain("CompositeExplicitAutograd"),
    plain("CompositeExplicitAutogradNonFunctional"),
};
static_assert(kFacts.back().name == "CompositeExplicitAutogradNonFunctional");

constexpr std::array<std::string_view, kBackends> kBackendNames = {
    "",   "CPU",  "CUDA", "HIP",  "XLA",         "MPS",         "IPU",         "XPU", "HPU",
    "VE", "Lazy", "MTIA", "MAIA", "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta"};

}  // namespace

const FunctionalityFacts& facts(Functionality functionality) {
  return kFacts[static_cast<std::size_t>(functionality)];
}

std::string_view name_of(Backend backend) {
  return kBackendNames[static_cast<std::size_t>(backend)];
}

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
