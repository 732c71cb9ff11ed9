// Moves of the area dispatch: keys and the algebra of key sets.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
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

const std::array kMoves = {
    Move{"dispatch.key", 3, one_key},         Move{"dispatch.parse_key", 2, read_key},
    Move{"dispatch.set", 2, show_set},        Move{"dispatch.set", 2, combine},
    Move{"dispatch.set", 2, change_set},      Move{"dispatch.has", 2, has},
    Move{"dispatch.named_set", 2, named_set}, Move{"dispatch.backend_key", 2, backend_key},
};

}  // namespace

std::span<const Move> dispatch_key_moves() { return kMoves; }

}  // namespace assay
