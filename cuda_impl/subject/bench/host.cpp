// Loops through the dispatcher.
#include "cuda_impl/subject/bench/host.hpp"

#include <array>

#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"

namespace assay::cuda {
namespace {

using dispatch::Backend;
using dispatch::Dispatcher;
using dispatch::Entry;
using dispatch::Functionality;
using dispatch::Kernel;
using dispatch::Key;
using dispatch::KeySet;
using dispatch::Stack;
using dispatch::TypedHandle;

using Unary = void(const Tensor&);
constexpr auto kUpper = Functionality::kGenericMode;
constexpr auto kLower = Functionality::kGenericWrapper;

template <typename... Tensors>
void last(const Tensors&...) {
  bench_sum().step(1);
}

/// An operator that is there for one loop.
class BenchOperator {
 public:
  BenchOperator(const Contract& contract, std::size_t tensors)
      : dispatcher_(Dispatcher::make(contract)) {
    std::string text = "assay_bench::call(";
    for (std::size_t i = 0; i < tensors; ++i) {
      text += (i == 0 ? "Tensor t" : ", Tensor t") + std::to_string(i);
      tensors_.push_back(full({1}, 1.0, Dtype::kFloat32, kCpu));
    }
    const dispatch::Schema schema = dispatch::parse_schema(text + ") -> ()");
    held_.push_back(dispatcher_->define(schema, {"bench"}));
    op_ = dispatcher_->find(schema.name());
  }

  Dispatcher& dispatcher() const { return *dispatcher_; }
  dispatch::Operator& op() const { return *op_; }
  const Tensor& tensor(std::size_t i) const { return tensors_[i]; }
  void add(Key key, const Kernel& kernel) {
    held_.push_back(dispatcher_->implement(op_->name(), key, kernel, "bench"));
  }
  void add_fallback(Key key, const Kernel& kernel) {
    held_.push_back(dispatcher_->fall_back(key, kernel, "bench"));
  }
  void hold(dispatch::Registration registration) { held_.push_back(std::move(registration)); }
  KeySet set_of(std::initializer_list<Key> keys) const {
    return dispatcher_->layout().set_of(keys);
  }

  BenchRun call_unary(std::int64_t times) const {
    const TypedHandle<Unary> handle(*op_);
    const Tensor& argument = tensors_[0];
    return run_bench_loop(times, [&] { handle.call(argument); });
  }

 private:
  std::shared_ptr<Dispatcher> dispatcher_;
  std::vector<dispatch::Registration> held_;
  dispatch::Operator* op_ = nullptr;
  std::vector<Tensor> tensors_;
};

Kernel last_unary() { return dispatch::typed_kernel<&last<Tensor>>(); }

BenchRun empty(const Contract&, std::int64_t times) {
  return run_bench_loop(times, [] { bench_sum().step(1); });
}

BenchRun typed_1(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Functionality::kCompositeImplicit, last_unary());
  return op.call_unary(times);
}

BenchRun typed_2(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 2);
  op.add(Functionality::kCompositeImplicit, dispatch::typed_kernel<&last<Tensor, Tensor>>());
  const TypedHandle<void(const Tensor&, const Tensor&)> handle(op.op());
  return run_bench_loop(times, [&] { handle.call(op.tensor(0), op.tensor(1)); });
}

BenchRun typed_4(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 4);
  op.add(Functionality::kCompositeImplicit,
         dispatch::typed_kernel<&last<Tensor, Tensor, Tensor, Tensor>>());
  const TypedHandle<void(const Tensor&, const Tensor&, const Tensor&, const Tensor&)> handle(
      op.op());
  return run_bench_loop(
      times, [&] { handle.call(op.tensor(0), op.tensor(1), op.tensor(2), op.tensor(3)); });
}

BenchRun observed(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Functionality::kCompositeImplicit, last_unary());
  dispatch::Observer observer;
  observer.start = [](const dispatch::ObservedCall&) { bench_sum().step(4); };
  observer.end = [](const dispatch::ObservedCall&) { bench_sum().step(5); };
  op.hold(op.dispatcher().add_observer(std::move(observer)));
  return op.call_unary(times);
}

/// The keys above autograd's, of which so many are active.
KeySet upper_keys(const BenchOperator& op, int count) {
  if (count == 0) return {};
  return count == 1 ? op.set_of({kLower}) : op.set_of({kUpper, kLower});
}

/// Autograd's key is active for every tensor.
template <int kKeys>
BenchRun fallthrough(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Backend::kCpu, last_unary());
  for (const Key key : {Key(Functionality::kAliasAutograd), Key(kUpper), Key(kLower)}) {
    op.add(key, Kernel::fallthrough());
  }
  const dispatch::KeyGuard on(contract, dispatch::Which::kIncluded, upper_keys(op, kKeys - 1));
  return op.call_unary(times);
}

void boxed_step(const Entry& entry, KeySet keys, Stack& stack) {
  bench_sum().step(2);
  redispatch_below(entry, keys, stack);
}

BenchRun boxed_fallback(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Backend::kCpu, last_unary());
  op.add(Functionality::kAliasAutograd, Kernel::fallthrough());
  op.add_fallback(kUpper, Kernel::of_boxed(boxed_step));
  const dispatch::KeyGuard on(contract, dispatch::Which::kIncluded, op.set_of({kUpper}));
  return op.call_unary(times);
}

BenchRun call_boxed(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Functionality::kCompositeImplicit, last_unary());
  Stack stack;
  return run_bench_loop(times, [&] {
    stack.emplace_back(op.tensor(0));
    dispatch::call_boxed(op.op(), stack);
  });
}

void passing_step(const Entry& entry, KeySet keys, const Tensor& tensor) {
  bench_sum().step(3);
  dispatch::redispatch_below<void, const Tensor&>(entry, keys, tensor);
}

template <int kDepth>
BenchRun redispatch(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Backend::kCpu, last_unary());
  for (const Key key : {Key(kUpper), Key(kLower), Key(Functionality::kAliasAutograd)}) {
    op.add(key, dispatch::typed_kernel<&passing_step>());
  }
  const dispatch::KeyGuard on(contract, dispatch::Which::kIncluded, upper_keys(op, kDepth - 1));
  return op.call_unary(times);
}

using Named = std::pair<std::string_view, HostLoop>;
constexpr std::array kLoops = {
    Named{"empty", empty},
    Named{"typed_1", typed_1},
    Named{"typed_2", typed_2},
    Named{"typed_4", typed_4},
    Named{"observed", observed},
    Named{"fallthrough_1", fallthrough<1>},
    Named{"fallthrough_2", fallthrough<2>},
    Named{"fallthrough_3", fallthrough<3>},
    Named{"boxed_fallback", boxed_fallback},
    Named{"call_boxed", call_boxed},
    Named{"redispatch_1", redispatch<1>},
    Named{"redispatch_2", redispatch<2>},
    Named{"redispatch_3", redispatch<3>},
};

}  // namespace

HostLoop host_loop_named(std::string_view name) {
  for (const auto& [known, loop] : kLoops) {
    if (known == name) return loop;
  }
  return nullptr;
}

}  // namespace assay::cuda
