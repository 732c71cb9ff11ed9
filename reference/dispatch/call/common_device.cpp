// Implements DSP-219.
#include "reference/dispatch/call/common_device.hpp"

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

class Check {
 public:
  explicit Check(const FunctionSchema& schema) : op_(to_text(schema.name)) {}

  void value(const IValue& value, const std::string& argument) {
    if (const auto* tensor = std::get_if<Tensor>(&value.payload())) {
      if (tensor->defined()) this->tensor(*tensor, argument);
    } else if (const auto* list = std::get_if<IValue::ListPtr>(&value.payload())) {
      for (const IValue& item : **list) this->value(item, argument);
    }
  }

  std::optional<Device> common() const { return common_; }

 private:
  void tensor(const Tensor& tensor, const std::string& argument) {
    const Device device = tensor.device();
    if (!common_) common_ = device;
    check(device == *common_, [&] {
      return "Expected all tensors to be on the same device, but found at least two devices, " +
             to_text(*common_) + " and " + to_text(device) + " (when checking argument " +
             argument + " in method " + op_ + ")";
    });
  }

  std::string op_;
  std::optional<Device> common_;
};

}  // namespace

std::optional<Device> common_device(const FunctionSchema& schema,
                                    std::span<const IValue> arguments) {
  Check check(schema);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    check.value(arguments[i], schema.arguments[i].name);
  }
  return check.common();
}

}  // namespace assay::reference
