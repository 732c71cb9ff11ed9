// What is no litmus program, and that a search leaves the running machine alone. What programs may
// show is a matter of the litmus rows, and of random programs against the axioms.
#include <gtest/gtest.h>

#include <string>

#include "cuda_impl/on_cpu/cudart/controls.h"
#include "cuda_impl/on_cpu/cudart/litmus/program.hpp"

namespace {

using namespace assay::cuda::on_cpu::litmus;

std::string complaint(const std::string& program) {
  try {
    read_program(program);
  } catch (const BadProgram& bad) {
    return bad.what();
  }
  return "none";
}

TEST(LitmusProgram, AnythingElseIsRefusedByName) {
  EXPECT_EQ(complaint("k(S0"), "cannot read 'k(S0'");
  EXPECT_EQ(complaint("k(S0); jump(S0)"), "there is no operation 'jump'");
  EXPECT_EQ(complaint("st(S0,x)"), "'st' takes 3 arguments");
  EXPECT_EQ(complaint("st(S0,x,one)"), "'one' is not a number");
  EXPECT_EQ(complaint("k(T0)"), "'T0' is not a stream: its name begins with S, B, L or P");
  EXPECT_EQ(complaint("k(S0@99)"), "there is no device 99");
  EXPECT_EQ(complaint("get(h)"), "'h' was not declared by pinned or pageable");
  EXPECT_EQ(complaint("alias(a,b); alias(b,a); k(a)"), "'a' is an alias of itself");
  EXPECT_EQ(complaint("k(S0) k(S0)"), "cannot read 'k(S0) k(S0)'");
  EXPECT_EQ(complaint("k(S0);\t: k(S0)"), "cannot read ': k(S0)'");
  EXPECT_EQ(complaint("st(S0,x,1234567890123456789)"), "'1234567890123456789' is not a number");
  EXPECT_EQ(complaint("k()"), "'k' takes 1 arguments");
  EXPECT_EQ(complaint(" ;\n; k(S0) ;"), "none");
}

TEST(LitmusProgram, BlanksCommasAndThreadsMayStandAnywhere) {
  EXPECT_EQ(complaint("one :st ( S0 ,x,,-1 ) ;two:\n other:"), "none");
  const Program program = read_program("one: k(S0); k(S0)\n two: k(S1); one: k(P)");
  ASSERT_EQ(program.threads.size(), 2);
  EXPECT_EQ(program.threads[0].size(), 3);
  EXPECT_EQ(program.threads[1].size(), 1);
}

TEST(LitmusProgram, ALongTextIsReadToItsEnd) {
  constexpr std::size_t kLength = 300'000;
  const std::string many(kLength, 'k');
  EXPECT_EQ(complaint(many + "(S0)"), "there is no operation '" + many + "'");
  EXPECT_EQ(complaint("k(" + many), "cannot read 'k(" + many + "'");
  EXPECT_EQ(complaint(std::string(kLength, ' ') + "get(" + many + ")"),
            "'" + many + "' was not declared by pinned or pageable");
}

TEST(LitmusOutcomes, TheRunningMachineIsLeftAlone) {
  assay_cudart_reset();
  assay_cudart_schedule(2, 0);
  ASSERT_EQ(assay_cudart_kernel(nullptr, "waiting", 1, 0), 0);
  EXPECT_STREQ(assay_cudart_permitted("st(L,x,1); ld(L,x)"), "2 0\n1 \n");
  EXPECT_STREQ(assay_cudart_permitted("k(S0"), "error: cannot read 'k(S0'");
  EXPECT_EQ(assay_cudart_pending(), 1);
  assay_cudart_reset();
}

}  // namespace
