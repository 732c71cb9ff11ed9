// Moves of the area dispatch: keys, the algebra of key sets, and thread-local included and excluded
// keys.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {

// Random keys and key sets.

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

// Keys and the algebra of key sets.

namespace {

bool one_key(Draft& draft) {
  const bool alias = draft.random().one_in(5);
  draft.add("dispatch.key", {{"key", alias ? any_alias(draft) : any_key(draft)}});
  return true;
}

bool read_key(Draft& draft) {
  std::string text = draft.random().one_in(6) ? any_alias(draft) : any_key(draft);
  if (draft.random().one_in(6)) text += "x";
  draft.add("dispatch.parse_key", {{"text", text}});
  return true;
}

bool show_set(Draft& draft) {
  draft.add("dispatch.set", {{"a", any_set(draft)}});
  return true;
}

bool combine(Draft& draft) {
  draft.add("dispatch.set", {{"a", any_set(draft)},
                             {"operation", draft.random().of({"or", "and", "minus", "xor"})},
                             {"b", any_set(draft)}});
  return true;
}

bool change_set(Draft& draft) {
  const bool backend = draft.random().one_in(3);
  const char* operation = backend ? "remove_backend" : draft.random().of({"add", "remove"});
  const std::string operand =
      backend ? draft.random().of({"CPU", "CUDA", "XLA", "Meta"}) : any_key(draft);
  draft.add("dispatch.set", {{"a", any_set(draft)}, {"operation", operation}, {"b", operand}});
  return true;
}

bool has(Draft& draft) {
  Fields with{{"set", any_set(draft)}};
  if (draft.random().one_in(2)) {
    with.set("key", any_key(draft));
  } else {
    with.set(draft.random().of({"all", "any"}), any_set(draft));
  }
  draft.add("dispatch.has", std::move(with));
  return true;
}

bool named_set(Draft& draft) {
  const char* name = draft.random().of(
      {"full", "after_autograd", "after_ADInplaceOrView", "after_functionalize", "full_after"});
  Fields with{{"name", name}};
  if (name == std::string_view("full_after")) with.set("key", any_key(draft));
  draft.add("dispatch.named_set", std::move(with));
  return true;
}

bool backend_key(Draft& draft) {
  Random& random = draft.random();
  const Dtype dtype = random.of({Dtype::kFloat32, Dtype::kFloat16, Dtype::kQint8, Dtype::kInt64});
  draft.add("dispatch.backend_key",
            {{"device", random.of({"cpu", "cuda", "hip", "xla", "xpu", "meta", "fpga", "ve"})},
             {"dtype", dtype},
             {"layout", random.of({"strided", "strided", "sparse", "sparse_csr", "mkldnn"})}});
  return true;
}

const std::array kKeyMoves = {
    Move{"dispatch.key", 3, one_key},         Move{"dispatch.parse_key", 2, read_key},
    Move{"dispatch.set", 2, show_set},        Move{"dispatch.set", 2, combine},
    Move{"dispatch.set", 2, change_set},      Move{"dispatch.has", 2, has},
    Move{"dispatch.named_set", 2, named_set}, Move{"dispatch.backend_key", 2, backend_key},
};

}  // namespace

std::span<const Move> dispatch_key_moves() { return kKeyMoves; }

// Thread-local included and excluded keys.

namespace {

bool show(Draft& draft) {
  draft.add("dispatch.tls", {});
  return true;
}

/// Some guards are named, so that they can be left out of order.
bool guard(Draft& draft, const char* verb, Fields with) {
  if (!draft.random().one_in(3)) {
    draft.add(verb, std::move(with));
  } else {
    draft.make(verb, std::move(with), {"", "guard"});
  }
  return true;
}

bool include(Draft& draft) {
  return guard(draft, "dispatch.include", {{"keys", some_set(draft.random())}});
}

bool exclude(Draft& draft) {
  return guard(draft, "dispatch.exclude", {{"keys", some_set(draft.random())}});
}

bool force(Draft& draft) {
  List included = some_set(draft.random());
  List excluded = some_set(draft.random());
  return guard(draft, "dispatch.force",
               {{"included", std::move(included)}, {"excluded", std::move(excluded)}});
}

bool below(Draft& draft) {
  const char* what = draft.random().of({"autograd", "ADInplaceOrView", "inference_mode"});
  return guard(draft, "dispatch.below", {{"what", what}});
}

bool restore(Draft& draft) {
  const Known* state = draft.any("state");
  if (state == nullptr) return include(draft);
  return guard(draft, "dispatch.restore", {{"state", Ref{state->name}}});
}

/// The first of two guards ends before the second.
bool cross(Draft& draft) {
  const std::string first = draft.fresh("g");
  const std::string second = draft.fresh("g");
  Command command;
  command.verb = "scope";
  command.enter = draft.block([&] {
    draft.add("dispatch.include", {{"keys", some_set(draft.random(), 2)}}, first);
    draft.add(draft.random().of({"dispatch.include", "dispatch.exclude"}),
              {{"keys", some_set(draft.random(), 2)}}, second);
  });
  command.body = draft.block([&] {
    draft.add("leave", {{"guard", Ref{first}}});
    show(draft);
  });
  draft.add(std::move(command));
  show(draft);
  return true;
}

const std::array kTlsMoves = {
    Move{"dispatch.tls", 3, show},
    Move{"dispatch.include", 2, include, true},
    Move{"dispatch.exclude", 2, exclude, true},
    Move{"dispatch.force", 1, force, true},
    Move{"dispatch.below", 1, below, true},
    Move{"dispatch.restore", 1, restore, true},
    Move{"leave", 2, cross},
};

}  // namespace

std::span<const Move> dispatch_tls_moves() { return kTlsMoves; }

}  // namespace assay
