// Construction, entry and exit of regions.
#include "reference/autocast/region.hpp"

#include <algorithm>

#include "reference/autocast/weight_cache.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {
namespace {

bool is_old(const Runtime& runtime) { return runtime.contract().release == Release::k1_13; }

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

/// CAST-610
CastDevice device_named(const Runtime& runtime, const std::string& text,
                        std::optional<ScalarType> dtype) {
  const Release release = runtime.contract().release;
  if (is_old(runtime)) {
    const bool is_known = text == "cuda" || text == "cpu" || text == "xpu";
    check(is_known, [&] {
      return "User specified autocast device_type must be 'cuda' or 'cpu', not '" + text + "'";
    });
    check(text != "xpu" || runtime.contract().strict(), ErrorKind::kAttribute,
          [] { return "this build has no module 'xpu'"; });
    return *device_type_named(text, release);
  }
  const Device parsed = device_from_text(text, runtime.contract());
  // PyTorch queries the default dtype before it checks whether the device supports autocast.
  const bool has_dtype = dtype || autocast_dtype(runtime, parsed.type) != ScalarType::kUndefined;
  check(has_dtype || runtime.contract().strict(),
        [&] { return "unsupported scalarType: autocast has no dtype for '" + text + "'"; });
  check(is_autocast_available(parsed.type, release),
        [&] { return "User specified an unsupported autocast device_type '" + text + "'"; });
  const bool is_settled = parsed.type != DeviceType::kPrivateUse1;
  check(is_settled, ErrorKind::kAssertion, [&] {
    return "Tried to use AMP with the '" + text +
           "' backend, but the backend has not registered a module, or the module misses "
           "get_amp_supported_dtype";
  });
  return parsed.type;
}

/// In 1.13, the wrapper class of a device has its own default dtype.
ScalarType dtype_at_construction(const Runtime& runtime, CastDevice device) {
  return autocast_dtype(runtime, device);
}

/// Returns whether unsupported dtypes are reported even if the region is disabled (CAST-611).
bool is_always_checked(const Runtime& runtime, CastDevice device) {
  if (device == DeviceType::kCpu) return is_old(runtime);
  return runtime.contract().before(Release::k2_11);
}

std::string supported_dtypes(bool only_bfloat16) {
  return only_bfloat16 ? "torch.bfloat16" : "torch.bfloat16, torch.float16";
}

}  // namespace

AutocastRegion::AutocastRegion(Runtime& runtime, const RegionOptions& options)
    : runtime_(runtime),
      device_(device_named(runtime, options.device, options.dtype)),
      dtype_(options.dtype.value_or(dtype_at_construction(runtime, device_))),
      enabled_(options.enabled),
      cache_enabled_(options.cache_enabled.value_or(is_cache_enabled(runtime))) {
  // CAST-611: PyTorch compares strings; before 2.11 it ignores a device with an index.
  const bool is_other_text =
      options.device.find(':') != std::string::npos && !runtime.contract().strict();
  if (is_other_text && runtime.contract().before(Release::k2_11)) return;
  if (device_ == DeviceType::kCuda && !is_other_text) {
    resolve_cuda(options);
  } else {
    resolve_dtype(options.enabled);
  }
}

void AutocastRegion::disable(const std::string& why) {
  runtime_.warn("UserWarning", why);
  enabled_ = false;
}

void AutocastRegion::resolve_cuda(const RegionOptions& options) {
  const bool is_available = options.cuda_available.value_or(runtime_.contract().cuda());
  if (enabled_ && !is_available) {
    disable(runtime_.contract().at_least(Release::k2_11)
                ? "CUDA is not available or torch_xla is imported. Disabling autocast."
                : "User provided device_type of 'cuda', but CUDA is not available. Disabling");
  }
  // CAST-613: 1.13 also checks a disabled region.
  const bool is_asked = enabled_ || is_old(runtime_);
  const bool is_fine = !is_asked || dtype_ != ScalarType::kBFloat16 || options.bf16_supported;
  check(is_fine, [] {
    return "Current CUDA Device does not support bfloat16. Please switch dtype to float16.";
  });
}

void AutocastRegion::resolve_dtype(bool asked_enabled) {
  if (!asked_enabled && !is_always_checked(runtime_, device_)) return;
  const bool only_bfloat16 = device_ == DeviceType::kCpu && is_old(runtime_);
  const bool is_supported =
      dtype_ == ScalarType::kBFloat16 || (dtype_ == ScalarType::kHalf && !only_bfloat16);
  if (is_supported) return;
  const std::string device = upper(std::string(name_of(device_, runtime_.contract().release)));
  disable("In " + device +
          " autocast, but the target dtype is not supported. Disabling autocast.\n" + device +
          " Autocast only supports dtypes of " + supported_dtypes(only_bfloat16) + " currently.");
}

void AutocastRegion::enter() {
  check(!is_entered_ || !runtime_.contract().strict(), ErrorKind::kValue,
        [] { return "this autocast region is entered already: its former state would be lost"; });
  before_ = {is_autocast_enabled(runtime_, device_), autocast_dtype(runtime_, device_),
             is_cache_enabled(runtime_)};
  was_entered_ = true;  // restorable even if the dtype below raises
  set_autocast_enabled(runtime_, device_, enabled_);
  set_autocast_dtype(runtime_, device_, dtype_);  // CAST-602: 1.13 may raise here
  change_nesting(runtime_, 1);
  set_cache_enabled(runtime_, cache_enabled_);
  is_entered_ = true;
}

/// CAST-603: PyTorch decrements and clears before it finds that there is no saved state.
void AutocastRegion::refuse_unentered() const {
  const bool is_strict = runtime_.contract().strict();
  check(was_entered_, is_strict ? ErrorKind::kValue : ErrorKind::kAttribute, [] {
    return "this autocast object was never entered and has no attribute 'prev': no state to "
           "bring back";
  });
}

void AutocastRegion::exit() {
  if (runtime_.contract().strict()) refuse_unentered();
  is_entered_ = false;
  const bool is_outermost = change_nesting(runtime_, -1) == 0;
  if (is_outermost) {
    clear_weight_cache(runtime_);
  }
  refuse_unentered();
  set_autocast_enabled(runtime_, device_, before_.enabled);
  set_autocast_dtype(runtime_, device_, before_.dtype);
  set_cache_enabled(runtime_, before_.cache_enabled);
}

}  // namespace assay::reference
