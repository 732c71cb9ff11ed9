// The subject as a client sees it: contracts, names, lifetime, errors, counts.
#include "cuda_impl/subject/subject.hpp"

#include <gtest/gtest.h>

#include "harness/subject/interpreter.hpp"

namespace assay::cuda {
namespace {

Command command(std::string verb, Fields with = {}, std::string as = {}) {
  Command made;
  made.verb = std::move(verb);
  made.with = std::move(with);
  made.as = std::move(as);
  return made;
}

TensorValue bytes(std::vector<std::uint8_t> data, std::vector<std::int64_t> shape) {
  TensorValue value;
  value.dtype = assay::Dtype::kUint8;
  value.shape = std::move(shape);
  value.data = std::move(data);
  return value;
}

class CudaSubjectTest : public testing::Test {
 protected:
  Reply ask(const Command& asked) { return interpreter_.execute(asked); }
  Reply ask(std::string verb, Fields with = {}, std::string as = {}) {
    return ask(command(std::move(verb), std::move(with), std::move(as)));
  }
  Value result(std::string verb, Fields with = {}, std::string as = {}) {
    const Reply reply = ask(std::move(verb), std::move(with), std::move(as));
    EXPECT_TRUE(reply.succeeded()) << reply.reason << reply.error.message;
    const Value* found = reply.ok.find("result");
    return found == nullptr ? Value() : *found;
  }

 private:
  std::unique_ptr<Subject> subject_ = make_subject();
  Interpreter interpreter_{*subject_};
};

TEST_F(CudaSubjectTest, GrantsReleasesDeviationsAndTheRulesOfDevices) {
  const Reply reply =
      ask("hello", {{"release", "1.13"}, {"device_rules", "cpu"}, {"deviations", "compat"}});

  ASSERT_TRUE(reply.succeeded());
  EXPECT_EQ(*reply.ok.find("release")->get_if<std::string>(), "1.13");
  EXPECT_EQ(*reply.ok.find("deviations")->get_if<std::string>(), "compat");
  EXPECT_EQ(*reply.ok.find("device_rules")->get_if<std::string>(), "cpu");
  EXPECT_EQ(reply.ok.find("devices")->get_if<List>()->items.size(), 1U);
  const Reply back = ask("hello", {{"device_rules", "cuda"}});
  EXPECT_EQ(*back.ok.find("device_rules")->get_if<std::string>(), "cuda");
  EXPECT_EQ(ask("hello", {{"release", "0.1"}}).status, Reply::Status::kInvalid);
}

TEST_F(CudaSubjectTest, SaysWhatItLacks) {
  EXPECT_EQ(ask("nothing.here").status, Reply::Status::kUnsupported);
  EXPECT_EQ(ask("core.nothing").reason, "area core has no command core.nothing");
  const Reply reply = ask("core.undefined", {{"colour", "red"}});
  EXPECT_EQ(reply.status, Reply::Status::kUnsupported);
}

TEST_F(CudaSubjectTest, ElementsThatAreTooFewAreTheClientsMistake) {
  const Reply reply = ask("core.tensor", {{"value", bytes({1, 2}, {3})}});

  EXPECT_EQ(reply.status, Reply::Status::kInvalid);
}

TEST_F(CudaSubjectTest, ResetForgetsNamesAndGoesBackToTheFirstDevice) {
  ask("core.tensor", {{"value", bytes({1}, {1})}}, "x");
  ask("core.set_device", {{"device", assay::Device{"cuda", 2}}});

  const Reply reply = ask("reset");

  EXPECT_TRUE(reply.ok.find("uncleaned")->get_if<List>()->items.empty());
  EXPECT_EQ(to_text(*result("core.current_device").get_if<assay::Device>()), "cuda:0");
  EXPECT_EQ(ask("core.read", {{"tensor", Ref{"x"}}}).status, Reply::Status::kInvalid);
}

TEST_F(CudaSubjectTest, MakingArgumentsAndReadingResultsIsNotCounted) {
  Command asked = command("core.item", {{"tensor", bytes({7}, {1})}});
  asked.count = true;

  const Reply reply = ask(asked);

  EXPECT_EQ(*reply.counts.find("host_reads")->get_if<std::int64_t>(), 1);
  EXPECT_EQ(*reply.counts.find("allocations")->get_if<std::int64_t>(), 0);
}

TEST_F(CudaSubjectTest, EventsAreTracedButThoseOfLoops) {
  if (ask("sim.log").status == Reply::Status::kUnsupported) return;  // a GPU has no such log
  const auto traced = [&] {
    return result("sim.log", {{"level", "trace"}}).get_if<List>()->items.size();
  };
  ask("runtime.pool_stream", {}, "stream");
  ask("runtime.event", {}, "event");
  const Fields record{{"event", Ref{"event"}}, {"stream", Ref{"stream"}}};
  ASSERT_TRUE(ask("runtime.record", record).succeeded());
  EXPECT_EQ(traced(), 2U);

  for (const char* loop : {"event", "event_create", "event_record"}) {
    EXPECT_TRUE(ask("bench.run", {{"loop", loop}, {"n", 3}}).succeeded());
    EXPECT_EQ(traced(), 0U) << loop;
  }
  ASSERT_TRUE(ask("runtime.record", record).succeeded());
  EXPECT_EQ(traced(), 1U);
}

}  // namespace
}  // namespace assay::cuda
