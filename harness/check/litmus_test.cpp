// Tests of the language of litmus programs: valid programs and error messages.
#include "harness/check/litmus.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"

namespace assay::litmus {
namespace {

std::string complaint(std::string_view text) {
  return error_of<BadProgram>([&] { parse(text); }, "none");
}

TEST(Litmus, WritesWhatItHasRead) {
  for (const char* text :
       {"st(S0,x,1); rec(e,S0); wait(e,S1@1); ld(S1@1,x)", "syncd; syncd(1); qs(P); k(L)",
        "A: gate(S0,g); signal(h); B: await(h); open(g)",
        "pinned(h,-3); pageable(i,1); h2d(S0,x,h); h2d_async(S0,x,i); d2h(S0,h,x); "
        "d2h_async(S0,i,x); set(h,2); get(h); alias(S1,S0)"}) {
    EXPECT_EQ(to_text(parse(text)), text);
  }
}

TEST(Litmus, ReadsLinesCommentsAndThreadsThatGoOn) {
  const Program program =
      parse("# two threads\nA: k(S0) # first\n\n k( S1 ) ;\nB:\nk(B0)\nA: syncd");

  EXPECT_EQ(to_text(program), "A: k(S0); k(S1); syncd; B: k(B0)");
  EXPECT_EQ(program.device_operations(), 3u);
}

TEST(Litmus, SaysWhatAStreamIs) {
  const Program program = parse("k(S0@2); k(B1); k(Lg); k(P)");
  const auto stream = [&](std::size_t i) { return program.operations()[i]->stream; };

  EXPECT_EQ(stream(0).kind, StreamKind::kNonBlocking);
  EXPECT_EQ(stream(0).device, 2);
  EXPECT_EQ(stream(1).kind, StreamKind::kBlocking);
  EXPECT_EQ(stream(2).kind, StreamKind::kLegacy);
  EXPECT_EQ(stream(3).kind, StreamKind::kPerThread);
}

TEST(Litmus, SaysWhatItDoesNotUnderstand) {
  EXPECT_EQ(complaint("k(S0)\nwiat(e,S1)").substr(0, 48),
            "line 2, 'wiat(e,S1)': 'wiat' is not an operation");
  EXPECT_EQ(complaint("st(S0,x)"), "line 1, 'st(S0,x)': 'st' takes 3 arguments, not 2");
  EXPECT_EQ(complaint("k(S0"), "line 1, 'k(S0': expected ')' at its end");
  EXPECT_EQ(complaint("k(X0)"),
            "line 1, 'k(X0)': expected a stream, whose name begins with S (non-blocking), B "
            "(blocking), L (legacy) or P (the thread's default), not 'X0'");
  EXPECT_EQ(complaint("st(S0,x,one)"),
            "line 1, 'st(S0,x,one)': expected a whole number, not 'one'");
  EXPECT_EQ(complaint("k(S0@x)"), "line 1, 'k(S0@x)': expected the number of a device, not 'x'");
  EXPECT_EQ(complaint("q(1e)"), "line 1, 'q(1e)': expected a name, not '1e'");
  EXPECT_EQ(complaint(" # nothing"), "a program needs an operation");
}

TEST(Litmus, RefusesWhatDoesNotFitTogether) {
  EXPECT_EQ(complaint("gate(S0,g); gate(S1,g); open(g)"), "gate 'g' is put into a stream twice");
  EXPECT_EQ(complaint("open(g)"), "no gate 'g' is in any stream");
  EXPECT_EQ(complaint("pinned(h,1); pageable(h,1)"), "host buffer 'h' is declared twice");
  EXPECT_EQ(complaint("get(h)"),
            "host buffer 'h' is not declared: pinned(h,0) or pageable(h,0) does that");
  EXPECT_EQ(complaint("alias(S0,S1); alias(S1,S0); k(S0)"), "stream 'S0' is an alias of itself");
}

TEST(Litmus, ReadsOutcomes) {
  EXPECT_EQ(parse_outcome(" 0 1  -2 "), (Outcome{0, 1, -2}));
  EXPECT_EQ(parse_outcome(""), Outcome{});
  EXPECT_THROW(parse_outcome("0,1"), BadProgram);
}

}  // namespace
}  // namespace assay::litmus
