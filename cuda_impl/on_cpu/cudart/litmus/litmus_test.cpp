// The outcomes of litmus programs on the simulated machine.
#include <gtest/gtest.h>

#include <string>

#include "cuda_impl/on_cpu/cudart/controls.h"
#include "cuda_impl/on_cpu/cudart/litmus/explore.hpp"

namespace {

using namespace assay::cuda::on_cpu::litmus;

using Observed = std::set<std::vector<std::int64_t>>;

Outcomes outcomes(const std::string& program) { return explore(read_program(program)); }
Observed observed(const std::string& program) { return outcomes(program).observed; }

std::string complaint(const std::string& program) {
  try {
    read_program(program);
  } catch (const BadProgram& bad) {
    return bad.what();
  }
  return "none";
}

TEST(LitmusOutcomes, OrderIsWhatAnEventEstablishes) {
  EXPECT_EQ(observed("st(S0,x,1); ld(S1,x)"), (Observed{{0}, {1}}));
  EXPECT_EQ(observed("st(S0,x,1); rec(e,S0); wait(e,S1); ld(S1,x)"), (Observed{{1}}));
  EXPECT_EQ(observed("st(S0@1,x,1); rec(e,S0@1); wait(e,S1); ld(S1,x)"), (Observed{{1}}));
  EXPECT_EQ(observed("wait(e,S1); st(S0,x,1); rec(e,S0); ld(S1,x)"), (Observed{{0}, {1}}));
}

TEST(LitmusOutcomes, TheLegacyStreamOrdersBlockingStreamsOfItsDevice) {
  EXPECT_EQ(observed("st(B0,x,1); ld(L,x)"), (Observed{{1}}));
  EXPECT_EQ(observed("st(P,x,1); ld(L,x)"), (Observed{{1}}));
  EXPECT_EQ(observed("st(B0@1,x,1); ld(L,x)"), (Observed{{0}, {1}}));
  EXPECT_EQ(observed("st(S0,x,1); ld(L,x)"), (Observed{{0}, {1}}));
}

TEST(LitmusOutcomes, QueriesShowEveryMomentAndNeverGoBack) {
  EXPECT_EQ(observed("rec(e,S0); q(e); q(e)"), (Observed{{0, 0}, {0, 1}, {1, 1}}));
  EXPECT_EQ(observed("rec(e,S0); rec(f,S0); q(f); q(e)"), (Observed{{0, 0}, {0, 1}, {1, 1}}));
  EXPECT_EQ(observed("k(S0); sync(e); q(e); qs(S0)"), (Observed{{1, 0}, {1, 1}}));
}

TEST(LitmusOutcomes, ThreadsInterleave) {
  EXPECT_EQ(observed("A: st(S0,x,1); B: st(S0,x,2); A: ld(S0,x)"), (Observed{{1}, {2}}));
  EXPECT_EQ(observed("A: st(P,x,1); signal(h); B: await(h); ld(P,x)"), (Observed{{0}, {1}}));
  EXPECT_EQ(observed("A: st(S0,x,1); syncs(S0); signal(h); B: await(h); ld(S1,x)"),
            (Observed{{1}}));
  // The values of thread A come first, wherever they are written.
  EXPECT_EQ(observed("A: signal(h)\nB: await(h); q(e)\nA: st(S0,x,7); ld(S0,x)"),
            (Observed{{7, 1}}));
}

TEST(LitmusOutcomes, CopiesReadPageableMemoryAtTheCallAndPinnedMemoryLater) {
  EXPECT_EQ(observed("pageable(h,1); h2d_async(S0,x,h); set(h,2); ld(S0,x)"), (Observed{{1}}));
  EXPECT_EQ(observed("pinned(h,1); h2d_async(S0,x,h); set(h,2); ld(S0,x)"), (Observed{{1}, {2}}));
  EXPECT_EQ(observed("pinned(h,1); h2d(S0,x,h); set(h,2); ld(S0,x)"), (Observed{{1}}));
  EXPECT_EQ(observed("pinned(h,0); st(S0,x,1); d2h_async(S0,h,x); get(h)"), (Observed{{0}, {1}}));
  EXPECT_EQ(observed("pageable(h,0); st(S0,x,1); d2h_async(S0,h,x); get(h)"), (Observed{{1}}));
}

TEST(LitmusOutcomes, WhatNobodyOpensHangs) {
  EXPECT_TRUE(outcomes("gate(S0,g); syncs(S0); open(g)").hangs);
  EXPECT_TRUE(outcomes("gate(S0@1,g); syncd(1); open(g)").hangs);
  EXPECT_FALSE(outcomes("gate(S0@1,g); syncd; open(g)").hangs);
  EXPECT_TRUE(outcomes("A: await(h); k(S0)").hangs);
  EXPECT_TRUE(observed("gate(S0,g); syncs(S0); open(g); q(e)").empty());
}

TEST(LitmusOutcomes, AnAliasIsTheSameStream) {
  EXPECT_EQ(observed("alias(b,a); alias(a,S0); st(S0,x,1); ld(b,x)"), (Observed{{1}}));
}

TEST(LitmusOutcomes, AnythingElseIsRefusedByName) {
  EXPECT_EQ(complaint("k(S0"), "cannot read 'k(S0'");
  EXPECT_EQ(complaint("k(S0); jump(S0)"), "there is no operation 'jump'");
  EXPECT_EQ(complaint("st(S0,x)"), "'st' takes 3 arguments");
  EXPECT_EQ(complaint("st(S0,x,one)"), "'one' is not a number");
  EXPECT_EQ(complaint("k(T0)"), "'T0' is not a stream: its name begins with S, B, L or P");
  EXPECT_EQ(complaint("k(S0@99)"), "there is no device 99");
  EXPECT_EQ(complaint("get(h)"), "'h' was not declared by pinned or pageable");
  EXPECT_EQ(complaint("alias(a,b); alias(b,a); k(a)"), "'a' is an alias of itself");
  EXPECT_EQ(complaint(" ;\n; k(S0) ;"), "none");
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
