// Litmus rows that the language of programs cannot express: waiting for a condition.
#include <chrono>

#include "harness/suite/clients/memory.hpp"
#include "harness/suite/clients/runtime.hpp"
#include "suites/litmus/showing.hpp"

namespace assay::suites {
namespace {

/// ORD-L1: the bound set by the harness.
constexpr std::chrono::seconds kLongest{10};

bool becomes_true(const std::function<bool()>& ask) {
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (std::chrono::steady_clock::now() < end) {
    if (ask()) return true;
  }
  return false;
}

/// The bytes of a word in allocated memory.
constexpr const char* kTwos = "02020202";
constexpr std::int64_t kLarge = std::int64_t{10} << 20;

/// LT-34: reuse in one stream needs no wait, because streams are in order. `between` kernels are
/// enqueued between the gate and the work.
void reuse_is_ordered(Session& subject, int between) {
  const StreamObject stream = subject.runtime().pool_stream();
  const MemoryBlock first = subject.memory().allocate(512, {.stream = stream});
  const std::int64_t place = first.info().address;
  const GateObject gate = subject.runtime().gate(stream);
  for (int i = 0; i < between; ++i) subject.runtime().kernel({.stream = stream});
  first.write(1, {.stream = stream});
  first.free();

  const MemoryBlock second = subject.memory().allocate(512, {.stream = stream});
  expect_equal(second.info().address, place);
  second.write(2, {.stream = stream});
  gate.open();
  stream.synchronize();

  expect_equal(second.read(0, 4), kTwos);
  gate.expect_not_expired();
}

/// LT-35: a block that another stream still uses is not reused, even if it is the first choice;
/// another free block is. They are large, so that no driver call is needed behind the gate.
void recorded_reuse_waits(Session& subject) {
  const StreamObject own = subject.runtime().pool_stream();
  const StreamObject user = subject.runtime().pool_stream();
  const MemoryBlock one = subject.memory().allocate(kLarge, {.stream = own});
  const MemoryBlock two = subject.memory().allocate(kLarge, {.stream = own});
  const bool one_is_first = one.info().address < two.info().address;
  const MemoryBlock& shared = one_is_first ? one : two;
  const MemoryBlock& other = one_is_first ? two : one;
  const std::int64_t place = other.info().address;
  other.free();
  const GateObject gate = subject.runtime().gate(user);
  shared.write(1, {.stream = user});
  shared.record_stream(user);
  shared.free();

  const MemoryBlock next = subject.memory().allocate(kLarge, {.stream = own});

  expect_equal(next.info().address, place);
  gate.open();
  user.synchronize();
  gate.expect_not_expired();
}

}  // namespace

CASES("runtime/litmus/reuse") {
  on_cuda("lt_34_reuse_in_one_stream_is_ordered", {"LT-34", "ORD-A3"}, [](Session& subject) {
    for (const int between : {0, 1}) reuse_is_ordered(subject, between);
  });
  on_cuda("lt_35_reuse_waits_for_streams_that_were_recorded", {"LT-35"}, recorded_reuse_waits);
}

CASES("runtime/litmus/liveness") {
  on_cuda("lt_33_a_repeated_query_of_an_event_becomes_true", {"LT-33", "ORD-L1"},
          [](Session& subject) {
            under_schedules(subject, 3, [&] {
              const StreamObject stream = subject.runtime().pool_stream();
              const EventObject event = subject.runtime().event();
              subject.runtime().kernel({.stream = stream});

              event.record(stream);

              expect_true(becomes_true([&] { return event.query(); }),
                          "a recorded event becomes complete within ten seconds");
            });
          });

  on_cuda("lt_33_a_repeated_query_of_a_stream_becomes_true_once_its_gate_is_open",
          {"LT-33", "ORD-L1"}, [](Session& subject) {
            under_schedules(subject, 3, [&] {
              const StreamObject stream = subject.runtime().pool_stream();
              const GateObject gate = subject.runtime().gate(stream);
              subject.runtime().kernel({.stream = stream});
              expect_false(stream.query(), "a stream behind a closed gate is busy");

              gate.open();

              expect_true(becomes_true([&] { return stream.query(); }),
                          "a stream becomes idle within ten seconds");
            });
          });
}

}  // namespace assay::suites
