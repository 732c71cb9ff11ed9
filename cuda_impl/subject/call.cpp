// Reads arguments, collects result fields, and runs callbacks.
#include "cuda_impl/subject/call.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "cuda_impl/core/graph.hpp"

namespace assay::cuda {
namespace {

Call*& innermost() {
  thread_local Call* call = nullptr;
  return call;
}

std::string name_for_loan() {
  static std::atomic<std::uint64_t> loans{0};
  return "lent#" + std::to_string(++loans);
}

/// Stands for a value that a capture has not computed.
constexpr std::string_view kNotYet = "captured";

bool is_not_yet(const Value& value) {
  const auto* opaque = value.get_if<Opaque>();
  if (opaque != nullptr) return opaque->kind == kNotYet;
  const auto* list = value.get_if<List>();
  return list != nullptr && std::ranges::any_of(list->items, is_not_yet);
}

}  // namespace

Call::Call(ClientState& client_state, Host& host, const Command& command)
    : client_state_(client_state),
      host_(host),
      command_(command),
      arguments_(command),
      outer_(innermost()) {
  innermost() = this;
}

Call::~Call() {
  innermost() = outer_;
  for (const std::string& name : loans_) {
    try {
      names().drop(name);
    } catch (...) {  // the client has dropped it
      continue;
    }
  }
}

Call& Call::current() {
  require(innermost() != nullptr, ErrorKind::kInternal,
          [] { return "this thread answers no command, and cannot call the client back"; });
  return *innermost();
}

bool Call::is_none(std::string_view name) {
  const Value* value = arguments_.optional(name);
  return value == nullptr || value->is_none();
}

Tensor Call::tensor(std::string_view name) { return tensor_from(arguments_.value(name)); }

Tensor Call::tensor_or_none(std::string_view name) {
  return is_none(name) ? Tensor() : tensor(name);
}

std::vector<Tensor> Call::tensors(std::string_view name) {
  std::vector<Tensor> all;
  for (const Value& item : arguments_.items(name)) all.push_back(tensor_from(item));
  return all;
}

Tensor Call::tensor_from(const Value& value) {
  if (const auto* ref = value.get_if<Ref>()) {
    const Object found = names().get(ref->name);
    if (!found.is_tensor()) refuse(ref->name, "tensor", found);
    return found.tensor();
  }
  refuse_values_in_capture();
  const Uncounted uncounted;
  if (const TensorValue* dense = value.tensor()) return cuda::tensor_from(*dense, release());
  if (const SparseValue* sparse = value.sparse()) return sparse_from(*sparse, release());
  throw InvalidArgument(command_.verb + ": expected a tensor or a reference to one, not " +
                        std::string(kind_of(value)));
}

std::optional<Dtype> Call::dtype_or_none(std::string_view name) {
  if (is_none(name)) return std::nullopt;
  return dtype(name);
}

std::optional<Device> Call::device_or_none(std::string_view name) {
  if (is_none(name)) return std::nullopt;
  return device(name);
}

Device Call::device_as_given(std::string_view name) {
  return from_waist(arguments_.device(name), release());
}

Scalar Call::scalar(std::string_view name) {
  const Value& value = arguments_.value(name);
  if (const auto number = scalar_from(value)) return *number;
  throw InvalidArgument(command_.verb + ": '" + std::string(name) + "' must be a number, not " +
                        std::string(kind_of(value)));
}

void Call::result(Value value) {
  if (command_.as.empty()) return set("result", std::move(value));
  result_ = Object(std::make_shared<Value>(std::move(value)), "value");
}

Value Call::give(const Tensor& tensor) {
  if (auto name = names().name_of(tensor.body().get())) return Ref{std::move(*name)};
  return by_value(tensor);
}

void Call::refuse_values_in_capture() const {
  if (memory_of_capture() == nullptr) return;
  throw InvalidArgument(command_.verb + ": tensors that are captured must be given by name");
}

Value Call::by_value(const Tensor& tensor) {
  if (!tensor.is_cuda() || memory_of_capture() == nullptr) return read(tensor);
  is_partly_blind_ = true;
  return Opaque{std::string(kNotYet)};
}

Value Call::read(const Tensor& tensor) {
  const Uncounted uncounted;
  return value_of(tensor, {release(), command_.digest});
}

Value Call::give_as(std::string_view suffix, const Tensor& tensor) {
  if (!command_.as.empty()) {
    std::string name = command_.as + "." + std::string(suffix);
    if (!names().has(name)) names().bind(name, tensor);
  }
  return give(tensor);
}

Value Call::lend(const Object& object) {
  if (auto name = names().name_of(object.identity())) return Ref{std::move(*name)};
  loans_.push_back(name_for_loan());
  names().bind(loans_.back(), object);
  return Ref{loans_.back()};
}

Value Call::call_back(const std::string& callback, const std::vector<Value>& positional,
                      const Fields& named) {
  const Reply reply = host_.call(callback, positional, named);
  for (const auto& [category, text] : reply.warnings) warn(category, text);
  switch (reply.status) {
    case Reply::Status::kOk:
      break;
    case Reply::Status::kError:
      throw Error(from_waist(reply.error.kind), reply.error.message);
    case Reply::Status::kUnsupported:
      throw NotSupported(reply.reason);
    case Reply::Status::kInvalid:
      throw InvalidArgument(reply.reason);
  }
  const Value* result = reply.ok.find("result");
  return result == nullptr ? Value() : *result;
}

Tensor Call::call_back_for_tensor(const std::string& callback,
                                  const std::vector<Value>& positional) {
  inner_result_ = {};
  const Value returned = call_back(callback, positional);
  if (const auto* ref = returned.get_if<Ref>()) return names().get(ref->name).tensor();
  if (returned.tensor() == nullptr && returned.sparse() == nullptr) return {};
  const Tensor made = std::exchange(inner_result_, {}).tensor();
  return made.defined() ? made : tensor_from(returned);
}

Value Call::named_result(const Object& object) {
  if (!command_.as.empty()) names().bind(command_.as, object);
  if (const auto value = object.as<Value>()) return *value;
  if (auto name = names().name_of(object.identity())) return Ref{std::move(*name)};
  if (object.is_tensor()) return by_value(object.tensor());
  return Opaque{std::string(object.kind())};
}

Reply Call::finish() {
  arguments_.done();
  if (result_) {
    const Object object = std::move(*result_);
    result_.reset();
    if (outer_ != nullptr) outer_->inner_result_ = object;
    set("result", named_result(object));
  }
  return shown_reply();
}

Reply Call::shown_reply() {
  if (!is_partly_blind_) return Reply::make_ok(std::move(fields_));
  Reply reply = Reply::make_ok({});
  for (const auto& [name, value] : fields_) {
    if (is_not_yet(value)) {
      reply.blind.push_back(name);
    } else {
      reply.ok.set(name, value);
    }
  }
  return reply;
}

void Call::refuse(std::string_view name, std::string_view kind, const Object& got) const {
  throw InvalidArgument(command_.verb + ": '" + std::string(name) + "' must be a " +
                        std::string(kind) + ", not a " + std::string(got.kind()));
}

}  // namespace assay::cuda
