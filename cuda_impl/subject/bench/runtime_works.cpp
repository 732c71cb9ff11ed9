// Loops of stream, event, guard and memory calls.
#include <array>

#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/memory/allocator.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/event.hpp"
#include "cuda_impl/runtime/guards.hpp"
#include "cuda_impl/subject/bench/works.hpp"

namespace assay::cuda {
namespace {

class RuntimeWork : public BenchWork {
 public:
  void restore() override {}
  std::vector<Tensor> results() const override { return {}; }

 protected:
  static Stream pooled() { return stream_from_pool(0, 0); }
  static Event an_event() { return {DeviceKind::kCuda, kPytorchDefault}; }
};

class RecordAndBlock final : public RuntimeWork {
 public:
  std::uint64_t queue() override {
    event_.record(from_);
    event_.block(to_);
    return event_.was_recorded() ? 1 : 0;
  }

 private:
  const Stream from_ = pooled();
  const Stream to_ = pooled();
  Event event_ = an_event();
};

class CreateEvent final : public RuntimeWork {
 public:
  std::uint64_t queue() override {
    Event event = an_event();
    event.record(stream_);
    return event.was_recorded() ? 1 : 0;
  }

 private:
  const Stream stream_ = pooled();
};

class RecordEvent final : public RuntimeWork {
 public:
  RecordEvent() { event_.record(stream_); }
  std::uint64_t queue() override {
    event_.record(stream_);
    return event_.was_recorded() ? 1 : 0;
  }

 private:
  const Stream stream_ = pooled();
  Event event_ = an_event();
};

class QueryEvent final : public RuntimeWork {
 public:
  QueryEvent() {
    event_.record(pooled());
    event_.synchronize();
  }
  std::uint64_t queue() override { return event_.query() ? 1 : 0; }

 private:
  Event event_ = an_event();
};

class TakeStream final : public RuntimeWork {
 public:
  std::uint64_t queue() override {
    const Stream taken = pooled();
    const bool is_another = taken != before_;
    before_ = taken;
    return is_another ? 1 : 0;
  }

 private:
  Stream before_ = pooled();
};

class SwitchStream final : public RuntimeWork {
 public:
  std::uint64_t queue() override {
    const StreamGuard guard(stream_);
    return stream_on(0).id == stream_.id ? 1 : 0;
  }

 private:
  const Stream stream_ = pooled();
};

class SwitchDevice final : public RuntimeWork {
 public:
  std::uint64_t queue() override {
    const DeviceGuard guard(cuda_device(1));
    return static_cast<std::uint64_t>(current_device());
  }
};

/// Allocates and frees memory.
class MemoryWork : public RuntimeWork {
 protected:
  static Tensor taken() { return empty({512}, Dtype::kUInt8, home()); }
};

class AllocateFromCache : public MemoryWork {
 public:
  std::uint64_t queue() override {
    const Tensor memory = taken();
    const bool is_the_same = memory.data() == before_;
    before_ = memory.data();
    return is_the_same ? 1 : 0;
  }

 private:
  const void* before_ = taken().data();
};

/// Returns all cached memory to the driver.
class AllocateFromDriver final : public MemoryWork {
 public:
  AllocateFromDriver() { memory::empty_cache(); }
  std::uint64_t queue() override {
    const bool is_there = taken().data() != nullptr;
    memory::empty_cache();
    return is_there ? 1 : 0;
  }
};

/// A second stream uses the memory, so that it must finish before the memory is reused.
class AllocateForTwoStreams final : public MemoryWork {
 public:
  std::uint64_t queue() override {
    const Tensor memory = taken();
    memory->storage->note_use(user_);
    return memory.data() != nullptr ? 1 : 0;
  }

 private:
  const StreamUse user_{0, handle_of(pooled())};
};

std::unique_ptr<BenchWork> switch_device(Call&) {
  if (Session::cuda_devices() < 2) throw NotSupported("there are no two CUDA devices");
  return std::make_unique<SwitchDevice>();
}

constexpr std::array kRuntimeWorks{NamedWork{"event", make_work<RecordAndBlock>},
                                   NamedWork{"event_create", make_work<CreateEvent>},
                                   NamedWork{"event_record", make_work<RecordEvent>},
                                   NamedWork{"event_query", make_work<QueryEvent>},
                                   NamedWork{"stream_from_pool", make_work<TakeStream>},
                                   NamedWork{"stream_guard", make_work<SwitchStream>},
                                   NamedWork{"device_guard", switch_device},
                                   NamedWork{"allocate_hit", make_work<AllocateFromCache>},
                                   NamedWork{"allocate_miss", make_work<AllocateFromDriver>},
                                   NamedWork{"allocate_crossed", make_work<AllocateForTwoStreams>}};

}  // namespace

std::span<const NamedWork> runtime_works() { return kRuntimeWorks; }

}  // namespace assay::cuda
