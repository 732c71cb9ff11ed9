// CUPTI's activity API: opened by name, and its records added up.
#include "cuda_impl/subject/bench/activity.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "cuda_impl/core/error.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::cuda {
namespace {

constexpr Cupti::Status kSuccess = 0;
constexpr std::uint32_t kFlushIncomplete = 1;
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kBufferAlignment = 8;

enum Kind : int { kMemcpy = 1, kMemset = 2, kKernel = 10 };
constexpr std::array kKinds = {kMemcpy, kMemset, kKernel};

/// How records of these three kinds begin, in every version of CUPTI since CUDA 7.
struct Record {
  std::uint32_t kind;
  std::uint32_t others[3];
  std::uint64_t start_ns;
  std::uint64_t end_ns;
};

/// The totals of the current recording. Global, because CUPTI's callbacks have no user argument,
/// and run on a thread of CUPTI.
struct Totals {
  std::mutex mutex;
  const Cupti* cupti = nullptr;
  std::size_t records = 0;
  std::size_t dropped = 0;
  std::int64_t memset_ns = 0;
  std::int64_t other_ns = 0;
};

Totals& totals() {
  static Totals totals;
  return totals;
}

void hand_out_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *most_records = 0;  // as many as fit
}

void add(Totals& all, const Record& record) {
  if (record.kind != kMemcpy && record.kind != kMemset && record.kind != kKernel) return;
  ++all.records;
  const auto elapsed = static_cast<std::int64_t>(record.end_ns - record.start_ns);
  (record.kind == kMemset ? all.memset_ns : all.other_ns) += elapsed;
}

void read_buffer(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t /*size*/,
                 std::size_t valid_size) {
  Totals& all = totals();
  const std::scoped_lock lock(all.mutex);
  void* at = nullptr;
  while (valid_size > 0 && all.cupti->next_record(buffer, valid_size, &at) == kSuccess) {
    Record record;
    std::memcpy(&record, at, sizeof record);
    add(all, record);
  }
  std::size_t dropped = 0;
  if (all.cupti->dropped(context, stream, &dropped) == kSuccess) all.dropped += dropped;
  std::free(buffer);
}

void* library_of(const std::string& name) {
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw NotSupported(std::string("CUPTI cannot be opened: ") + dlerror());
  return library;
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw NotSupported(std::string("this CUPTI has no function ") + name);
}

/// By name where the loader finds it, else where CUDA's toolkit is installed by default.
Cupti open_any() {
  if (const char* named = std::getenv("ASSAY_CUPTI")) return open_cupti(named);
  for (const char* name :
       {"libcupti.so.13", "libcupti.so.12", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"}) {
    try {
      return open_cupti(name);
    } catch (const NotSupported&) {  // the next may be there
    }
  }
  return open_cupti("libcupti.so");
}

void check(Cupti::Status status, const char* what) {
  if (status == kSuccess) return;
  throw NotSupported(std::string("CUPTI refuses to ") + what + " (" + std::to_string(status) + ")");
}

}  // namespace

Cupti open_cupti(const std::string& library) {
  void* const opened = library_of(library);
  Cupti cupti;
  find(opened, "cuptiActivityRegisterCallbacks", cupti.register_callbacks);
  find(opened, "cuptiActivityEnable", cupti.enable);
  find(opened, "cuptiActivityDisable", cupti.disable);
  find(opened, "cuptiActivityFlushAll", cupti.flush);
  find(opened, "cuptiActivityGetNextRecord", cupti.next_record);
  find(opened, "cuptiActivityGetNumDroppedRecords", cupti.dropped);
  return cupti;
}

const Cupti& process_cupti() {
  static const Cupti cupti = open_any();
  return cupti;
}

ActivityRecording::ActivityRecording(const Cupti& cupti) : cupti_(cupti) {
  Totals& all = totals();
  all.cupti = &cupti;  // of one process there is one, which callbacks need from here on
  check(cupti.register_callbacks(hand_out_buffer, read_buffer), "register callbacks");
  cupti.flush(kFlushIncomplete);  // discards the rest of an earlier recording
  {
    const std::scoped_lock lock(all.mutex);
    all.records = all.dropped = 0;
    all.memset_ns = all.other_ns = 0;
  }
  try {
    for (const Kind kind : kKinds) check(cupti.enable(kind), "record activities");
  } catch (const NotSupported&) {
    stop();
    throw;
  }
}

ActivityRecording::~ActivityRecording() { stop(); }

void ActivityRecording::stop() const {
  for (const Kind kind : kKinds) cupti_.disable(kind);
}

std::int64_t ActivityRecording::busy_ns(bool with_memsets) const {
  check(cupti_.flush(kFlushIncomplete), "hand out its records");
  Totals& all = totals();
  const std::scoped_lock lock(all.mutex);
  require(all.dropped == 0,
          [&] { return "CUPTI has dropped " + std::to_string(all.dropped) + " records"; });
  if (all.records == 0) throw NotSupported("CUPTI has recorded no activity");
  return all.other_ns + (with_memsets ? all.memset_ns : 0);
}

}  // namespace assay::cuda
