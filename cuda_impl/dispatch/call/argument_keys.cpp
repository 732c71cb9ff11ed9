// Computes the keys of boxed arguments.
#include "cuda_impl/dispatch/call/argument_keys.hpp"

namespace assay::cuda::dispatch {
namespace {

KeySet keys_in(const Layout& layout, const Boxed& boxed) {
  if (boxed.is_tensor()) return keys_of(layout, boxed.tensor());
  KeySet all;
  if (!boxed.is(BoxedKind::kList)) return all;
  for (const Boxed& item : boxed.list()) {
    if (item.is_tensor()) all |= keys_of(layout, item.tensor());
  }
  return all;
}

}  // namespace

KeySet learned_boxed_keys(const Table& table, const Stack& stack) {
  KeySet all;
  for (std::uint64_t left = table.tensor_arguments; left != 0; left &= left - 1) {
    const auto place = stack.end() - 1 - std::countr_zero(left);
    all |= keys_in(*table.layout, *place);
  }
  return all;
}

void refuse_depth(const Table& table, std::size_t wanted, const Stack& stack) {
  throw Error(table.state->name.text() + " takes " + std::to_string(wanted) +
              " arguments from the stack, which has " + std::to_string(stack.size()));
}

}  // namespace assay::cuda::dispatch
