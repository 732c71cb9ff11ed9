// Tests of the checker: for each axiom, a program that depends on it.
#include "harness/check/ordering.hpp"

#include <gtest/gtest.h>

#include "harness/check/ordering_axioms.hpp"

namespace assay::litmus {
namespace {

std::string shown(std::string_view program) { return to_text(permitted(parse(program))); }

std::string judged(std::string_view program, const Outcome& seen) {
  const Program parsed = parse(program);
  return judge(parsed, program_order(parsed), seen).value_or("permitted");
}

TEST(HappensBefore, IsClosedAndHasNoCycles) {
  HappensBefore order(100);

  EXPECT_TRUE(order.add(1, 99));
  EXPECT_TRUE(order.add(99, 64));
  EXPECT_TRUE(order.add(0, 1));

  EXPECT_TRUE(order.before(0, 64));
  EXPECT_FALSE(order.before(64, 0));
  EXPECT_FALSE(order.add(64, 0));
  EXPECT_FALSE(order.add(7, 7));
  EXPECT_FALSE(order.before(64, 0));
}

TEST(Ordering, CallsOfAThreadAreInOrderAndThoseOfTwoInAny) {
  EXPECT_EQ(shown("pinned(h,0); set(h,1); get(h)"), "1");
  EXPECT_EQ(shown("pinned(h,0); A: set(h,1); B: get(h)"), "0 | 1");
  EXPECT_EQ(shown("pinned(h,0); A: set(h,1); signal(s); B: await(s); get(h)"), "1");
}

TEST(Ordering, NothingCompletesBeforeItIsSubmitted) {
  EXPECT_EQ(shown("ld(S0,x); syncs(S0); st(S1,x,1)"), "0");
}

TEST(Ordering, OneStreamIsInOrderUnderAllItsNames) {
  EXPECT_EQ(shown("st(S0,x,1); ld(S0,x)"), "1");
  EXPECT_EQ(shown("st(S0,x,1); ld(S1,x)"), "0 | 1");
  EXPECT_EQ(shown("alias(S1,S0); st(S0,x,1); ld(S1,x)"), "1");
  EXPECT_EQ(shown("alias(S2,S1); alias(S1,S0); st(S0,x,1); ld(S2,x)"), "1");
}

TEST(Ordering, AWaitIsForTheNewestVersionThatWasRecordedBeforeIt) {
  EXPECT_EQ(shown("st(S0,x,1); rec(e,S0); wait(e,S1); ld(S1,x)"), "1");
  EXPECT_EQ(shown("wait(e,S1); st(S0,x,1); rec(e,S0); ld(S1,x)"), "0 | 1");
  EXPECT_EQ(shown("st(S0,x,1); rec(e,S0); rec(e,S2); wait(e,S1); ld(S1,x)"), "0 | 1");
}

TEST(Ordering, TheLegacyStreamIsInOrderWithBlockingStreamsOfItsDevice) {
  EXPECT_EQ(shown("st(B0,x,1); ld(L,x)"), "1");
  EXPECT_EQ(shown("st(S0,x,1); ld(L,x)"), "0 | 1");
  EXPECT_EQ(shown("st(L,x,1); ld(B0,x)"), "1");
  EXPECT_EQ(shown("st(B0@1,x,1); ld(L,x)"), "0 | 1");
  EXPECT_EQ(shown("st(B0@1,x,1); ld(L@1,x)"), "1");
  EXPECT_EQ(shown("st(P,x,1); ld(L,x)"), "1");
  EXPECT_EQ(shown("st(B0,x,1); ld(P,x)"), "0 | 1");
}

TEST(Ordering, EachThreadHasADefaultStreamOfItsOwn) {
  EXPECT_EQ(shown("A: st(P,x,1); ld(P,x)"), "1");
  EXPECT_EQ(shown("A: st(P,x,1); signal(s); B: await(s); ld(P,x)"), "0 | 1");
}

TEST(Ordering, TheHostWaitsForWhatItAsksFor) {
  EXPECT_EQ(shown("st(S0,x,1); rec(e,S0); sync(e); ld(S1,x)"), "1");
  EXPECT_EQ(shown("st(S0,x,1); syncs(S0); ld(S1,x)"), "1");
  EXPECT_EQ(shown("st(S0,x,1); syncs(S1); ld(S1,x)"), "0 | 1");
  EXPECT_EQ(shown("st(S0,x,1); syncd; ld(S1,x)"), "1");
  EXPECT_EQ(shown("st(S0,x,1); syncd(1); ld(S1,x)"), "0 | 1");
}

TEST(Ordering, AnAnswerOfAQueryIsAnEdge) {
  EXPECT_EQ(shown("q(e)"), "1");
  EXPECT_EQ(shown("qs(S0)"), "1");
  EXPECT_EQ(shown("st(S0,x,1); rec(e,S0); q(e); ld(S1,x)"), "0 0 | 0 1 | 1 1");
}

TEST(Ordering, AGateWaitsForTheHost) {
  EXPECT_EQ(shown("gate(S0,g); qs(S0); open(g); syncs(S0); qs(S0)"), "0 1");
  EXPECT_EQ(shown("gate(S0,g); qs(S0)"), "hangs");
  EXPECT_EQ(shown("gate(S0,g); syncs(S0); open(g)"), "hangs");
}

TEST(Ordering, AHangMayDependOnWhoIsFirst) {
  EXPECT_EQ(shown("A: gate(S0,g); rec(e,S0); B: sync(e); open(g); q(e)"), "0 | 1, and hangs");
  EXPECT_EQ(shown("A: await(s); B: qs(S0)"), "hangs");
  EXPECT_EQ(shown("A: gate(S0,g); syncs(S0); rec(e,S1); B: sync(e); open(g); qs(S1)"), "0 | 1");
}

TEST(Ordering, StoresHaveOneOrderForAllLoads) {
  EXPECT_EQ(shown("st(S0,x,1); st(S1,x,2); ld(S2,x); ld(S2,x)"),
            "0 0 | 0 1 | 0 2 | 1 1 | 1 2 | 2 1 | 2 2");
  EXPECT_EQ(shown("st(S0,x,1); st(S0,y,1); ld(S1,y); ld(S1,x)"), "0 0 | 0 1 | 1 1");
}

TEST(Ordering, CopiesCarryWhatTheyHaveRead) {
  EXPECT_EQ(shown("pinned(h,1); h2d_async(S0,x,h); set(h,2); ld(S0,x)"), "1 | 2");
  EXPECT_EQ(shown("pageable(h,1); h2d_async(S0,x,h); set(h,2); ld(S0,x)"), "1");
  EXPECT_EQ(shown("pinned(h,1); h2d(S0,x,h); set(h,2); ld(S0,x)"), "1");
  EXPECT_EQ(shown("pinned(h,0); st(S0,x,1); d2h_async(S0,h,x); get(h)"), "0 | 1");
  EXPECT_EQ(shown("pageable(h,0); st(S0,x,1); d2h_async(S0,h,x); get(h)"), "1");
}

TEST(Ordering, ALongSearchIsGivenUp) {
  std::string program;
  for (const char* thread : {"A: ", "B: ", "C: ", "D: "}) {
    program += thread + std::string("k(S0);k(S0);k(S0);k(S0);k(S0);k(S0);");
  }

  EXPECT_THROW(permitted(parse(program)), TooLarge);
}

TEST(Judge, SaysWhichObservationIsWrong) {
  EXPECT_EQ(judged("st(S0,x,1); rec(e,S0); wait(e,S1); ld(S1,x)", {1}), "permitted");
  EXPECT_EQ(judged("st(S0,x,1); rec(e,S0); wait(e,S1); ld(S1,x)", {0}),
            "ld(S1,x), operation 4, read 0, but may only read 1");
  EXPECT_EQ(judged("q(e)", {0}),
            "q(e), operation 1, answered false, although no work had to complete");
  EXPECT_EQ(judged("gate(S0,g); rec(e,S0); q(e); open(g)", {1}),
            "q(e), operation 3, answered true, although rec(e,S0), operation 2, can complete only "
            "later");
  EXPECT_EQ(
      judged("rec(e,S0); q(e); q(e)", {1, 0}),
      "q(e), operation 3, answered false, although rec(e,S0), operation 1, had completed before");
  EXPECT_EQ(judged("q(e)", {}), "it produced 0 values, not 1");
}

TEST(Judge, AcceptsEveryStoreThatIsNotHidden) {
  const char* const race = "st(S0,x,1); st(S0,x,2); st(S1,x,3); ld(S2,x); syncd; ld(S2,x)";
  for (const std::int64_t last : {2, 3}) EXPECT_EQ(judged(race, {0, last}), "permitted");

  EXPECT_EQ(judged(race, {1, 1}), "ld(S2,x), operation 6, read 1, but may only read 2 or 3");
  EXPECT_EQ(judged("pinned(h,0); pinned(i,0); h2d_async(S0,x,h); d2h_async(S1,h,x); ld(S2,x)", {0}),
            "permitted");
}

TEST(Judge, TakesTheCallsInTheOrderThatTheyWereMadeIn) {
  const Program program = parse("A: st(S0,x,1); syncs(S0); B: ld(S1,x)");

  EXPECT_FALSE(judge(program, {0, 1, 2}, {1}));
  EXPECT_TRUE(judge(program, {0, 1, 2}, {0}));
  EXPECT_FALSE(judge(program, {2, 0, 1}, {0}));
}

}  // namespace
}  // namespace assay::litmus
