// Listeners: which definitions they receive, when, and what they may do meanwhile.
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

DispatchObject define(Session& subject, const std::string& name) {
  return subject.dispatch().def(name + "(Tensor x) -> Tensor");
}

/// Events for the namespace `listen` since the last query.
std::vector<std::string> heard(Session& subject, const DispatchObject& listener) {
  std::vector<std::string> mine;
  for (const std::string& event : subject.dispatch().heard(listener)) {
    if (event.substr(1).starts_with("listen")) mine.push_back(event);
  }
  return mine;
}

/// A listener that raises once `Switch` is on. Before that it succeeds, including for the runtime's
/// own operators.
class Switch {
 public:
  explicit Switch(Session& subject) : operator_(define(subject, "switch::on")) {}
  Callable callback(Session& subject) const {
    return callback_of(subject, [](Session& s) { s.dispatch().find_or_throw("switch::on", ""); });
  }
  void turn() const { operator_.drop(); }

 private:
  DispatchObject operator_;
};

}  // namespace

CASES("dispatch/listener") {
  conformance("definitions_are_heard_and_kernels_are_not", {"DSP-805"}, [](Session& subject) {
    const auto listener = subject.dispatch().listen();
    subject.dispatch().heard(listener);
    const auto impl = at(subject, "listen::f", "CPU");
    expect_texts(heard(subject, listener), {});
    const auto def = define(subject, "listen::f");
    expect_texts(heard(subject, listener), {"+listen::f"});
    def.drop();
    expect_texts(heard(subject, listener), {"-listen::f"});
    impl.drop();
    expect_texts(heard(subject, listener), {});
    subject.dispatch().fallback(boxed_kernel(subject, "f"), {.key = "XLA"});
    expect_texts(heard(subject, listener), {});
  });

  conformance("a_late_listener_hears_what_is_there", {"DSP-805"}, [](Session& subject) {
    define(subject, "listen::a");
    define(subject, "listen::b.ov");
    at(subject, "listen::no_schema", "CPU");
    const auto listener = subject.dispatch().listen();

    const auto events = heard(subject, listener);

    expect_equal(static_cast<std::int64_t>(events.size()), 2);
    expect_among(events, {"+listen::a", "+listen::b.ov"});
  });

  conformance("each_operator_is_heard_by_name_in_order", {"DSP-805"}, [](Session& subject) {
    const auto listener = subject.dispatch().listen();
    const auto a = define(subject, "listen::a");
    const auto b = define(subject, "listen::b");
    a.drop();
    b.drop();
    expect_texts(heard(subject, listener),
                 {"+listen::a", "+listen::b", "-listen::a", "-listen::b"});
  });

  conformance("every_listener_is_told", {"DSP-805"}, [](Session& subject) {
    const auto first = subject.dispatch().listen();
    const auto second = subject.dispatch().listen();
    define(subject, "listen::a");
    expect_texts(heard(subject, first), {"+listen::a"});
    expect_texts(heard(subject, second), {"+listen::a"});
  });

  conformance("a_dropped_listener_is_not_called", {"DSP-805"}, [](Session& subject) {
    const auto staying = subject.dispatch().listen();
    const Switch raises(subject);
    const auto listener = subject.dispatch().listen(raises.callback(subject));
    listener.drop();
    raises.turn();
    const auto def = define(subject, "listen::a");
    def.drop();
    expect_texts(heard(subject, staying), {"+listen::a", "-listen::a"});
  });

  conformance("the_schema_is_there_while_listeners_are_told", {"DSP-805"}, [](Session& subject) {
    // If the last command of a callback fails, the definition fails.
    const auto asks =
        callback_of(subject, [](Session& s) { s.dispatch().find_or_throw("listen::a", ""); });
    const auto first = define(subject, "listen::a");
    const auto listener = subject.dispatch().listen(asks, asks);
    heard(subject, listener);
    first.drop();
    expect_texts(heard(subject, listener), {"-listen::a"});
    const auto again = define(subject, "listen::a");
    expect_texts(heard(subject, listener), {"+listen::a"});
  });

  conformance("a_refused_definition_is_not_heard", {"DSP-805", "DSP-406"}, [](Session& subject) {
    const auto def = define(subject, "listen::a");
    const auto listener = subject.dispatch().listen();
    heard(subject, listener);
    expect_error([&] { define(subject, "listen::a"); }, ErrorKind::kError);
    expect_texts(heard(subject, listener), {});
  });

  conformance("looking_up_inside_a_listener_works", {"DSP-806"}, [](Session& subject) {
    define(subject, "listen::other");
    const auto asks =
        callback_of(subject, [](Session& s) { s.dispatch().find_or_throw("listen::other", ""); });
    const auto listener = subject.dispatch().listen(asks, asks);
    const auto def = define(subject, "listen::a");
    expect_true(subject.dispatch().find("listen::a", true), "it is defined");
    def.drop();
    expect_false(subject.dispatch().find("listen::a"), "it is gone");
  });

  conformance("registering_inside_a_listener_is_refused", {"DSP-806"}, [](Session& subject) {
    const auto kernel = boxed_kernel(subject, "k");
    define(subject, "listen::other");
    const std::string held = "listen.held";
    subject.send("dispatch.impl", {{"op", "listen::other"}, {"kernel", kernel}, {"key", "XLA"}},
                 held);
    const auto tries = std::vector<std::function<void(Session&)>>{
        [&](Session& s) { s.dispatch().impl("listen::other", kernel, {.key = "CPU"}); },
        [](Session& s) { s.dispatch().def("listen::new() -> ()"); },
        [&](Session& s) { s.dispatch().fallback(kernel, {.key = "CUDA"}); }};
    for (std::size_t i = 0; i < tries.size(); ++i) {
      const ScopedTrace row("attempt " + std::to_string(i));
      const auto listener = subject.dispatch().listen();
      const auto eager = callback_of(subject, [&](Session& s) {
        // Only messages about `listen::a` count; existing operators are reported immediately.
        tries[i](s);
      });
      expect_error([&] { subject.dispatch().listen(eager); }, ErrorKind::kError, {"listener"});
      listener.drop();
    }
    expect_false(subject.dispatch().has_kernel("listen::other", "CPU"), "CPU has no kernel");
    expect_false(subject.dispatch().find("listen::new"), "it is not defined");
    expect_false(subject.dispatch().has_fallback("CUDA"), "CUDA has no fallback");
  }).only(Deviations::kStrict);

  conformance("a_definition_at_which_a_listener_raises_is_undone", {"DSP-806", "DSP-416"},
              [](Session& subject) {
                const Switch raises(subject);
                const auto listener = subject.dispatch().listen(raises.callback(subject));
                raises.turn();
                expect_error([&] { define(subject, "listen::a"); }, ErrorKind::kError,
                             {"switch::on"});
                expect_false(subject.dispatch().find("listen::a"), "it is not there");
                listener.drop();

                const auto def = define(subject, "listen::a");

                expect_true(subject.dispatch().find("listen::a", true), "it is defined now");
              })
      .only(Deviations::kStrict);

  conformance("a_definition_at_which_a_listener_raises_is_half_there_in_pytorch", {"DSP-806"},
              [](Session& subject) {
                const Switch raises(subject);
                const auto listener = subject.dispatch().listen(raises.callback(subject));
                raises.turn();
                expect_error([&] { define(subject, "half_there::f"); }, ErrorKind::kError,
                             {"switch::on"});
                listener.drop();

                expect_error([&] { define(subject, "half_there::f"); }, ErrorKind::kInternal);
              })
      .only(Deviations::kCompat);
}

}  // namespace assay::suites
