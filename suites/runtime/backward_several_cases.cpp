// Several leaves, gradients and devices in the streams of a backward pass: what holds for each.
#include "suites/runtime/backward.hpp"

namespace assay::suites::backward {

CASES("runtime/backward") {
  on_cuda("each_of_three_gradients_is_added_in_the_stream_of_the_leaf", {"STR-036"},
          [](Session& subject) {
            for (const int held : {0, 1, 2}) {
              const ScopedTrace at(std::to_string(held));
              const StreamObject streams[] = {pool_on(subject), pool_on(subject), pool_on(subject)};
              const auto of_leaf = pool_on(subject);
              const auto caller = pool_on(subject);
              const Ref leaf = leaf_on(subject, subject.device(0));
              const Ref gradient = word_on(subject, subject.device(0), 3);
              subject.runtime().set_current_stream(of_leaf);
              subject.core().expand(leaf, {1});
              std::vector<Ref> parts;
              for (const StreamObject& stream : streams) {
                parts.push_back(apply_in(subject, stream, copying(subject), {leaf}));
              }
              subject.runtime().set_current_stream(caller);
              const Ref sum = subject.core().op_ref("add", {parts[0], parts[1]});
              const Ref total = subject.core().op_ref("add", {sum, parts[2]});

              const auto gate = backward_behind(subject, streams[held], caller, total, gradient);

              expect_false(of_leaf.query(), "the sum waits for all three streams");
              gate.open();
              caller.synchronize();
              expect_gradient(subject, leaf, 9);
            }
          });

  on_cuda("the_caller_waits_for_each_leaf", {"STR-037"}, [](Session& subject) {
    for (const int held : {0, 1}) {
      const ScopedTrace at(std::to_string(held));
      const StreamObject streams[] = {pool_on(subject), pool_on(subject)};
      const auto caller = pool_on(subject);
      const Ref leaves[] = {leaf_on(subject, subject.device(0)),
                            leaf_on(subject, subject.device(0))};
      const Ref gradient = word_on(subject, subject.device(0), 3);
      std::vector<Ref> parts;
      for (const int i : {0, 1}) {
        parts.push_back(apply_in(subject, streams[i], copying(subject), {leaves[i]}));
      }
      const Ref out = apply_in(subject, caller, joining(subject), {parts[0], parts[1]});

      const auto gate = backward_behind(subject, streams[held], caller, out, gradient);

      expect_false(caller.query(), "the caller's stream waits");
      gate.open();
      caller.synchronize();
      expect_gradient(subject, leaves[0], 3);
      expect_gradient(subject, leaves[1], 3);
    }
  });

  on_cuda("a_leaf_of_another_stream_was_not_warned_of", {"STR-036"},
          [](Session& subject) {
            const auto forward = pool_on(subject);
            const Ref leaf = leaf_on(subject, subject.device(0));
            const Ref gradient = word_on(subject, subject.device(0), 3);
            subject.core().expand(leaf, {1});
            const Ref out = apply_in(subject, forward, copying(subject), {leaf});

            subject.autograd().backward(out, gradient);

            expect_true(subject.warnings().empty(), "no release before 2.11 warns");
            subject.runtime().synchronize_device();
            expect_gradient(subject, leaf, 3);
          })
      .until(Release::k2_4)
      .fresh();

  on_cuda("a_leaf_that_has_no_stream_is_not_warned_of", {"STR-036"}, [](Session& subject) {
    const auto forward = pool_on(subject);
    const Ref leaf = subject.core().leaf(on(f32({1}), {"cpu", -1}));
    const Ref gradient = word_on(subject, subject.device(0), 3);
    subject.runtime().set_current_stream(forward);
    const Ref there = subject.core().to(leaf, {.device = subject.device(0)});
    const Ref out = subject.autograd().apply(copying(subject), {there});

    subject.autograd().backward(out, gradient);

    expect_true(subject.warnings().empty(), "a leaf of the host has no stream");
    expect_bits(subject.core().grad(leaf), on(f32({3}), {"cpu", -1}));
  }).fresh();
}

}  // namespace assay::suites::backward
