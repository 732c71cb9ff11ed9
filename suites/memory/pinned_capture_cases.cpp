// Pinned memory while a stream captures (MEM-030).
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/device_error.hpp"
#include "harness/suite/unsupported_case.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

void need_threads(const Session& subject) {
  if (!subject.info().threads) throw NotOffered("the subject takes commands from one thread only");
}

/// Pins memory in another thread.
void pin_there(Session& subject, std::int64_t size) {
  subject.on("there", subject.block([&](Session& s) { s.memory().pin(size); }));
}

void begin(const GraphObject& graph, const StreamObject& stream, const std::string& mode) {
  graph.begin({.stream = stream, .mode = mode});
}

}  // namespace

CASES("memory/pinned_captures") {
  on_cuda("the_stream_that_captures_may_pin_in_every_mode", {"MEM-030"}, [](Session& subject) {
    for (const char* const mode : {"global", "thread_local", "relaxed"}) {
      const ScopedTrace place(mode);
      const auto graph = GraphClient(subject).make();
      begin(graph, subject.runtime().pool_stream(), mode);
      subject.runtime().kernel();
      subject.memory().pin(5000);
      graph.end();
    }
  }).since(Release::k2_11);

  on_cuda("a_capture_took_memory_from_outside", {"MEM-030", "MEM-028"}, [](Session& subject) {
    const MemoryBlock before = subject.memory().pin(5000);
    const BlockInfo outside = before.info();
    before.free();
    const auto graph = GraphClient(subject).make();
    begin(graph, subject.runtime().pool_stream(), "global");
    subject.runtime().kernel();

    const MemoryBlock inside = subject.memory().pin(5000);

    expect_same_place(inside.info(), outside);
    inside.free();
    graph.end();
    expect_same_place(subject.memory().pin(5000).info(), outside);
  }).until(Release::k2_4);

  on_cuda("it_takes_no_memory_from_outside_and_leaves_none", {"MEM-030", "MEM-028"},
          [](Session& subject) {
            const MemoryBlock before = subject.memory().pin(5000);
            const BlockInfo outside = before.info();
            before.free();
            const auto graph = GraphClient(subject).make();
            begin(graph, subject.runtime().pool_stream(), "global");
            subject.runtime().kernel();
            const MemoryBlock first = subject.memory().pin(5000);
            const BlockInfo inside = first.info();
            expect_true(inside.address != outside.address, "the capture has a pool of its own");
            first.free();
            const MemoryBlock again = subject.memory().pin(5000);
            expect_same_place(again.info(), inside);
            again.free();
            graph.end();

            expect_same_place(subject.memory().pin(5000).info(), outside);
            expect_true(subject.memory().pin(5000).info().address != inside.address,
                        "what the capture has freed stays with it");
          })
      .since(Release::k2_11);

  on_cuda("what_the_capture_uses_is_not_reused", {"MEM-030"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto graph = GraphClient(subject).make();
    begin(graph, stream, "global");
    subject.runtime().kernel();
    const MemoryBlock block = subject.memory().pin(5000);
    const BlockInfo place = block.info();
    block.pinned_record(stream);
    block.free();

    expect_true(subject.memory().pin(5000).info().address != place.address, "a replay may use it");
    graph.end();
  }).since(Release::k2_11);

  on_cuda("no_event_is_asked_in_the_stream_that_captures", {"MEM-030"}, [](Session& subject) {
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().pin(5000);
    block.pinned_record(user);
    block.free();
    const auto graph = GraphClient(subject).make();
    begin(graph, subject.runtime().pool_stream(), "global");
    subject.runtime().kernel();

    subject.memory().pin(5000);

    graph.end();
  }).since(Release::k2_11);

  on_cuda("another_thread_pins_no_new_memory_in_the_mode_global", {"MEM-030", "FLT-016"},
          [](Session& subject) {
            need_threads(subject);
            const auto graph = GraphClient(subject).make();
            begin(graph, subject.runtime().pool_stream(), "global");
            subject.runtime().kernel();
            expect_device_error(
                subject, [&] { pin_there(subject, 5000); }, 900);
            expect_device_error(
                subject, [&] { graph.end(); }, 901);
            pin_there(subject, 5000);
          })
      .since(Release::k2_11);

  on_cuda("another_thread_asks_no_event_in_the_mode_global", {"MEM-030", "FLT-016"},
          [](Session& subject) {
            need_threads(subject);
            const auto user = subject.runtime().pool_stream();
            const MemoryBlock block = subject.memory().pin(5000);
            block.pinned_record(user);
            block.free();
            const auto graph = GraphClient(subject).make();
            begin(graph, subject.runtime().pool_stream(), "global");
            subject.runtime().kernel();
            expect_device_error(
                subject, [&] { pin_there(subject, 5000); }, 900);
            expect_device_error(
                subject, [&] { graph.end(); }, 901);
          })
      .since(Release::k2_11);

  on_cuda("another_thread_reuses_pinned_memory_in_every_mode", {"MEM-030"}, [](Session& subject) {
    need_threads(subject);
    for (const char* const mode : {"global", "thread_local", "relaxed"}) {
      const ScopedTrace place(mode);
      subject.memory().pin(5000).free();
      const auto graph = GraphClient(subject).make();
      begin(graph, subject.runtime().pool_stream(), mode);
      subject.runtime().kernel();
      pin_there(subject, 5000);
      graph.end();
    }
  }).since(Release::k2_11);

  on_cuda("another_thread_pins_new_memory_in_the_other_modes", {"MEM-030"}, [](Session& subject) {
    need_threads(subject);
    for (const char* const mode : {"thread_local", "relaxed"}) {
      const ScopedTrace place(mode);
      const auto graph = GraphClient(subject).make();
      begin(graph, subject.runtime().pool_stream(), mode);
      subject.runtime().kernel();
      pin_there(subject, 5000);
      graph.end();
    }
  }).since(Release::k2_11);
}

}  // namespace assay::suites
