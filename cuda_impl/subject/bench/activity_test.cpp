// Recording what devices do: with functions in the place of CUPTI's, which hand out planned
// records.
#include "cuda_impl/subject/bench/activity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda_impl/core/error.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::cuda {
namespace {

constexpr int kMemcpy = 1;
constexpr int kMemset = 2;
constexpr int kKernel = 10;
constexpr int kOverhead = 17;

/// As CUPTI lays its records out: kind, what differs, start and end; here all are equally long.
struct Planned {
  std::uint32_t kind;
  std::uint32_t others[3];
  std::uint64_t start;
  std::uint64_t end;
};

Planned record(int kind, std::uint64_t start, std::uint64_t end) {
  return {static_cast<std::uint32_t>(kind), {}, start, end};
}

/// The behaviour of the functions below, and a log of their calls.
struct Script {
  std::vector<std::vector<Planned>> buffers;  ///< handed out by the next flush
  std::vector<int> enabled;
  int refused_kind = 0;
  std::size_t dropped = 0;
  Cupti::BufferRequested* requested = nullptr;
  Cupti::BufferCompleted* completed = nullptr;
};
Script script;

int register_callbacks(Cupti::BufferRequested* requested, Cupti::BufferCompleted* completed) {
  script.requested = requested;
  script.completed = completed;
  return 0;
}

int enable(int kind) {
  if (kind == script.refused_kind) return 39;
  script.enabled.push_back(kind);
  return 0;
}

int disable(int kind) {
  std::erase(script.enabled, kind);
  return 0;
}

int flush(std::uint32_t) {
  for (const auto& records : std::exchange(script.buffers, {})) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t most = 1;
    script.requested(&buffer, &size, &most);
    EXPECT_EQ(most, 0U);
    EXPECT_GE(size, records.size() * sizeof(Planned));
    std::memcpy(buffer, records.data(), records.size() * sizeof(Planned));
    script.completed(nullptr, 0, buffer, size, records.size() * sizeof(Planned));
  }
  return 0;
}

/// From null to the first, then one after the other.
int next_record(std::uint8_t* buffer, std::size_t valid_size, void** at) {
  auto* const next = *at == nullptr ? buffer : static_cast<std::uint8_t*>(*at) + sizeof(Planned);
  if (next >= buffer + valid_size) return 12;
  *at = next;
  return 0;
}

int dropped(void*, std::uint32_t, std::size_t* records) {
  *records = script.dropped;
  return 0;
}

const Cupti kPlanned = {register_callbacks, enable, disable, flush, next_record, dropped};

class Activity : public testing::Test {
 protected:
  void SetUp() override { script = {}; }
};

TEST_F(Activity, KernelsCopiesAndMemsetsAddUp) {
  const ActivityRecording recording(kPlanned);
  script.buffers = {{record(kKernel, 100, 350), record(kMemset, 400, 1400)},
                    {record(kMemcpy, 10, 17), record(kOverhead, 0, 99999), record(kKernel, 5, 6)}};
  EXPECT_EQ(recording.busy_ns(true), 250 + 1000 + 7 + 1);
  EXPECT_EQ(recording.busy_ns(false), 250 + 7 + 1);
}

TEST_F(Activity, WhatWasLeftOfAnEarlierRecordingIsNotAdded) {
  script.buffers = {{record(kKernel, 0, 5000)}};
  const ActivityRecording first(kPlanned);
  script.buffers = {{record(kKernel, 0, 30)}};
  EXPECT_EQ(first.busy_ns(true), 30);
  script.buffers = {{record(kKernel, 0, 7000)}};
  const ActivityRecording second(kPlanned);
  script.buffers = {{record(kMemcpy, 0, 40)}};
  EXPECT_EQ(second.busy_ns(true), 40);
}

TEST_F(Activity, RecordsOnlyWhileItLives) {
  {
    const ActivityRecording recording(kPlanned);
    EXPECT_EQ(script.enabled, (std::vector<int>{kMemcpy, kMemset, kKernel}));
  }
  EXPECT_EQ(script.enabled, std::vector<int>{});
}

TEST_F(Activity, NoRecordOrADroppedOneIsAnError) {
  const ActivityRecording recording(kPlanned);
  EXPECT_THROW(recording.busy_ns(true), NotSupported);
  script.dropped = 3;
  script.buffers = {{record(kKernel, 0, 5)}};
  try {
    recording.busy_ns(true);
    FAIL() << "a sum without dropped records";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "CUPTI has dropped 3 records");
  }
}

TEST_F(Activity, ARefusalSaysWhatAndLeavesNothingEnabled) {
  script.refused_kind = kKernel;
  try {
    const ActivityRecording recording(kPlanned);
    FAIL() << "it was refused";
  } catch (const NotSupported& missing) {
    EXPECT_STREQ(missing.what(), "CUPTI refuses to record activities (39)");
  }
  EXPECT_EQ(script.enabled, std::vector<int>{});
}

TEST(OpenCupti, SaysWhatIsMissing) {
  const auto reason = [](const char* library) {
    try {
      open_cupti(library);
    } catch (const NotSupported& missing) {
      return std::string(missing.what());
    }
    return std::string();
  };
  EXPECT_NE(reason("libcupti-of-nobody.so").find("libcupti-of-nobody.so"), std::string::npos);
  EXPECT_EQ(reason("libm.so.6"), "this CUPTI has no function cuptiActivityRegisterCallbacks");
}

}  // namespace
}  // namespace assay::cuda
