// The state of the runtime, shared and per thread.
#include "reference/core/runtime.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "reference/core/types/error.hpp"

namespace assay::reference {

struct Runtime::ThreadStateOf {
  std::weak_ptr<ResetEpoch> era;
  const ResetEpoch* id;  ///< unique, because `era` keeps the address from being reused
  std::unique_ptr<ThreadState> here;
};

Runtime::ThreadState& Runtime::thread_state() const {
  thread_local std::vector<ThreadStateOf> known;
  for (const ThreadStateOf& entry : known) {
    if (entry.id == era_.get()) return *entry.here;
  }
  std::erase_if(known, [](const ThreadStateOf& entry) { return entry.era.expired(); });
  known.push_back({era_, era_.get(), std::make_unique<ThreadState>()});
  return *known.back().here;
}

void Runtime::check_device(int index) const {
  if (index >= 0 && index < cuda_devices()) return;
  constexpr std::int64_t kInvalidDevice = 101;
  const std::optional code = contract_.has_codes() ? std::optional(kInvalidDevice) : std::nullopt;
  throw Error(ErrorKind::kDevice,
              "invalid device ordinal: cuda:" + std::to_string(index) + " of " +
                  std::to_string(cuda_devices()) + " CUDA devices",
              code);
}

int Runtime::current_device() const { return thread_state().current_device; }

void Runtime::set_current_device(int index) {
  check_device(index);
  thread_state().current_device = index;
}

Device Runtime::resolve(Device device) const {
  if (!device.is_cuda()) return {device.type, -1};
  const int index = device.index < 0 ? current_device() : device.index;  // CORE-20
  check_device(index);
  return cuda_device(index);
}

Counters& Runtime::counters() { return thread_state().counters; }

void Runtime::warn(std::string category, std::string text) {
  thread_state().warnings.push_back({std::move(category), std::move(text)});
}

void Runtime::warn_once(const std::string& category, const std::string& text) {
  {
    const std::scoped_lock lock(mutex_);
    if (!warned_.insert(text).second) return;
  }
  warn(category, text);
}

std::size_t Runtime::warnings() const { return thread_state().warnings.size(); }

std::vector<Warning> Runtime::take_warnings(std::size_t from) {
  std::vector<Warning>& given = thread_state().warnings;
  const auto first = given.begin() + static_cast<std::ptrdiff_t>(std::min(from, given.size()));
  std::vector<Warning> taken(std::make_move_iterator(first), std::make_move_iterator(given.end()));
  given.erase(first, given.end());
  return taken;
}

void Runtime::reset() {
  Areas gone;  // destroyed without the lock
  const std::scoped_lock lock(mutex_);
  era_ = std::make_shared<ResetEpoch>();
  warned_.clear();
  gone.swap(areas_);
}

}  // namespace assay::reference
