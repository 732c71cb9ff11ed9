// The tables of DSP-101, DSP-102 and DSP-105.
#include "cuda_impl/dispatch/keys/key_facts.hpp"

#include <array>

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

}  // namespace assay::cuda::dispatch
