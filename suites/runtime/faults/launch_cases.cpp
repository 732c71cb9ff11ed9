// Valid and invalid launches (FLT-019).
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

using Shape3 = std::vector<std::int64_t>;

struct Launch {
  Shape3 grid;
  Shape3 block;
};

std::string text_of(const Launch& launch) {
  std::string text = "grid";
  for (const std::int64_t n : launch.grid) text += " " + std::to_string(n);
  text += ", block";
  for (const std::int64_t n : launch.block) text += " " + std::to_string(n);
  return text;
}

const std::vector<Launch> kRefused = {
    {{0}, {1}},        {{1}, {0}},           {{1, 0}, {1}},       {{1}, {1, 0}},
    {{1}, {1025}},     {{1}, {32, 33}},      {{1}, {1, 1, 1025}}, {{1}, {16, 16, 5}},
    {{1, 65536}, {1}}, {{1, 1, 65536}, {1}}, {{2147483648}, {1}},
};

const std::vector<Launch> kTaken = {
    {{1}, {1}}, {{1}, {1024}},    {{1}, {32, 32}}, {{1}, {16, 16, 4}},
    {{7}, {5}}, {{2, 3, 4}, {8}}, {{1, 300}, {2}}, {{1, 1, 300}, {3}},
};

std::int64_t product(const Shape3& shape) {
  std::int64_t all = 1;
  for (const std::int64_t n : shape) all *= n;
  return all;
}

/// 9 up to CUDA 12.
bool is_refusal(std::int64_t code) { return code == 1 || code == 9; }

}  // namespace

CASES("runtime/launches") {
  on_cuda("what_is_out_of_range_is_refused", {"FLT-019"}, [](Session& subject) {
    for (const Launch& launch : kRefused) {
      const ScopedTrace place(text_of(launch));
      const auto runs = subject.runtime().launch({.grid = launch.grid, .block = launch.block});

      expect_equal(runs, 0);
      expect_true(is_refusal(subject.runtime().last_error()), "the launch is refused");
    }
  });

  on_cuda("every_thread_of_a_launch_runs_once", {"FLT-019"}, [](Session& subject) {
    for (const Launch& launch : kTaken) {
      const ScopedTrace place(text_of(launch));
      const auto runs = subject.runtime().launch({.grid = launch.grid, .block = launch.block});

      expect_equal(runs, product(launch.grid) * product(launch.block));
      expect_equal(subject.runtime().peek_last_error(), 0);
    }
  });

  on_cuda("vectors_are_added_with_a_thread_for_each_element", {"FLT-019"}, [](Session& subject) {
    for (const std::int64_t n : {1, 31, 32, 33, 1024}) {
      const ScopedTrace place(std::to_string(n));
      const Reply reply = subject.send("runtime.launch", {{"block", List{{n}}}, {"n", n}});

      expect_equal(field(reply, "runs"), n);
      expect_equal(field(reply, "right"), n);
      subject.runtime().launch_check();
    }
  });

  on_cuda("a_launch_that_is_refused_leaves_its_result_untouched", {"FLT-019", "FLT-006"},
          [](Session& subject) {
            for (const std::int64_t n : {0, 1025}) {
              const ScopedTrace place(std::to_string(n));
              const Reply reply = subject.send("runtime.launch", {{"block", List{{n}}}, {"n", n}});

              expect_equal(field(reply, "runs"), 0);
              expect_equal(field(reply, "right"), 0);
              const std::int64_t code = subject.runtime().peek_last_error();
              expect_true(is_refusal(code), "the launch is refused");
              expect_device_error(
                  subject, [&] { subject.runtime().launch_check(); }, code);
            }
          });

  on_cuda("what_needs_too_much_of_a_block_is_refused", {"FLT-019"}, [](Session& subject) {
    expect_equal(subject.runtime().launch({.shared = std::int64_t{1} << 30, .n = 1}), 0);
    expect_equal(subject.runtime().last_error(), 1);
    expect_equal(subject.runtime().launch({.block = Shape3{1024}, .registers = 255, .n = 1024}), 0);
    expect_equal(subject.runtime().last_error(), 701);
  });
}

}  // namespace assay::suites
