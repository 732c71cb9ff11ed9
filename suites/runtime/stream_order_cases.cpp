// Stream order: queries, synchronization, default streams, placement of work.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// The error for a call that would block.
const Texts kSynchronizing{"called a synchronizing CUDA operation"};

/// Restores the mode; if the case fails, the next reset does.
void with_mode(Session& subject, const std::string& mode, const std::function<void()>& body) {
  subject.runtime().sync_debug_mode(mode);
  body();
  subject.runtime().sync_debug_mode("default");
}

}  // namespace

CASES("runtime/query") {
  on_cuda("a_stream_is_done_when_its_work_is", {"STR-023"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto gate = subject.runtime().gate(stream);
    expect_false(stream.query(), "the gate is closed");
    gate.open();
    stream.synchronize();
    expect_true(stream.query(), "the gate is open");
  });

  on_cuda("a_stream_without_work_is_done", {"STR-023"}, [](Session& subject) {
    expect_true(subject.runtime().pool_stream().query(), "it never had any work");
    expect_true(subject.runtime().default_stream().query(),
                "the default stream never had any work");
  });

  on_cuda("other_streams_are_not_looked_at", {"STR-023"}, [](Session& subject) {
    const auto busy = pool_on(subject);
    const auto idle = pool_on(subject);
    const auto gate = subject.runtime().gate(busy);
    expect_true(idle.query(), "the idle stream has no work");
    expect_false(busy.query(), "the busy stream has work");
    gate.open();
    busy.synchronize();
  });

  on_cuda("asking_keeps_the_device_and_leaves_no_error", {"STR-023"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject, 1);
    const auto gate = r.gate(stream);
    expect_false(stream.query(), "the gate is closed");
    expect_equal(r.peek_last_error(), 0);
    r.launch_check();
    expect_at(r.get_device(), subject.device(0));
    gate.open();
    stream.synchronize();
    expect_true(stream.query(), "it is done");
    expect_at(r.get_device(), subject.device(0));
  });

  on_cuda("another_code_is_an_error", {"STR-023"}, [](Session& subject) {
    const auto stream = pool_on(subject, 1);
    subject.sim().faults({{.call = "stream_query", .code = 400}});
    expect_error([&] { stream.query(); }, ErrorKind::kDevice);
    expect_at(subject.runtime().get_device(), subject.device(0));
    expect_true(stream.query(), "the next query succeeds");
  }).only(Deviations::kStrict);
}

CASES("runtime/synchronize") {
  on_cuda("it_waits_for_its_stream_alone", {"STR-024"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto busy = pool_on(subject);
    const auto other = pool_on(subject);
    const auto gate = r.gate(busy);
    r.kernel({.stream = other});
    other.synchronize();
    expect_true(other.query(), "its work is done");
    expect_false(busy.query(), "the gate is closed still");
    expect_equal(gate.state(), "closed");
    gate.open();
    busy.synchronize();
    expect_true(busy.query(), "it is done");
  });

  on_cuda("it_waits_for_what_came_before", {"STR-024"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    const auto word = word_on(subject, subject.device());
    for (const double value : {1.0, 2.0, 3.0}) r.store(word, value, stream);
    stream.synchronize();
    expect_bits(subject.core().read(word), f32({3}));
  });

  on_cuda("it_keeps_the_device", {"STR-024"}, [](Session& subject) {
    const auto stream = pool_on(subject, 1);
    stream.synchronize();
    expect_at(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("it_waits_on_its_own_device", {"STR-024"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.default_stream(subject.device(1));
    const auto gate = r.gate(stream);
    r.default_stream(subject.device(0)).synchronize();
    expect_equal(gate.state(), "closed");
    gate.open();
    stream.synchronize();
  });

  on_cuda("the_debug_mode_warns", {"STR-024"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    with_mode(subject, "warn", [&] {
      stream.synchronize();
      expect_warning(subject.warnings(), "UserWarning", kSynchronizing);
      stream.query();
      expect_true(subject.warnings().empty(), "asking does not wait");
    });
    stream.synchronize();
    expect_true(subject.warnings().empty(), "there is no warning once the mode is off");
  });

  on_cuda("the_debug_mode_does_not_see_waits_for_a_device", {"STR-034"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    for (const char* mode : {"warn", "error"}) {
      const ScopedTrace row(mode);
      with_mode(subject, mode, [&] {
        r.synchronize_device();
        expect_true(subject.warnings().empty(), "it says nothing");
      });
    }
    with_mode(subject, "warn", [&] {
      stream.synchronize();
      expect_warning(subject.warnings(), "UserWarning", kSynchronizing);
    });
  });

  on_cuda("the_debug_mode_raises_before_anything_waits", {"STR-024"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto gate = subject.runtime().gate(stream);
    with_mode(subject, "error", [&] {
      expect_error([&] { stream.synchronize(); }, ErrorKind::kError, kSynchronizing);
      expect_equal(gate.state(), "closed");
    });
    gate.open();
    stream.synchronize();
  });

  on_cuda("a_device_is_all_its_streams", {"STR-034"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device(0));
    const auto pool = pool_on(subject, 0);
    const auto external = r.raw_stream({.device = subject.device(0)}).stream;
    r.store(word, 1.0, pool);
    r.kernel({.stream = external});
    r.kernel({.stream = r.default_stream(subject.device(0))});
    r.set_device(subject.device(1));
    r.synchronize_device(subject.device(0));
    expect_true(pool.query() && external.query(), "all is done");
    expect_at(r.get_device(), subject.device(1));
    r.set_device(subject.device(0));
    expect_bits(subject.core().read(word), f32({1}));
  });

  on_cuda("waiting_for_a_device_needs_its_open_streams_only", {"STR-034"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto other = pool_on(subject, 1);
    const auto gate = r.gate(other);
    r.synchronize_device(subject.device(0));
    r.synchronize_device();
    r.synchronize_device(cuda_any());
    expect_equal(gate.state(), "closed");
    gate.open();
    r.synchronize_device(subject.device(1));
    expect_true(other.query(), "now it is done");
  });
}

CASES("runtime/waits_of_the_device") {
  on_cuda("a_device_waits_for_non_blocking_streams", {"STR-034", "STR-024"}, [](Session& subject) {
    const auto r = subject.runtime();
    subject.sim().schedule("lazy");
    const auto pool = r.pool_stream({.device = subject.device(1)});
    const auto raw = r.raw_stream({.device = subject.device(1), .blocking = true});
    for (const Value& stream : {Value(pool), Value(raw.stream)}) {
      r.kernel({.stream = stream});
    }
    const auto elsewhere = r.pool_stream({.device = subject.device(0)});
    r.kernel({.stream = elsewhere});
    r.synchronize_device(subject.device(1));
    expect_equal(subject.sim().pending(pool), 0);
    expect_equal(subject.sim().pending(raw.stream), 0);
    expect_equal(subject.sim().pending(elsewhere), 1);
  });

  on_cuda("a_stream_s_wait_leaves_the_others_alone", {"STR-024"}, [](Session& subject) {
    const auto r = subject.runtime();
    subject.sim().schedule("manual");
    const auto a = r.pool_stream();
    const auto b = r.pool_stream();
    for (int i = 0; i < 3; ++i) {
      r.kernel({.stream = a});
      r.kernel({.stream = b});
    }
    a.synchronize();
    expect_equal(subject.sim().pending(a), 0);
    expect_equal(subject.sim().pending(b), 3);
  });
}

CASES("runtime/failed_work") {
  on_cuda("nothing_behind_a_kernel_that_failed_runs", {"FLT-010"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    subject.sim().schedule("manual");
    r.kernel({.stream = stream, .fails = 700});
    r.kernel({.stream = stream});
    subject.sim().run();
    expect_equal(subject.sim().pending(stream), 2);
  }).fresh();
}

CASES("runtime/default_streams") {
  on_cuda("pool_streams_and_the_default_stream_are_unordered", {"STR-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto pool = pool_on(subject);
    const auto standard = r.default_stream();
    const auto gate = r.gate(pool);
    r.kernel({.stream = standard});
    standard.synchronize();
    expect_false(pool.query(), "the gate is closed still");
    gate.open();
    pool.synchronize();

    const auto second = r.gate(standard);
    r.kernel({.stream = pool});
    pool.synchronize();
    expect_equal(second.state(), "closed");
    second.open();
    standard.synchronize();
  });

  on_cuda("a_blocking_stream_waits_for_the_default_stream", {"STR-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto blocking = r.raw_stream({.device = subject.device(), .blocking = true}).stream;
    r.kernel({.stream = blocking});
    blocking.synchronize();
    const auto gate = r.gate(r.default_stream());
    r.kernel({.stream = blocking});
    expect_false(blocking.query(), "it waits for the default stream");
    gate.open();
    blocking.synchronize();
  });

  on_cuda("the_default_stream_waits_for_a_blocking_one", {"STR-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto blocking = r.raw_stream({.device = subject.device(), .blocking = true}).stream;
    const auto event = r.event();
    event.record(r.default_stream());
    const auto gate = r.gate(blocking);
    r.kernel({.stream = r.default_stream()});
    event.record(r.default_stream());
    expect_false(event.query(), "the default stream waits for it");
    gate.open();
    event.synchronize();
  });

  on_cuda("an_external_stream_made_non_blocking_is_unordered", {"STR-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto free = r.raw_stream({.device = subject.device(), .blocking = false}).stream;
    const auto gate = r.gate(r.default_stream());
    r.kernel({.stream = free});
    free.synchronize();
    expect_equal(gate.state(), "closed");
    gate.open();
    r.default_stream().synchronize();
  });

  on_cuda("threads_have_default_streams_of_their_own", {"STR-026"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto mine = r.external_stream(2, subject.device());
    r.kernel({.stream = mine});
    mine.synchronize();
    const auto gate = r.gate(mine);
    const auto replies = subject.on("other", subject.block([&](Session& s) {
      s.runtime().kernel({.stream = mine});
      mine.synchronize();
      mine.query();
    }));
    expect_true(field_as<bool>(replies.at(2), "result"), "that thread's stream is another");
    expect_false(mine.query(), "this thread's stream stands at the gate");
    expect_equal(gate.state(), "closed");
    gate.open();
    mine.synchronize();
  }).since(Release::k2_4);

  on_cuda("a_thread_s_default_stream_is_ordered_with_the_legacy_one", {"STR-026"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto mine = r.external_stream(2, subject.device());
            const auto gate = r.gate(r.default_stream());
            r.kernel({.stream = mine});
            expect_false(mine.query(), "it waits for the legacy stream");
            gate.open();
            mine.synchronize();
            const auto event = r.event();
            const auto second = r.gate(mine);
            r.kernel({.stream = r.default_stream()});
            event.record(r.default_stream());
            expect_false(event.query(), "the legacy stream waits for it");
            second.open();
            event.synchronize();
          })
      .since(Release::k2_4);
}

}  // namespace assay::suites
