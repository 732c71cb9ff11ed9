// Errors in the protocol: a closed list of kinds, and a usable subject after each.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

using enum ErrorKind;

constexpr ErrorKind kKinds[] = {kError, kNotImplemented, kOutOfMemory, kType, kValue, kIndex,
                                kKey,   kAttribute,      kAssertion};
/// Kinds without a Python class of their own.
constexpr ErrorKind kFinerKinds[] = {kInternal, kSchema, kDevice};

Command raising(ErrorKind kind) {
  Command command;
  command.verb = "raise";
  command.with = {{"kind", name_of(kind)}, {"message", "seven sheep"}};
  return command;
}

void expect_arrives(Session& subject, ErrorKind kind) {
  const ScopedTrace at{std::string(name_of(kind))};
  const Reply reply = subject.ask(raising(kind));
  if (reply.status == Reply::Status::kUnsupported) throw Unsupported(reply.reason);

  expect_true(reply.status == Reply::Status::kError, "the reply is an error");
  expect_equal(name_of(reply.error.kind), name_of(kind));
  expect_true(reply.error.message.find("seven sheep") != std::string::npos,
              "the message is in the reply");
}

}  // namespace

CASES("core/error") {
  conformance("each_kind_arrives_as_itself_with_its_message", {"CORE-19"}, [](Session& subject) {
    for (const ErrorKind kind : kKinds) expect_arrives(subject, kind);
  });

  conformance("each_finer_kind_arrives_as_itself_too", {"CORE-19"}, [](Session& subject) {
    for (const ErrorKind kind : kFinerKinds) expect_arrives(subject, kind);
  });

  conformance("an_argument_that_an_operator_needs_is_missed", {"CORE-22"}, [](Session& subject) {
    const Value rows = shaped(f32({1, 2}), {1, 2});
    for (const char* const name : {"softmax", "layer_norm", "mm", "mse_loss"}) {
      expect_error([&] { subject.core().op(name, {rows}); }, ErrorKind::kType);
    }
  });

  conformance("after_an_error_the_subject_answers_on", {"CORE-19"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));

    expect_arrives(subject, kError);

    expect_bits(subject.core().read(x), f32({1, 2}));
  });

  conformance("an_error_ends_its_block_and_keeps_its_kind", {"CORE-19"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1}));
    const Block body = subject.block([&](Session& inside) {
      inside.core().fill_(x, 2);
      inside.send(raising(kIndex));
      inside.core().fill_(x, 3);
    });

    expect_error([&] { subject.scope({}, body); }, kIndex, {"seven sheep"});
    expect_bits(subject.core().read(x), f32({2}));
  });

  conformance("what_real_operations_raise_is_of_that_list", {"CORE-19"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));

    expect_error([&] { subject.core().op("add", {x, f32({1, 2, 3})}); }, kError, {"2", "3"});
    expect_error([&] { subject.core().item(x); }, {kError, kValue}, {});
  });
}

}  // namespace assay::suites
