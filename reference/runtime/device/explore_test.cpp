// What is no litmus program. What programs may show is a matter of the litmus rows, and of random
// programs against the axioms.
#include "reference/runtime/device/explore.hpp"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

TEST(LitmusProgramTest, says_what_is_wrong_with_a_text) {
  for (const char* text : {"st(S0,x)", "st(S0,x,y)", "jump(S0)", "st(X0,x,1)", "get(h)", "k(S0",
                           "alias(a,b); alias(b,a); k(a)"}) {
    EXPECT_THROW(read_litmus_program(text), BadLitmusProgram) << text;
  }
}

}  // namespace
}  // namespace assay::reference
