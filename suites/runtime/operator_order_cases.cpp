// Every operator runs in order in the current stream of its tensors' device: behind a gate it reads
// what the stream has written before (STR-030).
#include "harness/suite/clients/amp.hpp"
#include "harness/suite/clients/optim.hpp"
#include "harness/suite/clients/scaler.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

using Shape = std::vector<std::int64_t>;

struct Operator {
  const char* name;
  Shape shape;  ///< of the operand that comes late
  std::function<std::vector<Value>(const Value& late)> arguments;
};

std::vector<Value> alone(const Value& x) { return {x}; }
std::vector<Value> twice(const Value& x) { return {x, x}; }

const std::vector<Operator> kOperators = {
    {"add", {2, 2}, twice},
    {"sub",
     {2, 2},
     [](const Value& x) {
       return std::vector<Value>{x, 1.0};
     }},
    {"mul", {2, 2}, twice},
    {"div",
     {2, 2},
     [](const Value& x) {
       return std::vector<Value>{x, 2.0};
     }},
    {"neg", {2, 2}, alone},
    {"relu", {2, 2}, alone},
    {"mm", {2, 2}, twice},
    {"addmm",
     {2, 2},
     [](const Value& x) {
       return std::vector<Value>{x, x, x};
     }},
    {"linear", {2, 2}, twice},
    {"bmm", {1, 2, 2}, twice},
    {"dot", {4}, twice},
    {"conv1d", {1, 1, 4}, twice},
    {"sum", {2, 2}, alone},
    {"mean", {2, 2}, alone},
    {"norm", {2, 2}, alone},
    {"max", {2, 2}, alone},
    {"any", {2, 2}, alone},
    {"softmax",
     {2, 2},
     [](const Value& x) {
       return std::vector<Value>{x, -1};
     }},
    {"layer_norm",
     {2, 2},
     [](const Value& x) {
       return std::vector<Value>{x, List{{2}}};
     }},
    {"mse_loss",
     {2, 2},
     [](const Value& x) {
       return std::vector<Value>{x, on(shaped(f32({1, 1, 1, 1}), {2, 2}), {"cuda", 1})};
     }},
};

/// The elements 1, 2, 3, 5, or zeros.
TensorValue operand(const Device& device, const Shape& shape, bool is_late) {
  TensorValue value = shaped(is_late ? f32({1, 2, 3, 5}) : f32({0, 0, 0, 0}), shape);
  value.device = device;
  return value;
}

/// A non-default current stream on device 1, blocked by a gate, while device 0 is current.
class BlockedStream {
 public:
  explicit BlockedStream(Session& subject)
      : subject_(subject), device_(subject.device(1)), stream_(pool_on(subject, 1)) {}

  const Device& device() const { return device_; }
  Ref tensor(TensorValue value) const {
    value.device = device_;
    return subject_.core().tensor(value);
  }

  /// Closes the gate, does `work`, reads `seen` from another stream, and opens the gate.
  void run(const std::function<void()>& work, const Ref& seen, const TensorValue& before) const {
    const auto r = subject_.runtime();
    r.synchronize_device(device_);
    r.set_current_stream(stream_);
    const auto gate = r.gate(stream_);
    work();
    r.set_current_stream(r.default_stream(device_));
    expect_bits(subject_.core().read(seen), before);
    expect_equal(gate.state(), "closed");
    expect_at(r.get_device(), subject_.device(0));
    gate.open();
    stream_.synchronize();
  }

 private:
  Session& subject_;
  Device device_;
  StreamObject stream_;
};

TensorValue result_of(Session& subject, const Operator& op, const TensorValue& operand) {
  const Ref there = subject.core().tensor(operand);
  const Ref result = subject.core().op_ref(op.name, op.arguments(there));
  return subject.core().read(result);
}

void expect_turn(Session& subject, const Operator& op) {
  const BlockedStream held(subject);
  const TensorValue late = operand(held.device(), op.shape, true);
  const TensorValue early = operand(held.device(), op.shape, false);
  const TensorValue wanted = result_of(subject, op, late);
  expect_false(identical(wanted, result_of(subject, op, early)),
               "another operand gives another result");
  const Ref source = subject.core().tensor(late);
  const Ref x = subject.core().tensor(early);
  Ref result;

  held.run(
      [&] {
        subject.core().copy_(x, source);
        result = subject.core().op_ref(op.name, op.arguments(x));
      },
      x, early);

  expect_bits(subject.core().read(result), wanted);
}

/// A leaf with value 1, whose gradient becomes 4 behind the gate.
struct LateGradient {
  Ref leaf;
  Ref grad;
  Ref source;
};

LateGradient late_gradient(Session& subject, const BlockedStream& held) {
  TensorValue one = f32({1});
  one.device = held.device();
  const Ref leaf = subject.core().leaf(one);
  const Ref grad = held.tensor(f32({0}));
  subject.core().set_grad(leaf, grad);
  return {leaf, grad, held.tensor(f32({4}))};
}

/// A scaler that has scaled a tensor of that device.
ScalerHandle ready_scaler(Session& subject, const BlockedStream& held, double scale) {
  const auto scaler = subject.scaler().make({.init_scale = scale});
  scaler.scale(held.tensor(f32({1})));
  return scaler;
}

}  // namespace

CASES("runtime/turn") {
  for (const Operator& op : kOperators) {
    on_cuda(std::string(op.name) + "_takes_its_turn", {"STR-030"},
            [op](Session& subject) { expect_turn(subject, op); });
  }

  on_cuda("mv_takes_its_turn", {"STR-030"}, [](Session& subject) {
    const BlockedStream held(subject);
    const Ref matrix = held.tensor(shaped(f32({1, 2, 3, 4}), {2, 2}));
    const Ref vector = held.tensor(f32({0, 0}));
    const Ref source = held.tensor(f32({1, 1}));
    Ref result;

    held.run(
        [&] {
          subject.core().copy_(vector, source);
          result = subject.core().op_ref("mv", {matrix, vector});
        },
        vector, f32({0, 0}));

    expect_bits(subject.core().read(result), f32({3, 7}));
  });

  on_cuda("a_conversion_takes_its_turn", {"STR-030"}, [](Session& subject) {
    const BlockedStream held(subject);
    const Ref x = held.tensor(f32({0}));
    Ref result;

    held.run(
        [&] {
          subject.runtime().store(x, 3.0);
          result = subject.core().to(x, {.dtype = Dtype::kFloat16});
        },
        x, f32({0}));

    expect_bits(subject.core().read(result), f16({3}));
  });

  on_cuda("filling_and_adding_take_their_turn", {"STR-030"}, [](Session& subject) {
    const BlockedStream held(subject);
    const Ref x = held.tensor(f32({1}));

    held.run(
        [&] {
          subject.core().fill_(x, 3.0);
          subject.core().add_(x, x);
        },
        x, f32({1}));

    expect_bits(subject.core().read(x), f32({6}));
  });

  on_cuda("the_inverse_scale_is_read_when_the_kernel_runs", {"STR-030"}, [](Session& subject) {
    const BlockedStream held(subject);
    const Ref grad = held.tensor(f32({8}));
    const Ref flag = held.tensor(shaped(f32({0}), {}));
    const Ref factor = held.tensor(shaped(f32({1}), {}));
    subject.sim().schedule("manual");

    subject.runtime().store(factor, 0.25);  // SY-K17
    subject.amp().unscale({.grads = {grad}, .found_inf = flag, .inv_scale = factor});

    expect_bits(subject.core().read(grad), f32({2}));
  });

  on_cuda("unscaling_takes_its_turn", {"STR-030"}, [](Session& subject) {
    const BlockedStream held(subject);
    const LateGradient late = late_gradient(subject, held);
    const auto optimizer = subject.optim().sgd({.params = {late.leaf}, .lr = 0.25});
    const auto scaler = ready_scaler(subject, held, 2);

    held.run(
        [&] {
          subject.core().copy_(late.grad, late.source);
          scaler.unscale_(optimizer);
        },
        late.grad, f32({0}));

    expect_bits(subject.core().read(late.grad), f32({2}));
  });

  on_cuda("flag_and_scale_are_changed_in_turn", {"STR-030"}, [](Session& subject) {
    const BlockedStream held(subject);
    const LateGradient late = late_gradient(subject, held);
    subject.core().fill_(late.source, kInf);
    const auto optimizer = subject.optim().sgd({.params = {late.leaf}, .lr = 0.25});
    const auto scaler = ready_scaler(subject, held, 2);
    scaler.tensors("live");
    // In 1.13, the scale is one-dimensional.
    const Shape shape = is_old(subject) ? Shape{1} : Shape{};

    held.run(
        [&] {
          subject.core().copy_(late.grad, late.source);
          scaler.unscale_(optimizer);
          scaler.update();
        },
        Ref{"live.scale"}, shaped(f32({2}), shape));

    expect_bits(subject.core().read(Ref{"live.scale"}), shaped(f32({1}), shape));
  });

  on_cuda("updating_the_scale_takes_its_turn", {"STR-030"}, [](Session& subject) {
    const BlockedStream held(subject);
    const Ref scale = held.tensor(shaped(f32({8}), {}));
    const Ref tracker = held.tensor(shaped(i32({3}), {}));
    const Ref flag = held.tensor(shaped(f32({0}), {}));

    held.run(
        [&] {
          subject.runtime().store(flag, 1.0);
          subject.amp().update_scale({.scale = scale, .tracker = tracker, .found_inf = flag});
        },
        scale, shaped(f32({8}), {}));

    expect_bits(subject.core().read(scale), shaped(f32({4}), {}));
    expect_bits(subject.core().read(tracker), shaped(i32({0}), {}));
  });

  for (const char* mode : {"plain", "foreach"}) {
    on_cuda("a_step_of_sgd_" + std::string(mode) + "_takes_its_turn", {"STR-030"},
            [mode](Session& subject) {
              const BlockedStream held(subject);
              const LateGradient late = late_gradient(subject, held);
              const auto optimizer =
                  subject.optim().sgd({.params = {late.leaf}, .lr = 0.25, .mode = mode});

              held.run(
                  [&] {
                    subject.core().copy_(late.grad, late.source);
                    optimizer.step();
                  },
                  late.leaf, f32({1}));

              expect_bits(subject.core().read(late.leaf), f32({0}));
            });
  }
}

}  // namespace assay::suites
