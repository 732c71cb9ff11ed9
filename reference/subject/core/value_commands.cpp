// Area core: dtypes, promotion and scalars, devices and their text forms, boxed values.
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/device.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/scalar.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {
namespace {

TypedOperand operand_from(Call& call, const Value& value) {
  using Class = TypedOperand::Class;
  if (const auto number = scalar_from(value)) return {Class::kScalar, number->type()};
  const Tensor tensor = call.tensor_from(value);
  return {tensor.dim() == 0 ? Class::kZeroDim : Class::kDim, tensor.dtype()};
}

std::string_view kind_name(const Scalar& scalar) {
  switch (scalar.type()) {
    case ScalarType::kBool:
      return "bool";
    case ScalarType::kLong:
      return "int";
    case ScalarType::kDouble:
      return "float";
    default:
      return "complex";
  }
}

}  // namespace

void core_dtype(Call& call) {
  const ScalarType type = call.dtype("dtype");
  call.set("number", number_of(type, call.contract().release));
  call.set("size", answer_or_none([&] { return static_cast<std::int64_t>(element_size(type)); }));
  call.set("floating", is_floating(type));
  call.set("complex", is_complex(type));
  call.set("integral", is_integral(type, false));
  call.set("integral_or_bool", is_integral(type, true));
  call.set("signed", answer_or_none([&] { return is_signed(type); }));
}

void core_promote_types(Call& call) {
  const ScalarType both = promote_types(call.dtype("a"), call.dtype("b"), call.contract());
  call.result(Value(to_protocol(both)));
}

void core_can_cast(Call& call) {
  call.result(Value(can_cast(call.dtype("from"), call.dtype("to"))));
}

void core_result_type(Call& call) {
  std::vector<TypedOperand> operands;
  for (const Value& item : call.arguments().items("operands")) {
    operands.push_back(operand_from(call, item));
  }
  const ScalarType fallback = call.dtype_or_none("default").value_or(ScalarType::kFloat);
  check(is_floating(fallback), ErrorKind::kType,
        [] { return "only floating-point types are supported as the default type"; });
  call.result(Value(to_protocol(result_type(operands, fallback, call.contract()))));
}

void core_scalar(Call& call) {
  const Scalar made = call.has("value") ? call.scalar("value") : Scalar();
  call.set("kind", kind_name(made));
  call.set("value", to_protocol(made));
}

void core_scalar_to(Call& call) {
  const ScalarType type = call.dtype("dtype");
  const std::uint64_t bits = call.scalar("value").bits_as(type, call.contract());
  const Tensor made = empty(call.runtime(), {}, type, call.runtime().home());
  set_bits_at(made, 0, bits);
  call.result(made);
}

void core_scalar_equal(Call& call) { call.result(Value(call.scalar("a").equal(call.scalar("b")))); }

void core_scalar_negate(Call& call) { call.result(to_protocol(call.scalar("a").negated())); }

// Devices, their text forms, and the current device.

namespace {

/// PyTorch deprecates this type since 2.9.
void warn_of_old_type(Call& call, const Device& made) {
  if (made.type != DeviceType::kMkldnn || !call.contract().at_least(Release::k2_11)) return;
  call.runtime().warn(
      "UserWarning",
      "'mkldnn' is no longer used as device type. So torch.device('mkldnn') will be "
      "deprecated and removed in the future.");
}

DeviceType type_argument(Call& call) {
  const std::string text = call.arguments().text("type");
  const auto found = device_type_named(text, call.contract().release);
  if (!found) throw InvalidArgument("there is no device type '" + text + "' in this release");
  return *found;
}

assay::Device current(Call& call) {
  if (!call.contract().cuda()) return {"cpu", -1};
  return {"cuda", call.runtime().current_device()};
}

/// A CPU has no settable current device.
std::optional<int> cuda_index(Call& call) {
  const Device device = call.runtime().resolve(call.device("device"));
  if (!device.is_cuda()) return std::nullopt;
  return device.index;
}

class CurrentDeviceGuard final : public Guard {
 public:
  CurrentDeviceGuard(Runtime& runtime, int index)
      : runtime_(runtime), before_(runtime.current_device()) {
    runtime_.set_current_device(index);
  }
  void leave() override {
    if (runtime_.cuda_devices() > 0) runtime_.set_current_device(before_);
  }

 private:
  Runtime& runtime_;
  int before_;
};

/// A guard for the CPU, which has no effect.
class NoGuard final : public Guard {
 public:
  void leave() override {}
};

}  // namespace

void core_device(Call& call) {
  const std::string text = call.arguments().text("text");
  const Device made = device_from_text(text, call.contract());
  warn_of_old_type(call, made);
  call.set("type", name_of(made.type, call.contract().release));
  call.set("index", made.index);
  // MAIA was called ORT in 1.13, and has the same number.
  const std::string type(name_of(made.type, call.contract().release));
  const std::string plain = to_text(made);
  const std::size_t index = plain.find(':');
  call.set("text", index == std::string::npos ? type : type + plain.substr(index));
}

void core_device_new(Call& call) {
  const DeviceType type = type_argument(call);
  const Device made = make_device(type, call.arguments().integer("index"), call.contract());
  call.set("text", to_text(made));
}

void core_device_type(Call& call) {
  call.set("number", number_of(type_argument(call), call.contract().release));
}

void core_device_key(Call& call) {
  call.result(Value(dispatch_key_of(type_argument(call), call.contract().release)));
}

void core_current_device(Call& call) { call.result(Value(current(call))); }

void core_set_device(Call& call) {
  if (const auto index = cuda_index(call)) call.runtime().set_current_device(*index);
}

void core_device_guard(Call& call) {
  std::shared_ptr<Guard> guard = std::make_shared<NoGuard>();
  if (const auto index = cuda_index(call)) {
    guard = std::make_shared<CurrentDeviceGuard>(call.runtime(), *index);
  }
  call.result(Object(std::move(guard), "guard"));
}

// Boxed values.

namespace {

std::shared_ptr<IValue> box(Call& call) { return call.held<IValue>("ivalue", "ivalue"); }

void give_box(Call& call, IValue ivalue) {
  call.result(Object(std::make_shared<IValue>(std::move(ivalue)), "ivalue"));
}

}  // namespace

void core_ivalue(Call& call) {
  IValue made = ivalue_from(call, call.arguments().value("value"));
  call.set("kind", made.kind());
  give_box(call, std::move(made));
}

void core_ivalue_to(Call& call) {
  const std::shared_ptr<IValue> held = box(call);
  const std::string kind = call.arguments().text("kind");
  if (kind == "Scalar") return call.result(to_protocol(held->to_scalar()));
  if (kind == "Double") return call.result(held->to_double());
  if (kind == "Int") return call.result(held->to_int());
  if (kind == "Tensor") return call.result(held->to_tensor());
  held->expect_kind(kind);
  call.result(value_of(call, *held));
}

void core_ivalue_copy(Call& call) { give_box(call, *box(call)); }

void core_ivalue_move(Call& call) {
  const std::shared_ptr<IValue> from = box(call);
  IValue moved = std::move(*from);
  call.set("moved_from", from->kind());
  give_box(call, std::move(moved));
}

void core_ivalue_push(Call& call) {
  const std::shared_ptr<IValue> list = box(call);
  list->push(ivalue_from(call, call.arguments().value("value")));
  call.result(Object(list, "ivalue"));
}

}  // namespace assay::reference
