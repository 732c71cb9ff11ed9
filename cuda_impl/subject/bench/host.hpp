// Loops of `bench.run` without CUDA runtime calls: they measure the host, independent of devices.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/subject/call.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::cuda {

using Unary = void(const Tensor&);

/// An operator that is registered for one loop.
class BenchOperator {
 public:
  BenchOperator(const Contract& contract, std::size_t tensors)
      : dispatcher_(dispatch::Dispatcher::make(contract)) {
    std::string text = "assay_bench::call(";
    for (std::size_t i = 0; i < tensors; ++i) {
      text += (i == 0 ? "Tensor t" : ", Tensor t") + std::to_string(i);
      tensors_.push_back(full({1}, 1.0, Dtype::kFloat32, kCpu));
    }
    const dispatch::Schema schema = dispatch::parse_schema(text + ") -> ()");
    held_.push_back(dispatcher_->define(schema, {"bench"}));
    op_ = dispatcher_->find(schema.name());
  }

  dispatch::Dispatcher& dispatcher() const { return *dispatcher_; }
  dispatch::Operator& op() const { return *op_; }
  const Tensor& tensor(std::size_t i) const { return tensors_[i]; }
  void add(dispatch::Key key, const dispatch::Kernel& kernel) {
    held_.push_back(dispatcher_->implement(op_->name(), key, kernel, "bench"));
  }
  void add_fallback(dispatch::Key key, const dispatch::Kernel& kernel) {
    held_.push_back(dispatcher_->fall_back(key, kernel, "bench"));
  }
  void hold(dispatch::Registration registration) { held_.push_back(std::move(registration)); }
  dispatch::KeySet set_of(std::initializer_list<dispatch::Key> keys) const {
    return dispatcher_->layout().set_of(keys);
  }

  BenchRun call_unary(std::int64_t times) const {
    const dispatch::TypedHandle<Unary> handle(*op_);
    const Tensor& argument = tensors_[0];
    return run_bench_loop(
        times, [&]() __attribute__((always_inline)) { handle.call(argument); });
  }

 private:
  std::shared_ptr<dispatch::Dispatcher> dispatcher_;
  std::vector<dispatch::Registration> held_;
  dispatch::Operator* op_ = nullptr;
  std::vector<Tensor> tensors_;
};

/// Creates what the loop needs, runs the loop, and cleans up.
using HostLoop = BenchRun (*)(const Contract& contract, std::int64_t times);

using NamedLoop = std::pair<std::string_view, HostLoop>;

std::span<const NamedLoop> dispatch_loops();
std::span<const NamedLoop> autocast_loops();
std::span<const NamedLoop> amp_loops();

/// Null if there is no such loop.
HostLoop host_loop_named(std::string_view name);

}  // namespace assay::cuda
