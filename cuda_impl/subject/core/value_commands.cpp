// Area core: values without elements: devices, element types and their promotion, scalars, boxed
// values.
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

// Device values, and the current device.

namespace {

DeviceKind kind(Call& call) {
  const std::string name = call.arguments().text("type");
  const auto found = device_kind_named(name, call.release());
  if (!found) throw InvalidArgument("this release has no device type '" + name + "'");
  return *found;
}

class CurrentDeviceGuard final : public Guard {
 public:
  explicit CurrentDeviceGuard(Device device) : is_cuda_(device.is_cuda()) {
    if (!is_cuda_) return;
    before_ = exchange_current_device(device.index);
  }
  void leave() override {
    if (is_cuda_) cuda_check(restore_current_device(before_));
  }

 private:
  bool is_cuda_;
  int before_ = 0;
};

}  // namespace

void core_device(Call& call) {
  const Device made = device_from_text(call.arguments().text("text"), call.contract());
  call.set("type", name_of(made.kind, call.release()));
  call.set("index", made.index);
  call.set("text", to_text(made, call.release()));
}

void core_device_new(Call& call) {
  const Device made = make_device(kind(call), call.arguments().integer("index"), call.contract());
  call.set("text", to_text(made, call.release()));
}

void core_device_type(Call& call) { call.set("number", number_of(kind(call), call.release())); }

void core_device_key(Call& call) {
  call.result(Value(dispatch_key_of(kind(call), call.release())));
}

void core_current_device(Call& call) {
  const Device device = home().is_cuda() ? cuda_device(cuda::current_device()) : home();
  call.result(Value(to_waist(device, call.release())));
}

/// There is only one CPU, which is always current.
void core_set_device(Call& call) {
  const Device wanted = call.device("device");
  if (wanted.is_cuda()) set_current_device(wanted.index);
}

void core_device_guard(Call& call) {
  std::shared_ptr<Guard> guard = std::make_shared<CurrentDeviceGuard>(call.device("device"));
  call.result(Object(std::move(guard), "guard"));
}

// Element types and their promotion.

namespace {

bool is_bits(Dtype dtype) { return dtype >= Dtype::kBits1x8 && dtype <= Dtype::kBits16; }

/// None if the query itself raises (CORE-02).
Value sign_of(Dtype dtype) {
  if (facts(dtype).is_quantized || is_bits(dtype) || dtype == Dtype::kUndefined) return {};
  return facts(dtype).is_signed;
}

Value size_of(Dtype dtype) {
  if (dtype == Dtype::kUndefined) return {};
  return static_cast<std::int64_t>(size_bytes(dtype));
}

Operand operand_from(Call& call, const Value& value) {
  if (const auto number = scalar_from(value)) return *number;
  return call.tensor_from(value);
}

}  // namespace

void core_dtype(Call& call) {
  const Dtype asked = call.dtype("dtype");
  const DtypeFacts& known = facts(asked);
  call.set("number", number_of(asked, call.release()));
  call.set("size", size_of(asked));
  call.set("floating", known.is_floating);
  call.set("complex", known.is_complex);
  call.set("integral", known.is_integral);
  call.set("integral_or_bool", known.is_integral || asked == Dtype::kBool);
  call.set("signed", sign_of(asked));
}

void core_promote_types(Call& call) {
  call.result(Value(to_waist(promote_types(call.dtype("a"), call.dtype("b")))));
}

void core_can_cast(Call& call) {
  call.result(Value(can_cast(call.dtype("from"), call.dtype("to"))));
}

void core_result_type(Call& call) {
  std::vector<Operand> operands;
  for (const Value& item : call.arguments().items("operands")) {
    operands.push_back(operand_from(call, item));
  }
  const Dtype fallback = call.dtype_or_none("default").value_or(Dtype::kFloat32);
  call.result(Value(to_waist(result_type(operands, fallback))));
}

// Scalars.

namespace {

/// The errors of item(); 1.13 first checks whether the value can be a Python number.
void check_item(const Tensor& tensor, Release release) {
  const bool is_first = release == Release::k1_13;
  require(!tensor.is_meta(), is_first ? ErrorKind::kNotImplemented : ErrorKind::kError,
          [] { return "Tensor.item() cannot be called on meta tensors"; });  // CORE-23
  require(tensor.numel() == 1, is_first ? ErrorKind::kValue : ErrorKind::kError, [&] {
    return "a Tensor with " + std::to_string(tensor.numel()) +
           " elements cannot be converted to Scalar";
  });
}

}  // namespace

void core_scalar(Call& call) {
  const Scalar made = call.has("value") ? call.scalar("value") : Scalar();
  call.set("kind", kind_of(made));
  call.set("value", value_of(made));
}

void core_scalar_to(Call& call) {
  const Dtype dtype = call.dtype("dtype");
  const Element element = to_element(call.scalar("value"), dtype, call.contract());
  const Tensor made = empty({}, dtype, home());
  write_elements(made, element.data());
  call.result(made);
}

void core_scalar_equal(Call& call) {
  call.result(Value(equal(call.scalar("a"), call.scalar("b"))));
}

void core_scalar_negate(Call& call) { call.result(value_of(negated(call.scalar("a")))); }

void core_item(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  check_item(tensor, call.release());
  call.result(value_of(from_element(read_elements(tensor).data(), tensor.dtype())));
}

// Boxed values.

namespace {

std::shared_ptr<Boxed> box(Call& call) { return call.held<Boxed>("ivalue", "boxed value"); }

void give_box(Call& call, Boxed boxed) {
  call.result(Object(std::make_shared<Boxed>(std::move(boxed)), "ivalue"));
}

}  // namespace

void core_ivalue(Call& call) {
  Boxed made = boxed_from(call, call.arguments().value("value"));
  call.set("kind", name_of(made.kind()));
  give_box(call, std::move(made));
}

void core_ivalue_to(Call& call) {
  const auto held = box(call);
  const std::string kind = call.arguments().text("kind");
  if (kind == "Scalar") return call.result(value_of(held->to_scalar()));
  held->expect(kind);
  if (held->is_tensor()) return call.result(held->tensor());
  call.result(value_of(call, *held));
}

void core_ivalue_copy(Call& call) { give_box(call, *box(call)); }

void core_ivalue_move(Call& call) {
  const auto from = box(call);
  Boxed moved = std::move(*from);
  call.set("moved_from", name_of(from->kind()));
  give_box(call, std::move(moved));
}

void core_ivalue_push(Call& call) {
  const auto list = box(call);
  list->push(boxed_from(call, call.arguments().value("value")));
  call.result(Object(list, "ivalue"));
}

}  // namespace assay::cuda
