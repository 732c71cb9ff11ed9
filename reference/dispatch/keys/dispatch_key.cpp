// The names of keys.
#include "reference/dispatch/keys/dispatch_key.hpp"

#include <array>

namespace assay::reference {
namespace {

constexpr std::array<std::string_view, kBackends> kBackendNames{
    "CPU", "CUDA", "HIP",  "XLA",  "MPS",  "IPU",         "XPU",         "HPU",
    "VE",  "Lazy", "MTIA", "MAIA", "Meta", "PrivateUse1", "PrivateUse2", "PrivateUse3",
};

constexpr std::array<std::string_view, kFunctionalities> kNames{
    "Undefined",
    "Dense",
    "FPGA",
    "ORT",
    "MAIA",
    "Vulkan",
    "Metal",
    "Quantized",
    "CustomRNGKeyId",
    "MkldnnCPU",
    "Sparse",
    "SparseCsr",
    "SparseCsrCPU",
    "SparseCsrCUDA",
    "NestedTensor",
    "BackendSelect",
    "Python",
    "Fake",
    "FuncTorchDynamicLayerBackMode",
    "Functionalize",
    "Named",
    "Conjugate",
    "Negative",
    "ZeroTensor",
    "ADInplaceOrView",
    "AutogradOther",
    "AutogradFunctionality",
    "AutogradNestedTensor",
    "Tracer",
    "AutocastCPU",
    "AutocastMTIA",
    "AutocastMAIA",
    "AutocastXPU",
    "AutocastIPU",
    "AutocastHPU",
    "AutocastXLA",
    "AutocastMPS",
    "AutocastCUDA",
    "AutocastPrivateUse1",
    "FuncTorchBatched",
    "BatchedNestedTensor",
    "FuncTorchVmapMode",
    "Batched",
    "VmapMode",
    "FuncTorchGradWrapper",
    "DeferredInit",
    "PythonTLSSnapshot",
    "FuncTorchDynamicLayerFrontMode",
    "TESTING_ONLY_GenericWrapper",
    "TESTING_ONLY_GenericMode",
    "PreDispatch",
    "PythonDispatcher",
    "Autograd",
    "CompositeImplicitAutograd",
    "FuncTorchBatchedDecomposition",
    "CompositeImplicitAutogradNestedTensor",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
};

/// The prefix of the backend's name in a per-backend key.
std::string_view prefix_of(Functionality functionality) {
  if (functionality == Functionality::kDense) return "";
  if (functionality == Functionality::kAutogradFunctionality) return "Autograd";
  return name_of(functionality);
}

}  // namespace

std::string_view name_of(Backend backend) {
  return kBackendNames[static_cast<std::size_t>(backend)];
}

std::string_view name_of(Functionality functionality) {
  return kNames[static_cast<std::size_t>(functionality)];
}

std::string name_of(DispatchKey key) {
  if (key.backend == Backend::kNone) return std::string(name_of(key.functionality));
  return std::string(prefix_of(key.functionality)).append(name_of(key.backend));
}

}  // namespace assay::reference
