// The controls of the simulation.
#include "cuda_impl/on_cpu/cudart/controls.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/events.hpp"
#include "cuda_impl/on_cpu/cudart/litmus/run.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

using namespace assay::cuda::on_cpu;

namespace {

using GatePtr = std::shared_ptr<Gate>;

GatePtr& gate_behind(void* gate) { return *static_cast<GatePtr*>(gate); }

int submit(void* stream, Operation operation, const std::string& text) {
  return call(
      "launch", shown(static_cast<cudaStream_t>(stream)) + ", " + text, true, [&](auto& lock) {
        const LinePtr line = line_of(static_cast<cudaStream_t>(stream));
        return line == nullptr ? 400 : launch_or_capture(lock, line, std::move(operation), text);
      });
}

int streams_live(Machine& machine) {
  int count = 0;
  for (int device = 0; device < kMostDevices; ++device) {
    count += static_cast<int>(machine.ends_of_device(device).size()) - 1;
  }
  return count;
}

}  // namespace

void assay_cudart_machine(int devices, int least, int greatest, int64_t memory_bytes, int peers,
                          int blocks_launches) {
  Shape& made = shape();
  if (devices >= 0) made.devices = std::min(devices, kMostDevices);
  if (least >= 0) made.least_priority = least;
  if (greatest <= 0) made.greatest_priority = greatest;
  if (memory_bytes >= 0) made.memory_bytes = static_cast<std::uint64_t>(memory_bytes);
  if (peers >= 1) made.peers = peers;
  if (blocks_launches >= 0) made.blocks_launches = blocks_launches != 0;
}

void assay_cudart_driver(int is_there) {
  auto lock = Machine::get().lock();
  shape().has_driver = is_there != 0;
}

void assay_cudart_schedule(int strategy, uint64_t seed) {
  auto lock = Machine::get().lock();
  Machine::get().set_strategy(static_cast<Strategy>(strategy), seed);
}

int assay_cudart_next_schedule(void) {
  auto lock = Machine::get().lock();
  return Machine::get().next_path() ? 1 : 0;
}

int assay_cudart_step(void* stream, int count) {
  auto lock = Machine::get().lock();
  const LinePtr line = line_of(static_cast<cudaStream_t>(stream));
  return line == nullptr ? 0 : Machine::get().step(line, count);
}

void assay_cudart_run(void) {
  auto lock = Machine::get().lock();
  Machine::get().run_all();
}

int assay_cudart_pending(void) {
  auto lock = Machine::get().lock();
  return Machine::get().pending();
}

int assay_cudart_pending_in(void* stream) {
  auto lock = Machine::get().lock();
  const LinePtr line = line_of(static_cast<cudaStream_t>(stream));
  return line == nullptr ? 0 : static_cast<int>(line->submitted - line->done);
}

int64_t assay_cudart_now_ns(void) {
  auto lock = Machine::get().lock();
  return Machine::get().now_ns();
}

void assay_cudart_advance_ns(int64_t ns) {
  auto lock = Machine::get().lock();
  Machine::get().advance_ns(ns);
}

const char* assay_cudart_log(void) {
  thread_local std::string text;
  auto lock = Machine::get().lock();
  text.clear();
  for (const std::string& line : Calls::get().take_log()) text += line + "\n";
  return text.c_str();
}

void assay_cudart_faults(const char* plan) {
  std::vector<PlannedFault> faults;
  std::istringstream lines(plan);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    PlannedFault fault;
    words >> fault.call >> fault.occurrence >> fault.has_effect >> fault.code >> fault.is_sticky >>
        fault.clears_register;
    if (words >> fault.thread; fault.thread == "*") fault.thread.clear();
    if (!fault.call.empty()) faults.push_back(fault);
  }
  auto lock = Machine::get().lock();
  Calls::get().plan(std::move(faults));
}

int assay_cudart_live(int kind) {
  auto lock = Machine::get().lock();
  if (kind == 0) return streams_live(Machine::get());
  if (kind == 1) return Events::get().count();
  return Memory::get().count(kind == 3);
}

const char* assay_cudart_permitted(const char* program) {
  thread_local std::string text;
  try {
    const litmus::Outcomes found = litmus::explore(litmus::read_program(program));
    text = std::to_string(found.states) + (found.hangs ? " 1\n" : " 0\n");
    for (const auto& outcome : found.observed) {
      for (const std::int64_t value : outcome) text += std::to_string(value) + ' ';
      text += '\n';
    }
  } catch (const litmus::BadProgram& bad) {
    text = std::string("error: ") + bad.what();
  }
  return text.c_str();
}

const char* assay_cudart_why_lost(int device) {
  thread_local std::string text;
  auto lock = Machine::get().lock();
  text = Machine::get().why_lost(device);
  return text.c_str();
}

void assay_cudart_guard(int is_on) {
  auto lock = Machine::get().lock();
  Memory::get().guard(is_on != 0);
}

const char* assay_cudart_complaints(void) {
  thread_local std::string text;
  auto lock = Machine::get().lock();
  text.clear();
  for (const std::string& line : Calls::get().take_complaints()) text += line + "\n";
  return text.c_str();
}

const char* assay_cudart_alive(void) {
  thread_local std::string text;
  const int streams = assay_cudart_live(0);
  const int events = assay_cudart_live(1);
  auto lock = Machine::get().lock();
  text = Memory::get().alive();
  if (streams > 0) text += "streams: " + std::to_string(streams) + "\n";
  if (events > 0) text += "events: " + std::to_string(events) + "\n";
  return text.c_str();
}

int assay_cudart_has_context(int device) {
  auto lock = Machine::get().lock();
  return contexts().contains(device) ? 1 : 0;
}

void* assay_cudart_gate(void* stream, int64_t timeout_ms) {
  auto gate = std::make_shared<Gate>();
  gate->timeout_ms = timeout_ms;
  Operation operation;
  operation.gate = gate;
  if (submit(stream, std::move(operation), "gate") != 0) return nullptr;
  return new GatePtr(gate);
}

void assay_cudart_open(void* gate) {
  auto lock = Machine::get().lock();
  Machine::get().open(*gate_behind(gate));
}

int assay_cudart_gate_state(void* gate) {
  auto lock = Machine::get().lock();
  const Gate& looked_at = *gate_behind(gate);
  if (looked_at.has_expired) return 2;
  return looked_at.is_open ? 1 : 0;
}

void assay_cudart_forget_gate(void* gate) { delete static_cast<GatePtr*>(gate); }

int assay_cudart_fill(void* stream, void* target, const void* element, int64_t size,
                      int64_t count) {
  const std::string bytes(static_cast<const char*>(element), static_cast<std::size_t>(size));
  Operation fill;
  fill.run = [=] {
    const ProgramAccessScope seen;
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(static_cast<char*>(target) + i * size, bytes.data(), bytes.size());
    }
  };
  return submit(stream, std::move(fill), "fill");
}

int assay_cudart_kernel(void* stream, const char* name, int64_t ns, int fails_with) {
  Operation kernel;
  kernel.takes_ns = ns;
  kernel.fails_with = fails_with;
  return submit(stream, std::move(kernel), name);
}

void assay_cudart_recover(void) {
  auto lock = Machine::get().lock();
  forget_captures();
  Machine::get().forget_work();
  Calls::get().plan({});
}

void assay_cudart_reset(void) {
  assay_cudart_recover();
  auto lock = Machine::get().lock();
  Calls::get().reset();
  Machine::get().forget_streams();
  Events::get().reset();
  contexts().clear();
  forget_machine();
  thread_state() = {};
}
