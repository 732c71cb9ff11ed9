// The steps of a request (MEM-011), limits, out-of-memory messages, and freeing cached memory
// (MEM-012, MEM-013, MEM-016).
#include "harness/suite/clients/core.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

const std::vector<std::string> kAllocatorCalls = {
    "malloc", "free", "event_query", "event_sync", "device_sync", "stream_sync", "event_record"};

/// The message of the out-of-memory error that `action` must raise.
std::string lack_of_memory(const std::function<void()>& action, Where where = Where::current()) {
  try {
    action();
  } catch (const SubjectError& raised) {
    expect_true(raised.error().kind == ErrorKind::kOutOfMemory, "the kind is out_of_memory", where);
    return raised.error().message;
  }
  expect_true(false, "it raises", where);
  return {};
}

void expect_said(const std::string& message, const std::vector<std::string>& parts,
                 Where where = Where::current()) {
  for (const std::string& part : parts) {
    expect_true(message.find(part) != std::string::npos, "'" + part + "' in: " + message, where);
  }
}

std::string current(Session& subject, const std::string& name) {
  return subject.memory().size_text(subject.memory().stats()[name + ".all.current"]);
}

}  // namespace

CASES("memory/limit") {
  on_cuda("a_request_that_a_free_block_serves_asks_the_driver_for_nothing", {"MEM-011"},
          [](Session& subject) {
            subject.memory().allocate(512).free();
            calls(subject);

            subject.memory().allocate(512);

            expect_calls(calls(subject, kAllocatorCalls), {});
          });

  on_cuda("events_are_looked_at_before_the_pool", {"MEM-011", "MEM-008"}, [](Session& subject) {
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().allocate(20 * kMiB);
    block.record_stream(user);
    block.free();
    calls(subject);

    subject.memory().allocate(20 * kMiB);

    expect_calls(calls(subject, kAllocatorCalls), {"event_query"});
  });

  on_cuda("callbacks_are_asked_when_the_pool_has_nothing", {"MEM-011"}, [](Session& subject) {
    const MemoryBlock kept = subject.memory().allocate(20 * kMiB);
    subject.memory().set_free_callback(
        subject.callback("gives_back", subject.block([&](Session& s) {
          s.send("memory.free", {{"block", kept}});
          s.send("value", {{"value", true}});
        })));
    const BlockInfo place = kept.info();
    calls(subject);

    const MemoryBlock made = subject.memory().allocate(20 * kMiB);

    expect_same_place(made.info(), place);
    expect_equal(count_of(calls(subject), "malloc"), 0);
  });

  on_cuda("a_callback_that_frees_nothing_changes_nothing", {"MEM-011"}, [](Session& subject) {
    subject.memory().set_free_callback(
        subject.callback("gives_nothing", subject.block([](Session& s) {
          s.send("value", {{"value", false}});
        })));
    calls(subject);

    subject.memory().allocate(20 * kMiB);

    expect_calls(calls(subject, kAllocatorCalls), {"malloc"});
  });

  on_cuda("free_segments_go_back_before_memory_is_said_to_be_short", {"MEM-011"},
          [](Session& subject) {
            limit_memory(subject, 128 * kMiB, 0.5);
            const MemoryBlock one = subject.memory().allocate(40 * kMiB);
            const MemoryBlock two = subject.memory().allocate(20 * kMiB);
            one.free();
            two.free();
            calls(subject);

            subject.memory().allocate(60 * kMiB);

            expect_calls(calls(subject, {"malloc", "free"}), {"free", "free", "malloc"});
            expect_counters(subject, {{"num_alloc_retries", 1},
                                      {"num_ooms", 0},
                                      {"segment", 1},
                                      {"reserved_bytes", 60 * kMiB}});
          });

  on_cuda("the_driver_may_be_short_as_well", {"MEM-011", "MEM-013"}, [](Session& subject) {
    subject.sim().machine({.memory = 64 * kMiB});
    subject.memory().allocate(40 * kMiB).free();
    calls(subject);

    subject.memory().allocate(60 * kMiB);

    expect_equal(count_of(calls(subject), "free"), 1);
    expect_counters(subject, {{"num_alloc_retries", 1}, {"num_ooms", 0}});
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("a_whole_device_was_a_limit_too", {"MEM-012"}, [](Session& subject) {
    limit_memory(subject, 64 * kMiB, 1.0);
    calls(subject);

    expect_error([&] { subject.memory().allocate(66 * kMiB); }, ErrorKind::kOutOfMemory);

    expect_equal(count_of(calls(subject), "malloc"), 0);
    subject.memory().allocate(64 * kMiB);
  }).until(Release::k2_4);

  on_cuda("a_whole_device_is_no_limit", {"MEM-012"}, [](Session& subject) {
    limit_memory(subject, 64 * kMiB, 1.0);
    calls(subject);

    expect_error([&] { subject.memory().allocate(66 * kMiB); }, ErrorKind::kOutOfMemory);

    expect_true(count_of(calls(subject), "malloc") > 0, "the driver is asked");
  }).since(Release::k2_11);

  on_cuda("blocks_of_captures_are_named_apart", {"MEM-013", "MEM-023"}, [](Session& subject) {
    subject.sim().machine({.memory = 128 * kMiB});
    const MemoryBlock kept = subject.memory().allocate(40 * kMiB);
    expect_true(lack_of_memory([&] {
                  subject.memory().allocate(200 * kMiB);
                }).find("private pools") == std::string::npos,
                "no block is in a private pool");
    const auto stream = subject.runtime().pool_stream();
    const Ref pool = subject.memory().capture_pool(stream);
    subject.runtime().capture_begin(stream);
    const MemoryBlock during = subject.memory().allocate(24 * kMiB, {.stream = stream});
    subject.runtime().capture_end(stream);

    expect_said(lack_of_memory([&] { subject.memory().allocate(200 * kMiB); }),
                {"private pools", "24.00 MiB", "64.00 MiB"});
  }).since(Release::k2_4);

  on_cuda("split_segments_are_not_given_back", {"MEM-011", "MEM-016"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);
    const MemoryBlock kept = subject.memory().allocate(5 * kMiB);  // of 20 MiB
    lack_of_memory([&] { subject.memory().allocate(50 * kMiB); });

    expect_counters(subject, {{"reserved_bytes", kLargeSegment}, {"num_ooms", 1}});
  });

  on_cuda("beyond_the_limit_the_driver_is_not_asked", {"MEM-012"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);
    subject.memory().allocate(40 * kMiB);
    calls(subject);

    lack_of_memory([&] { subject.memory().allocate(26 * kMiB); });

    expect_equal(count_of(calls(subject), "malloc"), 0);
    subject.memory().allocate(24 * kMiB);  // exactly the limit
    expect_counters(subject, {{"reserved_bytes", 64 * kMiB}});
  });

  on_cuda("the_limit_is_about_what_is_reserved", {"MEM-012"}, [](Session& subject) {
    limit_memory(subject, 64 * kMiB, 0.25);

    lack_of_memory([&] { subject.memory().allocate(2 * kMiB); });  // needs a segment of 20 MiB

    subject.memory().allocate(10 * kMiB);
  });

  on_cuda("a_limit_belongs_to_a_device", {"MEM-012"}, [](Session& subject) {
    subject.sim().machine({.memory = 64 * kMiB});
    subject.memory().set_fraction(0.25, subject.device(1));

    subject.memory().allocate(32 * kMiB, {.device = subject.device(0)});
    lack_of_memory([&] { subject.memory().allocate(32 * kMiB, {.device = subject.device(1)}); });
  });

  on_cuda("a_fraction_of_one_is_no_limit", {"MEM-012"}, [](Session& subject) {
    subject.sim().machine({.memory = 64 * kMiB});
    subject.memory().set_fraction(0.25);
    subject.memory().set_fraction(1.0);

    subject.memory().allocate(64 * kMiB);
    calls(subject);
    lack_of_memory([&] { subject.memory().allocate(2 * kMiB); });
    expect_true(count_of(calls(subject), "malloc") >= 1, "the driver is asked");
  }).since(Release::k2_11);

  on_cuda("a_fraction_outside_0_to_1_is_refused", {"MEM-012"}, [](Session& subject) {
    expect_error([&] { subject.memory().set_fraction(-0.5); },
                 {ErrorKind::kError, ErrorKind::kValue}, {"invalid fraction", "0.5"});
    expect_error([&] { subject.memory().set_fraction(1.5); },
                 {ErrorKind::kError, ErrorKind::kValue}, {"invalid fraction", "1.5"});
    subject.memory().set_fraction(0.0);
    lack_of_memory([&] { subject.memory().allocate(1); });
  });

  on_cuda("a_fraction_that_is_no_float_is_a_type_error", {"MEM-012"}, [](Session& subject) {
    expect_error([&] { subject.memory().set_fraction("half"); }, ErrorKind::kType);
    expect_error([&] { subject.memory().set_fraction(1); }, ErrorKind::kType);
  });

  on_cuda("the_message_names_the_segment_and_not_the_request", {"MEM-013"}, [](Session& subject) {
    limit_memory(subject, 64 * kMiB, 0.0);

    expect_said(lack_of_memory([&] { subject.memory().allocate(1); }),
                {"Tried to allocate 2.00 MiB"});  // T27
    expect_said(lack_of_memory([&] { subject.memory().allocate(2 * kMiB); }),
                {"Tried to allocate 20.00 MiB"});
    expect_said(lack_of_memory([&] { subject.memory().allocate(11 * kMiB); }),
                {"Tried to allocate 12.00 MiB"});
  });

  on_cuda("the_message_says_where_the_memory_went", {"MEM-013", "MEM-014"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);
    const MemoryBlock kept = subject.memory().allocate(5 * kMiB);
    const std::string message = lack_of_memory([&] { subject.memory().allocate(100 * kMiB); });

    // Total capacity, free, allocated, reserved but unallocated.
    expect_said(message, {"100.00 MiB", "GPU 0", "128.00 MiB", "108.00 MiB",
                          current(subject, "allocated_bytes")});
  });

  on_cuda("later_releases_say_the_limit_and_how_to_avoid_fragments", {"MEM-013"},
          [](Session& subject) {
            limit_memory(subject, 128 * kMiB, 0.5);
            const MemoryBlock kept = subject.memory().allocate(5 * kMiB);
            const std::string message =
                lack_of_memory([&] { subject.memory().allocate(100 * kMiB); });

            expect_said(message, {"64.00 MiB", "15.00 MiB", "expandable_segments:True"});
          })
      .since(Release::k2_11);

  on_cuda("1_13_has_its_own_layout", {"MEM-013"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);
    const MemoryBlock kept = subject.memory().allocate(5 * kMiB);
    const std::string message = lack_of_memory([&] { subject.memory().allocate(100 * kMiB); });

    expect_said(message, {"Tried to allocate 100.00 MiB (GPU 0; 128.00 MiB total capacity;",
                          "5.00 MiB already allocated;", "108.00 MiB free;",
                          "20.00 MiB reserved in total by PyTorch)", "max_split_size_mb"});
  }).until(Release::k1_13);

  on_cuda("a_lack_of_memory_changes_nothing_but_one_counter", {"MEM-013"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);
    const MemoryBlock kept = subject.memory().allocate(20 * kMiB);
    const auto before = subject.memory().segments();

    lack_of_memory([&] { subject.memory().allocate(100 * kMiB); });

    expect_counters(subject, {{"num_ooms", 1},
                              {"allocation", 1},
                              {"allocated_bytes", 20 * kMiB},
                              {"allocation.all.allocated", 1},
                              {"segment.all.allocated", 1},
                              {"reserved_bytes", 20 * kMiB}});
    expect_equal(static_cast<std::int64_t>(subject.memory().segments().size()),
                 static_cast<std::int64_t>(before.size()));
    expect_equal(subject.runtime().peek_last_error(), 0);
    subject.memory().allocate(20 * kMiB);
    expect_counters(subject, {{"num_ooms", 1}, {"allocated_bytes", 40 * kMiB}});
  });

  on_cuda("the_register_is_clear_after_the_driver_ran_out", {"MEM-013", "MEM-025"},
          [](Session& subject) {
            subject.sim().machine({.memory = 64 * kMiB});

            lack_of_memory([&] { subject.memory().allocate(100 * kMiB); });

            expect_equal(subject.runtime().peek_last_error(), 0);
            subject.runtime().kernel();
            subject.runtime().launch_check();
            subject.memory().allocate(20 * kMiB);
          });

  on_cuda("observers_hear_of_it_before_it_is_raised", {"MEM-013"}, [](Session& subject) {
    limit_memory(subject, 64 * kMiB, 0.5);
    const Ref seen = subject.core().tensor(on(f32({-1}), {"cpu", -1}));
    // A request from inside the observer shows that the lock is not held.
    subject.memory().set_observer(subject.callback("observer", subject.block([&](Session& s) {
      s.core().fill_(seen, Ref{"$0"});
      s.memory().allocate(1);
    })));

    lack_of_memory([&] { subject.memory().allocate(100 * kMiB); });

    expect_bits(subject.core().read(seen), f32({0}));
    expect_counters(subject, {{"allocation", 1}, {"num_ooms", 1}});
  });

  on_cuda("a_tensor_of_more_than_an_exabyte_is_refused_at_once", {"MEM-013"}, [](Session& subject) {
    calls(subject);
    expect_said(lack_of_memory([&] {
                  subject.core().empty({.shape = {std::int64_t{1} << 60},
                                        .dtype = Dtype::kInt8,
                                        .device = subject.device(0)});
                }),
                {"more than 1EB memory"});
    expect_equal(count_of(calls(subject), "malloc"), 0);
  });

  on_cuda("emptying_the_cache_gives_whole_segments_back", {"MEM-016"}, [](Session& subject) {
    const MemoryBlock split = subject.memory().allocate(5 * kMiB);
    subject.memory().allocate(24 * kMiB).free();  // more than the rest of the first segment
    subject.memory().allocate(1).free();
    expect_counters(subject, {{"segment", 3}});
    calls(subject);

    subject.memory().empty_cache();

    expect_equal(count_of(calls(subject), "free"), 2);
    expect_counters(subject, {{"segment", 1},
                              {"reserved_bytes", kLargeSegment},
                              {"allocated_bytes", 5 * kMiB},
                              {"inactive_split", 1}});
  });

  on_cuda("emptying_the_cache_waits_for_pending_blocks", {"MEM-016"}, [](Session& subject) {
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().allocate(12 * kMiB);
    subject.sim().schedule("manual");
    subject.runtime().kernel({.stream = user});
    block.record_stream(user);
    block.free();
    expect_equal(subject.sim().pending(user), 2);

    subject.memory().empty_cache();

    expect_equal(subject.sim().pending(user), 0);
    expect_counters(subject, {{"segment", 0}, {"active_bytes", 0}});
    expect_equal(subject.sim().live().device_blocks, 0);
  });

  on_cuda("emptying_the_cache_is_for_all_streams", {"MEM-016"}, [](Session& subject) {
    for (int i = 0; i < 3; ++i) {
      subject.memory().allocate(512, {.stream = subject.runtime().pool_stream()}).free();
    }
    expect_counters(subject, {{"segment", 3}});

    subject.memory().empty_cache();

    expect_counters(subject, {{"segment", 0}, {"reserved_bytes", 0}});
  });
}

}  // namespace assay::suites
