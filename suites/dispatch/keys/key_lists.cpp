// The lists of DSP-101, DSP-102 and DSP-105.
#include "suites/dispatch/keys/key_lists.hpp"

#include <algorithm>

namespace assay::suites {
namespace {

using Names = std::vector<std::string>;

const Names kBackends1_13 = {"CPU",  "CUDA",        "HIP",         "XLA",        "MPS",
                             "IPU",  "XPU",         "HPU",         "VE",         "Lazy",
                             "Meta", "PrivateUse1", "PrivateUse2", "PrivateUse3"};
const Names kBackends2_4 = {"CPU",  "CUDA",        "HIP",         "XLA",         "MPS",
                            "IPU",  "XPU",         "HPU",         "VE",          "Lazy",
                            "MTIA", "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta"};
const Names kBackends2_11 = {"CPU",         "CUDA",        "HIP",         "XLA",  "MPS",  "IPU",
                             "XPU",         "HPU",         "VE",          "Lazy", "MTIA", "MAIA",
                             "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta"};

Names joined(std::initializer_list<Names> parts) {
  Names all;
  for (const Names& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// From Python to Tracer.
Names middle_of(Release release) {
  const bool is_late = release >= Release::k2_13;
  return joined({is_late ? Names{"Fake", "Python"} : Names{"Python", "Fake"},
                 {"FuncTorchDynamicLayerBackMode", "Functionalize"},
                 is_late ? Names{} : Names{"Named"},
                 {"Conjugate", "Negative", "ZeroTensor", "ADInplaceOrView", "AutogradOther",
                  "AutogradFunctionality", "AutogradNestedTensor", "Tracer"}});
}
/// Equal in all releases: from vmap to the end without PreDispatch.
const Names kEnd = {"FuncTorchVmapMode",
                    "Batched",
                    "VmapMode",
                    "FuncTorchGradWrapper",
                    "DeferredInit",
                    "PythonTLSSnapshot",
                    "FuncTorchDynamicLayerFrontMode",
                    "TESTING_ONLY_GenericWrapper",
                    "TESTING_ONLY_GenericMode"};

Names functionalities_of(Release release) {
  if (release == Release::k1_13) {
    return joined(
        {{"Dense", "FPGA", "ORT", "Vulkan", "Metal", "Quantized", "CustomRNGKeyId", "MkldnnCPU",
          "Sparse", "SparseCsrCPU", "SparseCsrCUDA", "NestedTensor", "BackendSelect"},
         middle_of(release),
         {"AutocastCPU", "AutocastXPU", "AutocastCUDA", "FuncTorchBatched"},
         kEnd,
         {"PythonDispatcher"}});
  }
  const bool is_new = release >= Release::k2_11;
  const Names plain = is_new ? Names{"Vulkan", "Metal"} : Names{"MAIA", "Vulkan", "Metal"};
  const Names autocast =
      is_new ? Names{"AutocastCPU",  "AutocastMTIA",       "AutocastMAIA", "AutocastXPU",
                     "AutocastIPU",  "AutocastHPU",        "AutocastXLA",  "AutocastMPS",
                     "AutocastCUDA", "AutocastPrivateUse1"}
             : Names{"AutocastCPU", "AutocastXPU",  "AutocastIPU",        "AutocastHPU",
                     "AutocastXLA", "AutocastCUDA", "AutocastPrivateUse1"};
  return joined({{"Dense", "FPGA"},
                 plain,
                 {"Quantized", "CustomRNGKeyId", "MkldnnCPU", "Sparse", "SparseCsr", "NestedTensor",
                  "BackendSelect"},
                 middle_of(release),
                 autocast,
                 {"FuncTorchBatched", "BatchedNestedTensor"},
                 kEnd,
                 {"PreDispatch", "PythonDispatcher"}});
}

Names aliases_of(Release release) {
  Names names = {"Autograd", "CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor",
                 "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"};
  if (release != Release::k1_13) names.emplace_back("FuncTorchBatchedDecomposition");
  return names;
}

std::uint64_t bit(std::size_t index) { return std::uint64_t{1} << index; }

std::size_t index_in(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

bool is_one_of(const Names& texts, const std::string& text) {
  return std::ranges::count(texts, text) > 0;
}

std::string instance_name(const std::string& functionality, const std::string& backend) {
  if (functionality == "Dense") return backend;
  if (functionality == "AutogradFunctionality") return "Autograd" + backend;
  return functionality + backend;
}

KeyModel::KeyModel(Release release)
    : backends_(release == Release::k1_13  ? kBackends1_13
                : release == Release::k2_4 ? kBackends2_4
                                           : kBackends2_11),
      functionalities_(functionalities_of(release)),
      aliases_(aliases_of(release)) {
  for (const char* name :
       {"Dense", "Quantized", "Sparse", "SparseCsr", "NestedTensor", "AutogradFunctionality"}) {
    if (has_functionality(name)) per_backend_.emplace_back(name);
  }
  for (const std::string& functionality : functionalities_) {
    if (!is_per_backend(functionality)) {
      keys_.push_back({functionality, functionality, ""});
      continue;
    }
    for (const std::string& backend : backends_) {
      keys_.push_back({instance_name(functionality, backend), functionality, backend});
    }
  }
}

const KeyModel& key_model(Release release) {
  static const std::vector<KeyModel> models(kReleases.begin(), kReleases.end());
  return models[static_cast<std::size_t>(release)];
}

bool KeyModel::is_per_backend(const std::string& functionality) const {
  return is_one_of(per_backend_, functionality);
}
bool KeyModel::has_backend(const std::string& name) const { return is_one_of(backends_, name); }
bool KeyModel::has_functionality(const std::string& name) const {
  return is_one_of(functionalities_, name);
}

std::uint64_t KeyModel::backend_bit(const std::string& backend) const {
  return has_backend(backend) ? bit(index_in(backends_, backend)) : 0;
}

std::uint64_t KeyModel::functionality_bit(const std::string& functionality) const {
  if (!has_functionality(functionality)) return 0;
  return bit(backends_.size() + index_in(functionalities_, functionality));
}

std::uint64_t KeyModel::set_of(const ModelKey& key) const {
  return functionality_bit(key.functionality) | backend_bit(key.backend);
}

std::uint64_t KeyModel::all_backends() const { return bit(backends_.size()) - 1; }

std::uint64_t KeyModel::full() const { return bit(backends_.size() + functionalities_.size()) - 1; }

std::vector<std::string> KeyModel::keys_in(std::uint64_t set) const {
  std::vector<std::string> found;
  for (const ModelKey& key : keys_) {
    const std::uint64_t bits = set_of(key);
    if ((set & bits) == bits) found.push_back(key.name);
  }
  return found;
}

std::string KeyModel::highest_in(std::uint64_t set) const {
  for (std::size_t i = functionalities_.size(); i-- > 0;) {
    const std::string& functionality = functionalities_[i];
    if ((set & functionality_bit(functionality)) == 0) continue;
    if (!is_per_backend(functionality)) return functionality;
    for (std::size_t b = backends_.size(); b-- > 0;) {
      if ((set & bit(b)) != 0) return instance_name(functionality, backends_[b]);
    }
    return functionality;
  }
  return "Undefined";
}

}  // namespace assay::suites
