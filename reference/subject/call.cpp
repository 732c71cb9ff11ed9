// Reads arguments and builds the reply.
#include "reference/subject/call.hpp"

#include <algorithm>
#include <atomic>

#include "reference/autograd/steps.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/runtime/streams/cuda.hpp"

namespace assay::reference {
namespace {

std::string fresh_loan() {
  static std::atomic<std::uint64_t> count{0};
  return "lent#" + std::to_string(++count);
}

/// A placeholder for the value of captured work.
Value captured_value() { return Opaque{"captured"}; }

bool holds_captured(const Value& value) {
  if (const auto* list = value.get_if<List>()) {
    return std::any_of(list->items.begin(), list->items.end(), holds_captured);
  }
  const auto* opaque = value.get_if<Opaque>();
  return opaque != nullptr && opaque->kind == "captured";
}

}  // namespace

Call*& Call::innermost() {
  thread_local Call* call = nullptr;
  return call;
}

Call& Call::current() {
  check(innermost() != nullptr, ErrorKind::kInternal,
        [] { return "the client was called back on a thread that answers no command"; });
  return *innermost();
}

Object& Call::latest_result() {
  thread_local Object latest;
  return latest;
}

int& Call::kept_results() {
  thread_local int depth = 0;
  return depth;
}

Tensor Call::tensor(std::string_view name) { return tensor_from(arguments_.value(name)); }

Tensor Call::tensor_or_none(std::string_view name) {
  const Value* value = arguments_.optional(name);
  return value == nullptr || value->is_none() ? Tensor{} : tensor_from(*value);
}

std::vector<Tensor> Call::tensors(std::string_view name) {
  std::vector<Tensor> made;
  for (const Value& item : arguments_.items(name)) made.push_back(tensor_from(item));
  return made;
}

Tensor Call::tensor_from(const Value& value) {
  if (const auto* ref = value.get_if<Ref>()) {
    const Object found = names().get(ref->name);
    if (!found.is<TensorImpl>()) refuse_kind(ref->name, "tensor", found);
    return Tensor(found.as<TensorImpl>());
  }
  refuse_values_in_capture();
  const Uncounted uncounted(runtime());
  if (const TensorValue* dense = value.tensor()) return to_reference(runtime(), *dense);
  if (const SparseValue* sparse = value.sparse()) return to_reference(runtime(), *sparse);
  throw InvalidArgument(command_.verb + ": a tensor or a reference to one was expected, not " +
                        std::string(kind_of(value)));
}

std::optional<ScalarType> Call::dtype_or_none(std::string_view name) {
  const Value* value = arguments_.optional(name);
  if (value == nullptr || value->is_none()) return std::nullopt;
  return dtype(name);
}

Device Call::device(std::string_view name) {
  return to_reference(runtime(), arguments_.device(name));
}

std::optional<Device> Call::device_or_none(std::string_view name) {
  const Value* value = arguments_.optional(name);
  if (value == nullptr || value->is_none()) return std::nullopt;
  return device(name);
}

Scalar Call::scalar(std::string_view name) {
  const Value& value = arguments_.value(name);
  if (const auto number = scalar_from(value)) return *number;
  throw InvalidArgument(command_.verb + ": '" + std::string(name) + "' must be a number, not " +
                        std::string(kind_of(value)));
}

void Call::result(Value value) {
  if (!command_.as.empty()) {
    result_ = Object::of(std::make_shared<Value>(value), "value");
  }
  set("result", std::move(value));
}

void Call::result(const Tensor& tensor) { result(Object::of(tensor)); }
void Call::result(Object object) { result_ = std::move(object); }

Value Call::give(const Tensor& tensor) {
  if (auto name = names().name_of(tensor.identity())) return Ref{std::move(*name)};
  return by_value(tensor);
}

void Call::refuse_values_in_capture() {
  if (!is_capturing(runtime())) return;
  throw InvalidArgument(command_.verb +
                        ": while the current stream captures, tensors are given by name");
}

Value Call::by_value(const Tensor& tensor) {
  if (tensor.defined() && has_no_data(tensor)) return Opaque{"tensor without data"};
  const bool is_on_device = tensor.defined() && tensor.is_cuda();
  // Any wait for a stream would invalidate this thread's capture (FLT-016).
  const bool is_captured =
      is_on_device && (is_capturing(runtime()) || is_capturing(runtime(), tensor.device().index));
  if (!is_captured) return read(tensor);
  has_captured_ = true;
  return captured_value();
}

Value Call::read(const Tensor& tensor) {
  if (tensor.defined()) {
    wait_for_stream(runtime(), tensor.is_sparse() ? tensor.values().device() : tensor.device());
  }
  return to_protocol(runtime(), tensor, command_.digest);
}

Value Call::give_as(std::string_view suffix, const Tensor& tensor) {
  if (command_.as.empty()) return give(tensor);
  std::string name = command_.as + "." + std::string(suffix);
  if (!names().has(name)) names().bind(name, Object::of(tensor));
  return give(tensor);
}

Value Call::lend(const Object& object) {
  if (auto name = names().name_of(identity_of(object))) return Ref{std::move(*name)};
  lent_.push_back(fresh_loan());
  names().bind(lent_.back(), object);
  return Ref{lent_.back()};
}

void Call::take_back() {
  for (const std::string& name : lent_) {
    if (names().has(name)) names().drop(name);
  }
  lent_.clear();
}

Value Call::bound(const Object& object, Value otherwise) {
  if (!command_.as.empty()) names().bind(command_.as, object);
  if (auto name = names().name_of(identity_of(object))) return Ref{std::move(*name)};
  return otherwise;
}

Reply Call::finish() {
  arguments_.done();
  if (kept_results() > 0) latest_result() = result_.value_or(Object{});
  if (!result_) return made_reply();
  const Object object = std::move(*result_);
  if (object.is<Value>()) {
    names().bind(command_.as, object);
  } else if (object.is<TensorImpl>() && command_.as.empty()) {
    set("result", give(Tensor(object.as<TensorImpl>())));
  } else {
    set("result", bound(object, Opaque{std::string(object.kind)}));
  }
  return made_reply();
}

Reply Call::made_reply() {
  if (!has_captured_) return Reply::make_ok(std::move(fields_));
  Fields shown;
  std::vector<std::string> blind;
  for (const auto& [name, value] : fields_) {
    if (holds_captured(value)) {
      blind.push_back(name);
    } else {
      shown.set(name, value);
    }
  }
  Reply reply = Reply::make_ok(std::move(shown));
  reply.blind = std::move(blind);
  return reply;
}

void Call::refuse_kind(std::string_view name, std::string_view kind, const Object& got) {
  throw InvalidArgument(command_.verb + ": '" + std::string(name) + "' must be a " +
                        std::string(kind) + ", not a " + std::string(got.kind));
}

}  // namespace assay::reference
