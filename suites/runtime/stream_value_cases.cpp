// A stream value is a device and an id: equality, hash, text, packed form.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t k47 = std::int64_t{1} << 47;
constexpr std::int64_t k48 = std::int64_t{1} << 48;
constexpr std::int64_t kMost = 0x7fffffffffffffff;
constexpr std::int64_t kLeast = -kMost - 1;

struct Hashed {
  Device device;
  std::int64_t id;
  const char* hash;
  const char* packed;  ///< in 1.13, if different
};

/// V-01 to V-12.
std::vector<Hashed> hashes(Release release) {
  const char* const type19 = release == Release::k1_13 ? "privateuseone" : "mtia";
  return {{{"cpu", -1}, 0, "ffff000000000000", "00ff000000000000"},
          {{"cpu", 0}, 0, "0000000000000000", ""},
          {{"cuda", 0}, 0, "0100000000000000", ""},
          {{"cuda", 0}, 3, "0100000000000003", ""},
          {{"cuda", 0}, 995, "01000000000003e3", ""},
          {{"cuda", 1}, 9, "0101000000000009", ""},
          {{"cuda", 7}, -1, "0107ffffffffffff", ""},
          {{"cuda", 0}, -2, "0100fffffffffffe", ""},
          {{"cuda", -1}, 0, "ffff000000000000", "01ff000000000000"},
          {{"hip", -1}, 0, "ffff000000000000", "06ff000000000000"},
          {{"cuda", 127}, k47 - 1, "017f7fffffffffff", ""},
          {{"cuda", 0}, -k47, "0100800000000000", ""},
          {{"meta", 0}, 42, "0e0000000000002a", ""},
          {{type19, 3}, 0x55d0c0ffee00, "130355d0c0ffee00", ""}};
}

const std::vector<const char*> kTypes{"cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep",
                                      "hip", "fpga", "xla",    "vulkan", "metal",  "xpu",
                                      "mps", "meta", "hpu",    "ve",     "lazy",   "ipu"};

void expect_round_trip(Session& subject, const Device& device, std::int64_t id) {
  const ScopedTrace row(to_text(device) + ", id " + std::to_string(id));
  const auto stream = subject.runtime().stream(device, id);
  const auto again = subject.runtime().unpack(subject.runtime().pack(stream));
  expect_value(again.value(), device, id);
  expect_true(subject.runtime().equal(stream, again), "it is the same stream again");
}

}  // namespace

CASES("runtime/stream_value") {
  conformance("two_streams_are_one_if_type_index_and_id_are", {"STR-001"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = r.stream({"cuda", 0}, 1);
    expect_true(r.equal(a, r.stream({"cuda", 0}, 1)), "the same value twice is one stream");
    const std::vector<std::pair<Device, std::int64_t>> others{
        {{"cuda", 1}, 1}, {{"hip", 0}, 1}, {{"cuda", 0}, 2}, {{"cuda", -1}, 1}, {{"cuda", 0}, -1}};
    for (const auto& [device, id] : others) {
      const ScopedTrace row(to_text(device) + ", id " + std::to_string(id));
      expect_false(r.equal(a, r.stream(device, id)), "they are two streams");
    }
    expect_false(r.equal(r.stream(cuda_any(), 0), r.stream({"cuda", 0}, 0)),
                 "no index is not index 0");
  });

  conformance("ids_that_differ_above_bit_47_are_two", {"STR-001"}, [](Session& subject) {
    const auto r = subject.runtime();
    expect_false(r.equal(r.stream({"cuda", 0}, 5), r.stream({"cuda", 0}, 5 + k48)),
                 "all bits of the id are compared");
  });

  conformance("making_a_value_asks_no_backend", {"STR-002"}, [](Session& subject) {
    add_logging(subject, "hip");
    for (const std::int64_t id : {std::int64_t{0}, std::int64_t{7}, std::int64_t{-5}, kMost}) {
      const auto stream = subject.runtime().stream(hip(1), id);
      expect_value(stream.value(), hip(1), id);
    }
    subject.runtime().equal(subject.runtime().stream(hip(1), 3),
                            subject.runtime().stream(hip(), 3));
    expect_calls(subject, {});
  });

  conformance("id_0_is_the_default_stream", {"STR-002"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto r = subject.runtime();
    current_on(subject, hip(1), 5);
    const auto standard = r.default_stream(hip(1));
    expect_value(standard.value(), hip(1), 0);
    expect_true(r.equal(standard, r.stream(hip(1), 0)), "id 0 is the default stream");
    expect_value(r.current_stream(hip(1)).value(), hip(1), 5);
  });

  conformance("the_hash_has_these_bits", {"STR-003"}, [](Session& subject) {
    for (const Hashed& row : hashes(subject.contract().release)) {
      const ScopedTrace place(to_text(row.device) + ", id " + std::to_string(row.id));
      expect_equal(subject.runtime().stream(row.device, row.id).info().hash, row.hash);
    }
  }).since(Release::k2_4);

  conformance("the_hash_drops_bits_of_the_id_above_47", {"STR-003"}, [](Session& subject) {
    const std::vector<std::pair<std::int64_t, const char*>> rows{{k47, "0100800000000000"},
                                                                 {kMost, "0100ffffffffffff"},
                                                                 {-k47 - 1, "01007fffffffffff"},
                                                                 {k48, "0100000000000000"},
                                                                 {5 + k48, "0100000000000005"}};
    for (const auto& [id, hash] : rows) {
      const ScopedTrace place("id " + std::to_string(id));
      expect_equal(subject.runtime().stream({"cuda", 0}, id).info().hash, hash);
    }
  }).since(Release::k2_4);

  conformance("equal_streams_have_one_hash", {"STR-003", "STR-004"}, [](Session& subject) {
    for (const int index : {-1, 0, 1, 64, 127}) {
      for (const std::int64_t id : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{40}}) {
        const ScopedTrace place(to_text(hip(index)) + ", id " + std::to_string(id));
        const auto one = subject.runtime().stream(hip(index), id);
        const auto other = subject.runtime().stream(hip(index), id);
        expect_equal(one.info().hash, other.info().hash);
      }
    }
  });

  conformance("the_word_of_1_13_has_these_bits", {"STR-004"}, [](Session& subject) {
    for (const Hashed& row : hashes(subject.contract().release)) {
      const ScopedTrace place(to_text(row.device) + ", id " + std::to_string(row.id));
      const auto stream = subject.runtime().stream(row.device, row.id);
      const auto packed = subject.runtime().pack(stream);
      expect_equal(packed.result.value_or("no word"), *row.packed == 0 ? row.hash : row.packed);
      expect_value(subject.runtime().unpack(packed).value(), row.device, row.id);
    }
  }).until(Release::k1_13);

  conformance("an_id_that_48_bits_do_not_hold_is_not_packed", {"STR-004"},
              [](Session& subject) {
                for (const std::int64_t id : {k47, kMost, -k47 - 1, k48}) {
                  const ScopedTrace place("id " + std::to_string(id));
                  const auto stream = subject.runtime().stream({"cuda", 0}, id);
                  expect_error([&] { subject.runtime().pack(stream); }, ErrorKind::kError);
                }
              })
      .until(Release::k1_13)
      .only(Deviations::kStrict);

  conformance("a_word_of_an_unknown_type_is_refused", {"STR-004"}, [](Session& subject) {
    for (const char* word : {"ff00000000000000", "1400000000000000"}) {
      const ScopedTrace place(word);
      expect_error([&] { subject.runtime().unpack({.result = word}); }, ErrorKind::kError,
                   {"isValidDeviceType"});
    }
  }).until(Release::k1_13);

  conformance("a_word_gives_its_stream_back", {"STR-004", "STR-005"}, [](Session& subject) {
    for (const char* type : kTypes) {
      for (const int index : {-1, 0, 1, 127}) expect_round_trip(subject, {type, index}, 9);
    }
    for (const std::int64_t id :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{-5}, k47 - 1, -k47}) {
      expect_round_trip(subject, {"cuda", 1}, id);
      expect_round_trip(subject, {"cpu", -1}, id);
    }
  });

  conformance("three_parts_hold_every_id", {"STR-005"}, [](Session& subject) {
    for (const std::int64_t id : {k47, k48, 5 + k48, -k47 - 1, kMost, kLeast, kMost - 1}) {
      const auto packed = subject.runtime().pack(subject.runtime().stream({"cuda", 1}, id));
      expect_equal(packed.id.value_or(0), id);
      expect_equal(packed.device_index.value_or(-9), 1);
      expect_equal(packed.device_type.value_or(-9), 1);
      expect_round_trip(subject, {"cuda", 1}, id);
      expect_round_trip(subject, hip(), id);
    }
  }).since(Release::k2_4);

  conformance("parts_of_an_unknown_type_are_refused", {"STR-005"}, [](Session& subject) {
    for (const std::int64_t type : {21, 64, -1}) {
      const ScopedTrace place("type " + std::to_string(type));
      expect_error(
          [&] { subject.runtime().unpack({.id = 3, .device_index = 0, .device_type = type}); },
          ErrorKind::kError, {"isValidDeviceType(device_type)"});
    }
  }).since(Release::k2_4);

  conformance("parts_are_not_checked_any_further", {"STR-005"}, [](Session& subject) {
    const auto stream = subject.runtime().unpack({.id = 17, .device_index = 120, .device_type = 1});
    expect_value(stream.value(), {"cuda", 120}, 17);
  }).since(Release::k2_4);

  conformance("a_stream_prints_its_id_and_its_device", {"STR-006"}, [](Session& subject) {
    const auto text = [&](const Device& device, std::int64_t id) {
      return subject.runtime().stream(device, id).info().text;
    };
    expect_equal(text({"cuda", 1}, 9), "stream 9 on device cuda:1");
    expect_equal(text(cuda_any(), 0), "stream 0 on device cuda");
    expect_equal(text({"cpu", 0}, -5), "stream -5 on device cpu:0");
    expect_equal(text(xpu(2), 0), "stream 0 on device xpu:2");
    expect_equal(text({"privateuseone", 0}, 35), "stream 35 on device privateuseone:0");
  });

  conformance("a_stream_tells_its_device_and_id", {"STR-001"}, [](Session& subject) {
    const auto info = subject.runtime().stream({"cuda", 5}, kMost >> 20).info();
    expect_at(info.device, Device{"cuda", 5});
    expect_equal(info.id, kMost >> 20);
  });
}

CASES("runtime/stream_wrapper") {
  on_cuda("a_stream_of_another_type_is_refused", {"STR-008"}, [](Session& subject) {
    for (const Device& device : {hip(0), Device{"cpu", -1}}) {
      const ScopedTrace place(to_text(device));
      const auto stream = subject.runtime().stream(device, 3);
      expect_error([&] { subject.runtime().wrap(stream); }, ErrorKind::kError, {"device"});
    }
  });

  on_cuda("the_unchecked_way_takes_any", {"STR-008"}, [](Session& subject) {
    const auto stream = subject.runtime().stream(hip(1), 35);
    const auto wrapped = subject.runtime().wrap(stream, true);
    expect_value(wrapped.value(), {"cuda", 1}, 35);
  });

  on_cuda("wrapping_keeps_the_stream", {"STR-008"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device()});
    for (const bool unchecked : {false, true}) {
      const auto wrapped = r.wrap(stream, unchecked);
      expect_true(r.equal(stream, wrapped), "it is the same stream");
      expect_equal(wrapped.info().hash, stream.info().hash);
      expect_same(wrapped.value(), stream.value());
    }
  });

  on_cuda("in_python_the_two_classes_of_streams_are_unequal", {"STR-032"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.python_stream({.device = subject.device(), .priority = -1});
    PythonStreamOptions same{
        .stream_id = stream.id(), .device_index = stream.device().index, .device_type = 1};
    const auto again = r.python_stream(same);
    same.generic = true;
    const auto generic = r.python_stream(same);

    expect_same(generic.value(), stream.value());
    expect_true(r.equal(stream, again), "both are of torch.cuda");
    expect_true(r.equal(generic, r.python_stream(same)), "both are of torch");
    expect_false(r.equal(stream, generic), "a stream of torch.cuda is none of torch");
    expect_false(r.equal(generic, stream), "a stream of torch is none of torch.cuda");
  }).since(Release::k2_11);

  on_cuda("what_is_no_stream_is_unequal_and_no_error", {"STR-032"}, [](Session& subject) {
    const auto stream = subject.runtime().python_stream();
    const auto event = subject.runtime().event({.api = "python"});
    expect_false(subject.runtime().equal(stream, event), "a stream is not an event");
  });
}

CASES("runtime/stream_registry") {
  conformance("a_stream_of_the_cpu_is_always_done", {"STR-007", "GRD-024"}, [](Session& subject) {
    const auto stream = subject.runtime().stream({"cpu", -1}, 0);
    expect_true(stream.query(), "it is done");
    stream.synchronize();
  });

  conformance("a_stream_without_a_backend_cannot_be_asked", {"STR-007", "GRD-025"},
              [](Session& subject) {
                const auto stream = subject.runtime().stream({"mps", 0}, 0);
                const Texts tokens{"not linked with support for", "mps"};
                expect_error([&] { stream.query(); }, ErrorKind::kError, tokens);
                expect_error([&] { stream.synchronize(); }, ErrorKind::kError, tokens);
              });

  conformance("a_stream_of_cuda_cannot_be_asked_where_cuda_is_not", {"STR-007"},
              [](Session& subject) {
                const auto stream = subject.runtime().stream({"cuda", 0}, 0);
                expect_error([&] { stream.query(); }, ErrorKind::kError, {"cuda devices"});
              })
      .only(DeviceRules::kCpu);

  conformance("query_synchronize_and_wait_reach_the_backend", {"STR-007"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto stream = subject.runtime().stream(hip(3), 8);
    expect_true(stream.query(), "the backend says that it is done");
    const auto asked = [&] {
      const Texts calls = backend_calls(subject);
      return calls.size() == 1 ? calls.front() : std::to_string(calls.size()) + " calls";
    };
    expect_true(asked().starts_with("query"), "it was asked");
    stream.synchronize();
    expect_true(asked().starts_with("sync"), "it was waited for");
    const auto event = subject.runtime().event({.api = "generic", .device = "hip"});
    event.record(subject.runtime().stream(hip(1), 5));
    subject.sim().log("backend");
    stream.wait(event);
    expect_calls(subject, {"block(3:8)"});
  });

  conformance("waiting_for_an_event_is_the_event_blocking_the_stream", {"STR-007", "EVT-011"},
              [](Session& subject) {
                add_logging(subject, "hip");
                const auto event = subject.runtime().event({.api = "generic", .device = "hip"});
                subject.runtime().stream(hip(3), 8).wait(event);
                expect_calls(subject, {});
              });
}

}  // namespace assay::suites
