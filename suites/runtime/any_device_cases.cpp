// Order on the streams of any device, seen in the contents of tensors alone: without a gate, a
// broken order shows if the device is late with its work. What PyTorch offers for every accelerator
// suffices (`torch.Stream`, `torch.Event`).
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

constexpr int kRounds = 8;

/// Two streams, a word that both use, and a large tensor that keeps a stream busy.
class Ground {
 public:
  explicit Ground(Session& subject)
      : r(subject.runtime()),
        first(r.pool_stream({.device = subject.device()})),
        second(r.pool_stream({.device = subject.device()})),
        word(word_on(subject, subject.device())),
        subject_(subject),
        large_(subject.core().empty({.shape = {1 << 20}, .device = subject.device()})) {
    r.synchronize_device(subject.device());
  }

  /// Work after which everything else in the stream comes late.
  void keep_busy(const StreamObject& stream) const {
    for (int i = 0; i < 4; ++i) r.store(large_, i, stream);
  }
  void late_store(const StreamObject& stream, double value) const {
    keep_busy(stream);
    r.store(word, value, stream);
  }
  /// What a load in `stream` has got, once the stream is done.
  void expect_load(const StreamObject& stream, double wanted,
                   Where where = Where::current()) const {
    const Ref got = r.load(word, stream);
    stream.synchronize();
    expect_bits(subject_.core().read(got), f32({wanted}), where);
  }

  const RuntimeClient r;
  const StreamObject first, second;
  const Ref word;

 private:
  Session& subject_;
  Ref large_;
};

}  // namespace

CASES("runtime/any_device") {
  on_cuda("work_of_a_stream_is_done_in_its_order", {"STR-030"}, [](Session& subject) {
    const Ground ground(subject);
    for (int i = 1; i <= kRounds; ++i) {
      ground.late_store(ground.first, i);
      ground.r.store(ground.word, i + 0.5, ground.first);
      ground.expect_load(ground.first, i + 0.5);
    }
  });

  on_cuda("a_stream_waits_for_what_an_event_has_recorded", {"EVT-007", "EVT-014"},
          [](Session& subject) {
            const Ground ground(subject);
            const auto event = ground.r.event();
            for (int i = 1; i <= kRounds; ++i) {
              ground.late_store(ground.first, i);
              event.record(ground.first);
              event.block(ground.second);
              ground.expect_load(ground.second, i);
            }
          });

  on_cuda("a_stream_waits_for_another", {"EVT-014"}, [](Session& subject) {
    const Ground ground(subject);
    for (int i = 1; i <= kRounds; ++i) {
      ground.late_store(ground.first, i);
      ground.r.wait_stream(ground.second, ground.first);
      ground.expect_load(ground.second, i);
    }
  });

  on_cuda("a_store_waits_for_the_load_before_it", {"EVT-014"}, [](Session& subject) {
    const Ground ground(subject);
    for (int i = 1; i <= kRounds; ++i) {
      ground.r.store(ground.word, i, ground.first);
      ground.keep_busy(ground.first);
      const Ref got = ground.r.load(ground.word, ground.first);
      const auto event = ground.r.event();
      event.record(ground.first);
      event.block(ground.second);
      ground.r.store(ground.word, 100 + i, ground.second);
      ground.expect_load(ground.second, 100 + i);
      ground.first.synchronize();
      expect_bits(subject.core().read(got), f32({static_cast<double>(i)}));
    }
  });

  on_cuda("an_event_that_is_recorded_again_stands_for_the_later_work", {"EVT-010"},
          [](Session& subject) {
            const Ground ground(subject);
            const auto event = ground.r.event();
            for (int i = 1; i <= kRounds; ++i) {
              ground.r.store(ground.word, i, ground.first);
              event.record(ground.first);
              ground.late_store(ground.first, 100 + i);
              event.record(ground.first);
              event.block(ground.second);
              ground.expect_load(ground.second, 100 + i);
            }
          });

  on_cuda("the_host_waits_for_an_event", {"EVT-015", "EVT-016"}, [](Session& subject) {
    const Ground ground(subject);
    for (int i = 1; i <= kRounds; ++i) {
      ground.late_store(ground.first, i);
      const auto event = ground.r.event();
      event.record(ground.first);
      event.synchronize();
      expect_true(event.query(), "what was waited for is done");
      ground.expect_load(ground.second, i);
    }
  });

  on_cuda("the_host_waits_for_a_stream", {"STR-023", "STR-024"}, [](Session& subject) {
    const Ground ground(subject);
    for (int i = 1; i <= kRounds; ++i) {
      ground.late_store(ground.first, i);
      ground.first.synchronize();
      expect_true(ground.first.query(), "what was waited for is done");
      ground.expect_load(ground.second, i);
    }
  });

  on_cuda("the_host_waits_for_the_device", {"STR-034"}, [](Session& subject) {
    const Ground ground(subject);
    for (int i = 1; i <= kRounds; ++i) {
      ground.late_store(i % 2 == 0 ? ground.first : ground.second, i);
      ground.r.synchronize_device(subject.device());
      expect_true(ground.first.query() && ground.second.query(), "all streams are done");
      ground.expect_load(i % 2 == 0 ? ground.second : ground.first, i);
    }
  });

  on_cuda("operators_run_in_the_current_stream", {"STR-019", "STR-030"}, [](Session& subject) {
    const Ground ground(subject);
    const Ref source = word_on(subject, subject.device(), 7);
    ground.r.synchronize_device(subject.device());
    const auto before = ground.r.current_stream(subject.device());
    ground.late_store(ground.first, 1);

    ground.r.set_current_stream(ground.first);
    subject.core().copy_(ground.word, source);
    ground.r.set_current_stream(before);

    ground.expect_load(ground.first, 7);
    ground.expect_load(ground.second, 7);
  });

  on_cuda("a_stream_is_its_three_numbers", {"STR-005"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream({.device = subject.device()});

    const auto again = subject.runtime().unpack(subject.runtime().pack(stream));

    expect_same(again.value(), stream.value());
  }).since(Release::k2_4);
}

}  // namespace assay::suites
