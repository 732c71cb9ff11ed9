// Saves and loads an optimizer.
#include "cuda_impl/optim/saved.hpp"

#include <algorithm>

#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

void check_sizes(const Optimizer& optimizer, const std::vector<SavedGroup>& groups) {
  require(groups.size() == optimizer.groups().size(), ErrorKind::kValue,
          [] { return "loaded state dict has a different number of parameter groups"; });
  const bool all_fit = std::equal(
      groups.begin(), groups.end(), optimizer.groups().begin(),
      [](const SavedGroup& a, const ParamGroup& b) { return a.numbers.size() == b.params.size(); });
  require(all_fit, ErrorKind::kValue, [] {
    return "loaded state dict contains a parameter group that doesn't match the size of "
           "optimizer's group";
  });
}

/// Moments take the parameter's dtype and device. Counters stay float32 where they are, unless a
/// fused kernel reads them.
Tensor fitted(const Session& session, const NamedTensor& kept, const Tensor& param, bool is_fused) {
  if (!kept.tensor.defined()) return {};
  ToOptions wanted;
  wanted.copy = session.release() == Release::k1_13;
  if (kept.name != "step") {
    if (facts(param.dtype()).is_floating) wanted.dtype = param.dtype();
    wanted.device = param.device();
  } else if (is_fused) {
    wanted.dtype = Dtype::kFloat32;
    wanted.device = param.device();
  }
  return to(kept.tensor, wanted);
}

/// Settings that older optimizers lack are disabled, whatever the optimizer's own settings are
/// (OPT-012).
void fill_in(Settings& settings, const Settings& defaults, Release release) {
  const Setting none;
  for (const char* name : {"amsgrad", "capturable", "decoupled_weight_decay", "differentiable",
                           "maximize", "nesterov"}) {
    if (defaults.contains(name)) settings.try_emplace(name, false);
  }
  if (defaults.contains("foreach")) settings.try_emplace("foreach", none);
  const bool is_flag = release == Release::k1_13 || !defaults.contains("betas");
  if (defaults.contains("fused")) settings.try_emplace("fused", is_flag ? Setting(false) : none);
}

bool has_counter(const std::vector<NamedTensor>& kept) {
  return std::ranges::any_of(kept, [](const NamedTensor& one) { return one.name == "step"; });
}

/// Requires loaded counters for Adam; 1.13 checks the first one only (OPT-012).
void require_counters(const Session& session, const Optimizer& optimizer, const Saved& saved) {
  if (!optimizer.defaults().contains("betas")) return;
  for (const SavedGroup& group : *saved.groups) {
    for (const std::int64_t number : group.numbers) {
      const auto found = saved.state->find(number);
      if (found == saved.state->end() || found->second.empty()) continue;
      require(has_counter(found->second), ErrorKind::kKey, [] { return "'step'"; });
      if (session.release() == Release::k1_13) return;
    }
  }
}

/// Since 2.11 AdamW is an Adam with a setting that loading must preserve.
void keep_decoupled(Optimizer& optimizer) {
  if (!is_true(optimizer.defaults(), "decoupled_weight_decay")) return;
  for (std::size_t g = 0; g < optimizer.groups().size(); ++g) {
    optimizer.set_setting(g, "decoupled_weight_decay", true);
  }
}

}  // namespace

Saved save(Optimizer& optimizer) {
  Saved saved{.state = {{}}, .groups = {{}}};
  std::size_t begin = 0;
  for (const ParamGroup& group : optimizer.groups()) {
    const std::size_t end = begin + group.params.size();
    SavedGroup& made = saved.groups->emplace_back(SavedGroup{group.settings, {}});
    for (std::size_t index = begin; index < end; ++index) {
      std::size_t number = index;  // the last one, if it occurs several times
      for (std::size_t other = index + 1; other < end; ++other) {
        if (optimizer.first_index(other) == optimizer.first_index(index)) number = other;
      }
      made.numbers.push_back(static_cast<std::int64_t>(number));
      std::vector<NamedTensor> kept = optimizer.state(index);
      if (!kept.empty()) saved.state->insert_or_assign(made.numbers.back(), std::move(kept));
    }
    begin = end;
  }
  return saved;
}

void load(const Session& session, Optimizer& optimizer, const Saved& saved) {
  require(saved.groups.has_value(), ErrorKind::kKey, [] { return "'param_groups'"; });
  check_sizes(optimizer, *saved.groups);
  require(saved.state.has_value(), ErrorKind::kKey, [] { return "'state'"; });
  std::size_t index = 0;
  for (std::size_t g = 0; g < saved.groups->size(); ++g) {
    const SavedGroup& group = (*saved.groups)[g];
    const bool is_fused = is_true(group.settings, "fused") || is_true(group.settings, "capturable");
    for (const std::int64_t number : group.numbers) {
      std::vector<NamedTensor> kept;
      const auto found = saved.state->find(number);
      if (found != saved.state->end()) kept = found->second;
      for (NamedTensor& one : kept) {
        one.tensor = fitted(session, one, optimizer.params()[index], is_fused);
      }
      optimizer.set_state(index++, kept);
    }
    Settings settings = group.settings;
    for (auto& [name, setting] : settings) {
      if (const auto* tensor = std::get_if<Tensor>(&setting)) setting = clone(*tensor);  // OPT-023
    }
    fill_in(settings, optimizer.defaults(), session.release());
    optimizer.set_settings(g, std::move(settings));
  }
  require_counters(session, optimizer, saved);
  keep_decoupled(optimizer);
}

}  // namespace assay::cuda
