// Accessors for the settings of parameter groups.
#include "cuda_impl/optim/settings.hpp"

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

const Setting& present(const Settings& settings, std::string_view name) {
  const auto found = settings.find(name);
  require(found != settings.end(), ErrorKind::kKey, [&] { return "'" + std::string(name) + "'"; });
  return found->second;
}

[[noreturn]] void refuse(std::string_view name) {
  throw Error(ErrorKind::kType, "'" + std::string(name) + "' is not what a step can compute with");
}

}  // namespace

double number_of(const Settings& settings, std::string_view name) {
  const Setting& setting = present(settings, name);
  if (const auto* real = std::get_if<double>(&setting)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&setting)) return static_cast<double>(*whole);
  if (const auto* tensor = std::get_if<Tensor>(&setting)) return read_number(*tensor);
  refuse(name);
}

const Tensor* tensor_rate(const Settings& settings) {
  const auto found = settings.find("lr");
  return found == settings.end() ? nullptr : std::get_if<Tensor>(&found->second);
}

void check_rate(const Settings& settings, Release release) {
  const Tensor* rate = tensor_rate(settings);
  require(rate == nullptr || rate->numel() == 1 || release < Release::k2_11, ErrorKind::kValue,
          [] { return "Tensor lr must be 1-element"; });
}

Betas betas_of(const Settings& settings) {
  const auto* betas = std::get_if<Betas>(&present(settings, "betas"));
  if (betas == nullptr) refuse("betas");
  return *betas;
}

bool is_true(const Settings& settings, std::string_view name) {
  const auto found = settings.find(name);
  if (found == settings.end()) return false;
  const auto* truth = std::get_if<bool>(&found->second);
  return truth != nullptr && *truth;
}

bool is_open(const Settings& settings, std::string_view name) {
  const auto found = settings.find(name);
  return found == settings.end() || std::holds_alternative<std::monostate>(found->second);
}

}  // namespace assay::cuda
