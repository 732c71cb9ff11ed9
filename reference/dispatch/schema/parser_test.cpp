// Schemas: parsing, and printing them again.
#include <gtest/gtest.h>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {
namespace {

std::string again(std::string_view text) { return to_text(parse_schema(text, {})); }

TEST(SchemaParser, writes_what_it_has_read) {
  for (const char* text : {
           "aten::sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> "
           "Tensor(a!)",
           "foo(int[2] x=1, Device d=\"cuda:1\", Tensor(a)[](b!)? y=None) -> (Tensor, int[])",
           "foo(Tensor! x, Dict(str, Tensor[]) y, ...) -> ((Tensor, int))",
           "foo(float x=-0., complex y=0.-1.5j, str z=\"a\\\"b\\n\") -> ...",
       }) {
    EXPECT_EQ(again(text), text);
  }
}

TEST(SchemaParser, points_at_the_word_that_it_refuses) {
  try {
    parse_schema("foo(Tensor x,\n    ) -> Tensor", {});
    FAIL() << "a trailing comma was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kSchema);
    EXPECT_EQ(error.message(),
              "expected ident but found ')' here:\n    ) -> Tensor\n    ~ <--- HERE");
  }
}

}  // namespace
}  // namespace assay::reference
