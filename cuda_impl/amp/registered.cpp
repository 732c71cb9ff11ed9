// Registers the loss-scaling kernels of each device.
#include "cuda_impl/amp/registered.hpp"

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"

namespace assay::cuda {
namespace {

using dispatch::Backend;
using dispatch::Dispatcher;
using dispatch::Entry;
using dispatch::KeySet;

template <typename... Args>
void report_start(const Entry& entry, KeySet keys, const Args&... args) {
  if (!dispatch::is_traced()) return;
  const Release release = entry.table->layout->release();
  const std::vector<Boxed> boxed = {dispatch::Boxing<Args>::box(args, release)...};
  dispatch::report_to_traces({entry.registered->debug, entry, keys, false, boxed});
}

Tensor& update_scale(const Entry& entry, KeySet keys, Tensor& scale, Tensor& growth_tracker,
                     const Tensor& found_inf, double growth, double backoff,
                     std::int64_t interval) {
  report_start(entry, keys, scale, growth_tracker, found_inf, growth, backoff, interval);
  amp_update_scale_(entry.table->contract(), {scale, growth_tracker, found_inf},
                    {growth, backoff, interval});
  return scale;
}

void unscale(const Entry& entry, KeySet keys, dispatch::TensorList grads, Tensor& found_inf,
             const Tensor& inv_scale) {
  report_start(entry, keys, grads, found_inf, inv_scale);
  amp_unscale_(entry.table->contract(), {grads, found_inf, inv_scale});
}

/// 1.13 has no CPU kernels.
void implement(Dispatcher& dispatcher, const dispatch::OperatorName& name,
               const dispatch::Kernel& kernel) {
  dispatcher.keep(
      dispatcher.implement(name, Backend::kCuda, kernel, "CUDA kernel of " + name.text()));
  if (dispatcher.contract().release == Release::k1_13) return;
  dispatcher.keep(
      dispatcher.implement(name, Backend::kCpu, kernel, "CPU kernel of " + name.text()));
}

}  // namespace

void register_amp_operators(Dispatcher& dispatcher) {
  for (const auto& [text, kernel] :
       {std::pair{"aten::_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor "
                  "found_inf, float scale_growth_factor, float scale_backoff_factor, int "
                  "growth_interval) -> Tensor(a!)",
                  dispatch::typed_kernel<&update_scale>()},
        std::pair{"aten::_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) "
                  "found_inf, Tensor inv_scale) -> ()",
                  dispatch::typed_kernel<&unscale>()}}) {
    const dispatch::Schema schema = dispatch::parse_schema(text, dispatcher.contract());
    dispatcher.keep(dispatcher.define(schema, {"the runtime"}));
    implement(dispatcher, schema.name(), kernel);
  }
}

}  // namespace assay::cuda
