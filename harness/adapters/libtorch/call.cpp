// Reads arguments and writes fields of the reply.
#include "harness/adapters/libtorch/call.hpp"

#include <atomic>

#include "harness/adapters/libtorch/errors.hpp"
#include "harness/adapters/libtorch/tensors.hpp"
#include "harness/adapters/libtorch/warnings.hpp"

namespace assay::libtorch {
namespace {

std::string fresh_loan() {
  static std::atomic<std::uint64_t> count{0};
  return "lent#" + std::to_string(++count);
}

}  // namespace

Call::~Call() {
  innermost() = outer_;
  for (const std::string& name : lent_) {
    if (names_.has(name)) names_.drop(name);
  }
}

Call*& Call::innermost() {
  thread_local Call* call = nullptr;
  return call;
}

Call& Call::current() {
  if (innermost() != nullptr) return *innermost();
  throw ClientError(ErrorKind::kInternal, "called back on a thread that answers no command");
}

at::Tensor Call::tensor_from(const Value& value) {
  if (const auto* ref = value.get_if<Ref>()) {
    const Object found = names_.get(ref->name);
    if (!found.is<at::Tensor>()) refuse_kind(ref->name, "tensor", found);
    return *found.as<at::Tensor>();
  }
  if (const TensorValue* dense = value.tensor()) return tensor_of(*dense);
  if (value.sparse() != nullptr) throw NotSupported("sparse tensors by value");
  throw InvalidArgument(command_.verb + ": a tensor or a reference to one was expected, not " +
                        std::string(kind_of(value)));
}

at::ScalarType Call::dtype(std::string_view name) { return to_torch(arguments_.dtype(name)); }

std::optional<at::ScalarType> Call::dtype_or_none(std::string_view name) {
  const Value* value = arguments_.optional(name);
  if (value == nullptr || value->is_none()) return std::nullopt;
  return dtype(name);
}

void Call::result(Value value) {
  if (!command_.as.empty()) result_ = Object::of(std::make_shared<Value>(value), "value");
  set("result", std::move(value));
}

Value Call::give(const at::Tensor& tensor) {
  if (auto name = names_.name_of(tensor.unsafeGetTensorImpl())) return Ref{std::move(*name)};
  return by_value(tensor, command_.digest);
}

Value Call::lend(const Object& object) {
  if (auto name = names_.name_of(identity_of(object))) return Ref{std::move(*name)};
  lent_.push_back(fresh_loan());
  names_.bind(lent_.back(), object);
  return Ref{lent_.back()};
}

Reply Call::finish() {
  arguments_.done();
  Reply reply = Reply::make_ok();
  if (result_) {
    const bool is_named = !command_.as.empty();
    if (is_named) names_.bind(command_.as, *result_);
    if (!result_->is<Value>()) {
      Value shown = Opaque{std::string(result_->kind)};
      if (auto name = names_.name_of(identity_of(*result_))) {
        shown = Ref{std::move(*name)};
      } else if (result_->is<at::Tensor>()) {
        shown = by_value(*result_->as<at::Tensor>(), command_.digest);
      }
      set("result", std::move(shown));
    }
  }
  reply.ok = std::move(fields_);
  reply.blind = std::move(blind_);
  return reply;
}

void Call::refuse_kind(std::string_view name, std::string_view kind, const Object& got) {
  throw InvalidArgument(command_.verb + ": '" + std::string(name) + "' must be a " +
                        std::string(kind) + ", not a " + std::string(got.kind));
}

Value call_back(Call& call, const std::string& callback, const std::vector<Value>& arguments,
                const Fields& named) {
  const Reply reply = call.host().call(callback, arguments, named);
  for (const Warning& warning : reply.warnings) add_warning(warning);
  switch (reply.status) {
    case Reply::Status::kOk:
      break;
    case Reply::Status::kError:
      throw ClientError(reply.error.kind, reply.error.message);
    case Reply::Status::kUnsupported:
      throw NotSupported(reply.reason);
    case Reply::Status::kInvalid:
      throw InvalidArgument(reply.reason);
  }
  const Value* result = reply.ok.find("result");
  return result == nullptr ? Value() : *result;
}

}  // namespace assay::libtorch
