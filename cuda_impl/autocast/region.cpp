// Checks, entry and exit of autocast regions.
#include "cuda_impl/autocast/region.hpp"

#include "cuda_impl/autocast/weight_cache.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda::autocast {
namespace {

/// The requested region, as modified by the checks.
struct RequestedRegion {
  DeviceKind device;
  bool is_another_text;  ///< has an index, so PyTorch's string comparison fails (CAST-611)
  Dtype dtype;
  bool enabled;
};

bool is_1_13() { return contract().release == Release::k1_13; }

[[noreturn]] void refuse_device_of_1_13() {
  throw Error("User specified autocast device_type must be 'cuda' or 'cpu'");
}

/// CAST-610
DeviceKind known_device(const RegionOptions& options) {
  const bool has_index = options.device.find(':') != std::string::npos;
  if (is_1_13() && has_index && !contract().is_strict) refuse_device_of_1_13();
  DeviceKind kind{};
  try {
    kind = device_from_text(options.device, contract()).kind;
  } catch (const Error&) {
    if (is_1_13()) refuse_device_of_1_13();
    throw;
  }
  if (is_available(kind)) return kind;
  if (is_1_13()) refuse_device_of_1_13();
  require(options.dtype.has_value(), [] { return "unsupported scalarType"; });
  throw Error("User specified an unsupported autocast device_type '" + options.device + "'");
}

RequestedRegion wish_of(const RegionOptions& options) {
  const DeviceKind device = known_device(options);
  const bool has_index = options.device.find(':') != std::string::npos;
  return {device, has_index && !contract().is_strict, options.dtype.value_or(low_dtype(device)),
          options.enabled};
}

/// CAST-615: no private backend is ever registered here.
void refuse_private_backend(const RequestedRegion& wish) {
  require(wish.device != DeviceKind::kPrivateUse1, ErrorKind::kAssertion, [] {
    return "the backend privateuseone must register a module, and say there which dtypes its "
           "autocast supports";
  });
}

/// CAST-613: 1.13 checks this also for a disabled region or without CUDA.
void require_bfloat16(const RequestedRegion& wish, const RegionOptions& options) {
  const bool asks = wish.dtype == Dtype::kBFloat16 && (wish.enabled || is_1_13());
  require(!asks || options.bf16_supported, [] {
    return "the current CUDA device does not support bfloat16; switch the dtype to float16";
  });
}

/// CAST-612
void check_cuda(RequestedRegion& wish, const RegionOptions& options) {
  if (wish.enabled && !options.cuda_available) {
    warn("UserWarning",
         "a region of device_type 'cuda' was asked for, but CUDA is not available. Disabling");
    wish.enabled = false;
  }
  require_bfloat16(wish, options);
}

bool is_low_type(const RequestedRegion& wish) {
  if (wish.dtype == Dtype::kBFloat16) return true;
  const bool is_old_cpu = is_1_13() && wish.device == DeviceKind::kCpu;
  return wish.dtype == Dtype::kFloat16 && !is_old_cpu;
}

/// In 2.4, a disabled region skips the check only for the CPU.
bool is_checked(const RequestedRegion& wish) {
  const bool looks_always =
      is_1_13() || (contract().release == Release::k2_4 && wish.device != DeviceKind::kCpu);
  return wish.enabled || looks_always;
}

/// CAST-611
void check_type(RequestedRegion& wish, const RegionOptions& options) {
  if (!is_checked(wish) || is_low_type(wish)) return;
  const std::string types =
      is_1_13() && wish.device == DeviceKind::kCpu ? "bfloat16" : "bfloat16, float16";
  warn("UserWarning", "in " + options.device + " autocast the target dtype " +
                          std::string(facts(wish.dtype).name) +
                          " is not supported. Disabling autocast; the supported dtypes are " +
                          types + ".");
  wish.enabled = false;
}

RequestedRegion checked(const RegionOptions& options) {
  RequestedRegion wish = wish_of(options);
  if (wish.is_another_text && contract().release < Release::k2_11) return wish;
  refuse_private_backend(wish);
  const bool is_cuda = wish.device == DeviceKind::kCuda && !wish.is_another_text;
  is_cuda ? check_cuda(wish, options) : check_type(wish, options);
  return wish;
}

}  // namespace

Region::Region(const RegionOptions& options) {
  const RequestedRegion wish = checked(options);
  device_ = wish.device;
  dtype_ = wish.dtype;
  is_enabled_ = wish.enabled;
  is_cache_enabled_ = options.cache_enabled.value_or(autocast::is_cache_enabled());
}

/// Follows this order, so that a rejected dtype leaves the flag changed (CAST-602).
void Region::enter() {
  require(!is_entered_ || !contract().is_strict, ErrorKind::kValue,
          [] { return "the region is entered already"; });
  saved_ = Saved{autocast::is_cache_enabled(), is_enabled(device_), low_dtype(device_)};
  is_entered_ = true;
  set_enabled(device_, is_enabled_);
  set_low_dtype(device_, dtype_);
  change_nesting(1);
  set_cache_enabled(is_cache_enabled_);
}

/// CAST-603: clears the cache before it restores the flags.
void Region::exit() {
  require(saved_ || !contract().is_strict, ErrorKind::kValue,
          [] { return "the region was never entered"; });
  is_entered_ = false;
  if (change_nesting(-1) == 0) clear_weight_cache();
  require(saved_.has_value(), ErrorKind::kAttribute,
          [] { return "'autocast' object has no attribute 'prev'"; });
  set_enabled(device_, saved_->is_enabled);
  set_low_dtype(device_, saved_->low);
  set_cache_enabled(saved_->is_cache_enabled);
}

}  // namespace assay::cuda::autocast
