// Reading an operator's arguments.
#include "reference/subject/op_arguments.hpp"

namespace assay::reference {

OpArguments::OpArguments(Call& call) : call_(call), positional_(call.arguments().items("args")) {
  const Value* keywords = call.arguments().optional("kwargs");
  if (keywords == nullptr || keywords->is_none()) return;
  keywords_ = keywords->get_if<Dict>();
  if (keywords_ == nullptr) throw InvalidArgument("core.op: 'kwargs' must be a dict");
}

const Value* OpArguments::next(std::string_view keyword) {
  if (next_ < positional_.size()) {
    const Value& found = positional_[next_++];
    return found.is_none() ? nullptr : &found;
  }
  if (keywords_ == nullptr) return nullptr;
  for (const auto& [key, value] : keywords_->items) {
    const auto* name = key.get_if<std::string>();
    if (name == nullptr || *name != keyword) continue;
    ++keywords_read_;
    return value.is_none() ? nullptr : &value;
  }
  return nullptr;
}

const Value& OpArguments::need(std::string_view keyword) {
  const Value* found = next(keyword);
  if (found == nullptr) {
    throw Error(ErrorKind::kType, "missing the argument '" + std::string(keyword) + "'");
  }
  return *found;
}

void OpArguments::wrong(std::string_view keyword, std::string_view wanted, const Value& got) {
  throw Error(ErrorKind::kType, "argument '" + std::string(keyword) + "' must be " +
                                    std::string(wanted) + ", not " + std::string(kind_of(got)));
}

Tensor OpArguments::tensor(std::string_view keyword) { return call_.tensor_from(need(keyword)); }

Tensor OpArguments::tensor_or_none(std::string_view keyword) {
  const Value* found = next(keyword);
  return found == nullptr ? Tensor{} : call_.tensor_from(*found);
}

Operand OpArguments::operand(std::string_view keyword) {
  const Value& found = need(keyword);
  if (const auto number = scalar_from(found)) return *number;
  return call_.tensor_from(found);
}

double OpArguments::real(std::string_view keyword, double fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  if (const auto number = scalar_from(*found)) return number->real();
  wrong(keyword, "a number", *found);
}

std::int64_t OpArguments::integer(std::string_view keyword, std::int64_t fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  if (const auto* held = found->get_if<std::int64_t>()) return *held;
  wrong(keyword, "an int", *found);
}

bool OpArguments::boolean(std::string_view keyword, bool fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  if (const auto* held = found->get_if<bool>()) return *held;
  wrong(keyword, "a bool", *found);
}

Shape OpArguments::shape(std::string_view keyword) {
  const Value& found = need(keyword);
  Shape shape;
  const auto* list = found.get_if<List>();
  const auto* tuple = found.get_if<Tuple>();
  if (list == nullptr && tuple == nullptr) wrong(keyword, "a list of ints", found);
  for (const Value& item : list != nullptr ? list->items : tuple->items) {
    const auto* size = item.get_if<std::int64_t>();
    if (size == nullptr) wrong(keyword, "a list of ints", item);
    shape.push_back(*size);
  }
  return shape;
}

void OpArguments::done() const {
  const std::size_t keywords = keywords_ == nullptr ? 0 : keywords_->items.size();
  if (next_ == positional_.size() && keywords_read_ == keywords) return;
  throw NotSupported("core.op: the operator takes no such argument here");
}

}  // namespace assay::reference
