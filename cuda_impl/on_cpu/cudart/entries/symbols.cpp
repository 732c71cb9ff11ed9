// Runtime calls for device variables, by their host symbols.
#include <cuda_runtime_api.h>

#include <map>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/kernels.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

namespace assay::cuda::on_cpu {
namespace {

std::map<const void*, Variable>& variables() {
  static auto* const known = new std::map<const void*, Variable>();
  return *known;
}

/// Null for an unknown symbol. Requires the machine's lock.
const Variable* find_variable(const void* symbol) {
  auto found = variables().find(symbol);
  if (Variable variable; found == variables().end() && find_in_program(symbol, variable)) {
    Memory::get().add_variable(variable.address, variable.size_bytes);
    found = variables().emplace(symbol, variable).first;
  }
  if (found == variables().end()) return nullptr;
  return &found->second;
}

/// The device address at `offset`; null if the variable has fewer than `count` bytes from there.
void* part_of(const void* symbol, std::size_t count, std::size_t offset) {
  auto lock = Machine::get().lock();
  const Variable* const variable = find_variable(symbol);
  const bool is_inside = variable != nullptr && offset <= variable->size_bytes &&
                         count <= variable->size_bytes - offset;
  return is_inside ? static_cast<char*>(variable->address) + offset : nullptr;
}

constexpr int kInvalidSymbol = 13;

}  // namespace
}  // namespace assay::cuda::on_cpu

using namespace assay::cuda::on_cpu;

extern "C" {

void __cudaRegisterVar(void**, char* symbol, char*, const char* name, int, std::size_t size, int,
                       int) {
  auto lock = Machine::get().lock();
  variables()[symbol] = {name, symbol, size};
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  *address = part_of(symbol, 0, 0);
  return answer(*address == nullptr ? kInvalidSymbol : 0);
}

cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  auto lock = Machine::get().lock();
  const Variable* const variable = find_variable(symbol);
  if (variable == nullptr) return answer(kInvalidSymbol);
  *size = variable->size_bytes;
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t count,
                               std::size_t offset, cudaMemcpyKind) {
  void* const target = part_of(symbol, count, offset);
  return target == nullptr ? answer(kInvalidSymbol)
                           : cudaMemcpy(target, source, count, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t count,
                                    std::size_t offset, cudaMemcpyKind, cudaStream_t stream) {
  void* const target = part_of(symbol, count, offset);
  return target == nullptr ? answer(kInvalidSymbol)
                           : cudaMemcpyAsync(target, source, count, cudaMemcpyDefault, stream);
}

cudaError_t cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t count,
                                 std::size_t offset, cudaMemcpyKind) {
  const void* const source = part_of(symbol, count, offset);
  return source == nullptr ? answer(kInvalidSymbol)
                           : cudaMemcpy(target, source, count, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t count,
                                      std::size_t offset, cudaMemcpyKind, cudaStream_t stream) {
  const void* const source = part_of(symbol, count, offset);
  return source == nullptr ? answer(kInvalidSymbol)
                           : cudaMemcpyAsync(target, source, count, cudaMemcpyDefault, stream);
}

}  // extern "C"
