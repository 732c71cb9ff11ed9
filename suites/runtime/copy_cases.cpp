// Copies: between devices as a barrier for both, between host and device according to their kind.
#include "harness/suite/clients/memory.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

const Device kHost{"cpu", -1};
const Texts kSynchronizing{"called a synchronizing CUDA operation"};

Ref host_word(Session& subject, double value, bool pinned) {
  const Ref word = word_on(subject, kHost, value);
  return pinned ? subject.memory().pin_memory(word) : word;
}

/// The current value of the word, without waiting for the stream that writes it.
double value_of(Session& subject, const Ref& word) { return subject.core().read(word).real_at(0); }

/// Makes a stream of this device current, and one of another device.
struct Current {
  Current(Session& subject, int device) : stream(pool_on(subject, device)) {
    subject.runtime().set_current_stream(stream);
  }
  StreamObject stream;
};

/// The driver calls that show how a copy is ordered.
Texts copy_calls(Session& subject) {
  return order_of(driver_calls(subject), {"event_record", "stream_wait", "memcpy_async", "launch",
                                          "stream_sync", "device_sync", "event_sync"});
}

}  // namespace

CASES("runtime/device_copy") {
  on_cuda("it_waits_for_the_target_s_stream", {"STR-031"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto from = word_on(subject, subject.device(0), 3);
    const auto to = word_on(subject, subject.device(1), 1);
    const Current source(subject, 0);
    const Current target(subject, 1);
    const auto gate = r.gate(target.stream);
    subject.core().copy_(to, from);
    const auto event = r.event();
    event.record(source.stream);
    expect_false(event.query(), "the source's stream waits for the target's");
    expect_equal(gate.state(), "closed");
    gate.open();
    event.synchronize();
    expect_word(subject, to, 3);
  });

  on_cuda("it_runs_in_the_source_s_stream", {"STR-031"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto from = word_on(subject, subject.device(0), 3);
    const auto to = word_on(subject, subject.device(1), 1);
    const Current source(subject, 0);
    const Current target(subject, 1);
    const auto gate = r.gate(source.stream);
    subject.core().copy_(to, from);
    const auto event = r.event();
    event.record(target.stream);
    expect_false(event.query(), "the target's stream waits for the copy");
    r.set_current_stream(r.default_stream(subject.device(1)));
    expect_true(value_of(subject, to) == 1, "nothing is copied yet");
    expect_equal(gate.state(), "closed");
    gate.open();
    event.synchronize();
    expect_word(subject, to, 3);
    expect_at(r.get_device(), subject.device(0));
  });

  on_cuda("streams_that_are_not_current_take_no_part", {"STR-031"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto from = word_on(subject, subject.device(0), 3);
    const auto to = word_on(subject, subject.device(1), 1);
    const auto other = pool_on(subject, 0);
    const auto another = pool_on(subject, 1);
    const auto gate = r.gate(other);
    const auto second = r.gate(another);
    subject.core().copy_(to, from);
    r.default_stream(subject.device(1)).synchronize();
    expect_true(value_of(subject, to) == 3, "it is copied");
    expect_equal(gate.state() + second.state(), "closedclosed");
    gate.open();
    second.open();
    r.synchronize_device(subject.device(0));
    r.synchronize_device(subject.device(1));
  });

  on_cuda("two_events_stand_around_it", {"STR-031"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto from = word_on(subject, subject.device(0), 3);
    const auto to = word_on(subject, subject.device(1), 1);
    const Current source(subject, 0);
    const Current target(subject, 1);
    subject.sim().log();
    subject.core().copy_(to, from);
    const auto calls = driver_calls(subject);
    expect_list(order_of(calls, {"event_record", "stream_wait", "memcpy_async"}),
                {"event_record", "stream_wait", "memcpy_async", "event_record", "stream_wait"});
    const auto records = calls_of(calls, "event_record");
    const auto waits = calls_of(calls, "stream_wait");
    const auto copy = calls_of(calls, "memcpy_async").front();
    const auto stream_of = [](const DriverCall& call) {
      return call.arguments.at(0).starts_with("s") ? call.arguments.at(0) : call.arguments.at(1);
    };
    expect_equal(stream_of(waits[0]), stream_of(copy));
    expect_equal(stream_of(records[1]), stream_of(copy));
    expect_equal(stream_of(records[0]), stream_of(waits[1]));
    expect_true(stream_of(records[0]) != stream_of(copy), "both streams take part");
    r.synchronize_device(subject.device(1));
  });

  on_cuda("within_a_device_there_are_no_events", {"STR-031"}, [](Session& subject) {
    const auto from = word_on(subject, subject.device(1), 3);
    const auto to = word_on(subject, subject.device(1), 1);
    subject.sim().log();
    subject.core().copy_(to, from);
    const auto calls = driver_calls(subject);
    expect_list(order_of(calls, {"event_record", "stream_wait", "stream_sync", "device_sync"}), {});
    expect_word(subject, to, 3);
    expect_at(subject.runtime().get_device(), subject.device(0));
  });
}

CASES("runtime/host_copy") {
  on_cuda("a_blocking_copy_waits_for_its_stream_only", {"STR-033"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto host = host_word(subject, 3, true);
    const auto word = word_on(subject, subject.device(0), 1);
    const auto back = host_word(subject, 0, true);
    const auto other = pool_on(subject, 0);
    const Current current(subject, 0);
    const auto gate = r.gate(other);
    subject.core().copy_(word, host);
    expect_true(current.stream.query(), "the copy is over");
    subject.core().copy_(back, word);
    expect_true(value_of(subject, back) == 3, "it is there");
    expect_false(other.query(), "the other stream was not waited for");
    expect_equal(gate.state(), "closed");
    gate.open();
    other.synchronize();
  });

  on_cuda("copies_follow_the_work_of_their_stream", {"STR-033"}, [](Session& subject) {
    const auto r = subject.runtime();
    const Current current(subject, 1);
    const auto word = word_on(subject, subject.device(1), 1);
    const auto back = word_on(subject, kHost, 0);
    r.store(word, 4.0);
    subject.core().copy_(back, word);
    expect_true(value_of(subject, back) == 4, "the copy reads what was stored before it");
    expect_at(r.get_device(), subject.device(0));
  });

  on_cuda("a_copy_that_does_not_block_returns_at_once", {"STR-033"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto host = host_word(subject, 3, true);
    const auto back = host_word(subject, 0, true);
    const auto word = word_on(subject, subject.device(1), 1);
    const Current current(subject, 1);
    const auto gate = r.gate(current.stream);
    subject.core().copy_(word, host, true);
    subject.core().copy_(back, word, true);
    expect_equal(gate.state(), "closed");
    expect_true(value_of(subject, back) == 0, "nothing is copied yet");
    expect_at(r.get_device(), subject.device(0));
    gate.open();
    current.stream.synchronize();
    expect_true(value_of(subject, back) == 3, "both copies are done");
  });

  on_cuda("the_debug_mode_sees_the_blocking_ones", {"STR-033", "STR-024"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto host = host_word(subject, 3, true);
    const auto word = word_on(subject, subject.device(0), 1);
    r.sync_debug_mode("warn");
    subject.core().copy_(word, host, true);
    expect_true(subject.warnings().empty(), "a non-blocking copy does not wait");
    subject.core().copy_(word, host);
    expect_warning(subject.warnings(), "UserWarning", kSynchronizing);
    subject.core().copy_(host, word);
    expect_warning(subject.warnings(), "UserWarning", kSynchronizing);
    r.sync_debug_mode("error");
    expect_error([&] { subject.core().copy_(host, word); }, ErrorKind::kError, kSynchronizing);
    r.sync_debug_mode("default");
  });

  on_cuda("a_pageable_source_is_staged", {"STR-033"}, [](Session& subject) {
    subject.sim().schedule("manual");
    const auto host = host_word(subject, 3, false);
    const auto word = word_on(subject, subject.device(0), 1);
    const Current current(subject, 0);
    subject.core().copy_(word, host, true);
    subject.core().fill_(host, 9.0);
    current.stream.synchronize();
    expect_word(subject, word, 3);
  });

  on_cuda("a_pinned_source_is_read_when_its_turn_comes", {"STR-033"}, [](Session& subject) {
    subject.sim().schedule("manual");
    const auto host = host_word(subject, 3, true);
    const auto word = word_on(subject, subject.device(0), 1);
    const Current current(subject, 0);
    subject.core().copy_(word, host, true);
    subject.core().fill_(host, 9.0);
    current.stream.synchronize();
    expect_word(subject, word, 9);
  });

  on_cuda("a_pageable_target_is_filled_when_the_call_returns", {"STR-033"}, [](Session& subject) {
    subject.sim().schedule("manual");
    const auto r = subject.runtime();
    const auto host = host_word(subject, 0, false);
    const auto word = word_on(subject, subject.device(0), 1);
    const Current current(subject, 0);
    r.store(word, 5.0);
    subject.core().copy_(host, word, true);
    expect_true(value_of(subject, host) == 5, "it is there");
  });

  on_cuda("a_pinned_target_is_filled_when_its_turn_comes", {"STR-033"}, [](Session& subject) {
    subject.sim().schedule("manual");
    const auto host = host_word(subject, 0, true);
    const auto word = word_on(subject, subject.device(0), 5);
    const Current current(subject, 0);
    subject.core().copy_(host, word, true);
    expect_true(value_of(subject, host) == 0, "the copy has not run yet");
    current.stream.synchronize();
    expect_true(value_of(subject, host) == 5, "the copy has run");
  });

  on_cuda("it_goes_into_the_device_s_current_stream", {"STR-033"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto host = host_word(subject, 3, true);
    const auto word = word_on(subject, subject.device(1), 1);
    const Current current(subject, 1);
    subject.sim().log();
    r.kernel({.stream = current.stream});
    const std::string wanted = calls_of(driver_calls(subject), "launch").at(0).arguments.at(0);
    subject.core().copy_(word, host);
    subject.core().copy_(host, word);
    const auto calls = driver_calls(subject);
    const auto copies = calls_of(calls, "memcpy_async");
    expect_equal(static_cast<std::int64_t>(copies.size()), 2);
    for (const DriverCall& copy : copies) expect_equal(copy.arguments.at(0), wanted);
    expect_list(order_of(calls, {"memcpy_async", "stream_sync", "device_sync"}),
                {"memcpy_async", "stream_sync", "memcpy_async", "stream_sync"});
    expect_equal(calls_of(calls, "stream_sync").at(0).arguments.at(0), wanted);
  });

  on_cuda("pageable_memory_cannot_be_captured", {"STR-033"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto host = host_word(subject, 3, false);
    const auto word = word_on(subject, subject.device(0), 1);
    const Current current(subject, 0);
    r.capture_begin(current.stream);
    expect_error([&] { subject.core().copy_(word, host, true); }, ErrorKind::kError);
  }).since(Release::k2_11);

  on_cuda("six_steps_in_order", {"STR-034"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto host = host_word(subject, 3, false);
    const Ref word = subject.core().empty({.shape = {1}, .device = subject.device(0)});
    subject.sim().log();
    subject.core().copy_(word, host);
    r.kernel();
    subject.core().add_(word, word);
    subject.core().copy_(host, word);
    expect_true(value_of(subject, host) == 6, "it is computed");
    expect_list(copy_calls(subject),
                {"memcpy_async", "stream_sync", "launch", "launch", "memcpy_async", "stream_sync"});
    subject.drop(word.name);
  });
}

}  // namespace assay::suites
