// Peer access: which devices access each other's memory, and copies between devices with and
// without it.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

constexpr int kDevices = 4;

/// Devices access each other's memory in groups of this size.
void use_groups_of(Session& subject, int devices) {
  subject.sim().machine({.devices = kDevices, .peers = devices});
}

bool are_peers(int device, int other, int group) {
  return device != other && device / group == other / group;
}

/// A source and a target in both directions.
constexpr std::pair<int, int> kDirections[] = {{0, 1}, {1, 0}, {3, 2}};

/// A gate in the default stream of one device, and an event behind a copy in that of the other.
void expect_order(Session& subject, int gated, int from, int to) {
  const auto r = subject.runtime();
  const Ref source = word_on(subject, subject.device(from), 3);
  const Ref target = word_on(subject, subject.device(to), 1);
  const auto gate = r.gate(r.default_stream(subject.device(gated)));
  subject.core().copy_(target, source);
  const auto event = r.event();
  event.record(r.default_stream(subject.device(gated == from ? to : from)));
  expect_false(event.query(), "each stream waits for the other");
  expect_equal(gate.state(), "closed");
  gate.open();
  event.synchronize();
  expect_word(subject, target, 3);
}

/// Columns of a matrix of float32 become elements of a matrix of float16, of which only every other
/// column is written; each stream has work before and after the copy.
void expect_converted(Session& subject, int from, int to) {
  const auto core = subject.core();
  const Ref numbers =
      core.tensor(on(shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3}), subject.device(from)));
  const Ref source = core.as_strided(numbers, {.shape = {3, 2}, .strides = {1, 3}});
  const Ref memory =
      core.tensor(on(shaped(f16(std::vector<double>(12, 9)), {3, 4}), subject.device(to)));
  const Ref target = core.as_strided(memory, {.shape = {3, 2}, .strides = {4, 2}});
  subject.sim().schedule("manual");

  core.add_(numbers, numbers);
  core.fill_(memory, 7.0);
  core.copy_(target, source);
  core.fill_(numbers, 0.0);
  core.add_(memory, memory);
  // The target's stream first, as far as nothing holds it back.
  subject.sim().step(subject.runtime().default_stream(subject.device(to)), 9);

  expect_bits(
      core.read(memory),
      on(shaped(f16({4, 14, 16, 14, 8, 14, 20, 14, 12, 14, 24, 14}), {3, 4}), subject.device(to)));
  subject.sim().schedule("eager");
}

}  // namespace

CASES("runtime/peer_access") {
  for (const int group : {1, 2, kDevices}) {
    on_cuda("each_pair_has_its_answer_in_groups_of_" + std::to_string(group), {"STR-038"},
            [group](Session& subject) {
              use_groups_of(subject, group);
              const auto r = subject.runtime();
              for (int device = 0; device < kDevices; ++device) {
                for (int peer = 0; peer < kDevices; ++peer) {
                  const ScopedTrace at(std::to_string(device) + " and " + std::to_string(peer));
                  if (device == peer) continue;
                  expect_equal(r.can_access_peer(subject.device(device), subject.device(peer)),
                               are_peers(device, peer, group));
                }
              }
              expect_at(r.get_device(), subject.device(0));
            });
  }

  on_cuda("a_device_without_an_index_is_the_thread_s_current_one", {"STR-038"},
          [](Session& subject) {
            use_groups_of(subject, 2);
            const auto r = subject.runtime();
            const auto program = subject.block([&](Session& s) {
              s.runtime().can_access_peer(cuda_any(), subject.device(0));
              s.runtime().can_access_peer(cuda_any(), subject.device(3));
            });
            r.set_device(subject.device(2));
            expect_false(r.can_access_peer(cuda_any(), subject.device(0)), "device 2 is asked");
            expect_true(r.can_access_peer(cuda_any(), subject.device(3)), "device 2 is asked");
            r.set_device(subject.device(1));
            expect_true(r.can_access_peer(cuda_any(), subject.device(0)), "device 1 is asked");
            const auto replies = subject.on("other", program);
            expect_false(field_as<bool>(replies.at(1), "result"), "its own device is device 0");
            expect_at(r.get_device(), subject.device(1));
          });

  on_cuda("a_device_that_is_not_there_is_an_error", {"STR-038"}, [](Session& subject) {
    use_groups_of(subject, kDevices);
    const auto r = subject.runtime();
    const Device none{"cuda", kDevices};
    expect_error([&] { r.can_access_peer(none, subject.device(1)); }, ErrorKind::kAssertion,
                 {"Invalid device id"});
    expect_error([&] { r.can_access_peer(subject.device(1), none); }, ErrorKind::kAssertion,
                 {"Invalid peer device id"});
  });

  on_cuda("a_peer_needs_an_index_and_both_are_of_cuda", {"STR-038"}, [](Session& subject) {
    const auto r = subject.runtime();
    const Device host{"cpu", -1};
    expect_error([&] { r.can_access_peer(subject.device(1), cuda_any()); }, ErrorKind::kValue,
                 {"with a specified index"});
    expect_error([&] { r.can_access_peer(host, subject.device(1)); }, ErrorKind::kValue,
                 {"Expected a cuda device"});
    expect_error([&] { r.can_access_peer(subject.device(1), host); }, ErrorKind::kValue,
                 {"Expected a cuda device"});
  });
}

CASES("runtime/peer_copy") {
  for (const auto& [name, group] :
       {std::pair("with_peer_access", kDevices), std::pair("without_peer_access", 1)}) {
    on_cuda(std::string(name) + "_both_streams_wait", {"STR-038", "STR-031"},
            [group](Session& subject) {
              use_groups_of(subject, group);
              for (const auto& [from, to] : kDirections) {
                expect_order(subject, from, from, to);
                expect_order(subject, to, from, to);
              }
              expect_at(subject.runtime().get_device(), subject.device(0));
            });

    on_cuda(std::string(name) + "_elements_are_converted_in_the_streams_order",
            {"STR-038", "CORE-21"}, [group](Session& subject) {
              use_groups_of(subject, group);
              for (const auto& [from, to] : kDirections) expect_converted(subject, from, to);
            });
  }
}

}  // namespace assay::suites
