// The outcomes of litmus programs, compared with the rows in the specification.
#include "reference/runtime/device/explore.hpp"

#include <gtest/gtest.h>

#include <string>

namespace assay::reference {
namespace {

std::string in_words(const Exploration& found) {
  std::string text;
  for (const LitmusOutcome& outcome : found.outcomes) {
    if (!text.empty()) text += " | ";
    for (std::size_t i = 0; i < outcome.size(); ++i) {
      text += (i == 0 ? "" : " ") + std::to_string(outcome[i]);
    }
  }
  return found.hangs ? text + " hangs" : text;
}

struct Row {
  const char* name;
  const char* program;
  const char* shown;
};

constexpr Row kRows[] = {
    {"LT_01", "q(e)", "1"},
    {"LT_02", "rec(e,S0); q(e)", "0 | 1"},
    {"LT_03", "gate(S0,g); rec(e,S0); q(e); open(g); sync(e); q(e)", "0 1"},
    {"LT_04", "st(S0,x,1); rec(e,S0); wait(e,S1); ld(S1,x)", "1"},
    {"LT_05", "st(S0,x,1); ld(S1,x)", "0 | 1"},
    {"LT_06", "wait(e,S1); st(S0,x,1); rec(e,S0); ld(S1,x)", "0 | 1"},
    {"LT_07", "rec(e,S0); wait(e,S1); gate(S0,g); rec(e,S0); rec(f,S1); sync(f); q(e); open(g)",
     "0"},
    {"LT_08", "rec(e,S0); gate(S0,g); rec(e,S0); wait(e,S1); rec(f,S1); q(f); open(g); sync(f)",
     "0"},
    {"LT_09", "gate(S0,g); rec(e,S0); rec(e,S1); sync(e); q(e); qs(S0); open(g)", "1 0"},
    {"LT_10", "st(S0,x,1); rec(e,S0); wait(e,S1); rec(f,S1); wait(f,S2); ld(S2,x)", "1"},
    {"LT_11", "rec(e,S0); q(e); q(e)", "0 0 | 0 1 | 1 1"},
    {"LT_12", "rec(e,S0); rec(f,S0); q(f); q(e)", "0 0 | 0 1 | 1 1"},
    {"LT_13", "rec(e,S0); rec(f,S0); q(e); q(f)", "0 0 | 0 1 | 1 0 | 1 1"},
    {"LT_14", "gate(S0,g); syncs(S1); qs(S0); open(g); syncs(S0); qs(S0)", "0 1"},
    {"LT_15a", "st(B0,x,1); ld(L,x)", "1"},
    {"LT_15b", "st(S0,x,1); ld(L,x)", "0 | 1"},
    {"LT_16a", "st(L,x,1); ld(B0,x)", "1"},
    {"LT_16b", "st(L,x,1); ld(S0,x)", "0 | 1"},
    {"LT_17a", "st(B0,x,1); k(L); ld(B1,x)", "1"},
    {"LT_17b", "st(B0,x,1); ld(B1,x)", "0 | 1"},
    {"LT_17c", "st(B0,x,1); k(L); ld(S0,x)", "0 | 1"},
    {"LT_18a", "gate(B0,g); rec(e,L); q(e); open(g); sync(e); q(e)", "0 1"},
    {"LT_18b", "gate(S0,g); rec(e,L); sync(e); q(e); qs(S0); open(g)", "1 0"},
    {"LT_19", "gate(S0,g); rec(e,S0); wait(e,L); rec(f,B0); q(f); open(g); sync(f)", "0"},
    {"LT_20", "wait(e,S1); rec(f,S1); wait(f,S0); rec(e,S0); sync(e); q(f)", "1"},
    {"LT_21", "st(S0,x,1); rec(e,S0); wait(e,S0); ld(S0,x)", "1"},
    {"LT_22", "st(S0,x,1); rec(e,S0); sync(e); ld(S1,x)", "1"},
    {"LT_23", "st(S0,x,1); rec(e,S0); q(e); ld(S1,x)", "0 0 | 0 1 | 1 1"},
    {"LT_24", "st(S0,x,1); rec(e,S0); wait(e,S1); st(S1,x,2); syncd; ld(S0,x)", "2"},
    {"LT_25", "alias(b,S0); st(S0,x,1); ld(b,x)", "1"},
    {"LT_26", "gate(S0,g); rec(e,S0); rec(f,S1); wait(e,S1); sync(f); q(f); q(e); qs(S1); open(g)",
     "1 0 0"},
    {"LT_27", "st(S0,x,1); rec(e,S0); wait(e,S1); wait(e,S2); ld(S1,x); ld(S2,x)", "1 1"},
    {"LT_28", "st(S0,x,1); syncd; ld(B0,x)", "1"},
    {"LT_29", "st(S0,x,1); rec(e,S0); st(S0,x,2); wait(e,S1); ld(S1,x)", "1 | 2"},
    {"LT_30", "gate(S0,g); rec(e,S0); sync(e); open(g)", " hangs"},
    {"LT_31",
     "gate(S0,g); rec(e,S0); rec(f,S1); wait(e,S2); wait(f,S2); qs(S2); open(g); syncs(S2); "
     "q(e); q(f)",
     "0 1 1"},
    {"LT_32", "rec(e,S0); syncs(S0); q(e); gate(S0,g); q(e); qs(S0); open(g)", "1 1 0"},
    {"LT_36",
     "A: st(S0,x,1); signal(a)\nB: st(S0,x,2); signal(b)\nC: await(a); await(b); syncd; "
     "ld(S1,x)",
     "1 | 2"},
    {"LT_37", "A: st(S0,x,1); rec(e,S0); signal(h)\nB: await(h); wait(e,S1); ld(S1,x)", "1"},
    {"LT_38", "pinned(h,1); h2d_async(S0,x,h); set(h,2); syncs(S0); ld(S0,x)", "1 | 2"},
    {"LT_39", "pageable(h,1); h2d_async(S0,x,h); set(h,2); syncs(S0); ld(S0,x)", "1"},
    {"LT_40", "pinned(h,0); st(S0,x,1); d2h_async(S0,h,x); get(h); syncs(S0); get(h)", "0 1 | 1 1"},
    {"LT_41", "pinned(h,0); gate(S1,g); d2h(S0,h,x); qs(S1); open(g)", "0"},
    {"threads_have_default_streams_of_their_own", "A: st(P,x,1)\nB: ld(P,x)", "0 | 1"},
    {"default_streams_of_threads_are_blocking", "st(P,x,1); ld(L,x)", "1"},
    {"the_legacy_stream_is_of_one_device", "st(B0@1,x,1); ld(L,x)", "0 | 1"},
    {"an_event_of_another_device_is_waited_for", "st(S0@1,x,1); rec(e,S0@1); wait(e,S0); ld(S0,x)",
     "1"},
    {"another_thread_may_open_a_gate_before_it_closes", "A: gate(S0,g); syncs(S0)\nB: open(g)", ""},
    {"a_sync_follows_the_version_at_its_call",
     "A: rec(e,S0); signal(h); sync(e); q(e)\nB: await(h); gate(S1,g); rec(e,S1)", " hangs"},
};

class Litmus : public testing::TestWithParam<Row> {};

TEST_P(Litmus, shows_exactly_what_is_permitted) {
  const Row& row = GetParam();

  const Exploration found = explore(read_litmus_program(row.program));

  EXPECT_EQ(in_words(found), row.shown) << row.program;
}

INSTANTIATE_TEST_SUITE_P(Rows, Litmus, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(LitmusProgramTest, says_what_is_wrong_with_a_text) {
  for (const char* text : {"st(S0,x)", "st(S0,x,y)", "jump(S0)", "st(X0,x,1)", "get(h)", "k(S0",
                           "alias(a,b); alias(b,a); k(a)"}) {
    EXPECT_THROW(read_litmus_program(text), BadLitmusProgram) << text;
  }
}

}  // namespace
}  // namespace assay::reference
