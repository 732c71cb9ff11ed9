// Registers wrappers for the operators of the lists.
#include "reference/autocast/op_lists.hpp"
#include "reference/autocast/wrapper.hpp"

namespace assay::reference {
namespace {

void add_rules(Dispatcher& dispatcher, CastDevice device, const std::vector<ListedOp>& list) {
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
