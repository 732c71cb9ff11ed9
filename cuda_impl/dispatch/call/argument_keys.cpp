// Keys of boxed arguments.
#include "cuda_impl/dispatch/call/argument_keys.hpp"

#include <bit>

namespace assay::cuda::dispatch {
namespace {

KeySet keys_in(const Layout& layout, const Boxed& boxed) {
  if (boxed.is_tensor()) {
    const KeySet word = key_word(boxed.tensor());
    return (word.bits & kUnknownKeys) == 0 ? word : keys_of(layout, boxed.tensor());
  }
  KeySet all;
  if (!boxed.is(BoxedKind::kList)) return all;
  for (const Boxed& item : boxed.list()) {
    if (item.is_tensor()) all |= keys_of(layout, item.tensor());
  }
  return all;
}

}  // namespace

KeySet boxed_keys(const Table& table, const Stack& stack) {
  expect_depth(table, table.arguments, stack);
  KeySet all;
  for (std::uint64_t left = table.tensor_arguments; left != 0; left &= left - 1) {
    const auto from_top = static_cast<std::size_t>(std::countr_zero(left)) + 1;
    all |= keys_in(*table.layout, stack[stack.size() - from_top]);
  }
  return all;
}

void refuse_depth(const Table& table, std::size_t wanted, const Stack& stack) {
  throw Error(table.state->name.text() + " takes " + std::to_string(wanted) +
              " arguments from the stack, which has " + std::to_string(stack.size()));
}

}  // namespace assay::cuda::dispatch
