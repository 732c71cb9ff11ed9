// The streams of leaves in a backward pass, what its caller may read, and passes in captures.
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/device_error.hpp"
#include "suites/runtime/backward.hpp"

namespace assay::suites::backward {

CASES("runtime/backward") {
  on_cuda("a_leaf_keeps_the_stream_of_its_first_use", {"STR-036"}, [](Session& subject) {
    const auto first = pool_on(subject);
    const auto forward = pool_on(subject);
    const auto caller = pool_on(subject);
    const Ref leaf = leaf_on(subject, subject.device(0));
    const Ref gradient = word_on(subject, subject.device(0), 3);
    subject.runtime().set_current_stream(first);
    subject.core().expand(leaf, {1});
    const Ref out = apply_in(subject, forward, copying(subject), {leaf});

    const auto gate = backward_behind(subject, first, caller, out, gradient);

    forward.synchronize();
    expect_false(caller.query(), "the caller waits for the stream of the leaf");
    gate.open();
    caller.synchronize();
    expect_gradient(subject, leaf, 3);
  });

  on_cuda("a_leaf_of_another_stream_is_warned_of_once", {"STR-036"},
          [](Session& subject) {
            const auto forward = pool_on(subject);
            const Ref leaf = leaf_on(subject, subject.device(0));
            const Ref gradient = word_on(subject, subject.device(0), 3);
            subject.core().expand(leaf, {1});
            const Ref function = copying(subject);
            const Ref first = apply_in(subject, forward, function, {leaf});
            const Ref second = subject.autograd().apply(function, {leaf});

            subject.autograd().backward(first, gradient);
            expect_warning(subject.warnings(), "UserWarning", {"AccumulateGrad", "stream"});
            subject.core().set_grad(leaf, {});
            subject.autograd().backward(second, gradient);
            expect_true(subject.warnings().empty(), "it was said before");
          })
      .since(Release::k2_11)
      .fresh();

  for (const bool holds_last : {false, true}) {
    const char* name = holds_last ? "the_last_gradient_of_a_leaf_is_added_in_its_stream"
                                  : "the_first_gradient_of_a_leaf_is_added_in_its_stream";
    on_cuda(name, {"STR-036"}, [holds_last](Session& subject) {
      const auto first = pool_on(subject);
      const auto last = pool_on(subject);
      const auto of_leaf = pool_on(subject);
      const auto caller = pool_on(subject);
      const Ref leaf = leaf_on(subject, subject.device(0));
      const Ref gradient = word_on(subject, subject.device(0), 3);
      subject.runtime().set_current_stream(of_leaf);
      subject.core().expand(leaf, {1});
      const Ref one = apply_in(subject, last, copying(subject), {leaf});
      const Ref other = apply_in(subject, first, copying(subject), {leaf});
      subject.runtime().set_current_stream(caller);
      const Ref sum{"sum"};
      subject.send("dispatch.call", {{"op", "aten::add.Tensor"}, {"args", List{{one, other}}}},
                   sum.name);

      const auto gate = backward_behind(subject, holds_last ? last : first, caller, sum, gradient);

      expect_false(of_leaf.query(), "the sum waits for both streams");
      gate.open();
      caller.synchronize();
      expect_gradient(subject, leaf, 6);
    });
  }

  on_cuda("the_caller_waits_for_the_leaves", {"STR-037"}, [](Session& subject) {
    const auto forward = pool_on(subject);
    const auto caller = pool_on(subject);
    const Ref leaf = leaf_on(subject, subject.device(0));
    const Ref gradient = word_on(subject, subject.device(0), 3);
    const Ref out = apply_in(subject, forward, copying(subject), {leaf});

    const auto gate = backward_behind(subject, forward, caller, out, gradient);

    expect_false(caller.query(), "the caller's stream waits");
    gate.open();
    caller.synchronize();
    expect_gradient(subject, leaf, 3);
  });

  on_cuda("the_caller_waits_on_every_device", {"STR-037", "STR-036"}, [](Session& subject) {
    const auto near = pool_on(subject);
    const auto far = pool_on(subject, 1);
    const auto event = subject.runtime().event();
    const Ref leaf = leaf_on(subject, subject.device(0));
    const Ref gradient = word_on(subject, subject.device(1), 3);
    const Ref here = apply_in(subject, near, marking(subject, event), {leaf});
    subject.runtime().set_current_stream(far);
    const Ref there = subject.core().to(here, {.device = subject.device(1)});
    subject.runtime().set_current_stream(subject.runtime().default_stream(subject.device(1)));

    const auto caller = subject.runtime().default_stream();
    const auto gate = backward_behind(subject, far, caller, there, gradient);

    expect_false(event.query(), "the gradient comes from the other device");
    expect_false(caller.query(), "the caller's stream waits");
    gate.open();
    caller.synchronize();
    expect_gradient(subject, leaf, 3);
  });

  on_cuda("the_caller_waits_for_gradients_that_it_asks_for", {"STR-037"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto near = pool_on(subject);
    const auto far = pool_on(subject, 1);
    const Ref leaf = leaf_on(subject, subject.device(0));
    const Ref gradient = word_on(subject, subject.device(1), 3);
    r.set_current_stream(near);
    r.set_current_stream(far);
    const Ref out = subject.core().to(leaf, {.device = subject.device(1)});
    r.set_current_stream(pool_on(subject));
    r.set_current_stream(r.default_stream(subject.device(1)));
    subject.sim().schedule("manual");  // nothing runs before somebody waits for it

    const auto found = subject.autograd().grad(out, {leaf}, gradient);

    expect_bits(found.at(0), f32({3}));
  });

  on_cuda("memory_of_a_gradient_is_kept_for_its_reader", {"STR-036", "MEM-006"},
          [](Session& subject) {
            const auto reader = pool_on(subject);
            const auto writer = pool_on(subject);
            const Ref leaf = leaf_on(subject, subject.device(0));
            const Ref gradient = word_on(subject, subject.device(0), 3);
            const Ref between = apply_in(subject, reader, copying(subject), {leaf});
            const Ref out = apply_in(subject, writer, copying(subject), {between});

            const auto gate =
                backward_behind(subject, reader, subject.runtime().default_stream(), out, gradient);
            subject.runtime().set_current_stream(writer);
            for (int i = 0; i < 4; ++i) {
              subject.runtime().store(subject.core().tensor(f32({9})), 9.0);
            }
            writer.synchronize();

            gate.open();
            reader.synchronize();
            expect_gradient(subject, leaf, 3);
          });

  on_cuda("a_pass_is_captured_with_its_forward", {"STR-036", "CAP-001", "CAP-002"},
          [](Session& subject) {
            const auto side = pool_on(subject);
            const Ref leaf = leaf_on(subject, subject.device(0));
            const Ref gradient = word_on(subject, subject.device(0), 3);
            const Ref function = copying(subject);
            const auto graph = GraphClient(subject).make();

            graph.begin({.stream = side});
            subject.autograd().backward(subject.autograd().apply(function, {leaf}), gradient);
            graph.end();

            for (const double value : {4.0, 5.0}) {
              subject.runtime().store(gradient, value);
              graph.replay();
              expect_gradient(subject, leaf, value);
            }
          });

  on_cuda("a_leaf_of_the_default_stream_spoils_a_capture", {"STR-036", "CAP-004"},
          [](Session& subject) {
            const auto side = pool_on(subject);
            const Ref leaf = leaf_on(subject, subject.device(0));
            const Ref gradient = word_on(subject, subject.device(0), 3);
            const Ref function = copying(subject);
            subject.core().expand(leaf, {1});
            const auto graph = GraphClient(subject).make();

            graph.begin({.stream = side});
            const Ref out = subject.autograd().apply(function, {leaf});
            expect_device_error(
                subject, [&] { subject.autograd().backward(out, gradient); }, 906);
            expect_device_error(
                subject, [&] { graph.end(); }, 901);
          })
      .until(Release::k2_12);

  on_cuda("a_leaf_of_the_default_stream_takes_no_part_in_a_capture", {"STR-036", "CAP-004"},
          [](Session& subject) {
            const auto side = pool_on(subject);
            const Ref leaf = leaf_on(subject, subject.device(0));
            const Ref gradient = word_on(subject, subject.device(0), 3);
            const Ref function = copying(subject);
            subject.core().expand(leaf, {1});
            const auto graph = GraphClient(subject).make();
            graph.begin({.stream = side});
            const Ref out = subject.autograd().apply(function, {leaf});

            expect_error([&] { subject.autograd().backward(out, gradient); }, ErrorKind::kError,
                         {"AccumulateGrad", "default stream"});

            expect_true(GraphClient(subject).is_capturing(), "the capture goes on");
            graph.end();
            graph.replay();
            expect_true(subject.core().grad(leaf).is_none(), "the leaf has no gradient");
          })
      .since(Release::k2_13);
}

}  // namespace assay::suites::backward
