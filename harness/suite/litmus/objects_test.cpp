// Tests that the streams of litmus programs are made of what a subject offers.
#include "harness/suite/litmus/objects.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/schema.hpp"
#include "harness/suite/litmus/rows.hpp"
#include "harness/suite/scripted_link.hpp"

namespace assay {
namespace {

/// The outcome of a case about a stream that the pool gave twice, where each request makes a new
/// one.
Outcome outcome_without_a_pool(const char* type) {
  Scripted link;
  link.hello.ok.set("devices", List{{Device{type, 0}}});
  std::int64_t streams = 0;
  link.answer = [&](const Command& command) {
    Reply reply = Reply::make_ok();
    for (const std::string& name : required_results(command.verb)) reply.ok.set(name, Value());
    reply.ok.set("id", ++streams);
    return reply;
  };

  return run_once(link,
                  [](Session& session) {
                    const LitmusObjects objects(session, litmus::parse("alias(S1,S0); st(S0,x,1)"));
                  })
      .outcome;
}

TEST(LitmusObjects, ArePoolStreamsThatComeRoundOnCudaAlone) {
  EXPECT_EQ(outcome_without_a_pool("cuda"), Outcome::kFail);
  EXPECT_EQ(outcome_without_a_pool("npu"), Outcome::kUnsupported);
}

}  // namespace
}  // namespace assay
