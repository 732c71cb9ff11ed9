// Registers operators and autocast rules.
#include "cuda_impl/aten/library.hpp"

#include <utility>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/autocast/boxed_wrapper.hpp"
#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::aten {
namespace {

using autocast::CastPolicy;
using dispatch::Dispatcher;

dispatch::Schema declare(Dispatcher& dispatcher, const char* schema) {
  dispatch::Schema parsed =
      dispatch::parse_schema("aten::" + std::string(schema), dispatcher.contract());
  dispatcher.keep(dispatcher.define(parsed, {.debug = "built in"}));
  return parsed;
}

void define(Dispatcher& dispatcher, const Definition& definition) {
  const dispatch::Schema schema = declare(dispatcher, definition.schema);
  // The kernels record history themselves, so the autograd keys need no kernels.
  for (const auto& [key, kernel] :
       {std::pair{dispatch::Functionality::kCompositeExplicit, definition.kernel},
        std::pair{dispatch::Functionality::kAliasAutograd, dispatch::Kernel::fallthrough()}}) {
    dispatcher.keep(
        dispatcher.implement(schema.name(), dispatch::Key(key), kernel, schema.name().text()));
  }
}

/// Autocast has rules for these operators, and this runtime has no kernels.
struct WithoutKernel {
  const char* schema;
  autocast::Releases releases = {};
};
constexpr autocast::Releases kWithNames{Release::k1_13, Release::k2_12};
constexpr WithoutKernel kWithoutKernel[] = {
    {"cumprod.dimname(Tensor self, Dimname dim, *, ScalarType? dtype=None) -> Tensor", kWithNames},
    {"cumsum.dimname(Tensor self, Dimname dim, *, ScalarType? dtype=None) -> Tensor", kWithNames},
    {"index_copy.dimname(Tensor self, Dimname dim, Tensor index, Tensor source) -> Tensor",
     kWithNames},
    {"log_softmax.Dimname(Tensor self, Dimname dim, *, ScalarType? dtype=None) -> Tensor",
     kWithNames},
    {"norm.names_ScalarOpt_dim(Tensor self, Scalar? p, Dimname[1] dim, bool keepdim=False) -> "
     "Tensor",
     kWithNames},
    {"prod.dim_Dimname(Tensor self, Dimname dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
     "Tensor",
     kWithNames},
    {"softmax.Dimname(Tensor self, Dimname dim, *, ScalarType? dtype=None) -> Tensor", kWithNames},
    {"sum.dim_DimnameList(Tensor self, Dimname[1] dim, bool keepdim=False, *, ScalarType? "
     "dtype=None) -> Tensor",
     kWithNames},
    {"_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, Tensor hx, "
     "Tensor? cx, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool "
     "batch_first, "
     "float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? dropout_state) "
     "-> (Tensor, Tensor, Tensor, Tensor, Tensor)"},
    {"_mps_convolution(Tensor self, Tensor weight, Tensor? bias, int[] padding, int[] stride, "
     "int[] dilation, int groups) -> Tensor",
     {Release::k1_13, Release::k1_13}},
    {"_mps_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] "
     "stride, SymInt[] dilation, SymInt groups) -> Tensor",
     {Release::k2_4, kNewestRelease}},
    {"batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
     "running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor"},
    {"mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor "
     "weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, "
     "int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train) -> "
     "(Tensor, Tensor, Tensor, Tensor)",
     {Release::k2_4, kNewestRelease}},
};

/// CAST-206: 1.13 does not cast the list of `cat`.
bool is_inert(const autocast::Rule& rule, DeviceKind device, Release release) {
  return release == Release::k1_13 && device == DeviceKind::kCpu && rule.op == "aten::cat";
}

dispatch::Kernel wrapper_of(const autocast::Rule& rule, DeviceKind device, Release release) {
  if (is_inert(rule, device, release)) return dispatch::Kernel::fallthrough();
  return autocast::boxed_wrapper(
      {rule.policy, device, std::string(autocast::append_target(rule.op))});
}

void add_rules(Dispatcher& dispatcher, DeviceKind device, bool has_cuda) {
  const Contract& contract = dispatcher.contract();
  for (const autocast::Rule& rule : autocast::rules_of(device, contract.release)) {
    const bool is_left_out = contract.release == Release::k1_13 && !has_cuda;
    if (rule.policy == CastPolicy::kRnn && is_left_out) continue;  // CAST-419
    dispatcher.keep(dispatcher.implement(dispatch::parse_name(rule.op, contract),
                                         autocast::key_of(device),
                                         wrapper_of(rule, device, contract.release),
                                         "autocast_" + std::string(name_of(rule.policy))));
  }
}

}  // namespace

void add_operators(Dispatcher& dispatcher, bool has_cuda) {
  for (const auto definitions : {product_definitions, elementwise_definitions, function_definitions,
                                 reduction_definitions, shape_definitions, composite_definitions}) {
    for (const Definition& definition : definitions()) {
      const bool exists = definition.releases.contain(dispatcher.contract().release);
      if (exists) define(dispatcher, definition);
    }
  }
  for (const WithoutKernel& op : kWithoutKernel) {
    if (op.releases.contain(dispatcher.contract().release)) declare(dispatcher, op.schema);
  }
  for (const DeviceKind device : {DeviceKind::kCpu, DeviceKind::kCuda, DeviceKind::kXpu,
                                  DeviceKind::kMps, DeviceKind::kMtia, DeviceKind::kMaia}) {
    add_rules(dispatcher, device, has_cuda);
  }
}

}  // namespace assay::cuda::aten
