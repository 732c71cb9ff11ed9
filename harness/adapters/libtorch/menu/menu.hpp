// The menu of C++ signatures: what PyTorch's templates make of each, reached by its text.
#pragma once

#include <torch/library.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/adapters/libtorch/dispatch/kernels.hpp"

namespace assay::libtorch {

/// What the dispatcher's own interface takes of a kernel.
struct KernelParts {
  c10::KernelFunction function;
  std::optional<c10::impl::CppSignature> signature;
  std::unique_ptr<c10::FunctionSchema> schema;
};

struct MenuEntry {
  std::string_view text;
  /// For the dispatcher's own interface, and for torch::Library.
  KernelParts (*parts)(const TypedSite& site);
  torch::CppFunction (*function)(const TypedSite& site);
  /// Calls typed, or redispatches where there are keys. Throws InvalidArgument where a value does
  /// not fit its parameter.
  Stack (*call)(const c10::OperatorHandle& op, const std::optional<c10::DispatchKeySet>& keys,
                const Stack& arguments);
  /// Raises where the operator has another signature.
  void (*expect)(const c10::OperatorHandle& op);
  /// As PyTorch infers it, without a name.
  c10::FunctionSchema (*schema)();
  /// Is this how a C++ program passes what is written, and what is not?
  bool writes;
};

const std::vector<MenuEntry>& menu();
/// Throws NotSupported when the text is none of the menu's.
const MenuEntry& menu_entry(const std::string& text);
/// The one that the operator's first typed kernel has, or that fits its schema.
const MenuEntry& usual_entry(const c10::OperatorHandle& op);

// Parts of the menu, each in a file of its own: they take long to compile.
void add_plain_signatures(std::vector<MenuEntry>& menu);
void add_list_signatures(std::vector<MenuEntry>& menu);
void add_number_signatures(std::vector<MenuEntry>& menu);
void add_reference_signatures(std::vector<MenuEntry>& menu);

}  // namespace assay::libtorch
