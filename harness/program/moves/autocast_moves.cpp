// Moves of the area autocast: regions, flags, the weight cache, and operators under them.
#include <array>

#include "harness/program/moves.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

/// The device whose tensors the program has, mostly.
const char* some_device(Draft& draft) {
  const char* home = draft.contract().cuda() ? "cuda" : "cpu";
  return draft.random().one_in(6) ? draft.random().of({"cpu", "cuda", "xpu"}) : home;
}

Dtype low_dtype(Random& random) { return random.of({Dtype::kBfloat16, Dtype::kFloat16}); }

bool region(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"device", some_device(draft)}, {"cuda_available", true}, {"bf16_supported", true}};
  if (random.one_in(2)) with.set("dtype", low_dtype(random));
  if (random.one_in(4)) with.set("enabled", random.one_in(2));
  if (random.one_in(4)) with.set("cache_enabled", random.one_in(2));
  draft.add("autocast.region", std::move(with));
  return true;
}

bool grad_mode(Draft& draft) {
  draft.add("autograd.grad_mode", {{"value", draft.random().one_in(2)}});
  return true;
}

/// Square matrices of whole numbers, so that every product fits every other.
Ref matrix(Draft& draft) {
  Random& random = draft.random();
  if (const Known* known = draft.any("matrix"); known != nullptr && random.below(4) > 0) {
    return Ref{known->name};
  }
  const Dtype dtype = random_float_dtype(random);
  Fields with{{"value", small_tensor(random, dtype, {2, 2})}};
  if (random.one_in(2)) with.set("requires_grad", true);
  return Ref{draft.make("core.tensor", std::move(with), {"", "matrix", dtype, {2, 2}})};
}

bool product(Draft& draft) {
  List args;
  args.items.emplace_back(matrix(draft));
  args.items.emplace_back(matrix(draft));
  draft.add("core.op",
            {{"name", draft.random().of({"mm", "mm", "add", "mul"})}, {"args", std::move(args)}});
  return true;
}

bool sum(Draft& draft) {
  List args;
  args.items.emplace_back(matrix(draft));
  draft.add("core.op", {{"name", draft.random().of({"sum", "relu"})}, {"args", std::move(args)}});
  return true;
}

bool write_to_matrix(Draft& draft) {
  const Known* known = draft.any("matrix");
  if (known == nullptr) return false;
  draft.add("core.fill_", {{"tensor", Ref{known->name}}, {"value", 2}});
  return true;
}

template <const char* const& verb>
bool ask(Draft& draft) {
  draft.add(verb, {{"device", some_device(draft)}});
  return true;
}
constexpr const char* kIsEnabled = "autocast.is_enabled";
constexpr const char* kDtype = "autocast.dtype";

bool set_enabled(Draft& draft) {
  draft.add("autocast.set_enabled",
            {{"device", some_device(draft)}, {"value", draft.random().one_in(2)}});
  return true;
}

bool set_dtype(Draft& draft) {
  draft.add("autocast.set_dtype",
            {{"device", some_device(draft)}, {"dtype", low_dtype(draft.random())}});
  return true;
}

template <const char* const& verb>
bool plain(Draft& draft) {
  draft.add(verb, {});
  return true;
}
constexpr const char* kClear = "autocast.clear_cache";
constexpr const char* kIsCacheEnabled = "autocast.is_cache_enabled";
constexpr const char* kAnyEnabled = "autocast.is_any_enabled";
constexpr const char* kGradEnabled = "autograd.is_grad_enabled";

bool set_cache_enabled(Draft& draft) {
  draft.add("autocast.set_cache_enabled", {{"value", draft.random().one_in(2)}});
  return true;
}

bool nesting(Draft& draft) {
  draft.add("autocast.nesting", {{"by", 1}});
  draft.add("autocast.nesting", {{"by", -1}});
  return true;
}

constexpr std::array kMoves = {
    Move{"autocast.region", 5, region, true},
    Move{"autograd.grad_mode", 1, grad_mode, true},
    Move{"core.op", 8, product},
    Move{"core.op", 3, sum},
    Move{"core.fill_", 1, write_to_matrix},
    Move{"autocast.is_enabled", 2, ask<kIsEnabled>},
    Move{"autocast.dtype", 1, ask<kDtype>},
    Move{"autocast.set_enabled", 2, set_enabled},
    Move{"autocast.set_dtype", 1, set_dtype},
    Move{"autocast.clear_cache", 1, plain<kClear>},
    Move{"autocast.is_cache_enabled", 1, plain<kIsCacheEnabled>},
    Move{"autocast.is_any_enabled", 1, plain<kAnyEnabled>},
    Move{"autograd.is_grad_enabled", 1, plain<kGradEnabled>},
    Move{"autocast.set_cache_enabled", 1, set_cache_enabled},
    Move{"autocast.nesting", 1, nesting},
};

}  // namespace

std::span<const Move> autocast_moves() { return kMoves; }

}  // namespace assay
