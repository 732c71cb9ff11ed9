// Capturing streams: which calls are recorded, which are not, and errors.
#include <set>

#include "harness/suite/itself.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// `action` must fail with this driver code.
void expect_code(const std::function<void()>& action, std::int64_t code,
                 Where where = Where::current()) {
  try {
    action();
  } catch (const SubjectError& raised) {
    expect_equal(raised.error().code.value_or(Value()), code, where);
    return;
  }
  expect_true(false, "it raises", where);
}

}  // namespace

CASES("runtime/capture") {
  on_cuda("asking_for_streams_neither_sees_nor_ends_it", {"STR-028"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    r.capture_begin(stream);
    r.default_stream();
    r.current_stream();
    std::set<std::int64_t> ids;
    for (int i = 0; i < 32; ++i) ids.insert(r.pool_stream().id());
    expect_true(ids.contains(stream.id()), "the pool also hands out the stream that captures");
    expect_equal(r.capture_status(stream), "active");
    r.capture_end(stream);
    expect_equal(r.capture_status(stream), "none");
  });

  on_cuda("one_way_to_ask_goes_past_it", {"STR-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = r.pool_stream();
    std::vector<StreamObject> capturing;
    for (int i = 0; i < 3; ++i) {
      capturing.push_back(r.pool_stream());
      r.capture_begin(capturing.back(), "relaxed");
    }
    for (int i = 0; i < 28; ++i) r.pool_stream();
    expect_same(r.pool_stream({.non_capturing = true}).value(), first.value());
    const auto next = r.pool_stream({.non_capturing = true});
    for (const StreamObject& stream : capturing) {
      expect_true(next.id() != stream.id(), "it does not capture");
      r.capture_end(stream);
    }
  }).since(Release::k2_11);

  on_cuda("where_all_capture_it_gives_up", {"STR-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    std::vector<StreamObject> all;
    for (int i = 0; i < 32; ++i) {
      all.push_back(r.pool_stream());
      r.capture_begin(all.back(), "relaxed");
    }
    expect_error([&] { r.pool_stream({.non_capturing = true}); }, ErrorKind::kError,
                 {"Unable to obtain a non-capturing CUDA stream"});
    expect_true(r.pool_stream().id() == all.front().id(), "the pool is back at its first stream");
    for (const StreamObject& stream : all) r.capture_end(stream);
  }).since(Release::k2_11);

  on_cuda("the_default_stream_cannot_capture", {"STR-028"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto r = subject.runtime();
    expect_error([&] { r.capture_begin(r.default_stream()); }, ErrorKind::kError,
                 {"must be captured on a non-default stream"});
    r.default_stream().synchronize();
  });

  on_cuda("the_legacy_stream_is_closed_while_a_blocking_one_captures", {"STR-029"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.raw_stream({.blocking = true}).stream;
            r.capture_begin(stream, "relaxed");
            expect_code([&] { r.capture_status(r.default_stream()); }, 906);
            expect_equal(r.capture_status(stream), "active");
            expect_code([&] { r.kernel({.stream = r.default_stream()}); }, 906);
            expect_equal(r.capture_status(stream), "invalidated");
            expect_code([&] { r.capture_end(stream); }, 901);
            r.kernel({.stream = r.default_stream()});
            r.default_stream().synchronize();
          })
      .only(Deviations::kStrict);

  on_cuda("a_non_blocking_one_leaves_the_legacy_stream_alone", {"STR-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    r.capture_begin(stream, "relaxed");
    r.kernel({.stream = r.default_stream()});
    expect_equal(r.capture_status(r.default_stream()), "none");
    expect_equal(r.capture_status(stream), "active");
    r.capture_end(stream);
  });

  for (const bool query : {true, false}) {
    on_cuda(query ? "asking_a_stream_that_captures_spoils_it"
                  : "waiting_for_a_stream_that_captures_spoils_it",
            {"STR-029"},
            [query](Session& subject) {
              const auto r = subject.runtime();
              const auto stream = r.pool_stream();
              r.capture_begin(stream, "relaxed");
              expect_code([&] { query ? void(stream.query()) : stream.synchronize(); }, 900);
              expect_equal(r.capture_status(stream), "invalidated");
              expect_code([&] { r.kernel({.stream = stream}); }, 901);
              expect_error([&] { r.capture_end(stream); }, ErrorKind::kError);
              expect_equal(r.capture_status(stream), "none");
              r.kernel({.stream = stream});
              stream.synchronize();
              expect_true(stream.query(), "it can be used again");
              r.capture_begin(stream, "relaxed");
              expect_equal(r.capture_status(stream), "active");
              r.capture_end(stream);
            })
        .only(Deviations::kStrict);
  }

  on_cuda("what_is_captured_does_not_run", {"STR-029", "STR-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    const auto word = word_on(subject, subject.device(), 1);
    r.capture_begin(stream, "relaxed");
    r.store(word, 5.0, stream);
    expect_bits(subject.core().read(word), f32({1}));
    r.capture_end(stream);
    expect_word(subject, word, 1);
  });

  on_cuda("waiting_for_it_joins_the_capture", {"EVT-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    const auto other = r.pool_stream();
    const auto event = r.event();
    const auto back = r.event();
    r.capture_begin(stream, "relaxed");
    event.record(stream);
    event.block(other);
    expect_equal(r.capture_status(other), "active");
    back.record(other);
    back.block(stream);
    r.capture_end(stream);
    expect_equal(r.capture_status(other), "none");
    expect_equal(r.capture_status(stream), "none");
  });

  on_cuda("an_external_event_is_no_part_of_it", {"EVT-030"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream();
            const auto other = r.pool_stream();
            const auto event = r.event({.api = "python", .external = true});
            r.capture_begin(stream, "relaxed");
            event.record(stream);
            event.block(stream);
            event.block(other);
            expect_equal(r.capture_status(other), "none");
            expect_equal(r.capture_status(stream), "active");
            expect_true(event.query(), "the host may ask");
            r.capture_end(stream);
          })
      .since(Release::k2_11)
      .only(Deviations::kStrict);

  on_cuda("outside_a_capture_it_is_an_event_like_others", {"EVT-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    const auto other = pool_on(subject);
    const auto event = r.event({.api = "python", .external = true});
    const auto gate = r.gate(stream);
    event.record(stream);
    event.block(other);
    r.kernel({.stream = other});
    expect_false(event.query(), "the gate is closed");
    expect_false(other.query(), "it waits");
    gate.open();
    other.synchronize();
    expect_true(event.query(), "it is done");
  }).since(Release::k2_11);
}

}  // namespace assay::suites
