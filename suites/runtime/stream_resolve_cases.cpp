// Conversion of ids to driver streams: native ids, external handles, invalid ids.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

struct Place {
  std::int64_t id;
  const char* kind;
  std::optional<std::int64_t> level = {};
  std::optional<std::int64_t> index = {};
};

void expect_places(Session& subject, const std::vector<Place>& places) {
  for (const Place& place : places) {
    const ScopedTrace row("id " + std::to_string(place.id));
    const auto handle = subject.runtime().stream(subject.device(), place.id).handle();
    expect_equal(handle.kind, place.kind);
    const auto value = [](const std::optional<std::int64_t>& number) {
      return number ? Value(*number) : Value();
    };
    expect_equal(value(handle.level), value(place.level));
    expect_equal(value(handle.index), value(place.index));
  }
}

void expect_unresolved(Session& subject, std::int64_t id, const Texts& tokens) {
  const ScopedTrace row("id " + std::to_string(id));
  const auto stream = subject.runtime().stream(subject.device(), id);
  expect_error([&] { stream.handle(); }, ErrorKind::kError, tokens);
  expect_error([&] { stream.query(); }, ErrorKind::kError, tokens);
}

}  // namespace

CASES("runtime/resolve") {
  on_cuda("native_ids_name_places_of_the_pool", {"STR-012", "STR-009"}, [](Session& subject) {
    subject.runtime().pool_stream({.device = subject.device()});
    expect_places(subject, {{0, "legacy"},
                            {3, "pool", 0, 0},
                            {35, "pool", 0, 1},
                            {995, "pool", 0, 31},
                            {5, "pool", 1, 0},
                            {1001, "pool", 3, 31}});
  }).since(Release::k2_4);

  on_cuda("native_ids_of_1_13_name_places_of_the_pool", {"STR-012", "STR-010"},
          [](Session& subject) {
            subject.runtime().pool_stream({.device = subject.device()});
            expect_places(subject, {{0, "legacy"},
                                    {1, "pool", 0, 0},
                                    {9, "pool", 0, 1},
                                    {249, "pool", 0, 31},
                                    {2, "pool", 1, 0},
                                    {250, "pool", 1, 31},
                                    {0x100, "external"}});
          })
      .until(Release::k1_13);

  on_cuda("a_pool_s_stream_has_one_handle", {"STR-012"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream({.device = subject.device()});
    const auto same = subject.runtime().stream(subject.device(), stream.id());
    expect_equal(stream.handle().handle, same.handle().handle);
    expect_equal(subject.runtime().default_stream().handle().handle, 0);
  });

  on_cuda("levels_of_the_pool_are_different_streams", {"STR-012"}, [](Session& subject) {
    const auto low = subject.runtime().pool_stream({.device = subject.device(), .high = false});
    const auto high = subject.runtime().pool_stream({.device = subject.device(), .high = true});
    const auto low_again = subject.runtime().stream(subject.device(), low.id());
    const auto high_again = subject.runtime().stream(subject.device(), high.id());
    expect_true(low_again.handle().handle != high_again.handle().handle, "they are two queues");
    expect_equal(high_again.priority(), subject.runtime().priority_range().greatest);
  });

  on_cuda("the_same_id_on_two_devices_is_two_streams", {"STR-012", "STR-013"},
          [](Session& subject) {
            const auto here = subject.runtime().pool_stream({.device = subject.device(0)});
            subject.runtime().pool_stream({.device = subject.device(1)});
            const auto there = subject.runtime().stream(subject.device(1), here.id());
            expect_true(here.handle().handle != there.handle().handle, "they are two queues");
          });

  on_cuda("an_odd_id_without_a_type_is_invalid", {"STR-012"}, [](Session& subject) {
    subject.runtime().pool_stream({.device = subject.device()});
    for (const std::int64_t id : {1, 33, 993}) {
      expect_unresolved(subject, id, {"invalid StreamId", std::to_string(id)});
    }
  }).since(Release::k2_4);

  on_cuda("an_unknown_level_is_unrecognized", {"STR-012"}, [](Session& subject) {
    subject.runtime().pool_stream({.device = subject.device()});
    expect_unresolved(subject, 17, {"Unrecognized stream", "PRIORITY 8"});
    expect_unresolved(subject, 11, {"Unrecognized stream", "PRIORITY 5"});
  }).since(Release::k2_4);

  on_cuda("a_level_that_the_machine_lacks_is_unrecognized", {"STR-012"},
          [](Session& subject) {
            subject.sim().machine({.least = 0, .greatest = -1});
            subject.runtime().pool_stream({.device = subject.device()});
            expect_places(subject, {{5, "pool", 1, 0}});
            expect_unresolved(subject, 7, {"Unrecognized stream"});
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("the_type_of_external_streams_is_no_native_one", {"STR-012"},
          [](Session& subject) {
            for (const std::int64_t id : {31, -1}) expect_unresolved(subject, id, {});
          })
      .since(Release::k2_4)
      .only(Deviations::kStrict);

  on_cuda("the_type_of_external_streams_resolves_to_the_number", {"STR-012"},
          [](Session& subject) {
            const auto handle = subject.runtime().stream(subject.device(), 31).handle();
            expect_equal(handle.kind, "external");
            expect_equal(handle.handle, 31);
          })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  on_cuda("high_bits_are_refused", {"STR-012"},
          [](Session& subject) {
            subject.runtime().pool_stream({.device = subject.device()});
            expect_unresolved(subject, 1027, {});
          })
      .since(Release::k2_4)
      .only(Deviations::kStrict);

  on_cuda("high_bits_are_ignored", {"STR-012"},
          [](Session& subject) {
            subject.runtime().pool_stream({.device = subject.device()});
            expect_places(subject, {{1027, "pool", 0, 0}});
            const auto odd = subject.runtime().stream(subject.device(), 1027);
            const auto third = subject.runtime().stream(subject.device(), 3);
            expect_equal(odd.handle().handle, third.handle().handle);
          })
      .since(Release::k2_4)
      .only(Deviations::kCompat);
}

CASES("runtime/external") {
  on_cuda("its_id_is_the_handle", {"STR-011", "STR-009"}, [](Session& subject) {
    const auto raw = subject.runtime().raw_stream({.device = subject.device()});
    const auto stream = subject.runtime().external_stream(raw.handle, subject.device());
    expect_value(stream.value(), subject.device(), raw.handle);
    expect_value(raw.stream.value(), subject.device(), raw.handle);
    const auto handle = stream.handle();
    expect_equal(handle.handle, raw.handle);
    expect_equal(handle.kind, "external");
  });

  on_cuda("nothing_of_it_is_checked", {"STR-011"}, [](Session& subject) {
    subject.sim().log();
    const auto stream = subject.runtime().external_stream(0x7000, {"cuda", 77});
    expect_value(stream.value(), {"cuda", 77}, 0x7000);
    expect_true(subject.sim().log().empty(), "the driver is not asked");
  });

  on_cuda("no_handle_is_the_default_stream", {"STR-011"}, [](Session& subject) {
    const auto stream = subject.runtime().external_stream(0, subject.device());
    expect_true(subject.runtime().equal(stream, subject.runtime().default_stream(subject.device())),
                "it is the default stream");
    expect_equal(stream.handle().kind, "legacy");
  });

  on_cuda("the_per_thread_handle_works", {"STR-011", "STR-026"}, [](Session& subject) {
    const auto stream = subject.runtime().external_stream(2, subject.device());
    expect_equal(stream.id(), 2);
    expect_equal(stream.handle().handle, 2);
    expect_equal(stream.handle().kind, "per_thread");
    subject.runtime().kernel({.stream = stream});
    stream.synchronize();
    expect_true(stream.query(), "it is done");
  }).since(Release::k2_4);

  on_cuda("the_legacy_handle_fails_at_first_use", {"STR-011", "STR-012"}, [](Session& subject) {
    const auto stream = subject.runtime().external_stream(1, subject.device());
    expect_equal(stream.id(), 1);
    expect_error([&] { stream.handle(); }, ErrorKind::kError, {"invalid StreamId", "1"});
    expect_error([&] { stream.synchronize(); }, ErrorKind::kError, {"invalid StreamId", "1"});
  }).since(Release::k2_4);

  on_cuda("it_is_never_destroyed_by_us", {"STR-011"}, [](Session& subject) {
    const auto raw = subject.runtime().raw_stream({.device = subject.device()});
    const auto stream = subject.runtime().external_stream(raw.handle, subject.device());
    subject.sim().log();
    stream.drop();
    expect_equal(count_calls(subject, "stream_destroy"), 0);
    subject.runtime().kernel({.stream = raw.stream});
    raw.stream.synchronize();
  });

  on_cuda("its_priority_is_the_driver_s", {"STR-011"}, [](Session& subject) {
    for (const std::int64_t priority : {0, -1}) {
      const auto raw =
          subject.runtime().raw_stream({.device = subject.device(), .priority = priority});
      const auto stream = subject.runtime().external_stream(raw.handle, subject.device());
      expect_equal(stream.priority(), priority);
    }
  });

  on_cuda("it_goes_wherever_a_stream_goes", {"STR-011", "STR-019", "EVT-007"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto raw = r.raw_stream({.device = subject.device()});
            const auto stream = r.external_stream(raw.handle, subject.device());
            const auto guard = r.stream_guard(stream);
            expect_same(r.current_stream().value(), stream.value());
            const auto word = word_on(subject, subject.device());
            r.store(word, 3.0);
            const auto event = r.event();
            event.record();
            event.block(r.default_stream());
            event.synchronize();
            expect_true(stream.query(), "it is done");
            expect_equal(stream.info().text, "stream " + std::to_string(raw.handle) +
                                                 " on device " + to_text(subject.device()));
            guard.leave();
            expect_word(subject, word, 3);
          });
}

}  // namespace assay::suites
