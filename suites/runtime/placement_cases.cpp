// The placement of work: in the current stream of the tensor's device, in order.
#include "harness/suite/clients/amp.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// An operator applied to a one-element tensor with value 2.
struct Operation {
  const char* name;
  std::function<void(Session&, const Ref&)> run;
  double result;
};

const std::vector<Operation> kInPlace{
    {"fill_", [](Session& s, const Ref& x) { s.core().fill_(x, 5.0); }, 5},
    {"add_", [](Session& s, const Ref& x) { s.core().add_(x, x); }, 4},
    {"copy_",
     [](Session& s, const Ref& x) {
       TensorValue two = f32({2});
       two.device = {"cpu", -1};
       s.core().copy_(x, two);
     },
     2},
    {"store", [](Session& s, const Ref& x) { s.runtime().store(x, 6.0); }, 6}};

/// The streams of launches and copies since the last query.
Texts streams_of_work(Session& subject) {
  Texts streams;
  for (const DriverCall& call : driver_calls(subject)) {
    if (call.name == "launch" || call.name == "memcpy_async") {
      streams.push_back(call.arguments.at(0));
    }
  }
  return streams;
}

/// The name of the stream in the log.
std::string spelling_of(Session& subject, const StreamObject& stream) {
  subject.sim().log();
  subject.runtime().kernel({.stream = stream});
  return streams_of_work(subject).at(0);
}

void expect_all_in(const Texts& streams, const std::string& wanted,
                   Where where = Where::current()) {
  expect_false(streams.empty(), "something is launched", where);
  for (const std::string& stream : streams) expect_equal(stream, wanted, where);
}

}  // namespace

CASES("runtime/placement") {
  for (const Operation& operation : kInPlace) {
    if (operation.name == std::string_view("copy_")) continue;
    on_cuda(std::string("a_held_up_stream_holds_up_") + operation.name, {"STR-030"},
            [operation](Session& subject) {
              const auto r = subject.runtime();
              const auto word = word_on(subject, subject.device(1), 2);
              const auto stream = pool_on(subject, 1);
              r.set_current_stream(stream);
              const auto gate = r.gate(stream);
              operation.run(subject, word);
              r.set_current_stream(r.default_stream(subject.device(1)));
              expect_bits(subject.core().read(word), f32({2}));
              expect_equal(gate.state(), "closed");
              expect_at(r.get_device(), subject.device(0));
              gate.open();
              stream.synchronize();
              expect_bits(subject.core().read(word), f32({operation.result}));
            });
  }

  on_cuda("other_streams_hold_nothing_up", {"STR-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device(0), 2);
    const auto other = pool_on(subject, 0);
    const auto gate = r.gate(other);
    for (const Operation& operation : kInPlace) operation.run(subject, word);
    r.default_stream().synchronize();
    expect_bits(subject.core().read(word), f32({6}));
    expect_equal(gate.state(), "closed");
    gate.open();
    other.synchronize();
  });

  on_cuda("an_operator_s_result_waits_its_turn", {"STR-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device(0), 2);
    const auto stream = pool_on(subject, 0);
    r.set_current_stream(stream);
    const auto gate = r.gate(stream);
    subject.core().fill_(word, 3.0);
    const Ref sum = subject.core().op_ref("add", {word, word});
    expect_equal(gate.state(), "closed");
    gate.open();
    stream.synchronize();
    expect_bits(subject.core().read(sum), f32({6}));
  });

  on_cuda("a_result_lives_on_its_operand_s_device", {"STR-030"}, [](Session& subject) {
    const auto word = word_on(subject, subject.device(1), 2);
    const Ref sum = subject.core().op_ref("add", {word, word});
    expect_at(subject.core().info(sum).device, subject.device(1));
    expect_at(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("operands_of_two_devices_are_refused", {"STR-030"}, [](Session& subject) {
    const auto here = word_on(subject, subject.device(0), 2);
    const auto there = word_on(subject, subject.device(1), 2);
    expect_error([&] { subject.core().op("add", {here, there}); }, ErrorKind::kError, {"device"});
    expect_error([&] { subject.core().add_(here, there); }, ErrorKind::kError, {"device"});
    subject.core().copy_(here, there);
  });

  on_cuda("a_flag_on_the_cpu_is_named", {"STR-030"}, [](Session& subject) {
    const auto flag = word_on(subject, {"cpu", -1});
    const auto grad = word_on(subject, subject.device(0), 2);
    expect_error(
        [&] { subject.amp().unscale({.grads = {grad}, .found_inf = flag, .route = "kernel"}); },
        ErrorKind::kError, {"found_inf must be a CUDA tensor"});
  });

  on_cuda("kernels_go_into_the_current_stream", {"STR-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device(1), 2);
    const auto stream = r.pool_stream({.device = subject.device(1)});
    r.set_current_stream(stream);
    const std::string wanted = spelling_of(subject, stream);
    for (const Operation& operation : kInPlace) {
      const ScopedTrace row(operation.name);
      operation.run(subject, word);
      expect_all_in(streams_of_work(subject), wanted);
    }
    subject.core().op_ref("mul", {word, word});
    expect_all_in(streams_of_work(subject), wanted);
    r.load(word);
    expect_all_in(streams_of_work(subject), wanted);
  });

  on_cuda("the_operators_of_amp_go_into_the_current_stream", {"STR-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = [&](double value) { return word_on(subject, subject.device(1), value); };
    const Ref grad = word(2);
    const Ref flag = word(0);
    const Ref scale = word(4);
    TensorValue count = i32({0});
    count.device = subject.device(1);
    const Ref tracker = subject.core().tensor(count);
    const auto stream = r.pool_stream({.device = subject.device(1)});
    r.set_current_stream(stream);
    const std::string wanted = spelling_of(subject, stream);
    subject.amp().unscale({.grads = {grad}, .found_inf = flag, .inv_scale = scale});
    expect_all_in(streams_of_work(subject), wanted);
    subject.amp().update_scale({.scale = scale, .tracker = tracker, .found_inf = flag});
    expect_all_in(streams_of_work(subject), wanted);
    expect_at(r.get_device(), subject.device(0));
  });

  on_cuda("work_without_a_tensor_goes_to_the_current_device", {"STR-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject, 1);
    r.set_current_stream(stream);
    r.set_device(subject.device(1));
    const auto gate = r.gate(stream);
    r.kernel();
    const auto event = r.event();
    event.record();
    expect_false(event.query(), "it stands behind the gate");
    gate.open();
    event.synchronize();
    r.set_device(subject.device(0));
  });
}

}  // namespace assay::suites
