// Creates kernels and runs typed ones; the adapters between typed and boxed kernels (DSP-607 to
// DSP-612).
#include "reference/dispatch/registry/kernel.hpp"

#include <algorithm>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

// DSP-421
template <typename Function>
void expect_function(const Function& function) {
  check(static_cast<bool>(function), ErrorKind::kInternal,
        [] { return "Kernel function cannot be nullptr"; });
}

}  // namespace

Kernel Kernel::boxed(BoxedFunction function) {
  expect_function(function);
  Kernel made(KernelKind::kBoxed);
  made.boxed_ = std::make_shared<const BoxedFunction>(std::move(function));
  return made;
}

Kernel Kernel::typed(CppSignature signature, TypedFunction function, bool takes_keys) {
  expect_function(function);
  Kernel made(KernelKind::kTyped);
  made.typed_ =
      std::make_shared<const Typed>(Typed{std::move(signature), std::move(function), takes_keys});
  return made;
}

Stack Kernel::run_typed(const OperatorHandle& op, KeySet keys,
                        const TypedArguments& arguments) const {
  Stack results = typed_->function(op, typed_->takes_keys ? keys : KeySet{}, arguments);
  check(results.size() == typed_->signature.returns.size(), ErrorKind::kInternal, [&] {
    return "a kernel " + to_text(typed_->signature) + " returned " +
           std::to_string(results.size()) + " values";
  });
  return results;
}

// The adapters.

namespace {

const IValue::List& list_of(const IValue& value) {
  value.expect_kind("List");
  return *std::get<IValue::ListPtr>(value.payload());
}

bool is_list(const CppType& type) {
  return type.is("ArrayRef") || type.is("List") || type.is("vector") || type.is("array");
}

void expect_list(const CppType& type, const IValue& value) {
  const IValue::List& items = list_of(value);
  check(!type.is("array") || items.size() == static_cast<std::size_t>(type.size),
        ErrorKind::kInternal, [&] {
          return "Expected " + std::to_string(type.size) + " elements for " + to_text(type) +
                 " but got " + std::to_string(items.size());
        });
  for (const IValue& item : items) expect_fits(type.of.front(), item);
}

void expect_dict(const CppType& type, const IValue& value) {
  value.expect_kind("Dict");
  for (const auto& [key, mapped] : *std::get<IValue::DictPtr>(value.payload())) {
    expect_fits(type.of.front(), key);
    expect_fits(type.of.back(), mapped);
  }
}

/// The boxed kind of a plain type; dtypes and similar types are ints (CORE-15).
std::string_view kind_of(const CppType& type) {
  if (type.is("double")) return "Double";
  if (type.is("bool")) return "Bool";
  if (type.is("string") || type.is("string_view")) return "String";
  if (type.is("Device")) return "Device";
  if (type.is("Generator")) return "Generator";
  return "Int";
}

/// Does unboxing leave None on the stack? Numbers and views are copied instead (DSP-611).
bool is_moved_out(const CppType& type) {
  if (type.is_reference()) return false;
  if (type.is("optional")) return is_moved_out(type.of.front());
  return type.is("Tensor") || type.is("List") || type.is("vector") || type.is("Dict") ||
         type.is("string") || type.is("Generator");
}

/// The arguments of a typed kernel, unboxed from the top of a stack.
class Unboxed {
 public:
  Unboxed(const CppSignature& signature, Stack& stack) : own_(signature.parameters.size()) {
    const std::size_t first = stack.size() - own_.size();
    for (std::size_t i = 0; i < own_.size(); ++i) {
      expect_fits(signature.parameters[i], stack[first + i]);
    }
    for (std::size_t i = 0; i < own_.size(); ++i) {
      arguments_.push_back(read(signature.parameters[i], stack[first + i], own_[i]));
    }
  }

  const TypedArguments& arguments() const { return arguments_; }

 private:
  static IValue* read(const CppType& type, IValue& from, IValue& own) {
    if (type.is_reference()) return &from;
    own = is_moved_out(type) ? std::move(from) : from;
    return &own;
  }

  Stack own_;
  TypedArguments arguments_;
};

bool returns_references(const CppSignature& signature) {
  return !signature.returns.empty() &&
         std::all_of(signature.returns.begin(), signature.returns.end(),
                     [](const CppType& type) { return type.is_reference(); });
}

/// One returned reference refers to the first argument if it has the same type, otherwise to the
/// last. Several refer to the last arguments, in order (DSP-608).
std::size_t first_returned_argument(const CppSignature& signature) {
  const std::size_t count = signature.returns.size();
  const bool leading = count == 1 && signature.parameters.front() == signature.returns.front();
  return leading ? 0 : signature.parameters.size() - count;
}

Stack returned_arguments(const CppSignature& signature, const Stack& kept) {
  const auto first = kept.begin() + static_cast<std::ptrdiff_t>(first_returned_argument(signature));
  return {first, first + static_cast<std::ptrdiff_t>(signature.returns.size())};
}

}  // namespace

void expect_fits(const CppType& type, const IValue& value) {
  if (type.is("Tensor")) {
    value.to_tensor();
  } else if (type.is("optional")) {
    if (value.kind() != "None") expect_fits(type.of.front(), value);
  } else if (type.is("Scalar")) {
    value.to_scalar();
  } else if (type.is("Dict")) {
    expect_dict(type, value);
  } else if (is_list(type)) {
    expect_list(type, value);
  } else {
    value.expect_kind(kind_of(type));
  }
}

void expect_results(const std::string& op_name, std::size_t expected, std::size_t got) {
  check(expected == got, ErrorKind::kInternal, [&] {
    return "Boxed kernel of " + op_name + " was expected to return " + std::to_string(expected) +
           " values on the stack, but returned " + std::to_string(got);
  });
}

void expect_depth(const std::string& op_name, std::size_t expected, const Stack& stack) {
  check(stack.size() >= expected, [&] {
    return op_name + " expects " + std::to_string(expected) +
           " arguments on the stack, but it holds " + std::to_string(stack.size());
  });
}

void run_unboxed(const KernelCall& call, Stack& stack) {
  const CppSignature& signature = *call.kernel.signature();
  const std::size_t count = signature.parameters.size();
  expect_depth(call.op_name, count, stack);
  const Unboxed unboxed(signature, stack);
  Stack results = call.kernel.run_typed(call.op, call.keys, unboxed.arguments());
  stack.resize(stack.size() - count);
  for (IValue& result : results) stack.push_back(std::move(result));
}

Stack run_with_boxing(const KernelCall& call, const CppSignature& signature,
                      const TypedArguments& arguments, Deviations deviations) {
  Stack stack;
  Stack kept;
  const bool returns_arguments = returns_references(signature);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (returns_arguments) kept.push_back(*arguments[i]);
    const bool by_value = !signature.parameters[i].is_reference();
    stack.push_back(by_value ? std::move(*arguments[i]) : *arguments[i]);
  }

  call.kernel.run_boxed(call.op, call.keys, stack);

  const std::size_t count = signature.returns.size();
  if (deviations == Deviations::kStrict) expect_results(call.op_name, count, stack.size());
  if (returns_arguments) return returned_arguments(signature, kept);
  // PyTorch ignores surplus values and reads missing ones from beyond the end.
  if (stack.size() < count) expect_results(call.op_name, count, stack.size());
  stack.resize(count);
  for (std::size_t i = 0; i < count; ++i) expect_fits(signature.returns[i], stack[i]);
  return stack;
}

}  // namespace assay::reference
