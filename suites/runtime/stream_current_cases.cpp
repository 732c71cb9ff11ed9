// The current stream: per thread and device, and independent of other settings.
#include "harness/suite/itself.hpp"
#include "harness/suite/mistake.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// A device that the machine does not have.
Device beyond(Session& subject) {
  return {"cuda", static_cast<int>(subject.runtime().device_count()) + 4};
}

std::string range_of(Session& subject) {
  return "[0, " + std::to_string(subject.runtime().device_count()) + ")";
}

}  // namespace

CASES("runtime/current") {
  on_cuda("the_default_stream_is_current_at_first", {"STR-019"}, [](Session& subject) {
    for (const int index : {0, 1}) {
      const auto current = subject.runtime().current_stream(subject.device(index));
      expect_value(current.value(), subject.device(index), 0);
    }
    expect_value(subject.runtime().current_stream().value(), subject.device(0), 0);
  });

  on_cuda("setting_one_changes_its_device_alone", {"STR-019"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device(1)});
    r.set_current_stream(stream);
    expect_same(r.current_stream(subject.device(1)).value(), stream.value());
    expect_value(r.current_stream(subject.device(0)).value(), subject.device(0), 0);
    expect_at(r.get_device(), subject.device(0));
    expect_value(r.current_stream().value(), subject.device(0), 0);
    r.set_current_stream(r.default_stream(subject.device(1)));
  });

  on_cuda("the_current_stream_follows_the_current_device", {"STR-019", "STR-018"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            r.set_current_stream(stream);
            r.set_device(subject.device(1));
            expect_same(r.current_stream().value(), stream.value());
            expect_same(r.current_stream(cuda_any()).value(), stream.value());
            expect_value(r.default_stream().value(), subject.device(1), 0);
            expect_value(r.default_stream(cuda_any()).value(), subject.device(1), 0);
            r.set_device(subject.device(0));
            r.set_current_stream(r.default_stream(subject.device(1)));
          });

  on_cuda("the_default_stream_is_never_another", {"STR-019", "STR-002"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.set_current_stream(r.pool_stream({.device = subject.device(0)}));
    r.set_current_stream(r.pool_stream({.device = subject.device(1)}));
    for (const int current : {0, 1}) {
      r.set_device(subject.device(current));
      for (const int index : {0, 1}) {
        const auto standard = r.default_stream(subject.device(index));
        expect_value(standard.value(), subject.device(index), 0);
        expect_true(r.equal(standard, r.stream(subject.device(index), 0)), "it is id 0");
      }
      expect_value(r.default_stream().value(), subject.device(current), 0);
    }
    expect_false(r.equal(r.default_stream(subject.device(0)), r.default_stream(subject.device(1))),
                 "each device has its own");
  });

  on_cuda("exchange_answers_what_was_current", {"STR-019"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = r.pool_stream({.device = subject.device(1)});
    const auto second = r.pool_stream({.device = subject.device(1)});
    expect_value(r.exchange_stream(first).value(), subject.device(1), 0);
    expect_same(r.exchange_stream(second).value(), first.value());
    expect_same(r.exchange_stream(r.default_stream(subject.device(1))).value(), second.value());
    expect_at(r.get_device(), subject.device(0));
  });

  on_cuda("a_new_thread_begins_with_the_default_streams", {"STR-020"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device(1)});
    const auto guard = r.stream_guard(stream);
    const auto replies = subject.on("new", subject.block([&](Session& s) {
      s.runtime().get_device();
      s.runtime().current_stream(subject.device(0));
      s.runtime().current_stream(subject.device(1));
    }));
    guard.leave();
    expect_at(field_as<Device>(replies.at(0), "result"), subject.device(0));
    expect_value(stream_from(replies.at(1)), subject.device(0), 0);
    expect_value(stream_from(replies.at(2)), subject.device(1), 0);
  });

  on_cuda(
      "threads_have_current_streams_of_their_own", {"STR-020", "STR-019"}, [](Session& subject) {
        const auto r = subject.runtime();
        std::vector<StreamObject> streams;
        for (const std::string thread : {"a", "b"}) {
          const auto stream = r.pool_stream({.device = subject.device()});
          subject.on(thread,
                     subject.block([&](Session& s) { s.runtime().set_current_stream(stream); }));
          streams.push_back(stream);
        }
        for (const std::size_t i : {0U, 1U}) {
          const auto replies = subject.on(i == 0 ? "a" : "b", subject.block([&](Session& s) {
            s.runtime().current_stream(subject.device());
          }));
          expect_same(stream_from(replies.at(0)), streams[i].value());
        }
        expect_value(r.current_stream(subject.device()).value(), subject.device(), 0);
      });

  on_cuda("threads_have_current_devices_of_their_own", {"STR-020"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.set_device(subject.device(1));
    subject.on("other",
               subject.block([&](Session& s) { s.runtime().set_device(subject.device(0)); }));
    expect_at(r.get_device(), subject.device(1));
    r.set_device(subject.device(0));
    const auto replies =
        subject.on("other", subject.block([](Session& s) { s.runtime().get_device(); }));
    expect_at(field_as<Device>(replies.at(0), "result"), subject.device(0));
  });

  on_cuda("a_stream_is_one_queue_in_every_thread", {"STR-020"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    const auto gate = r.gate(stream);
    const auto replies = subject.on("other", subject.block([&](Session& s) {
      const auto same = s.runtime().stream(subject.device(), stream.id());
      s.runtime().kernel({.stream = same});
      same.query();
    }));
    expect_false(field_as<bool>(replies.at(2), "result"), "it stands behind the gate");
    gate.open();
    stream.synchronize();
    expect_true(stream.query(), "all of it is done");
  });

  on_cuda("a_device_that_is_not_there_is_named_with_the_range", {"STR-018"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto r = subject.runtime();
    const Device wrong = beyond(subject);
    const Texts tokens{std::to_string(wrong.index), range_of(subject)};
    expect_error([&] { r.pool_stream({.device = wrong}); }, ErrorKind::kError, tokens);
    expect_error([&] { r.default_stream(wrong); }, ErrorKind::kError, tokens);
    expect_error([&] { r.current_stream(wrong); }, ErrorKind::kError, tokens);
  }).since(Release::k2_4);

  on_cuda("a_device_that_is_not_there_is_an_internal_error_in_1_13", {"STR-018"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const Device wrong = beyond(subject);
            expect_error([&] { r.pool_stream({.device = wrong}); }, ErrorKind::kInternal);
            expect_error([&] { r.default_stream(wrong); }, ErrorKind::kInternal);
            expect_error([&] { r.current_stream(wrong); }, ErrorKind::kInternal);
          })
      .until(Release::k1_13);

  on_cuda("the_first_device_that_is_not_there_is_refused_too", {"STR-018"}, [](Session& subject) {
    const auto r = subject.runtime();
    const Device wrong{"cuda", static_cast<int>(r.device_count())};
    expect_error([&] { r.current_stream(wrong); }, ErrorKind::kError);
    expect_error([&] { r.default_stream(wrong); }, ErrorKind::kError);
    expect_error([&] { r.pool_stream({.device = wrong}); }, ErrorKind::kError);
    r.current_stream(Device{"cuda", wrong.index - 1});
  });

  on_cuda("no_index_is_the_current_device", {"STR-018"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.set_device(subject.device(1));
    expect_at(r.pool_stream({.device = cuda_any()}).value().device, subject.device(1));
    expect_at(r.pool_stream().value().device, subject.device(1));
    r.set_device(subject.device(0));
    expect_at(r.pool_stream().value().device, subject.device(0));
  });

  on_cuda("a_stream_of_no_device_cannot_be_current", {"STR-021"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.stream(beyond(subject), 0);
    expect_error([&] { r.set_current_stream(stream); }, ErrorKind::kError);
    expect_error([&] { r.exchange_stream(stream); }, ErrorKind::kError);
    expect_value(r.current_stream().value(), subject.device(), 0);
  }).only(Deviations::kStrict);
}

CASES("runtime/python_stream") {
  on_cuda("setting_a_stream_switches_the_device", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device(1)});
    r.python_set_stream(stream);
    expect_at(r.get_device(), subject.device(1));
    expect_same(r.current_stream().value(), stream.value());
    expect_value(r.current_stream(subject.device(0)).value(), subject.device(0), 0);
    r.python_set_stream(r.default_stream(subject.device(1)));
    r.set_device(subject.device(0));
  });

  on_cuda("setting_none_changes_nothing", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.set_device(subject.device(1));
    const auto stream = r.pool_stream({.device = subject.device(1)});
    r.set_current_stream(stream);
    r.python_set_stream(None{});
    expect_at(r.get_device(), subject.device(1));
    expect_same(r.current_stream().value(), stream.value());
    r.set_current_stream(r.default_stream());
    r.set_device(subject.device(0));
  });

  on_cuda("a_context_restores_both_devices_streams", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto source = r.pool_stream({.device = subject.device(0)});
    const auto target = r.pool_stream({.device = subject.device(1)});
    const auto inner = r.pool_stream({.device = subject.device(1)});
    r.set_current_stream(source);
    r.set_current_stream(target);

    const auto context = r.stream_context(inner);
    expect_at(r.get_device(), subject.device(1));
    expect_same(r.current_stream().value(), inner.value());
    expect_same(r.current_stream(subject.device(0)).value(), source.value());
    context.leave();

    expect_at(r.get_device(), subject.device(0));
    expect_same(r.current_stream(subject.device(0)).value(), source.value());
    expect_same(r.current_stream(subject.device(1)).value(), target.value());
  });

  on_cuda("a_context_of_none_does_nothing", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto context = r.stream_context(None{});
    const auto stream = r.pool_stream({.device = subject.device(0)});
    r.set_current_stream(stream);
    context.leave();
    expect_same(r.current_stream().value(), stream.value());
  });

  on_cuda("a_context_keeps_what_was_set_before_it", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = r.pool_stream();
    const auto second = r.pool_stream();
    const auto third = r.pool_stream();
    const auto context = r.stream_context(first);
    context.leave();
    r.set_current_stream(second);
    const auto again = r.stream_context(third);
    again.leave();
    expect_same(r.current_stream().value(), second.value());
  });

  on_cuda("a_context_can_be_entered_twice", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto outer = r.pool_stream();
    const auto inner = r.pool_stream();
    r.set_current_stream(outer);
    const auto first = r.stream_context(inner);
    const auto second = r.stream_context(inner);
    expect_same(r.current_stream().value(), inner.value());
    second.leave();
    expect_same(r.current_stream().value(), inner.value());
    first.leave();
    expect_same(r.current_stream().value(), outer.value());
  });

  on_cuda("one_object_can_be_entered_twice", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto outer = r.pool_stream();
    const auto inner = r.pool_stream({.device = subject.device(1)});
    r.set_current_stream(outer);
    const auto first = r.stream_context(inner);
    const auto second = r.reenter(first);
    expect_same(r.current_stream().value(), inner.value());
    second.leave();
    expect_same(r.current_stream().value(), inner.value());
    first.leave();
    expect_at(r.get_device(), subject.device(0));
    expect_same(r.current_stream().value(), outer.value());
    expect_value(r.current_stream(subject.device(1)).value(), subject.device(1), 0);
  }).only(Deviations::kStrict);

  on_cuda("one_object_entered_twice_forgets_where_it_began", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto outer = r.pool_stream();
    const auto inner = r.pool_stream();
    r.set_current_stream(outer);
    const auto first = r.stream_context(inner);
    const auto second = r.reenter(first);
    second.leave();
    first.leave();
    expect_same(r.current_stream().value(), inner.value());
    shows_mistake(
        "a torch.cuda.stream object that is entered twice leaves its stream current for good, so "
        "that all later work runs there, in no order with that of the stream before");
  }).only(Deviations::kCompat);

  on_cuda("crossed_contexts_end_where_they_began", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = r.pool_stream({.device = subject.device(0)});
    const auto b = r.pool_stream({.device = subject.device(1)});
    std::vector<GuardObject> entered;
    for (const StreamObject& stream : {a, b, a, b}) entered.push_back(r.stream_context(stream));
    for (; !entered.empty(); entered.pop_back()) entered.back().leave();
    expect_at(r.get_device(), subject.device(0));
    expect_value(r.current_stream(subject.device(0)).value(), subject.device(0), 0);
    expect_value(r.current_stream(subject.device(1)).value(), subject.device(1), 0);
  });

  on_cuda("two_threads_enter_one_stream", {"STR-022", "STR-020"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    const auto mine = r.pool_stream();
    r.set_current_stream(mine);
    const auto here = r.stream_context(stream);
    const auto replies = subject.on("other", subject.block([&](Session& s) {
      const auto there = s.runtime().stream_context(stream);
      there.leave();
      s.runtime().current_stream(subject.device());
    }));
    expect_value(stream_from(replies.at(2)), subject.device(), 0);
    here.leave();
    expect_same(r.current_stream().value(), mine.value());
  });

  on_cuda("a_new_stream_comes_from_the_pool_of_its_device", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = r.python_stream({.device = subject.device(1)});
    expect_at(first.value().device, subject.device(1));
    expect_equal(first.handle().kind, "pool");
    const auto second = r.pool_stream({.device = subject.device(1)});
    expect_true(*second.handle().index.get() == (*first.handle().index.get() + 1) % 32,
                "the next of the pool comes next");
    expect_at(r.get_device(), subject.device(0));
    expect_at(r.python_stream().value().device, subject.device(0));
  });

  on_cuda("its_priority_is_that_of_the_pool", {"STR-022", "STR-016"}, [](Session& subject) {
    const auto r = subject.runtime();
    expect_equal(r.python_stream({.priority = -1}).priority(), -1);
    expect_equal(r.python_stream({.priority = 0}).priority(), 0);
    const std::int64_t most = r.priority_range().greatest;
    expect_equal(r.python_stream({.priority = -100}).priority(), most);
  });

  on_cuda("a_new_stream_has_the_priority_that_was_asked_for", {"STR-016", "STR-032"},
          [](Session& subject) {
            const auto r = subject.runtime();
            expect_equal(r.new_stream(subject.device(0), -1).priority(), -1);
            expect_equal(r.new_stream(subject.device(0), 0).priority(), 0);
          })
      .since(Release::k2_4);

  on_cuda("the_three_parts_rebuild_a_stream", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device(1)});
    const auto again = r.python_stream(
        {.stream_id = stream.id(), .device_index = stream.device().index, .device_type = 1});
    expect_true(r.equal(stream, again), "it is the same stream");
    const auto next = r.pool_stream({.device = subject.device(1)});
    expect_true(*next.handle().index.get() == (*stream.handle().index.get() + 1) % 32,
                "nothing was taken from the pool");
    const auto standard = r.python_stream({.stream_id = 0, .device_index = 0, .device_type = 1});
    expect_value(standard.value(), {"cuda", 0}, 0);
  }).since(Release::k2_4);

  on_cuda("three_zeros_take_one_from_the_pool", {"STR-022"}, [](Session& subject) {
    const auto stream =
        subject.runtime().python_stream({.stream_id = 0, .device_index = 0, .device_type = 0});
    expect_true(stream.id() != 0, "it is not the default stream");
    expect_equal(stream.handle().kind, "pool");
  }).since(Release::k2_4);

  on_cuda("an_external_stream_has_no_priority_of_ours", {"STR-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto raw = r.raw_stream();
    const auto stream = r.python_stream({.handle = raw.handle});
    expect_equal(stream.id(), raw.handle);
    expect_error([&] { r.python_stream({.priority = -1, .handle = raw.handle}); },
                 ErrorKind::kError, {"Priority was explicitly set for a", " external stream"});
  });

  on_cuda("a_generic_stream_is_new_as_well", {"STR-032"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.python_stream({.device = subject.device(1), .generic = true});
    expect_at(stream.value().device, subject.device(1));
    expect_equal(stream.handle().kind, "pool");
    const auto low = r.python_stream({.device = subject.device(), .priority = -1, .generic = true});
    expect_equal(low.priority(), -1);
    const auto same = r.stream(subject.device(1), stream.id());
    expect_true(r.equal(stream, same), "streams are compared by device and id");
    expect_equal(r.new_stream(subject.device(1)).handle().kind, "pool");
  }).since(Release::k2_4);
}

}  // namespace assay::suites
