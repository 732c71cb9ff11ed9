// Python's device contexts, and several threads with their own events.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

int now(Session& subject) { return subject.runtime().get_device().index; }

/// The index of a second device; without one, the case does not apply.
int second(Session& subject) { return subject.device(1).index; }

}  // namespace

CASES("runtime/device_context") {
  on_cuda("it_enters_and_restores", {"GRD-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    for (const Value& device : {Value(subject.device(1)), Value(1)}) {
      const auto context = r.device_context(device);
      expect_equal(now(subject), 1);
      context.leave();
      expect_equal(now(subject), 0);
    }
  });

  on_cuda("a_negative_index_is_nothing", {"GRD-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto context = r.device_context(-1);
    expect_equal(now(subject), 0);
    r.set_device(subject.device(1));
    context.leave();
    expect_equal(now(subject), 1);
    r.set_device(subject.device(0));
  });

  on_cuda("the_cpu_is_no_such_device", {"GRD-029"}, [](Session& subject) {
    expect_error(
        [&] {
          subject.runtime().device_context(Device{"cpu", -1});
        },
        ErrorKind::kValue, {"cuda"});
  });

  on_cuda("contexts_nest", {"GRD-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto outer = r.device_context(second(subject));
    const auto inner = r.device_context(0);
    expect_equal(now(subject), 0);
    inner.leave();
    expect_equal(now(subject), 1);
    outer.leave();
    expect_equal(now(subject), 0);
  });

  on_cuda("an_exception_restores_it", {"GRD-029", "GRD-008"}, [](Session& subject) {
    const int other = second(subject);
    const Block enter = subject.block([other](Session& s) { s.runtime().device_context(other); });
    const Block body = subject.block([](Session& s) {
      s.send("raise", {{"kind", "value"}, {"message", "inside"}});
    });
    expect_error([&] { subject.scope(enter, body); }, ErrorKind::kValue, {"inside"});
    expect_equal(now(subject), 0);
  });

  on_cuda("it_restores_what_was_changed_inside", {"GRD-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto context = r.device_context(0);
    r.set_device(subject.device(1));
    context.leave();
    expect_equal(now(subject), 0);
  }).since(Release::k2_4);

  on_cuda("1_13_restores_only_what_it_changed", {"GRD-029"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto context = r.device_context(0);
            r.set_device(subject.device(1));
            context.leave();
            expect_equal(now(subject), 1);
            r.set_device(subject.device(0));
          })
      .until(Release::k1_13)
      .only(Deviations::kCompat);

  on_cuda("a_strict_1_13_restores_always", {"GRD-029"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto context = r.device_context(0);
            r.set_device(subject.device(1));
            context.leave();
            expect_equal(now(subject), 0);
          })
      .until(Release::k1_13)
      .only(Deviations::kStrict);

  on_cuda("one_object_entered_twice_ends_at_its_device_in_1_13", {"GRD-029"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto first = r.device_context(second(subject));
            const auto second = r.reenter(first);
            second.leave();
            first.leave();
            expect_equal(now(subject), 1);
            r.set_device(subject.device(0));
          })
      .until(Release::k1_13)
      .only(Deviations::kCompat);

  on_cuda("one_object_entered_twice_ends_where_it_began", {"GRD-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = r.device_context(second(subject));
    const auto second = r.reenter(first);
    expect_equal(now(subject), 1);
    second.leave();
    expect_equal(now(subject), 1);
    first.leave();
    expect_equal(now(subject), 0);
  }).only(Deviations::kStrict);

  on_cuda("exit_stores_the_device_that_it_found", {"GRD-029"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto context = r.device_context(second(subject));
            r.set_device(subject.device(0));
            context.leave();
            const auto again = r.reenter(context);
            expect_equal(now(subject), 0);
            again.leave();
            expect_equal(now(subject), 0);
          })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  on_cuda("an_object_enters_its_device_each_time", {"GRD-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto context = r.device_context(second(subject));
    r.set_device(subject.device(0));
    context.leave();
    const auto again = r.reenter(context);
    expect_equal(now(subject), 1);
    again.leave();
    expect_equal(now(subject), 0);
  }).only(Deviations::kStrict);

  on_cuda("a_tensor_says_which_device", {"GRD-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto context = r.device_of(word_on(subject, subject.device(1)));
    expect_equal(now(subject), 1);
    context.leave();
    expect_equal(now(subject), 0);
  });

  on_cuda("a_tensor_of_the_cpu_changes_nothing", {"GRD-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.set_device(subject.device(1));
    const auto context = r.device_of(word_on(subject, {"cpu", -1}));
    expect_equal(now(subject), 1);
    context.leave();
    expect_equal(now(subject), 1);
    r.set_device(subject.device(0));
  });
}

CASES("runtime/event_threads") {
  on_cuda("threads_use_their_own_events_on_one_stream", {"EVT-031", "STR-020"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = pool_on(subject);
            std::vector<std::pair<std::string, Block>> threads;
            for (const char* name : {"a", "b", "c"}) {
              const auto event = r.event();
              threads.emplace_back(name, subject.block([&](Session& s) {
                for (int i = 0; i < 4; ++i) {
                  s.runtime().kernel({.stream = stream});
                  event.record(stream);
                  event.query();
                  event.block(stream);
                  event.synchronize();
                  event.query();
                }
              }));
            }
            const Block observe = subject.block([&](Session& s) {
              s.runtime().synchronize_device();
              stream.query();
            });

            const Reply reply = subject.together(std::move(threads), 20, observe);

            const auto& outcomes = field_as<List>(reply, "outcomes").items;
            expect_equal(static_cast<std::int64_t>(outcomes.size()), 1);
            expect_true(stream.query(), "all of it is done");
          });

  on_cuda("an_event_goes_from_thread_to_thread", {"EVT-031", "EVT-013"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = pool_on(subject);
    const auto second = pool_on(subject);
    const auto event = r.event();
    const auto gate = r.gate(first);
    subject.on("a", subject.block([&](Session&) { event.record(first); }));
    const auto replies = subject.on("b", subject.block([&](Session& s) {
      event.block(second);
      s.runtime().kernel({.stream = second});
      second.query();
    }));
    expect_false(field_as<bool>(replies.at(2), "result"), "it waits");
    gate.open();
    second.synchronize();
    expect_true(first.query(), "the first is done");
  });
}

}  // namespace assay::suites
