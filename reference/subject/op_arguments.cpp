// Reads operator arguments.
#include "reference/subject/op_arguments.hpp"

#include <algorithm>

#include "reference/subject/ivalues.hpp"

namespace assay::reference {
namespace {

[[noreturn]] void refuse(std::string_view keyword, std::string_view wanted, const Value& got) {
  throw Error(ErrorKind::kType, "argument '" + std::string(keyword) + "' must be " +
                                    std::string(wanted) + ", not " + std::string(kind_of(got)));
}

/// The number of `none`, `mean` or `sum`.
std::int64_t reduction_named(const std::string& word) {
  if (word == "none") return 0;
  if (word == "mean") return 1;
  if (word == "sum") return 2;
  throw Error(ErrorKind::kValue, "a reduction is 'none', 'mean' or 'sum'");
}

bool is_ints(const SchemaType& type) {
  const std::string text = to_text(type);
  return text == "int[]" || text == "SymInt[]" || text == "int[]?" || text == "SymInt[]?";
}

bool is_tensor(const Value& value) {
  return value.tensor() != nullptr || value.sparse() != nullptr || value.is<Ref>();
}

/// Whether the value is a list or tuple of such elements.
template <typename Is>
bool is_list_of(const Value& value, const Is& is) {
  const auto* list = value.get_if<List>();
  const auto* tuple = value.get_if<Tuple>();
  if (list == nullptr && tuple == nullptr) return false;
  return std::ranges::all_of(list != nullptr ? list->items : tuple->items, is);
}

/// The expected kind, as messages name it; empty if the value matches.
std::string_view wanted_for(const SchemaType& type, const Value& value) {
  const std::string text = to_text(type);
  const bool is_number = scalar_from(value).has_value();
  if (text == "Tensor" || text == "Tensor?") {
    return is_tensor(value) ? "" : "Tensor";
  }
  if (text == "int" || text == "SymInt") return value.is<std::int64_t>() ? "" : "an int";
  if (text == "bool") return value.is<bool>() ? "" : "a bool";
  if (text == "float" || text == "Scalar" || text == "Scalar?") return is_number ? "" : "a number";
  if (is_ints(type)) {
    const auto is_int = [](const Value& one) { return one.is<std::int64_t>(); };
    return is_int(value) || is_list_of(value, is_int) ? "" : "a list of ints";
  }
  if (text == "Tensor[]") return is_list_of(value, is_tensor) ? "" : "a list of tensors";
  return "";
}

IValue one_int(const Value& value) {
  return IValue(
      std::make_shared<IValue::List>(IValue::List{IValue(*value.get_if<std::int64_t>())}));
}

}  // namespace

OpArguments::OpArguments(Call& call) : call_(call), positional_(call.arguments().items("args")) {
  const Value* keywords = call.arguments().optional("kwargs");
  if (keywords == nullptr || keywords->is_none()) return;
  keywords_ = keywords->get_if<Dict>();
  if (keywords_ == nullptr) throw InvalidArgument("core.op: 'kwargs' must be a dict");
}

const Value* OpArguments::find(std::size_t position, std::string_view keyword) const {
  if (position < positional_.size()) return &positional_[position];
  if (keywords_ == nullptr) return nullptr;
  for (const auto& [key, value] : keywords_->items) {
    const auto* name = key.get_if<std::string>();
    if (name != nullptr && *name == keyword) return &value;
  }
  return nullptr;
}

bool OpArguments::has(std::size_t position, std::string_view keyword) const {
  const Value* found = find(position, keyword);
  return found != nullptr && !found->is_none();
}

bool OpArguments::is_number(std::size_t position, std::string_view keyword) const {
  const Value* found = find(position, keyword);
  return found != nullptr && scalar_from(*found).has_value();
}

const Value* OpArguments::next(std::string_view keyword) {
  const bool is_positional = next_ < positional_.size();
  const Value* found = find(next_, keyword);
  if (is_positional) {
    ++next_;
  } else if (found != nullptr) {
    ++keywords_read_;
  }
  return found == nullptr || found->is_none() ? nullptr : found;
}

Operand OpArguments::operand(std::string_view keyword) {
  const Value* found = next(keyword);
  check(found != nullptr, ErrorKind::kType,
        [&] { return "missing the argument '" + std::string(keyword) + "'"; });
  if (const auto number = scalar_from(*found)) return *number;
  return call_.tensor_from(*found);
}

IValue OpArguments::boxed_value(const SchemaArgument& argument, const Value& value) {
  if (const auto* word = value.get_if<std::string>(); word && argument.name == "reduction") {
    return IValue(reduction_named(*word));
  }
  if (const auto wanted = wanted_for(argument.type, value); !wanted.empty()) {
    refuse(argument.name, wanted, value);
  }
  if (argument.type.kind == TypeKind::kTensor) return IValue(call_.tensor_from(value));
  if (is_ints(argument.type) && value.is<std::int64_t>()) return one_int(value);
  if (const auto* tuple = value.get_if<Tuple>()) return ivalue_from(call_, List{tuple->items});
  return ivalue_from(call_, value);
}

Stack OpArguments::boxed(const FunctionSchema& schema) {
  Stack stack;
  for (const SchemaArgument& argument : schema.arguments) {
    const Value* found = next(argument.name);
    // Some schemas have `self` for the `input` of modules.
    if (found == nullptr && argument.name == "self") found = next("input");
    if (found != nullptr) {
      stack.push_back(boxed_value(argument, *found));
    } else {
      const bool may_be_none = argument.type.kind == TypeKind::kOptional;
      check(argument.default_value || may_be_none, ErrorKind::kType,
            [&] { return "missing the argument '" + argument.name + "'"; });
      stack.push_back(argument.default_value.value_or(IValue()));
    }
  }
  return stack;
}

void OpArguments::done() const {
  const std::size_t keywords = keywords_ == nullptr ? 0 : keywords_->items.size();
  if (next_ >= positional_.size() && keywords_read_ == keywords) return;
  throw NotSupported("core.op: the operator takes no such argument here");
}

}  // namespace assay::reference
