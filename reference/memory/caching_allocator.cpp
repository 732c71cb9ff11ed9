// Finds the device allocator of an address, keeps the common options, and handles uncached memory.
#include "reference/memory/caching_allocator.hpp"

#include <cstdio>

#include "reference/memory/driver_calls.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {
namespace {

std::string address_text(Address address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace

CachingAllocator::CachingAllocator(Runtime& runtime) : runtime_(runtime) {}

CachingAllocator::~CachingAllocator() = default;

/// MEM-019: the newer variable takes precedence in releases that know it.
void CachingAllocator::use_environment() {
  const std::scoped_lock lock(mutex_);
  if (is_used_) return;
  const Release release = runtime_.contract().release;
  const bool is_general = release >= Release::k2_11 && environment_.alloc_conf;
  const auto& text = is_general ? environment_.alloc_conf : environment_.cuda_alloc_conf;
  if (text) parse_options(settings_.config, *text, release);
  if (environment_.backend) settings_.config.backend = *environment_.backend;
  is_used_ = true;
}

const AllocatorConfig& CachingAllocator::config() {
  use_environment();
  return settings_.config;
}

void CachingAllocator::configure(const std::string& options) {
  use_environment();
  const std::scoped_lock lock(mutex_);
  AllocatorConfig changed = settings_.config;
  changed.forget_options_of_a_call();
  try {
    parse_options(changed, options, runtime_.contract().release);
    check_backend(changed, options);
  } catch (const Error&) {
    // [DEV] of MEM-029: PyTorch keeps what it has read before the refused option.
    changed.backend = settings_.config.backend;
    if (!runtime_.contract().strict()) settings_.config = changed;
    throw;
  }
  settings_.config = changed;
}

void CachingAllocator::check_backend(const AllocatorConfig& changed,
                                     const std::string& options) const {
  if (changed.backend == settings_.config.backend) return;
  throw Error(
      runtime_.contract().at_least(Release::k2_11) ? ErrorKind::kInternal : ErrorKind::kError,
      "Allocator backend parsed at runtime is not the backend that was loaded: " + options);
}

void CachingAllocator::add_observer(AllocatorSettings::Observer observer) {
  settings_.observers.push_back(std::move(observer));
}

void CachingAllocator::add_free_callback(AllocatorSettings::FreeCallback callback) {
  settings_.free_callbacks.push_back(std::move(callback));
}

DeviceAllocator& CachingAllocator::of_device(int device) {
  use_environment();
  const int count = cuda_device_count(runtime_);
  check(device >= 0 && device < count, ErrorKind::kInternal, [&] {
    return "the allocator has no device " + std::to_string(device) + ": did you call init?";
  });
  const std::scoped_lock lock(mutex_);
  for (int i = static_cast<int>(devices_.size()); i < count; ++i) {
    auto made = std::make_unique<DeviceAllocator>(runtime_, i, settings_, *bytes_);
    const double fraction = settings_.config.memory_fraction;
    if (fraction < 1) made->set_limit(share_of_device(i, fraction));
    devices_.push_back(std::move(made));
  }
  return *devices_[static_cast<std::size_t>(device)];
}

StreamTag CachingAllocator::tag_of(const Stream& stream) {
  const bool is_named = stream.device.index >= 0;
  const int device = is_named ? stream.device.index : cuda_current_device(runtime_);
  return {device, handle_of(runtime_, stream), stream.id};
}

Address CachingAllocator::malloc(int device, std::uint64_t size, const Stream& stream) {
  if (size == 0) return 0;
  if (environment_.is_uncached) {
    return malloc_uncached(device, size);
  }
  if (is_async()) return async().malloc(device, size, tag_of(stream));
  Block* block = of_device(device).malloc(size, tag_of(stream));
  const std::scoped_lock lock(mutex_);
  allocated_[block->address] = {device, block, size};
  return block->address;
}

/// MEM-027: passes the driver's result to the caller.
Address CachingAllocator::malloc_uncached(int device, std::uint64_t size) {
  Driver& driver = driver_of(runtime_);
  const ScopedDevice scope(runtime_, device);
  Address address = 0;
  cuda_check(runtime_, driver.malloc(address, size));
  const std::scoped_lock lock(mutex_);
  allocated_[address] = {device, nullptr, size};
  return address;
}

std::optional<CachingAllocator::Allocation> CachingAllocator::find(Address address) {
  const std::scoped_lock lock(mutex_);
  const auto found = allocated_.find(address);
  if (found == allocated_.end()) return std::nullopt;
  return found->second;
}

std::optional<CachingAllocator::Allocation> CachingAllocator::take(Address address) {
  const std::scoped_lock lock(mutex_);
  const auto found = allocated_.find(address);
  if (found == allocated_.end()) return std::nullopt;
  const Allocation taken = found->second;
  allocated_.erase(found);
  return taken;
}

void CachingAllocator::free(Address address) {
  if (address == 0) return;
  if (is_async() && !environment_.is_uncached) return free_async(address);
  const auto taken = take(address);
  check(taken.has_value(), [&] { return "invalid device pointer: " + address_text(address); });
  try {
    give_back(address, *taken);
  } catch (const Error&) {
    const std::scoped_lock lock(mutex_);
    allocated_[address] = *taken;  // a later call can free it
    throw;
  }
}

void CachingAllocator::give_back(Address address, const Allocation& allocation) {
  if (allocation.block != nullptr) return of_device(allocation.device).free(allocation.block);
  const ScopedDevice scope(runtime_, allocation.device);
  cuda_check(runtime_, driver_of(runtime_).free(address));
  bytes_->poison(address, allocation.size);
}

void CachingAllocator::record_stream(Address address, const Stream& stream) {
  if (address == 0) return;
  if (is_async() && async().record_stream(address, tag_of(stream))) return;
  const auto found = find(address);
  check(found.has_value(), ErrorKind::kInternal,
        [&] { return "no allocated block can be found at " + address_text(address); });
  if (found->block == nullptr) return;  // MEM-027
  of_device(found->device).record_stream(found->block, tag_of(stream));
}

std::optional<BlockFacts> CachingAllocator::facts_of(Address address) {
  if (is_async()) {
    const auto held = async().facts_of(address);
    if (held) return BlockFacts{address, held->size, held->size, address, held->stream};
  }
  const auto found = find(address);
  if (!found) return std::nullopt;
  if (found->block == nullptr) return BlockFacts{address, found->size, found->size, address, {}};
  const Block& block = *found->block;
  return BlockFacts{address, block.size, block.requested, block.segment->address,
                    block.segment->stream};
}

DeviceStats CachingAllocator::stats(int device) {
  DeviceAllocator& cached = of_device(device);
  return is_async() ? async().stats(device) : cached.stats();
}

void CachingAllocator::reset_peak(int device) {
  of_device(device).reset_peak();
  if (is_async()) async().reset_peak(device);
}

AsyncAllocator& CachingAllocator::async() {
  const std::scoped_lock lock(mutex_);
  if (async_ == nullptr) async_ = std::make_unique<AsyncAllocator>(runtime_);
  return *async_;
}

void CachingAllocator::free_async(Address address) {
  const bool is_freed = async().free(address);
  check(is_freed, [&] { return "invalid device pointer: " + address_text(address); });
}

void CachingAllocator::empty_cache() {
  const int count = cuda_device_count(runtime_);
  for (int device = 0; device < count; ++device) of_device(device).empty_cache();
}

std::uint64_t CachingAllocator::share_of_device(int device, double fraction) {
  return static_cast<std::uint64_t>(fraction * static_cast<double>(info_of(device).total_bytes));
}

CachingAllocator::Info CachingAllocator::info_of(int device) {
  const ScopedDevice scope(runtime_, device);
  Info info;
  cuda_check(runtime_, driver_of(runtime_).mem_info(info.free_bytes, info.total_bytes));
  return info;
}

void CachingAllocator::set_fraction(int device, double fraction) {
  check(fraction >= 0 && fraction <= 1, [&] {
    return "invalid fraction:" + std::to_string(fraction) + ". Please set within [0, 1].";
  });
  DeviceAllocator& allocator = of_device(device);
  // [DEV] of MEM-012: PyTorch switched to the device and, before 2.11, did not switch back.
  const Contract& contract = runtime_.contract();
  if (!contract.strict() && contract.before(Release::k2_11)) cuda_set_device(runtime_, device);
  const bool is_none = fraction == 1 && runtime_.contract().at_least(Release::k2_11);
  if (is_none) {
    if (is_async()) async().set_limit(device, std::nullopt);
    return allocator.set_limit(std::nullopt);
  }
  const std::uint64_t limit = share_of_device(device, fraction);
  if (is_async()) async().set_limit(device, limit);
  allocator.set_limit(limit);
}

namespace {

struct SessionAllocator {
  std::once_flag once;
  std::unique_ptr<CachingAllocator> allocator;
};

}  // namespace

CachingAllocator& allocator_of(Runtime& runtime) {
  auto& session = runtime.shared<SessionAllocator>();
  std::call_once(session.once,
                 [&] { session.allocator = std::make_unique<CachingAllocator>(runtime); });
  return *session.allocator;
}

}  // namespace assay::reference
