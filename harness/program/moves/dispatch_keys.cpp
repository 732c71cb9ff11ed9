// Random keys and key sets.
#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
namespace {

std::string some_backend(Draft& draft) {
  if (draft.contract().release != Release::k1_13 && draft.random().one_in(15)) return "MTIA";
  return draft.random().of({"CPU", "CUDA", "HIP", "XLA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy",
                            "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta"});
}

/// Bits of a backend or a functionality (DSP-101, DSP-102); other bits have no meaning.
std::uint64_t bits_of_keys(Release release) {
  int count = release < Release::k2_13 ? 63 : 62;
  if (release == Release::k2_4) count = 60;
  if (release == Release::k1_13) count = 54;
  return (std::uint64_t{1} << count) - 1;
}

/// Excludes keys at which PyTorch runs Python.
const char* some_plain_key(Random& random) {
  return random.of({"FPGA",
                    "Vulkan",
                    "Metal",
                    "CustomRNGKeyId",
                    "MkldnnCPU",
                    "SparseCsrCPU",
                    "SparseCsrCUDA",
                    "BackendSelect",
                    "Functionalize",
                    "Named",
                    "Conjugate",
                    "Negative",
                    "ZeroTensor",
                    "ADInplaceOrView",
                    "AutogradOther",
                    "AutogradNestedTensor",
                    "Tracer",
                    "AutocastCPU",
                    "AutocastXPU",
                    "AutocastCUDA",
                    "FuncTorchBatched",
                    "Batched",
                    "VmapMode",
                    "TESTING_ONLY_GenericWrapper",
                    "TESTING_ONLY_GenericMode"});
}

}  // namespace

const char* some_key(Random& random) {
  return random.of({"CPU",
                    "CPU",
                    "CUDA",
                    "CUDA",
                    "XLA",
                    "Meta",
                    "SparseCPU",
                    "SparseCUDA",
                    "QuantizedCPU",
                    "NestedTensorCPU",
                    "BackendSelect",
                    "ADInplaceOrView",
                    "AutogradOther",
                    "AutogradCPU",
                    "AutogradCPU",
                    "AutogradCUDA",
                    "AutogradXLA",
                    "Tracer",
                    "AutocastCPU",
                    "AutocastCUDA",
                    "TESTING_ONLY_GenericWrapper"});
}

std::string any_key(Draft& draft) {
  Random& random = draft.random();
  if (random.one_in(3)) return some_key(random);
  if (random.one_in(3)) {
    const char* key = some_plain_key(random);
    const bool is_gone =
        key == std::string_view("Named") && draft.contract().release >= Release::k2_13;
    return is_gone ? "Negative" : key;
  }
  const char* prefix = random.of({"", "", "Quantized", "Sparse", "NestedTensor", "Autograd"});
  return prefix + some_backend(draft);
}

std::string any_alias(Draft& draft) {
  const char* alias =
      draft.random().of({"CompositeImplicitAutograd", "CompositeImplicitAutograd",
                         "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional",
                         "Autograd", "CompositeImplicitAutogradNestedTensor"});
  if (draft.contract().release != Release::k1_13 && draft.random().one_in(12)) {
    alias = "FuncTorchBatchedDecomposition";
  }
  return alias;
}

/// Excludes Tracer: PyTorch crashes in its own kernel if a thread includes that key.
const char* key_for_threads(Random& random) {
  const char* key = some_key(random);
  return key == std::string_view("Tracer") ? "AutogradOther" : key;
}

List some_set(Random& random, std::int64_t most) {
  List keys;
  for (std::int64_t left = random.between(0, most); left > 0; --left) {
    keys.items.emplace_back(key_for_threads(random));
  }
  return keys;
}

/// Excludes Tracer: PyTorch crashes in its own kernel if a tensor has that key.
List any_keys(Draft& draft) {
  List keys;
  for (std::int64_t left = draft.random().between(0, 3); left > 0; --left) {
    const std::string key = any_key(draft);
    if (key != "Tracer") keys.items.emplace_back(key);
  }
  return keys;
}

Value any_set(Draft& draft) {
  if (draft.random().one_in(12)) {
    return static_cast<std::int64_t>(draft.random().bits() &
                                     bits_of_keys(draft.contract().release));
  }
  return any_keys(draft);
}

}  // namespace assay
