// Selects the backend of each device, and keeps the settings of the process.
#include "cuda_impl/memory/allocator.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/memory/captures.hpp"
#include "cuda_impl/memory/hooks.hpp"
#include "cuda_impl/memory/other_backends.hpp"

namespace assay::cuda::memory {
namespace {

constexpr std::size_t kMostDevices = 64;

/// The error for calls that the selected backend does not support; in PyTorch an assertion.
ErrorKind backend_error() { return rules().is_strict ? ErrorKind::kValue : ErrorKind::kInternal; }

std::optional<std::string> variable(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  return text;
}

/// Environment variables, which explicit options override.
struct Environment {
  std::optional<std::string> alloc_conf = variable("PYTORCH_ALLOC_CONF");
  std::optional<std::string> cuda_alloc_conf = variable("PYTORCH_CUDA_ALLOC_CONF");
  bool is_uncached = variable("PYTORCH_NO_CUDA_MEMORY_CACHING").has_value();

  /// MEM-019
  std::string options() const {
    const bool has_both = rules().release >= Release::k2_11;
    if (has_both && alloc_conf) return *alloc_conf;
    return cuda_alloc_conf.value_or("");
  }
};

struct Process {
  /// Read by requests: null if the device has no caching allocator, or none yet.
  std::array<std::atomic<DeviceAllocator*>, kMostDevices> devices{};

  std::mutex mutex;  ///< protects the members below
  Environment environment;
  Settings settings;
  bool is_settled = false;
  std::vector<std::unique_ptr<DeviceAllocator>> caching;
  std::unique_ptr<PlainBackend> plain;
  /// From before the latest `forget`; their blocks may still be in use.
  std::vector<std::unique_ptr<DeviceAllocator>> retired;
  std::vector<std::unique_ptr<PlainBackend>> retired_plain;
};

/// Never destroyed: the driver shuts down first at process exit (FLT-017).
Process& process() {
  static auto* const made = new Process();
  return *made;
}

using Lock = std::scoped_lock<std::mutex>;

/// Reads the options before the first allocation. Requires the lock.
void settle(Process& all) {
  if (all.is_settled) return;
  Settings settings = all.settings;
  set_options(settings, all.environment.options(), rules().release);
  const bool is_plain = settings.is_async || all.environment.is_uncached;
  if (is_plain) all.plain = std::make_unique<PlainBackend>(!all.environment.is_uncached);
  all.settings = settings;
  all.is_settled = true;
}

void require_there(int device) {
  const bool is_there = device >= 0 && device < Session::cuda_devices() &&
                        static_cast<std::size_t>(device) < kMostDevices;
  require(is_there, ErrorKind::kInternal, [&] {
    return "Allocator not initialized for device " + std::to_string(device) +
           ": did you call init?";
  });
}

std::size_t share_of(int device, double fraction) {
  return static_cast<std::size_t>(fraction * static_cast<double>(info(device).total_bytes));
}

/// Returns null if another backend is selected.
DeviceAllocator* made_for(int device) {
  Process& all = process();
  auto& slot = all.devices.at(static_cast<std::size_t>(device));
  if (DeviceAllocator* const found = slot.load(std::memory_order_acquire)) return found;
  const Lock lock(all.mutex);
  settle(all);
  if (all.plain != nullptr || slot.load() != nullptr) return slot.load();
  all.caching.push_back(std::make_unique<DeviceAllocator>(device, all.settings));
  if (all.settings.first_fraction < 1) {
    all.caching.back()->set_limit(share_of(device, all.settings.first_fraction));
  }
  slot.store(all.caching.back().get(), std::memory_order_release);
  return all.caching.back().get();
}

Block& allocate_plainly(std::size_t size_bytes, StreamUse stream) {
  try {
    return process().plain->allocate(size_bytes, stream);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kOutOfMemory) notify_observers(stream.device);
    throw;
  }
}

template <typename Action>
void for_each_caching(const Action& action) {
  Process& all = process();
  for (auto& slot : all.devices) {
    if (DeviceAllocator* const found = slot.load(std::memory_order_acquire)) action(*found);
  }
}

void use(Process& all, const Settings& settings) {
  all.settings = settings;
  for_each_caching([&](DeviceAllocator& each) { each.set_settings(settings); });
}

bool is_from_0_to_1(double fraction) { return fraction >= 0 && fraction <= 1; }

}  // namespace

Block& allocate(std::size_t size_bytes, StreamUse stream) {
  DeviceAllocator* found =
      process().devices.at(static_cast<std::size_t>(stream.device)).load(std::memory_order_acquire);
  if (found == nullptr) [[unlikely]]
    found = made_for(stream.device);
  if (found == nullptr) [[unlikely]]
    return allocate_plainly(size_bytes, stream);
  return found->allocate(size_bytes, stream.handle);
}

void free(Block& block) {
  block.home != nullptr ? block.home->free(block) : block.plain->free(block);
}

void note_use(Block& block, StreamUse user) {
  block.home != nullptr ? block.home->note_use(block, user) : block.plain->note_use(block, user);
}

BlockView view(const Block& block) {
  if (block.home != nullptr) return block.home->view(block);
  return {block.data, block.size_bytes, block.requested_bytes, block.data};
}

Block* find(const void* address) {
  Block* found = nullptr;
  for_each_caching([&](DeviceAllocator& each) {
    if (found == nullptr) found = each.find(address);
  });
  const auto& plain = process().plain;
  return found == nullptr && plain != nullptr ? plain->find(address) : found;
}

Info info(int device) {
  const DeviceScope scope(device);
  Info found;
  cuda_check(cudaMemGetInfo(&found.free_bytes, &found.total_bytes));
  return found;
}

void empty_cache() {
  require(!is_capture_under_way(), ErrorKind::kInternal, [] {
    return "captures_underway.empty() INTERNAL ASSERT FAILED: cached memory cannot go back to the "
           "driver while a capture is under way";
  });
  for (int device = 0; device < Session::cuda_devices(); ++device) {
    // An unused one as well: PyTorch counts the wait of each device.
    if (DeviceAllocator* const caching = made_for(device)) caching->empty_cache();
  }
}

void set_fraction(double fraction, int device, bool is_named) {
  require(is_from_0_to_1(fraction), [&] {
    return "invalid fraction: " + std::to_string(fraction) + ", expected one from 0 to 1";
  });
  const Release release = rules().release;
  const bool is_no_limit = fraction == 1 && release >= Release::k2_11;
  std::optional<std::size_t> limit;
  if (!is_no_limit) limit = share_of(device, fraction);
  if (is_named && !rules().is_strict && release < Release::k2_11)
    set_current_device(device);  // MEM-012
  if (DeviceAllocator* const caching = made_for(device)) return caching->set_limit(limit);
  process().plain->set_limit(device, limit);
}

Statistics statistics(int device) {
  require_there(device);
  if (DeviceAllocator* const caching = made_for(device)) return caching->statistics();
  return process().plain->statistics(device);
}

void reset_peak(int device) {
  require_there(device);
  if (DeviceAllocator* const caching = made_for(device)) caching->reset_peak();
}

void reset_accumulated(int device) {
  require_there(device);
  if (DeviceAllocator* const caching = made_for(device)) caching->reset_accumulated();
}

std::vector<SegmentView> segments(int device) {
  require_there(device);
  DeviceAllocator* const caching = made_for(device);
  return caching == nullptr ? std::vector<SegmentView>() : caching->segments();
}

void configure(std::string_view options, OptionSource source) {
  Process& all = process();
  const Lock lock(all.mutex);
  if (source == OptionSource::kAllocConf) {
    all.environment.alloc_conf = options;
    return;
  }
  if (source == OptionSource::kCudaAllocConf) {
    all.environment.cuda_alloc_conf = options;
    return;
  }
  settle(all);
  Settings wanted = kept_by_a_call(all.settings);
  try {
    set_options(wanted, options, rules().release);
    require(wanted.is_async == all.settings.is_async, backend_error(), [] {
      return "the backend of the allocator is loaded, and cannot be changed any more";
    });
  } catch (const Error&) {
    wanted.is_async = all.settings.is_async;
    if (!rules().is_strict) use(all, wanted);  // MEM-029: PyTorch has set them already
    throw;
  }
  use(all, wanted);
}

Settings settings() {
  const Lock lock(process().mutex);
  settle(process());
  return process().settings;
}

void choose_backend(bool is_async) {
  Process& all = process();
  const Lock lock(all.mutex);
  require(!all.is_settled || all.settings.is_async == is_async, ErrorKind::kValue,
          [] { return "the backend of the allocator is loaded, and cannot be changed any more"; });
  all.settings.is_async = is_async;
}

void set_uncached(bool is_uncached) {
  Process& all = process();
  const Lock lock(all.mutex);
  require(!all.is_settled || all.environment.is_uncached == is_uncached, ErrorKind::kValue,
          [] { return "memory was asked for: it is too late to choose whether it is cached"; });
  all.environment.is_uncached = is_uncached;
}

void let_go_of(const CapturePool* pool) {
  for_each_caching([&](DeviceAllocator& each) { each.let_go_of(pool); });
}

void forget() {
  end_captures();
  forget_hooks();
  Process& all = process();
  const Lock lock(all.mutex);
  for (auto& slot : all.devices) slot = nullptr;
  for (auto& each : all.caching) all.retired.push_back(std::move(each));
  all.caching.clear();
  std::erase_if(all.retired, [](const auto& each) { return each->abandon(); });
  if (all.plain != nullptr) all.retired_plain.push_back(std::move(all.plain));
  std::erase_if(all.retired_plain, [](const auto& each) { return each->is_empty(); });
  all.environment = {};
  all.settings = {};
  all.is_settled = false;
}

}  // namespace assay::cuda::memory
