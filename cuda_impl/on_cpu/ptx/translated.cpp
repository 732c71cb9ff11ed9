// Registry of translated kernels and variables.
#include "cuda_impl/on_cpu/ptx/translated.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace assay::cuda::on_cpu {
namespace {

struct Registry {
  std::map<std::string, const TranslatedKernel*, std::less<>> kernels;
  std::multimap<std::string, const TranslatedVariable*, std::less<>> variables;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

void add_kernel(const TranslatedKernel& kernel) {
  const auto [known, is_new] = registry().kernels.try_emplace(kernel.name, &kernel);
  if (is_new) return;
  if (!std::ranges::equal(known->second->parameter_bytes, kernel.parameter_bytes)) {
    throw std::logic_error("expected one kernel of a name, saw two whose parameters differ: " +
                           std::string(kernel.name));
  }
}

}  // namespace

bool add_translated(std::span<const TranslatedKernel> kernels,
                    std::span<const TranslatedVariable> variables) {
  for (const auto& kernel : kernels) add_kernel(kernel);
  for (const auto& variable : variables) {
    registry().variables.emplace(variable.name, &variable);
  }
  return true;
}

const TranslatedKernel* find_translated_kernel(std::string_view name) {
  const auto found = registry().kernels.find(name);
  return found == registry().kernels.end() ? nullptr : found->second;
}

const TranslatedVariable* find_translated_variable(std::string_view name) {
  const auto [first, last] = registry().variables.equal_range(name);
  if (first == last) return nullptr;
  if (std::next(first) != last) {
    throw std::logic_error("expected one variable of a name, saw several: " + std::string(name));
  }
  return first->second;
}

}  // namespace assay::cuda::on_cpu
