// Area runtime: kernels and gates.
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/work.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

struct Gate {
  GateHandle handle = 0;
};

Stream stream_or_current(Call& call) {
  if (const auto stream = stream_or_none(call)) return *stream;
  return current_stream(call.runtime());
}

Stream stream_or_tensor_s(Call& call, const Tensor& tensor) {
  if (const auto stream = stream_or_none(call)) return *stream;
  return stream_for(call.runtime(), tensor);
}

void read_extents(Call& call, const char* name, std::int64_t (&extents)[3]) {
  if (!call.has(name)) return;
  const std::vector<std::int64_t> given = call.arguments().integers(name);
  if (given.empty() || given.size() > 3) {
    throw InvalidArgument(std::string(name) + " must have one to three extents");
  }
  for (std::size_t i = 0; i < given.size(); ++i) extents[i] = given[i];
}

GateHandle gate_argument(Call& call) { return call.held<Gate>("gate", "gate")->handle; }

}  // namespace

void runtime_kernel(Call& call) {
  Work work{.name = call.arguments().text("name", "kernel")};
  work.virtual_ns = call.arguments().integer("ns", work.virtual_ns);
  const std::int64_t fails = call.arguments().integer("fails", 0);
  if (fails < 0) throw InvalidArgument("fails must be a code, and no code is negative");
  work.fails = static_cast<Code>(fails);
  launch_kernel(call.runtime(), stream_or_current(call), std::move(work));
}

void runtime_store(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  launch_store(call.runtime(), stream_or_tensor_s(call, tensor), tensor, call.scalar("value"));
}

void runtime_load(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  call.result(launch_load(call.runtime(), stream_or_tensor_s(call, tensor), tensor));
}

void runtime_launch(Call& call) {
  LaunchShape shape;
  read_extents(call, "grid", shape.grid);
  read_extents(call, "block", shape.block);
  shape.shared_bytes = call.arguments().integer("shared", 0);
  shape.registers = call.arguments().integer("registers", 0);
  const std::int64_t count = call.arguments().integer("n", 0);
  if (count < 0 || count > (std::int64_t{1} << 24)) {
    throw InvalidArgument("n must be a number of elements up to 2^24");
  }
  const VectorSum sum = launch_vector_sum(call.runtime(), stream_or_current(call), shape, count);
  call.set("runs", sum.threads);
  call.set("right", sum.right);
}

void runtime_launch_check(Call& call) { launch_check(call.runtime()); }

void runtime_gate(Call& call) {
  const std::int64_t timeout_ms = call.arguments().integer("timeout_ms", 2000);
  const GateHandle made = put_gate(call.runtime(), stream_argument(call), timeout_ms);
  call.result(Object(std::make_shared<Gate>(Gate{made}), "gate"));
}

void runtime_open(Call& call) { driver_of(call.runtime()).open(gate_argument(call)); }

void runtime_gate_state(Call& call) {
  const char* names[] = {"closed", "open", "expired"};
  const GateState state = driver_of(call.runtime()).gate_state(gate_argument(call));
  call.result(Value(names[static_cast<int>(state)]));
}

}  // namespace assay::reference
