// Reads the arguments of an operator.
#include "cuda_impl/subject/core/op_arguments.hpp"

#include <utility>

#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {
namespace {

[[noreturn]] void refuse(std::string_view keyword, std::string_view wanted, const Value& got) {
  throw Error(ErrorKind::kType, "argument '" + std::string(keyword) + "' must be " +
                                    std::string(wanted) + ", not " + std::string(kind_of(got)));
}

const std::vector<Value>* items_of(const Value& value) {
  if (const auto* list = value.get_if<List>()) return &list->items;
  if (const auto* tuple = value.get_if<Tuple>()) return &tuple->items;
  return nullptr;
}

}  // namespace

OpArguments::OpArguments(Call& call) : call_(call), positional_(call.arguments().items("args")) {
  if (call.is_none("kwargs")) return;
  keywords_ = call.arguments().value("kwargs").get_if<Dict>();
  if (keywords_ == nullptr) throw InvalidArgument("core.op: 'kwargs' must be a dict");
}

const Value* OpArguments::keyword_value(std::string_view keyword) {
  if (keywords_ == nullptr) return nullptr;
  for (const auto& [key, value] : keywords_->items) {
    const auto* name = key.get_if<std::string>();
    // `input` in PyTorch's functions is `self` in its operators.
    const bool is_it =
        name != nullptr && (*name == keyword || (keyword == "self" && *name == "input"));
    if (is_it) return &value;
  }
  return nullptr;
}

const Value* OpArguments::next(std::string_view keyword) {
  const Value* found = nullptr;
  if (next_ < positional_.size()) {
    found = &positional_[next_++];
  } else if ((found = keyword_value(keyword)) != nullptr) {
    ++keywords_read_;
  }
  return found == nullptr || found->is_none() ? nullptr : found;
}

const Value& OpArguments::required(std::string_view keyword) {
  const Value* found = next(keyword);
  require(found != nullptr, ErrorKind::kType,
          [&] { return "missing the argument '" + std::string(keyword) + "'"; });
  return *found;
}

std::optional<Scalar> OpArguments::number_first() {
  const Value* first = positional_.empty() ? keyword_value("self") : &positional_.front();
  const auto number = first == nullptr ? std::nullopt : scalar_from(*first);
  if (number) next("self");
  return number;
}

Operand OpArguments::operand(std::string_view keyword) {
  const Value& found = required(keyword);
  if (const auto number = scalar_from(found)) return *number;
  return call_.tensor_from(found);
}

Tensor OpArguments::tensor(std::string_view keyword) {
  const Value& found = required(keyword);
  if (scalar_from(found)) refuse(keyword, "a tensor", found);
  return call_.tensor_from(found);
}

Tensor OpArguments::tensor_or_none(std::string_view keyword) {
  const Value* found = next(keyword);
  return found == nullptr ? Tensor() : call_.tensor_from(*found);
}

std::vector<Tensor> OpArguments::tensors(std::string_view keyword) {
  const Value& found = required(keyword);
  const auto* items = items_of(found);
  if (items == nullptr) refuse(keyword, "a list of tensors", found);
  std::vector<Tensor> result;
  for (const Value& item : *items) result.push_back(call_.tensor_from(item));
  return result;
}

Scalar OpArguments::scalar(std::string_view keyword, Scalar fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  const auto number = scalar_from(*found);
  if (!number) refuse(keyword, "a number", *found);
  return *number;
}

std::int64_t OpArguments::integer(std::string_view keyword, std::int64_t fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  const auto* number = found->get_if<std::int64_t>();
  if (number == nullptr) refuse(keyword, "an int", *found);
  return *number;
}

std::int64_t OpArguments::integer(std::string_view keyword) {
  const Value& found = required(keyword);
  const auto* number = found.get_if<std::int64_t>();
  if (number == nullptr) refuse(keyword, "an int", found);
  return *number;
}

double OpArguments::real(std::string_view keyword, double fallback) {
  return scalar(keyword, fallback).real();
}

bool OpArguments::boolean(std::string_view keyword, bool fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  const auto* truth = found->get_if<bool>();
  if (truth == nullptr) refuse(keyword, "a bool", *found);
  return *truth;
}

std::optional<Shape> OpArguments::integers(std::string_view keyword) {
  const Value* found = next(keyword);
  return found == nullptr ? std::nullopt : std::optional(shape_of(keyword, *found));
}

Shape OpArguments::required_integers(std::string_view keyword) {
  return shape_of(keyword, required(keyword));
}

Shape OpArguments::shape_of(std::string_view keyword, const Value& value) const {
  if (const auto* number = value.get_if<std::int64_t>()) return Shape{*number};
  const auto* items = items_of(value);
  if (items == nullptr) refuse(keyword, "a list of ints", value);
  Shape result;
  for (const Value& item : *items) {
    const auto* number = item.get_if<std::int64_t>();
    if (number == nullptr) refuse(keyword, "a list of ints", value);
    result.push_back(*number);
  }
  return result;
}

std::optional<Dtype> OpArguments::dtype(std::string_view keyword) {
  const Value* found = next(keyword);
  if (found == nullptr) return std::nullopt;
  const auto* named = found->get_if<assay::Dtype>();
  if (named == nullptr) refuse(keyword, "a dtype", *found);
  return from_waist(*named);
}

std::optional<std::string> OpArguments::text(std::string_view keyword) {
  const Value* found = next(keyword);
  if (found == nullptr) return std::nullopt;
  const auto* word = found->get_if<std::string>();
  if (word == nullptr) refuse(keyword, "a text", *found);
  return *word;
}

Reduction OpArguments::reduction() {
  const std::string word = text("reduction").value_or("mean");
  if (word == "none") return Reduction::kNone;
  if (word == "sum") return Reduction::kSum;
  require(word == "mean", ErrorKind::kValue,
          [&] { return word + " is not a valid value for reduction"; });
  return Reduction::kMean;
}

void OpArguments::done() const {
  if (next_ < positional_.size()) {
    throw NotSupported("core.op: " + std::to_string(positional_.size()) +
                       " positional arguments are more than are known here");
  }
  const std::size_t keywords = keywords_ == nullptr ? 0 : keywords_->items.size();
  if (keywords_read_ < keywords) throw NotSupported("core.op: a keyword that is not known here");
}

}  // namespace assay::cuda
