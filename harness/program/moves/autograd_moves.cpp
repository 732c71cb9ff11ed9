// Moves of the area autograd: small graphs, saved tensors, and gradients.
#include <array>

#include "harness/program/moves/table.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

/// Square integer matrices: every operand fits every operator, and sums are exact.
Ref some_node(Draft& draft) {
  Random& random = draft.random();
  if (const Known* known = draft.any("node"); known != nullptr && random.below(5) > 0) {
    return Ref{known->name};
  }
  const Dtype dtype = random_float_dtype(random);
  Fields with{{"value", small_tensor(random, dtype, {2, 2})}};
  if (random.below(3) > 0) with.set("requires_grad", true);
  return Ref{draft.make("core.tensor", std::move(with), {"", "node", dtype, {2, 2}})};
}

bool leaf(Draft& draft) {
  some_node(draft);
  return true;
}

bool compute(Draft& draft) {
  Random& random = draft.random();
  const char* name = random.of({"add", "sub", "mul", "mm", "neg", "relu", "linear"});
  List args;
  args.items.emplace_back(some_node(draft));
  const bool is_unary = name[0] == 'n' || name[0] == 'r';
  if (!is_unary) args.items.emplace_back(some_node(draft));  // the node of a number is unspecified
  draft.make("core.op", {{"name", name}, {"args", std::move(args)}}, {"", "node"});
  return true;
}

bool reduce(Draft& draft) {
  List args;
  args.items.emplace_back(some_node(draft));
  const char* name = draft.random().of({"sum", "mean"});
  draft.make("core.op", {{"name", name}, {"args", std::move(args)}}, {"", "total"});
  return true;
}

bool cast(Draft& draft) {
  Random& random = draft.random();
  draft.make("core.to", {{"tensor", some_node(draft)}, {"dtype", random_float_dtype(random)}},
             {"", "node"});
  return true;
}

bool view(Draft& draft) {
  Random& random = draft.random();
  const Ref of = some_node(draft);
  if (random.one_in(2)) {
    draft.make("core.detach", {{"tensor", of}}, {"", "node"});
    return true;
  }
  draft.make("core.expand", {{"tensor", of}, {"shape", List{{2, 2}}}}, {"", "node"});
  return true;
}

Ref some_total(Draft& draft) {
  if (draft.any("total") == nullptr || draft.random().one_in(3)) reduce(draft);
  return Ref{draft.any("total")->name};
}

bool backward(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"tensor", some_total(draft)}};
  if (random.one_in(5)) {
    with = Fields{{"tensor", some_node(draft)}};
    if (random.below(4) > 0) {
      with.set("gradient", small_tensor(random, random_float_dtype(random), {2, 2}));
    }
  }
  if (random.one_in(2)) with.set("retain_graph", random.below(4) > 0);
  draft.add("autograd.backward", std::move(with));
  return true;
}

bool gradients(Draft& draft) {
  Random& random = draft.random();
  List inputs;
  for (std::int64_t left = random.between(1, 2); left > 0; --left) {
    inputs.items.emplace_back(some_node(draft));
  }
  Fields with{{"output", some_total(draft)}, {"inputs", std::move(inputs)}};
  if (random.one_in(3)) with.set("create_graph", true);
  draft.add("autograd.grad", std::move(with));
  return true;
}

template <const char* const& verb>
bool ask(Draft& draft) {
  draft.add(verb, {{"tensor", some_node(draft)}});
  return true;
}
constexpr const char* kGrad = "core.grad";
constexpr const char* kInfo = "core.info";
constexpr const char* kRead = "core.read";

bool requires_grad_(Draft& draft) {
  draft.add("core.requires_grad_",
            {{"tensor", some_node(draft)}, {"value", draft.random().below(3) > 0}});
  return true;
}

/// Writes under no_grad, which invalidates what was saved before.
bool write(Draft& draft) {
  draft.add("core.fill_", {{"tensor", some_node(draft)}, {"value", 2}});
  return true;
}

Callable callback_that(Draft& draft, const std::function<void()>& write) {
  Command command;
  command.verb = "callback";
  command.as = draft.fresh("c");
  command.body = draft.block(write, true);
  const Callable made{command.as};
  draft.add(std::move(command));
  return made;
}

void doubled(Draft& draft) {
  draft.add("core.op",
            {{"name", draft.random().of({"mul", "add"})}, {"args", List{{Ref{"$0"}, Value(2)}}}});
}

bool custom_function(Draft& draft) {
  const Callable forward = callback_that(draft, [&] { doubled(draft); });
  const Callable backward = callback_that(draft, [&] { doubled(draft); });
  const std::string name = draft.fresh("f");
  draft.add("autograd.function", {{"forward", forward}, {"backward", backward}}, name);
  draft.make("autograd.apply", {{"function", Ref{name}}, {"args", List{{some_node(draft)}}}},
             {"", "node"});
  return true;
}

/// It is unspecified whether a checkpoint is a node, so the node of its result is not queried.
bool checkpoint(Draft& draft) {
  const Callable body = callback_that(draft, [&] { doubled(draft); });
  const Ref into = some_node(draft);
  const std::string out = draft.make("autograd.checkpoint",
                                     {{"body", body}, {"args", List{{into}}}}, {"", "recomputed"});
  draft.add(
      "autograd.backward",
      {{"tensor", Ref{out}},
       {"gradient", small_tensor(draft.random(), random_float_dtype(draft.random()), {2, 2})}});
  draft.add("core.grad", {{"tensor", into}});
  return true;
}

constexpr std::array kKinds = {
    DrawKind{"node", [](Draft& draft) -> Value { return some_node(draft); }},
};

const std::array kMoves = {
    Move{"core.tensor", 3, leaf},
    Move{"core.op", 10, compute},
    Move{"core.op", 4, reduce},
    Move{"core.to", 3, cast},
    Move{"core.detach", 2, view},
    Move{"autograd.backward", 6, backward},
    Move{"autograd.grad", 3, gradients},
    Move{"core.grad", 5, ask<kGrad>},
    Move{"core.info", 2, ask<kInfo>},
    Move{"core.read", 2, ask<kRead>},
    Move{"core.requires_grad_", 1, requires_grad_},
    Move{"core.fill_", 1, write},
    Move{"autograd.function", 1, custom_function},
    Move{"autograd.checkpoint", 1, checkpoint},
};

}  // namespace

std::span<const Move> autograd_moves() {
  static const std::vector<Move> kAll = with_table("autograd", kKinds, kMoves);
  return kAll;
}

}  // namespace assay
