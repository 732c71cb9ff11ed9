// The dispatch keys that the arguments of a call contribute (DSP-204 to DSP-206).
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "cuda_impl/dispatch/call/boxing.hpp"
#include "cuda_impl/dispatch/keys/tensor_keys.hpp"
#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {

/// Returns the union of the tensors' cached keys. Contains `kUnknownKeys` if a tensor has none yet.
template <typename T>
KeySet words_of(const Table&, const T&) {
  return {};
}
inline KeySet words_of(const Table& table, const Tensor& tensor) {
  return key_word(*table.layout, tensor);
}
inline KeySet words_of(const Table& table, const std::optional<Tensor>& tensor) {
  return tensor ? words_of(table, *tensor) : KeySet();
}
inline KeySet words_of(const Table& table, TensorList tensors) {
  KeySet all;
  for (const Tensor& tensor : tensors) all |= words_of(table, tensor);
  return all;
}
inline KeySet words_of(const Table& table, const std::vector<std::optional<Tensor>>& tensors) {
  KeySet all;
  for (const auto& tensor : tensors) all |= words_of(table, tensor);
  return all;
}
/// PyTorch ignores tensors in an array (DSP-206).
template <std::size_t kSize>
KeySet words_of(const Table& table, const std::array<Tensor, kSize>& tensors) {
  return table.is_strict ? words_of(table, TensorList(tensors)) : KeySet();
}
inline KeySet words_of(const Table& table, const Generator& generator) {
  if (generator.state == nullptr) return {};
  return generator_keys(*table.layout, generator.state->device.kind);
}
inline KeySet words_of(const Table& table, const std::optional<Generator>& generator) {
  return generator ? words_of(table, *generator) : KeySet();
}

/// Computes and caches the keys that are missing.
template <typename T>
void learn_words(const Layout&, const T&) {}
inline void learn_words(const Layout& layout, const Tensor& tensor) {
  static_cast<void>(keys_of(layout, tensor));
}
inline void learn_words(const Layout& layout, const std::optional<Tensor>& tensor) {
  if (tensor) learn_words(layout, *tensor);
}
inline void learn_words(const Layout& layout, TensorList tensors) {
  for (const Tensor& tensor : tensors) learn_words(layout, tensor);
}
inline void learn_words(const Layout& layout, const std::vector<std::optional<Tensor>>& tensors) {
  for (const auto& tensor : tensors) learn_words(layout, tensor);
}
template <std::size_t kSize>
void learn_words(const Layout& layout, const std::array<Tensor, kSize>& tensors) {
  learn_words(layout, TensorList(tensors));
}

/// The slow path, for a tensor without cached keys.
template <typename... Args>
[[gnu::noinline, gnu::cold]] KeySet learned_keys(const Table& table, const Args&... args) {
  (learn_words(*table.layout, args), ...);
  return (KeySet() | ... | words_of(table, args));
}

/// Returns the keys of all arguments of a typed call.
template <typename... Args>
[[gnu::always_inline]] inline KeySet typed_keys(const Table& table, const Args&... args) {
  const KeySet all = (KeySet() | ... | words_of(table, args));
  if ((all.bits & kUnknownKeys) == 0) [[likely]]
    return all;
  return learned_keys(table, args...);
}

[[noreturn]] void refuse_depth(const Table& table, std::size_t wanted, const Stack& stack);
/// Returns the size in bytes, which avoids a division by the size of a box.
inline std::size_t bytes_of(const Stack& stack) { return stack.size() * sizeof(Boxed); }
inline void expect_depth(const Table& table, std::size_t wanted, const Stack& stack) {
  if (stack.size() < wanted) [[unlikely]]
    refuse_depth(table, wanted, stack);
}

/// The slow path, for anything but tensors with cached keys.
[[gnu::cold]] KeySet learned_boxed_keys(const Table& table, const Stack& stack);

/// Returns the keys of the arguments on top of a stack; none if the operator has no schema
/// (DSP-408). Raises `error` for a stack that is too short (DSP-610).
[[gnu::always_inline]] inline KeySet boxed_keys(const Table& table, const Stack& stack) {
  if (bytes_of(stack) < table.argument_bytes) [[unlikely]]
    refuse_depth(table, table.arguments, stack);
  const Boxed* last = stack.data() + stack.size() - 1;
  KeySet all;
  for (std::uint64_t left = table.tensor_arguments; left != 0; left &= left - 1) {
    const Boxed& boxed = *(last - std::countr_zero(left));
    all |= boxed.is_tensor() ? words_of(table, boxed.tensor()) : KeySet{kUnknownKeys};
  }
  if ((all.bits & kUnknownKeys) == 0) [[likely]]
    return all;
  return learned_boxed_keys(table, stack);
}

}  // namespace assay::cuda::dispatch
