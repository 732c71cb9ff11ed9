// Area core: copies, conversions, fills and reads.
#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/fill.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

MemoryFormat format_argument(Call& call) {
  const std::string word = call.arguments().text("memory_format", "preserve");
  const auto format = memory_format_named(word);
  if (!format) throw InvalidArgument("core.to: there is no memory format '" + word + "'");
  return *format;
}

/// A 0-dim source is read as a number if it is on another device, and always in 1.13.
void fill_from(Call& call, const Tensor& tensor, const Tensor& value) {
  check(value.dim() == 0, [&] {
    return "fill_ only supports 0-dimension value tensor but got tensor with " +
           std::to_string(value.dim()) + " dimensions.";
  });
  Runtime& runtime = call.runtime();
  const bool copies = value.device() == tensor.device() && call.contract().at_least(Release::k2_4);
  call.result(copies ? copy_(runtime, tensor, value, false)
                     : fill_(runtime, tensor, item(runtime, value)));
}

}  // namespace

void core_to(Call& call) {
  ToOptions options;
  options.dtype = call.dtype_or_none("dtype");
  options.device = call.device_or_none("device");
  options.copy = call.arguments().boolean("copy", false);
  options.non_blocking = call.arguments().boolean("non_blocking", false);
  options.format = format_argument(call);
  call.result(converted(call.runtime(), call.tensor("tensor"), options));
}

void core_copy_(Call& call) {
  const bool non_blocking = call.arguments().boolean("non_blocking", false);
  call.result(copy_(call.runtime(), call.tensor("dst"), call.tensor("src"), non_blocking));
}

void core_fill_(Call& call) {
  const Value& value = call.arguments().value("value");
  if (value.is<Ref>() || value.tensor() != nullptr) {
    return fill_from(call, call.tensor("tensor"), call.tensor_from(value));
  }
  call.result(fill_(call.runtime(), call.tensor("tensor"), call.scalar("value")));
}

void core_item(Call& call) {
  call.result(to_protocol(item(call.runtime(), call.tensor("tensor"))));
}

}  // namespace assay::reference
