// The typed client of the area core: tensors, dtypes, devices, scalars and boxed values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

using Shape = std::vector<std::int64_t>;

struct TensorInfo {
  Dtype dtype = Dtype::kUndefined;
  Shape shape;
  Shape strides;
  std::optional<Device> device;  ///< nothing for the undefined tensor
  std::int64_t numel = 0;
  std::int64_t dim = 0;
  std::int64_t offset = 0;
  bool contiguous = false;
  bool dense = false;  ///< non-overlapping and dense
  bool defined = false;
  bool null = false;  ///< the data pointer is null
  std::int64_t version = 0;
  bool requires_grad = false;
  bool leaf = false;
};

/// The options of `to`; empty options are not sent.
struct ToArguments {
  std::optional<Dtype> dtype = {};
  std::optional<Device> device = {};
  std::optional<bool> copy = {};
  std::optional<bool> non_blocking = {};
  std::string memory_format = {};  ///< `preserve`, `contiguous`, `channels_last`
};

struct EmptyArguments {
  Shape shape;
  Dtype dtype = Dtype::kFloat32;
  std::optional<Device> device = {};
};

struct ViewArguments {
  Shape shape;
  Shape strides;
  std::int64_t offset = 0;
};

struct StorageInfo {
  TensorValue elements;  ///< the whole storage, flat
  std::int64_t offset = 0;
};

struct DtypeInfo {
  std::int64_t number = -1;
  std::optional<std::int64_t> size;  ///< nothing if the query raises
  bool floating = false;
  bool complex = false;
  bool integral = false;
  bool integral_or_bool = false;
  std::optional<bool> is_signed;  ///< the same
};

struct ScalarInfo {
  std::string kind;  ///< `bool`, `int`, `float`, `complex`
  Value value;
};

struct DeviceInfo {
  std::string type;
  std::int64_t index = -1;
  std::string text;
};

/// A boxed value with its name.
struct Boxed {
  std::string kind;
  Ref ref;
};

/// Arguments are values of any kind, so that invalid ones can be sent too: a tensor is passed by
/// value or by reference. Calls that return a Ref give their result a new name; inside
/// `Session::block` the name is valid and everything else is empty.
class CoreClient {
 public:
  explicit CoreClient(Session& session) : session_(session) {}

  Ref tensor(const Value& value) { return named("core.tensor", {{"value", value}}); }
  Ref leaf(const Value& value);  ///< requires a gradient
  Ref undefined() { return named("core.undefined", {}); }
  Ref empty(const EmptyArguments& arguments);
  TensorValue read(const Value& tensor) {
    return session_.read<TensorValue>("core.read", {{"tensor", tensor}});
  }
  Digest digest(const Value& tensor, std::uint64_t block);
  StorageInfo storage(const Value& tensor);
  TensorInfo info(const Value& tensor);
  std::int64_t size(const Value& tensor, std::int64_t dim) {
    return session_.read<std::int64_t>("core.size", {{"tensor", tensor}, {"dim", dim}});
  }
  /// True if the pointer is null. `access` is `plain`, `const` or `mutable`.
  bool null_data_ptr(const Value& tensor, Dtype dtype, const std::string& access = "plain") {
    return session_.read<bool>("core.data_ptr",
                               {{"tensor", tensor}, {"dtype", dtype}, {"access", access}}, "null");
  }

  Ref as_strided(const Value& tensor, const ViewArguments& view);
  Ref expand(const Value& tensor, const Shape& shape);
  Ref detach(const Value& tensor) { return named("core.detach", {{"tensor", tensor}}); }

  Ref to(const Value& tensor, const ToArguments& how);
  /// The converted tensor by value. Not for conversions that return a named tensor itself.
  TensorValue convert(const Value& tensor, Dtype dtype) {
    return session_.read<TensorValue>("core.to", {{"tensor", tensor}, {"dtype", dtype}});
  }
  Digest convert_digest(const Value& tensor, Dtype dtype, std::uint64_t block);
  Ref copy_(const Value& dst, const Value& src, std::optional<bool> non_blocking = {});
  Ref fill_(const Value& tensor, const Value& value) {
    return named("core.fill_", {{"tensor", tensor}, {"value", value}});
  }
  Ref add_(const Value& tensor, const Value& other) {
    return named("core.add_", {{"tensor", tensor}, {"other", other}});
  }
  Value item(const Value& tensor) {
    return session_.read<Value>("core.item", {{"tensor", tensor}});
  }

  /// The result of an operator, by value or by name.
  TensorValue op(const std::string& name, std::vector<Value> args, Dict kwargs = {});
  Ref op_ref(const std::string& name, std::vector<Value> args, Dict kwargs = {});

  DtypeInfo dtype(Dtype dtype);
  Dtype promote_types(Dtype a, Dtype b) {
    return session_.read<Dtype>("core.promote_types", {{"a", a}, {"b", b}});
  }
  bool can_cast(Dtype from, Dtype to) {
    return session_.read<bool>("core.can_cast", {{"from", from}, {"to", to}});
  }
  Dtype result_type(std::vector<Value> operands, std::optional<Dtype> default_dtype = {});

  ScalarInfo scalar(const std::optional<Value>& value = {});
  TensorValue scalar_to(const Value& value, Dtype dtype) {
    return session_.read<TensorValue>("core.scalar_to", {{"value", value}, {"dtype", dtype}});
  }
  bool scalar_equal(const Value& a, const Value& b) {
    return session_.read<bool>("core.scalar_equal", {{"a", a}, {"b", b}});
  }
  Value scalar_negate(const Value& a) {
    return session_.read<Value>("core.scalar_negate", {{"a", a}});
  }

  DeviceInfo device(const std::string& text);
  std::string device_new(const std::string& type, std::int64_t index) {
    return session_.read<std::string>("core.device_new", {{"type", type}, {"index", index}},
                                      "text");
  }
  std::int64_t device_type(const std::string& type) {
    return session_.read<std::int64_t>("core.device_type", {{"type", type}}, "number");
  }
  std::string device_key(const std::string& type) {
    return session_.read<std::string>("core.device_key", {{"type", type}});
  }
  Device current_device() { return session_.read<Device>("core.current_device"); }
  void set_device(const Device& device) { session_.send("core.set_device", {{"device", device}}); }
  /// A block for `scope` that enters the device.
  Block device_guard(const Device& device);

  Boxed ivalue(const Value& value);
  Value ivalue_to(const Ref& ivalue, const std::string& kind) {
    return session_.read<Value>("core.ivalue_to", {{"ivalue", ivalue}, {"kind", kind}});
  }
  Ref ivalue_copy(const Ref& ivalue) { return named("core.ivalue_copy", {{"ivalue", ivalue}}); }
  /// The new owner, and the kind of the moved-from value.
  std::pair<Ref, std::string> ivalue_move(const Ref& ivalue);
  void ivalue_push(const Ref& ivalue, const Value& value) {
    session_.send("core.ivalue_push", {{"ivalue", ivalue}, {"value", value}});
  }

  void set_grad(const Value& tensor, const Value& grad) {
    session_.send("core.set_grad", {{"tensor", tensor}, {"grad", grad}});
  }
  Value grad(const Value& tensor) {
    return session_.read<Value>("core.grad", {{"tensor", tensor}});
  }
  void requires_grad_(const Value& tensor, bool value) {
    session_.send("core.requires_grad_", {{"tensor", tensor}, {"value", value}});
  }
  void backward(const Value& tensor) { session_.send("core.backward", {{"tensor", tensor}}); }

 private:
  /// Sends the command with a new name for the result.
  Ref named(std::string verb, Fields with);
  Digest digest_result(Command command);

  Session& session_;
};

}  // namespace assay
