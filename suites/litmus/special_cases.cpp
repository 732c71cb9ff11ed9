// Litmus rows that the language of programs cannot say: waiting until something becomes true.
#include <chrono>

#include "harness/suite/clients/runtime.hpp"
#include "suites/litmus/showing.hpp"

namespace assay::suites {
namespace {

/// ORD-L1: the bound that the harness sets.
constexpr std::chrono::seconds kLongest{10};

bool becomes_true(const std::function<bool()>& ask) {
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (std::chrono::steady_clock::now() < end) {
    if (ask()) return true;
  }
  return false;
}

}  // namespace

CASES("runtime/litmus/liveness") {
  litmus_case("lt_33_a_repeated_query_of_an_event_becomes_true", {"LT-33", "ORD-L1"},
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

  litmus_case("lt_33_a_repeated_query_of_a_stream_becomes_true_once_its_gate_is_open",
              {"LT-33", "ORD-L1"}, [](Session& subject) {
                under_schedules(subject, 3, [&] {
                  const StreamObject stream = subject.runtime().pool_stream();
                  const GateObject gate = subject.runtime().gate(stream);
                  subject.runtime().kernel({.stream = stream});
                  expect_false(stream.query(), "a stream behind a closed gate is idle");

                  gate.open();

                  expect_true(becomes_true([&] { return stream.query(); }),
                              "a stream becomes idle within ten seconds");
                });
              });
}

}  // namespace assay::suites
