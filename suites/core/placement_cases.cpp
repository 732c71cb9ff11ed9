// Placement: the device of a tensor if no index is given.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

/// The accelerator without an index.
Device anywhere(Session& subject) { return {subject.device(0).type, -1}; }

const Device kCpu{"cpu", -1};

Device device_of(Session& subject, const Ref& tensor) {
  const auto device = subject.core().info(tensor).device;
  if (!device) throw BadReply("a defined tensor says no device");
  return *device;
}

/// Runs `program` with this current device.
void under(Session& subject, const Device& device, const std::function<void(Session&)>& program) {
  subject.scope(subject.core().device_guard(device), subject.block(program));
}

}  // namespace

CASES("core/placement") {
  conformance("a_factory_takes_the_current_device", {"CORE-20"}, [](Session& subject) {
    const Device cuda = anywhere(subject);
    Ref made{"made"};
    Ref given{"given"};

    under(subject, subject.device(1), [&](Session& inside) {
      made = inside.core().empty({.shape = {2}, .device = cuda});
      given = inside.core().tensor(on(f32({1, 2}), cuda));
    });
    const Ref outside = subject.core().empty({.shape = {2}, .device = cuda});

    expect_equal(device_of(subject, made), subject.device(1));
    expect_equal(device_of(subject, given), subject.device(1));
    expect_equal(device_of(subject, outside), subject.device(0));
  }).only(DeviceRules::kCuda);

  conformance("the_current_device_is_that_of_the_call", {"CORE-20"}, [](Session& subject) {
    const Device cuda = anywhere(subject);
    const Ref x = subject.core().tensor(on(f32({1, 2}), subject.device(0)));
    Ref moved{"moved"};

    const Ref stayed = subject.core().to(x, {.device = cuda});
    under(subject, subject.device(1),
          [&](Session& inside) { moved = inside.core().to(x, {.device = cuda}); });

    expect_true(subject.same(stayed.name, x.name), "to(cuda) is the tensor itself");
    expect_false(subject.same(moved.name, x.name), "to(cuda) elsewhere is a new tensor");
    expect_equal(device_of(subject, moved), subject.device(1));
    expect_bits(subject.core().read(moved), f32({1, 2}));
  }).only(DeviceRules::kCuda);

  conformance("work_on_several_devices_lands_where_its_operands_are", {"CORE-20"},
              [](Session& subject) {
                const Device cuda = anywhere(subject);
                const Ref host = subject.core().tensor(on(f32({5, 6}), kCpu));
                const Ref x = subject.core().tensor(on(f32({1, 2}), subject.device(0)));
                const Ref y = subject.core().tensor(on(f32({3, 4}), subject.device(0)));
                Ref a{"a"}, b{"b"}, c{"c"}, z{"z"}, d{"d"}, e{"e"}, f{"f"};

                under(subject, subject.device(1), [&](Session& inside) {
                  CoreClient core = inside.core();
                  a = core.tensor(on(f32({10, 20}), cuda));
                  b = core.to(host, {.device = cuda});
                  c = core.op_ref("add", {a, b});
                  z = core.op_ref("add", {x, y});
                  d = core.empty({.shape = {2}, .device = subject.device(2)});
                  e = core.to(host, {.device = subject.device(2)});
                  f = core.to(x, {.device = subject.device(2)});
                });

                for (const Ref& tensor : {a, b, c}) {
                  expect_equal(device_of(subject, tensor), subject.device(1));
                }
                for (const Ref& tensor : {d, e, f}) {
                  expect_equal(device_of(subject, tensor), subject.device(2));
                }
                expect_equal(device_of(subject, z), subject.device(0));
                expect_bits(subject.core().read(c), f32({15, 26}));
                expect_bits(subject.core().read(z), f32({4, 6}));
                expect_bits(subject.core().read(f), f32({1, 2}));
                expect_equal(subject.core().current_device(), subject.device(0));
              })
      .only(DeviceRules::kCuda);

  conformance("operands_on_two_devices_are_refused_by_name", {"CORE-20"}, [](Session& subject) {
    const Ref x = subject.core().tensor(on(f32({1}), subject.device(0)));
    const Ref a = subject.core().tensor(on(f32({1}), subject.device(1)));

    expect_error(
        [&] {
          subject.core().op("add", {a, x});
        },
        ErrorKind::kError, {to_text(subject.device(0)), to_text(subject.device(1))});
  }).only(DeviceRules::kCuda);

  conformance("the_current_device_is_restored_after_an_error", {"CORE-20"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));

    expect_error([&] { under(subject, subject.device(1), [&](Session& s) { s.core().item(x); }); },
                 {ErrorKind::kError, ErrorKind::kValue}, {});

    expect_equal(subject.core().current_device(), subject.device(0));
  }).only(DeviceRules::kCuda);

  conformance("placing_a_tensor_elsewhere_changes_no_current_device", {"CORE-20"},
              [](Session& subject) {
                const Ref x = subject.core().tensor(f32({1}));

                subject.core().to(x, {.device = subject.device(1)});
                subject.core().empty({.shape = {1}, .device = subject.device(2)});

                expect_equal(subject.core().current_device(), subject.device(0));
              })
      .only(DeviceRules::kCuda);

  conformance("each_thread_has_a_current_device_of_its_own", {"CORE-20"}, [](Session& subject) {
    const Device cuda = anywhere(subject);
    subject.core().set_device(subject.device(1));
    Ref theirs{"theirs"};

    subject.on("worker", subject.block([&](Session& inside) {
      theirs = inside.core().empty({.shape = {1}, .device = cuda});
    }));
    const Ref ours = subject.core().empty({.shape = {1}, .device = cuda});

    expect_equal(device_of(subject, theirs), subject.device(0));
    expect_equal(device_of(subject, ours), subject.device(1));
    subject.core().set_device(subject.device(0));
  }).only(DeviceRules::kCuda);

  conformance("the_first_cpu_is_the_cpu", {"CORE-20"}, [](Session& subject) {
    const Ref x = subject.core().tensor(on(f32({1, 2}), kCpu));

    const Ref y = subject.core().to(x, {.device = Device{"cpu", 0}});

    expect_true(subject.same(x.name, y.name), "to(cpu:0) is the tensor itself");
  }).only(Deviations::kStrict);

  conformance("the_first_cpu_got_a_copy_in_1_13", {"CORE-20"},
              [](Session& subject) {
                const Ref x = subject.core().tensor(on(f32({1, 2}), kCpu));

                const Ref y = subject.core().to(x, {.device = Device{"cpu", 0}});

                expect_false(subject.alias(x.name, y.name), "to(cpu:0) does not share the storage");
                expect_equal(device_of(subject, y), kCpu);
              })
      .only(Deviations::kCompat)
      .until(Release::k1_13);

  conformance("what_is_written_is_no_number_of_the_host", {"CORE-22"}, [](Session& subject) {
    const Ref host = subject.core().tensor(on(scalar_of(Dtype::kFloat32, 1), kCpu));
    const Ref device = subject.core().tensor(on(scalar_of(Dtype::kFloat32, 2), subject.device(0)));

    expect_error([&] { subject.core().add_(host, device); }, ErrorKind::kError, {"same device"});
    subject.core().add_(device, host);

    expect_bits(subject.core().read(host), on(scalar_of(Dtype::kFloat32, 1), kCpu));
    expect_bits(subject.core().read(device), scalar_of(Dtype::kFloat32, 3));
  }).only(DeviceRules::kCuda);
}

}  // namespace assay::suites
