// Wrappers for the operators of the lists.
#include "reference/autocast/op_lists.hpp"
#include "reference/autocast/wrapper.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

bool is_old_cpu(const Dispatcher& dispatcher, CastDevice device) {
  return device == DeviceType::kCpu && dispatcher.runtime().contract().release == Release::k1_13;
}

/// What a list would be that is wrong.
std::vector<ListedOp> planted(const Dispatcher& dispatcher, CastDevice device,
                              std::vector<ListedOp> list) {
  const auto drop = [&list](std::string_view op) {
    std::erase_if(list, [op](const ListedOp& listed) { return listed.op == op; });
  };
  const auto add = [&](const char* name, std::string_view op, CastPolicy policy) {
    if (!fault(name)) return;
    drop(op);
    list.push_back({op, policy});
  };
  add("autocast_lowers_relu", "aten::relu", CastPolicy::kLower);
  add("autocast_wraps_addmm_in_place", "aten::addmm_", CastPolicy::kLower);
  add("autocast_lowers_add", "aten::add.Tensor", CastPolicy::kLower);
  add("autocast_wraps_every_norm", "aten::norm.ScalarOpt_dim_dtype", CastPolicy::kSetOpt);
  add("autocast_lists_upsample_vec", "aten::upsample_nearest1d.vec", CastPolicy::kFp32);
  add("autocast_conv_transpose_is_raised", "aten::conv_transpose1d", CastPolicy::kFp32);
  if (fault("autocast_list_lacks_bmm")) drop("aten::bmm");
  if (fault("autocast_old_list_lacks_symeig") && is_old_cpu(dispatcher, device)) {
    drop("aten::symeig");
  }
  if (device != DeviceType::kCpu) return list;
  add("autocast_cpu_bans_too", "aten::binary_cross_entropy", CastPolicy::kBanned);
  add("autocast_cpu_fills_prod", "aten::prod", CastPolicy::kSetOpt);
  add("autocast_cpu_raises_softmax", "aten::softmax.int", CastPolicy::kSetOpt);
  return list;
}

void add_rules(Dispatcher& dispatcher, CastDevice device, const std::vector<ListedOp>& listed_ops) {
  const std::vector<ListedOp> list = planted(dispatcher, device, listed_ops);
  const DispatchKey key = autocast_key(device, dispatcher.runtime().contract().release);
  for (const ListedOp& listed : list) {
    std::string target;
    if (listed.policy == CastPolicy::kAppend) target = append_target(listed.op);
    const Kernel wrapper = autocast_wrapper({listed.policy, device, std::move(target)});
    dispatcher.keep(dispatcher.impl(
        listed.op, key, wrapper, std::string("autocast_") + std::string(name_of(listed.policy))));
  }
}

}  // namespace

void add_autocast(Dispatcher& dispatcher) {
  for (int i = 0; i < kDeviceTypes; ++i) {
    const auto device = static_cast<CastDevice>(i);
    const std::vector<ListedOp> list = op_list(device, dispatcher.runtime().contract());
    if (!list.empty()) add_rules(dispatcher, device, list);
  }
}

}  // namespace assay::reference
