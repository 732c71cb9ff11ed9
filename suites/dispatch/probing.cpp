// Helpers for dispatch cases.
#include "suites/dispatch/probing.hpp"

#include <algorithm>

#include "harness/suite/reading.hpp"

namespace assay::suites {

DispatchObject boxed_kernel(Session& subject, const std::string& label) {
  return subject.dispatch().kernel({.label = label});
}

DispatchObject typed_kernel(Session& subject, const std::string& label,
                            const std::string& signature) {
  return subject.dispatch().kernel({.label = label, .signature = signature});
}

DispatchObject value_kernel(Session& subject, const std::string& label, const Value& value,
                            const std::string& signature) {
  KernelOptions options{.behaviour = "value", .label = label, .values = std::vector<Value>{value}};
  if (!signature.empty()) options.signature = signature;
  return subject.dispatch().kernel(options);
}

DispatchObject fallthrough_kernel(Session& subject) {
  return subject.dispatch().kernel({.behaviour = "fallthrough"});
}

DispatchObject at(Session& subject, const Value& op, const std::string& key,
                  const std::string& label) {
  ImplOptions options;
  if (!key.empty()) options.key = key;
  return subject.dispatch().impl(op, boxed_kernel(subject, label.empty() ? key : label), options);
}

DispatchObject probe(Session& subject, const KeySet& keys) {
  return subject.dispatch().tensor({.keys = keys});
}

DispatchObject device_tensor(Session& subject, const std::string& device) {
  return subject.dispatch().tensor({.device = device});
}

std::string reached(Session& subject, const Value& op, std::vector<Value> args,
                    const CallOptions& options) {
  try {
    const Called called = subject.dispatch().call(op, std::move(args), options);
    return called.ran.empty() ? std::string("nothing ran") : last_of(called.ran).kernel.get();
  } catch (const SubjectError& raised) {
    return std::string(name_of(raised.error().kind));
  }
}

std::string reached_at(Session& subject, const Value& op, const std::string& key) {
  const DispatchObject x = probe(subject, KeyBits{0});
  return reached(subject, op, {x}, {.boxed = true, .keys = KeySet(key)});
}

void expect_text(const std::string& got, const std::string& wanted, Where where) {
  expect_equal(got, wanted, where);
}

void expect_texts(const std::vector<std::string>& got, const std::vector<std::string>& wanted,
                  Where where) {
  expect_equal(List{{got.begin(), got.end()}}, List{{wanted.begin(), wanted.end()}}, where);
}

void expect_among(const std::vector<std::string>& got, const std::vector<std::string>& wanted,
                  Where where) {
  for (const std::string& text : wanted) {
    const bool there = std::find(got.begin(), got.end(), text) != got.end();
    expect_true(there, "'" + text + "' is there", where);
  }
}

std::vector<Reply> within(Session& subject, const std::function<void(Session&)>& enter,
                          const std::function<void(Session&)>& body) {
  Block guards = subject.block(enter);
  return subject.scope(std::move(guards), subject.block(body));
}

Callable callback_of(Session& subject, const std::function<void(Session&)>& program) {
  Block body = subject.block(program);
  return subject.callback(subject.fresh_name("callback"), std::move(body));
}

DispatchObject running_kernel(Session& subject, const std::string& label,
                              const std::function<void(Session&)>& program) {
  return subject.dispatch().kernel(
      {.behaviour = "callback", .label = label, .call = callback_of(subject, program)});
}

}  // namespace assay::suites
