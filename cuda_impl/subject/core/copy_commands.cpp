// Area core: conversions, copies and fills.
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/copy/fill.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

MemoryFormat format(Call& call) {
  const std::string word = call.arguments().text("memory_format", "preserve");
  if (word == "preserve") return MemoryFormat::kPreserve;
  if (word == "contiguous") return MemoryFormat::kContiguous;
  if (word == "channels_last") return MemoryFormat::kChannelsLast;
  throw InvalidArgument("core.to: there is no memory format '" + word + "'");
}

/// CORE-20: 1.13 treats `cpu:0` and `cpu` as different devices.
bool names_another_cpu(Call& call, const Tensor& tensor) {
  if (call.contract().is_strict || call.release() != Release::k1_13) return false;
  if (call.is_none("device") || !tensor.device().is_cpu()) return false;
  const Device wanted = call.device_as_given("device");
  return wanted.is_cpu() && wanted.index == 0;
}

}  // namespace

void core_to(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  ToOptions options;
  options.dtype = call.dtype_or_none("dtype");
  options.device = call.device_or_none("device");
  options.copy = call.arguments().boolean("copy", false) || names_another_cpu(call, tensor);
  options.non_blocking = call.arguments().boolean("non_blocking", false);
  options.format = format(call);
  call.result(autograd::made_of(to(tensor, options, call.contract()), tensor));
}

void core_copy_(Call& call) {
  const Tensor target = call.tensor("dst");
  const bool non_blocking = call.arguments().boolean("non_blocking", false);
  copy_(target, call.tensor("src"), {non_blocking, call.contract()});
  call.result(target);
}

void core_fill_(Call& call) {
  const Tensor target = call.tensor("tensor");
  fill_(target, call.scalar("value"), call.contract());
  call.result(target);
}

}  // namespace assay::cuda
