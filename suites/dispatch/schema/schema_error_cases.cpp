// Invalid schemas: the kind of error, its position, and the text found there.
#include "harness/suite/cases.hpp"
#include "suites/dispatch/schema/schemas.hpp"

namespace assay::suites {
namespace {

std::vector<RefusalRow> malformed() {
  return {{"foo(Tensor x, ) -> Tensor", {"expected ident but found ')'"}},
          {"foo(Tensor) -> Tensor", {"expected ident but found ')'"}},
          {"foo(,) -> ()", {"expected ident but found ','"}},
          {"foo(Tensor x -> Tensor", {"expected ) but found 'arrow'"}},
          {"foo Tensor x) -> Tensor", {"expected eof but found 'ident'"}},
          {"foo(Tensor[ x) -> Tensor", {"expected number but found 'ident'"}},
          {"foo(int[-1] x) -> ()", {"expected number but found '-'"}},
          {"foo(int[2][] x) -> ()", {"expected ident but found '['"}},
          {"foo(int x=1 2) -> ()", {"expected ) but found 'number'"}},
          {"foo(Tensor x$) -> ()", {"expected a valid token but found '$'"}},
          {"foo(Tensor x; int y) -> ()", {"expected a valid token but found ';'"}},
          {"foo() -> (Tensor", {"expected ) but found 'eof'"}},
          {"foo() -> Tensor, Tensor", {"expected eof but found ','"}},
          {"foo() -> (Tensor,)", {"expected ident but found ')'"}},
          {"foo() -> Tensor x=1", {"expected eof but found '='"}}};
}

/// The last two lines of the message: the source line, and the line with the caret.
std::string marked(const std::string& line, std::size_t before, std::size_t width) {
  return line + "\n" + std::string(before, ' ') + std::string(width, '~') + " <--- HERE";
}

}  // namespace

CASES("dispatch/schema_error") {
  conformance("what_was_expected_and_what_was_found_is_said", {"DSP-312", "DSP-301"},
              [](Session& subject) { expect_refused_rows(subject, malformed()); });

  conformance("a_text_is_one_schema", {"DSP-301"}, [](Session& subject) {
    expect_refused(subject, "foo(Tensor x) -> Tensor\nbar(int y) -> int", {"expected eof"});
    expect_refused(subject, "foo(Tensor x) -> Tensor trailing more", {"expected eof", "'ident'"});
    expect_refused(subject, "", {"expected ident", "'eof'"});
  });

  conformance("the_line_and_the_place_are_shown", {"DSP-312"}, [](Session& subject) {
    expect_refused(subject, "foo(Foo x) -> ()", {marked("foo(Foo x) -> ()", 4, 3)});
    expect_refused(subject, "foo(Tensor x, ) -> Tensor",
                   {marked("foo(Tensor x, ) -> Tensor", 14, 1)});
    expect_refused(subject, "a::b::c(Tensor x) -> Tensor",
                   {marked("a::b::c(Tensor x) -> Tensor", 4, 1)});
  });

  conformance("of_several_lines_the_right_one_is_shown", {"DSP-312"}, [](Session& subject) {
    expect_refused(subject, "foo(Tensor x) -> Tensor\nbar(int y) -> int",
                   {marked("bar(int y) -> int", 0, 3)});
    expect_refused(subject, "foo(Tensor x,\n    Foo y,\n    int z) -> ()",
                   {marked("    Foo y,", 4, 3)});
  });

  conformance("a_name_is_no_schema_and_a_schema_no_name", {"DSP-312"}, [](Session& subject) {
    expect_error([&] { subject.dispatch().parse("ns::foo.ov"); }, ErrorKind::kError,
                 {"only the operator name was given"});
    expect_error([&] { subject.dispatch().parse("foo() -> ()", "name"); }, ErrorKind::kError,
                 {"function schema was given"});
    expect_equal(subject.dispatch().parse("ns::foo.ov", "either").text, "ns::foo.ov");
    expect_equal(subject.dispatch().parse("foo() -> ()", "either").text, "foo() -> ()");
  });

  conformance("pytorch_makes_the_schema_before_it_reads_on", {"DSP-310"},
              [](Session& subject) {
                expect_refused(subject, "foo(int x=1, int y) -> () z", {"follows default argument"},
                               ErrorKind::kInternal);
              })
      .since(Release::k2_4)
      .only(Deviations::kCompat);
}

}  // namespace assay::suites
