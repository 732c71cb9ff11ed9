// Moves of the area autocast: regions, flags, the weight cache, and operators inside regions.
#include <array>

#include "harness/program/moves/table.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

/// Usually the device of the program's tensors.
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

/// A matrix with equal elements.
Value flat(Random& random, Dtype dtype) {
  TensorValue made = small_tensor(random, dtype, {2, 2});
  for (std::size_t i = 1; i < 4; ++i) made.set_bits(i, made.bits_at(0));
  return made;
}

/// Square matrices of integers, so that all products are possible.
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

bool more_products(Draft& draft) {
  Random& random = draft.random();
  const char* name = random.of({"addmm", "linear", "sub", "div"});
  List args;
  args.items.emplace_back(matrix(draft));
  args.items.emplace_back(matrix(draft));
  if (name == std::string_view("addmm")) args.items.emplace_back(matrix(draft));
  if (name == std::string_view("div")) args.items[1] = 2;
  draft.add("core.op", {{"name", name}, {"args", std::move(args)}});
  return true;
}

/// Uses equal elements, so that the result is exact in every type.
bool wide(Draft& draft) {
  Random& random = draft.random();
  const Value one = flat(random, random_float_dtype(random));
  const char* name = random.of({"softmax", "norm", "mse_loss", "mean", "max"});
  Fields with{{"name", name}, {"args", List{{one}}}};
  if (name == std::string_view("softmax")) {
    with.set("args", List{{one, Value(1)}});
    if (random.one_in(3)) with.set("kwargs", Dict{{{"dtype", random_float_dtype(random)}}});
  }
  if (name == std::string_view("mse_loss")) with.set("args", List{{one, matrix(draft)}});
  draft.add("core.op", std::move(with));
  return true;
}

/// Uses a weight repeatedly: the cache must return it, or must not.
bool same_weight(Draft& draft) {
  Random& random = draft.random();
  const Ref weight = matrix(draft);
  for (std::int64_t left = random.between(2, 3); left > 0; --left) {
    List args;
    args.items.emplace_back(small_tensor(random, Dtype::kFloat32, {2, 2}));
    args.items.emplace_back(weight);
    draft.make("core.op", {{"name", "mm"}, {"args", std::move(args)}}, {"", "outcome"});
    if (random.one_in(3)) {
      draft.add("core.add_", {{"tensor", weight}, {"other", 1}});
    }
  }
  const std::string outcome = draft.any("outcome")->name;
  draft.add("autograd.node", {{"tensor", Ref{outcome}}});
  return true;
}

bool backward(Draft& draft) {
  const Known* known = draft.any("outcome");
  if (known == nullptr) return false;
  Random& random = draft.random();
  draft.add("autograd.backward", {{"tensor", Ref{known->name}},
                                  {"gradient", small_tensor(random, low_dtype(random), {2, 2})}});
  if (draft.any("matrix") != nullptr) draft.add("core.grad", {{"tensor", matrix(draft)}});
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

bool is_grad_enabled(Draft& draft) {
  draft.add("autograd.is_grad_enabled", {});
  return true;
}

bool construct(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"device", some_device(draft)}, {"cuda_available", true}, {"bf16_supported", true}};
  if (random.one_in(2)) {
    with.set("dtype", random.of({Dtype::kBfloat16, Dtype::kFloat16, Dtype::kFloat32}));
  }
  if (random.one_in(4)) with.set("enabled", random.one_in(2));
  draft.make("autocast.construct", std::move(with), {"", "region"});
  return true;
}

/// Enters and exits a region explicitly, possibly together with another region.
bool by_hand(Draft& draft) {
  if (draft.count("region") == 0) construct(draft);
  const Ref one{draft.any("region")->name};
  const Ref other{draft.any("region")->name};
  const bool both = draft.random().one_in(2);
  draft.add("autocast.enter", {{"region", one}});
  if (both) draft.add("autocast.enter", {{"region", other}});
  product(draft);
  draft.add("autocast.exit", {{"region", one}});
  if (both) {
    product(draft);
    draft.add("autocast.exit", {{"region", other}});
  }
  return true;
}

bool decorate(Draft& draft) {
  if (draft.count("region") == 0) construct(draft);
  const Ref weight = matrix(draft);
  Command command;
  command.verb = "callback";
  command.as = draft.fresh("c");
  command.body = draft.block(
      [&] {
        draft.add("core.op", {{"name", "mm"}, {"args", List{{Ref{"$0"}, weight}}}});
      },
      true);
  const Callable function{command.as};
  draft.add(std::move(command));
  const Ref region{draft.any("region")->name};
  const std::string name = draft.fresh("d");
  draft.add("autocast.decorate", {{"region", region}, {"function", function}}, name);
  draft.add("autocast.call", {{"function", Ref{name}}, {"args", List{{matrix(draft)}}}});
  return true;
}

bool cached_cast(Draft& draft) {
  Random& random = draft.random();
  draft.add("autocast.cached_cast",
            {{"to", random.of({Dtype::kBfloat16, Dtype::kFloat32, Dtype::kFloat16})},
             {"value", matrix(draft)},
             {"device", some_device(draft)}});
  return true;
}

bool is_eligible(Draft& draft) {
  Random& random = draft.random();
  draft.add("autocast.is_eligible",
            {{"tensor", random_tensor(random, random_dtype(random), {2, 2})},
             {"device", some_device(draft)}});
  return true;
}

bool nesting(Draft& draft) {
  draft.add("autocast.nesting", {{"by", 1}});
  draft.add("autocast.nesting", {{"by", -1}});
  return true;
}

constexpr std::array kKinds = {
    DrawKind{"device", [](Draft& draft) -> Value { return some_device(draft); }},
    DrawKind{"low_dtype", [](Draft& draft) -> Value { return low_dtype(draft.random()); }},
};

const std::array kMoves = {
    Move{"autocast.region", 5, region, true},
    Move{"autograd.grad_mode", 1, grad_mode, true},
    Move{"core.op", 8, product},
    Move{"core.op", 3, sum},
    Move{"core.op", 3, more_products},
    Move{"core.op", 2, wide},
    Move{"core.op", 3, same_weight},
    Move{"autograd.backward", 2, backward},
    Move{"autocast.construct", 1, construct},
    Move{"autocast.enter", 1, by_hand},
    Move{"autocast.decorate", 2, decorate},
    Move{"autocast.cached_cast", 2, cached_cast},
    Move{"autocast.is_eligible", 2, is_eligible},
    Move{"core.fill_", 1, write_to_matrix},
    Move{"autograd.is_grad_enabled", 1, is_grad_enabled},
    Move{"autocast.nesting", 1, nesting},
};

}  // namespace

std::span<const Move> autocast_moves() {
  static const std::vector<Move> kAll = with_table("autocast", kKinds, kMoves);
  return kAll;
}

}  // namespace assay
