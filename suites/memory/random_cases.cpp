// Random allocator programs, compared with the model after every step: addresses, sizes, states of
// blocks, counters, and the contents of blocks.
#include <random>

#include "suites/memory/model.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kLimit = 160 * kMiB;

std::string hex_of(int byte, int times) {
  const char* const digits = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < times; ++i) {
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
  return text;
}

class Trial {
 public:
  Trial(Session& subject, std::uint64_t seed)
      : subject_(subject), random_(seed), model_(subject.contract().release, 4, kLimit) {
    limit_memory(subject, 2 * kLimit, 0.5);
    streams_.push_back(subject.runtime().default_stream());
    for (int i = 0; i < 3; ++i) streams_.push_back(subject.runtime().pool_stream());
  }

  void step() {
    const unsigned choice = below(100);
    if (choice < 46) return allocate();
    if (choice < 80) return free_some();
    if (choice < 90) return record_stream();
    if (choice < 94) return close_gate();
    if (choice < 99) return open_gate();
    empty_cache();
  }

  void finish() {
    open_all();
    while (!live_.empty()) free_some();
    empty_cache();
    expect_segments();
    expect_counts();
    expect_equal(subject_.sim().live().device_blocks, 0);
  }

  /// Compares all blocks of all segments.
  void expect_segments() {
    const auto got = subject_.memory().segments();
    expect_equal(static_cast<std::int64_t>(got.size()),
                 static_cast<std::int64_t>(model_.segments().size()));
    for (const SegmentModel& wanted : model_.segments()) {
      for (const SegmentInfo& each : got) {
        if (each.address == wanted.address) expect_segment(each, wanted);
      }
    }
  }

  void expect_counts() {
    const MemoryStats stats = subject_.memory().stats();
    for (const auto& [name, value] : model_.counters()) {
      const ScopedTrace place(name);
      // Not counted in 1.13.
      if (since(subject_, Release::k2_4) || stats.has(name)) expect_equal(stats[name], value);
    }
  }

 private:
  struct Live {
    MemoryBlock block;
    BlockKey key;
    int stream = 0;
    int tag = 0;
  };
  struct Gate {
    GateObject gate;
    int stream = 0;
    int index = 0;
  };

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  int some_stream() { return static_cast<int>(below(static_cast<unsigned>(streams_.size()))); }
  const StreamObject& stream(int index) const { return streams_[static_cast<std::size_t>(index)]; }

  /// Sizes of all size classes, often at their boundaries.
  std::int64_t some_size() {
    static constexpr std::int64_t kBorders[] = {1,
                                                512,
                                                513,
                                                kMiB - 512,
                                                kMiB,
                                                kMiB + 1,
                                                10 * kMiB - 512,
                                                10 * kMiB - 511,
                                                10 * kMiB,
                                                19 * kMiB - 512,
                                                19 * kMiB,
                                                20 * kMiB,
                                                20 * kMiB + 1};
    static constexpr std::int64_t kClasses[] = {512, 16 * kKiB, kMiB, 10 * kMiB, 24 * kMiB};
    if (below(4) == 0) return kBorders[below(std::size(kBorders))];
    const auto most = kClasses[below(std::size(kClasses))];
    return 1 + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most));
  }

  void allocate() {
    const std::int64_t size = some_size();
    const int own = some_stream();
    const ScopedTrace place("allocate " + std::to_string(size) + " on stream " +
                            std::to_string(own));
    // A step that frees memory waits for the device, so no gate may be closed.
    if (AllocatorModel(model_).allocate(size, own).waited) open_all();
    const Served wanted = model_.allocate(size, own);
    if (wanted.out_of_memory) {
      return expect_error([&] { subject_.memory().allocate(size, {.stream = stream(own)}); },
                          ErrorKind::kOutOfMemory);
    }
    const MemoryBlock block = subject_.memory().allocate(size, {.stream = stream(own)});
    const BlockInfo info = block.info();
    if (wanted.is_new_segment) place_segment(wanted.block.segment, info.segment);
    expect_equal(info.segment, model_.segment(wanted.block.segment).address);
    expect_equal(info.offset, wanted.block.offset);
    expect_equal(info.address, info.segment + info.offset);
    expect_equal(info.size_bytes, model_.block(wanted.block).size);
    expect_equal(info.requested_bytes, size);
    live_.push_back({block, wanted.block, own, 0});
    mark(live_.back());
  }

  /// Checks that a new segment overlaps no other.
  void place_segment(int id, std::int64_t address) {
    const std::int64_t end = address + model_.segment(id).size;
    for (const SegmentModel& other : model_.segments()) {
      if (other.id == id) continue;
      expect_true(end <= other.address || address >= other.address + other.size,
                  "a new segment lies apart from the others");
    }
    model_.place(id, address);
  }

  /// Writes the block's own byte at its ends.
  void mark(Live& live) {
    tag_ = tag_ % 250 + 1;
    live.tag = tag_;
    const std::int64_t size = model_.block(live.key).size;
    live.block.write(live.tag, {.count = 16, .stream = stream(live.stream)});
    live.block.write(live.tag, {.offset = size - 16, .count = 16, .stream = stream(live.stream)});
  }

  void expect_own_bytes(const Live& live) {
    const std::int64_t size = model_.block(live.key).size;
    expect_equal(live.block.read(0, 4), hex_of(live.tag, 4));
    expect_equal(live.block.read(size - 4, 4), hex_of(live.tag, 4));
  }

  void free_some() {
    if (live_.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(below(static_cast<unsigned>(live_.size())));
    const Live gone = live_[static_cast<std::size_t>(at)];
    live_.erase(live_.begin() + at);
    if (gates_.empty()) expect_own_bytes(gone);  // reading waits for the device
    gone.block.free();
    model_.free(gone.key);
  }

  void record_stream() {
    if (live_.empty()) return;
    const Live& live = live_[below(static_cast<unsigned>(live_.size()))];
    const int user = some_stream();
    live.block.record_stream(stream(user));
    model_.record_stream(live.key, user);
  }

  void close_gate() {
    if (gates_.size() >= 3) return;
    const int index = 1 + static_cast<int>(below(3));  // excludes the legacy stream
    gates_.push_back(
        {subject_.runtime().gate(stream(index)), index, model_.stream(index).add_gate()});
  }

  void open_gate() {
    if (gates_.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(below(static_cast<unsigned>(gates_.size())));
    const Gate gone = gates_[static_cast<std::size_t>(at)];
    gates_.erase(gates_.begin() + at);
    gone.gate.open();
    model_.stream(gone.stream).open(gone.index);
  }

  void open_all() {
    while (!gates_.empty()) open_gate();
  }

  void empty_cache() {
    open_all();
    subject_.memory().empty_cache();
    model_.empty_cache();
  }

  void expect_segment(const SegmentInfo& got, const SegmentModel& wanted) {
    expect_equal(got.size_bytes, wanted.size);
    expect_equal(got.stream, stream(wanted.stream).id());
    expect_equal(got.pool, wanted.small ? "small" : "large");
    expect_equal(static_cast<std::int64_t>(got.blocks.size()),
                 static_cast<std::int64_t>(wanted.blocks.size()));
    static constexpr const char* kStates[] = {"free", "allocated", "pending"};
    for (std::size_t i = 0; i < got.blocks.size(); ++i) {
      expect_equal(got.blocks[i].offset, wanted.blocks[i].offset);
      expect_equal(got.blocks[i].size_bytes, wanted.blocks[i].size);
      expect_equal(got.blocks[i].state, kStates[static_cast<int>(wanted.blocks[i].state)]);
    }
  }

  Session& subject_;
  std::mt19937_64 random_;
  AllocatorModel model_;
  std::vector<StreamObject> streams_;
  std::vector<Live> live_;
  std::vector<Gate> gates_;
  int tag_ = 0;
};

constexpr int kSteps = 1200;

void run_program(Session& subject, std::uint64_t seed) {
  Trial trial(subject, seed);
  for (int i = 0; i < kSteps; ++i) {
    const ScopedTrace place("step " + std::to_string(i));
    trial.step();
    if (i % 10 == 0) trial.expect_counts();
    if (i % 50 == 0) trial.expect_segments();
  }
  trial.finish();
}

}  // namespace

CASES("memory/random") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    on_cuda("program_" + std::to_string(seed),
            {"MEM-001", "MEM-002", "MEM-003", "MEM-004", "MEM-005", "MEM-006", "MEM-007", "MEM-008",
             "MEM-009", "MEM-011", "MEM-012", "MEM-015", "MEM-016", "MEM-021"},
            [seed](Session& subject) { run_program(subject, seed); })
        .except(Release::k2_12, DeviceRules::kCuda);
  }
  for (std::uint64_t seed = 101; seed <= 130; ++seed) {
    on_cuda("program_" + std::to_string(seed),
            {"MEM-004", "MEM-005", "MEM-007", "MEM-008", "MEM-016", "MEM-021"},
            [seed](Session& subject) { run_program(subject, seed); })
        .full()
        .except(Release::k2_12, DeviceRules::kCuda);
  }
}

}  // namespace assay::suites
