// The menu of C++ signatures: instances of PyTorch's templates, selected by text.
#pragma once

#include <torch/library.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/adapters/libtorch/dispatch/kernels.hpp"

namespace assay::libtorch {

/// A kernel in the form of the dispatcher's own interface.
struct KernelParts {
  c10::KernelFunction function;
  std::optional<c10::impl::CppSignature> signature;
  std::unique_ptr<c10::FunctionSchema> schema;
};

struct MenuEntry {
  std::string_view text;
  /// For the dispatcher's interface, and for torch::Library.
  KernelParts (*parts)(const TypedSite& site);
  torch::CppFunction (*function)(const TypedSite& site);
  /// A typed call, or a redispatch if keys are given. Throws InvalidArgument if a value does not
  /// fit its parameter.
  Stack (*call)(const c10::OperatorHandle& op, const std::optional<c10::DispatchKeySet>& keys,
                const Stack& arguments);
  /// Raises if the operator has another signature.
  void (*expect)(const c10::OperatorHandle& op);
  /// As inferred by PyTorch, without a name.
  c10::FunctionSchema (*schema)();
  /// Whether a C++ program passes mutable and immutable arguments in this form.
  bool writes;
};

const std::vector<MenuEntry>& menu();
/// Throws NotSupported if the text is not in the menu.
const MenuEntry& menu_entry(const std::string& text);
/// The signature of the operator's first typed kernel, or the one that matches its schema.
const MenuEntry& usual_entry(const c10::OperatorHandle& op);

// The parts of the menu are in separate files, because they take long to compile.
void add_plain_signatures(std::vector<MenuEntry>& menu);
void add_list_signatures(std::vector<MenuEntry>& menu);
void add_number_signatures(std::vector<MenuEntry>& menu);
void add_reference_signatures(std::vector<MenuEntry>& menu);

}  // namespace assay::libtorch
