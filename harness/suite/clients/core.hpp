// The typed client of the area core: tensors, dtypes, devices, scalars and boxed values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <waist/calls/core.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

using Shape = std::vector<std::int64_t>;

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
  static StorageInfo from(const Reply& reply);
};

/// A boxed value with its name.
struct Boxed {
  std::string kind;
  Ref ref;
};

/// Arguments are values of any kind, so that invalid ones can be sent too: a tensor is passed by
/// value or by reference. Calls that return a Ref give their result a new name; inside
/// `Session::block` the name is valid and everything else is empty.
class CoreClient : public CoreClientCalls {
 public:
  using CoreClientCalls::CoreClientCalls;

  Ref tensor(const Value& value) const;
  Ref leaf(const Value& value) const;  ///< requires a gradient
  Ref empty(const EmptyArguments& arguments) const;
  Digest digest(const Value& tensor, std::uint64_t block) const;
  /// True if the pointer is null. `access` is `plain`, `const` or `mutable`.
  bool null_data_ptr(const Value& tensor, Dtype dtype, const std::string& access = "plain") const;
  Ref as_strided(const Value& tensor, const ViewArguments& view) const;
  /// The converted tensor by value. Not for conversions that return a named tensor itself.
  TensorValue convert(const Value& tensor, Dtype dtype) const;
  Digest convert_digest(const Value& tensor, Dtype dtype, std::uint64_t block) const;

  /// The result of an operator, by value or by name.
  TensorValue op(const std::string& name, std::vector<Value> args, Dict kwargs = {}) const;
  Ref op_ref(const std::string& name, std::vector<Value> args, Dict kwargs = {}) const;

  /// A block for `scope` that enters the device.
  Block device_guard(const Device& device) const;
  Boxed ivalue(const Value& value) const;
  /// The new owner, and the kind of the moved-from value.
  std::pair<Ref, std::string> ivalue_move(const Ref& ivalue) const;

 private:
  Digest digest_result(Command command) const;
};

}  // namespace assay
