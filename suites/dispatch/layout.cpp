// The layout of keys in the bits of a key set.
#include "suites/dispatch/layout.hpp"

#include <algorithm>
#include <bit>

namespace assay::suites {
namespace {

bool contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// The part before the backend's name: `Sparse` for `SparseCPU`, empty for `CPU`.
std::string prefix_of(const std::string& functionality) {
  if (functionality == "Dense") return "";
  if (functionality == "AutogradFunctionality") return "Autograd";
  return functionality;
}

/// Functionalities with backends (DSP-106), for all contracts.
const std::vector<std::string> kBackendFunctionalities{
    "Dense", "Quantized",      "Sparse",    "FPGA",      "ORT",          "MAIA",         "Vulkan",
    "Metal", "CustomRNGKeyId", "MkldnnCPU", "SparseCsr", "SparseCsrCPU", "SparseCsrCUDA"};

/// Backends with their own autograd key (DSP-107).
const std::vector<std::string> kOwnAutograd{
    "CPU",  "CUDA", "XLA",  "MPS",  "IPU",         "XPU",         "HPU",
    "Lazy", "Meta", "MTIA", "MAIA", "PrivateUse1", "PrivateUse2", "PrivateUse3"};

}  // namespace

Layout::Layout(KeyLists lists, Release release) : lists_(std::move(lists)), release_(release) {
  if (lists_.functionalities.empty() || lists_.backends.empty() || lists_.backends.size() > 63) {
    throw BadReply("a layout has functionalities, and from 1 to 63 backends");
  }
  for (int f = 0; f < static_cast<int>(lists_.functionalities.size()); ++f) {
    const int count = is_per_backend(f) ? static_cast<int>(lists_.backends.size()) : 1;
    for (int b = 0; b < count; ++b) {
      const RuntimeKey key{.functionality = f, .backend = is_per_backend(f) ? b : -1};
      runtime_keys_.push_back(name_of(key));
      by_name_.emplace(runtime_keys_.back(), key);
    }
  }
}

bool Layout::is_per_backend(int functionality) const {
  return contains(lists_.per_backend,
                  lists_.functionalities.at(static_cast<std::size_t>(functionality)));
}

std::string Layout::name_of(RuntimeKey key) const {
  const std::string& name = lists_.functionalities.at(static_cast<std::size_t>(key.functionality));
  if (key.backend < 0) return name;
  return prefix_of(name) + lists_.backends.at(static_cast<std::size_t>(key.backend));
}

KeyBits Layout::backend_bits() const { return (KeyBits{1} << lists_.backends.size()) - 1; }

KeyBits Layout::bits_of(const std::string& key) const {
  const RuntimeKey runtime = parse(key);
  if (runtime.functionality == 0) return 0;
  const auto above = static_cast<unsigned>(lists_.backends.size()) - 1U;
  const KeyBits bit = KeyBits{1} << (above + static_cast<unsigned>(runtime.functionality));
  return runtime.backend < 0 ? bit : bit | KeyBits{1} << static_cast<unsigned>(runtime.backend);
}

KeyBits Layout::union_of(const std::vector<std::string>& keys) const {
  KeyBits bits = 0;
  for (const std::string& key : keys) bits |= bits_of(key);
  return bits;
}

KeyBits Layout::functionality_bit(const std::string& functionality) const {
  for (const std::string& key : runtime_keys_) {
    const auto index = static_cast<std::size_t>(parse(key).functionality);
    if (lists_.functionalities[index] == functionality) return bits_of(key) & ~backend_bits();
  }
  return 0;
}

int Layout::highest_backend(KeyBits set) const {
  const KeyBits backends = set & backend_bits();
  return backends == 0 ? 0 : static_cast<int>(std::bit_width(backends)) - 1;
}

std::string Layout::highest(KeyBits set) const {
  const KeyBits functionalities = set >> lists_.backends.size();
  if (functionalities == 0) return "Undefined";
  const auto top = static_cast<int>(std::bit_width(functionalities));
  return name_of(
      {.functionality = top, .backend = is_per_backend(top) ? highest_backend(set) : -1});
}

std::string Layout::functionality_of(const std::string& key) const {
  return lists_.functionalities.at(static_cast<std::size_t>(parse(key).functionality));
}

bool Layout::is_autograd(const std::string& key) const {
  const std::string functionality = functionality_of(key);
  return functionality == "AutogradOther" || functionality == "AutogradNestedTensor" ||
         functionality == "AutogradFunctionality";
}

bool Layout::is_backend_key(const std::string& key) const {
  return contains(kBackendFunctionalities, functionality_of(key));
}

bool Layout::alias_has(std::string_view alias, const std::string& key) const {
  const std::string functionality = functionality_of(key);
  const RuntimeKey runtime = parse(key);
  const bool nested = functionality == "NestedTensor";
  if (alias == "CompositeExplicitAutograd") return is_backend_key(key);
  if (alias == "CompositeExplicitAutogradNonFunctional") {
    const std::string backend =
        runtime.backend < 0 ? "" : lists_.backends.at(static_cast<std::size_t>(runtime.backend));
    return is_backend_key(key) && functionality != "Sparse" && backend != "XLA" &&
           backend != "Lazy";
  }
  if (alias == "Autograd") return is_autograd(key);
  if (alias == "CompositeImplicitAutogradNestedTensor") {
    return nested || functionality == "AutogradNestedTensor";
  }
  if (alias == "FuncTorchBatchedDecomposition") return key == "FuncTorchBatched";
  const bool functionalize = release_ == Release::k2_4 && key == "Functionalize";
  return alias == "CompositeImplicitAutograd" &&
         (is_backend_key(key) || is_autograd(key) || nested || functionalize);
}

std::string Layout::autograd_of(const std::string& key) const {
  const int index = parse(key).backend;
  if (index < 0) return "AutogradOther";
  const std::string& backend = lists_.backends.at(static_cast<std::size_t>(index));
  if (backend == "MTIA" && release_ == Release::k2_4) return "AutogradOther";
  return contains(kOwnAutograd, backend) ? "Autograd" + backend : "AutogradOther";
}

KeyBits Layout::included_by_default() const {
  return functionality_bit("BackendSelect") | functionality_bit("ADInplaceOrView");
}

KeyBits Layout::full_after(const std::string& key) const {
  return ((bits_of(key) & ~backend_bits()) - 1) | functionality_bit("PythonDispatcher");
}

KeyBits Layout::after_autograd() const { return full_after("AutogradOther"); }

Layout layout_of(Session& subject) {
  return {subject.dispatch().keys(), subject.contract().release};
}

}  // namespace assay::suites
