// What the copy of a program looks like.
#include "harness/perturb/changes.hpp"

#include <gtest/gtest.h>

#include "harness/perturb/rewrite.hpp"
#include "harness/protocol/json.hpp"

namespace assay {
namespace {

SubjectInfo two_devices() {
  SubjectInfo info;
  info.devices = {{"cpu", -1}, {"cuda", 0}, {"cuda", 1}};
  info.areas = {"amp", "autograd", "core", "scaler"};
  info.threads = true;
  return info;
}

std::vector<Exchange> program_of(const std::vector<std::string>& commands) {
  std::vector<Exchange> program;
  for (const std::string& text : commands) {
    program.push_back({command_from_json(text), Reply::make_ok()});
  }
  return program;
}

std::vector<std::string> sent(const std::vector<std::string>& commands, const Changes& changes) {
  std::vector<std::string> texts;
  for (const Step& step : changed(program_of(commands), changes, two_devices())) {
    texts.push_back(to_json(step.command));
  }
  return texts;
}

std::string borne(const std::vector<std::string>& commands) {
  return names_of(borne_by(program_of(commands), two_devices()));
}

using Texts = std::vector<std::string>;

TEST(Copy, FollowsTheProgramAndHasNamesOfItsOwn) {
  EXPECT_EQ(sent({R"({"do":"scaler.new","as":"s"})",
                  R"({"do":"drop","with":{"object":{"ref":"s.scale"}}})"},
                 {.beside = true}),
            (Texts{R"({"do":"scaler.new","as":"s"})", R"({"do":"scaler.new","as":"s-copy"})",
                   R"({"do":"drop","with":{"object":{"ref":"s.scale"}}})",
                   R"({"do":"drop","with":{"object":{"ref":"s-copy.scale"}}})"}));
}

TEST(Copy, KeepsTheNamesThatTheProgramDoesNotGive) {
  EXPECT_EQ(sent({R"({"do":"value","with":{"value":{"callable":"relu"}}})"}, {.thread = true}),
            Texts{R"({"do":"on","with":{"thread":"copy"},"body":[)"
                  R"({"do":"value","with":{"value":{"callable":"relu"}}}]})"});
}

TEST(Copy, NamesItsThreadsAndTheThingsInTheirBlocks) {
  EXPECT_EQ(sent({R"({"do":"on","with":{"thread":"t"},"body":[{"do":"scaler.new","as":"s"}]})"},
                 {.thread = true}),
            Texts{R"({"do":"on","with":{"thread":"copy"},"body":[{"do":"on","with":)"
                  R"({"thread":"t-copy"},"body":[{"do":"scaler.new","as":"s-copy"}]}]})"});
}

TEST(Copy, UsesTheSecondDeviceForTheFirstOnAllItsThreads) {
  EXPECT_EQ(sent({R"({"do":"on","with":{"thread":"t"},"body":[{"do":"core.set_device",)"
                  R"("with":{"device":{"device":"cuda:1"}}}]})"},
                 {.device = true}),
            (Texts{R"({"do":"core.set_device","with":{"device":{"device":"cuda:1"}}})",
                   R"({"do":"on","with":{"thread":"t-copy"},"body":[)"
                   R"({"do":"core.set_device","with":{"device":{"device":"cuda:1"}}}]})",
                   R"({"do":"on","with":{"thread":"t-copy"},"body":[)"
                   R"({"do":"core.set_device","with":{"device":{"device":"cuda:0"}}}]})"}));
}

TEST(Copy, NamesTheDeviceWhereTheFirstIsMeant) {
  EXPECT_EQ(sent({R"({"do":"amp.update_scale","with":{"scale":{"f":"0x1p+0"}}})"}, {.device = true})
                .back(),
            R"({"do":"amp.update_scale","with":{"scale":{"f":"0x1p+0"},)"
            R"("device":{"device":"cuda:1"}}})");
  const std::string moved = R"({"do":"core.to","with":{"tensor":{"ref":"t"}}})";
  EXPECT_EQ(sent({moved}, {.device = true}).back(), moved);
}

TEST(Copy, HasGradientsOffForEachCommand) {
  EXPECT_EQ(sent({R"({"do":"scaler.new","as":"s"})"}, {.no_grad = true}),
            Texts{R"({"do":"scope","enter":[{"do":"autograd.grad_mode","with":{"value":false}}],)"
                  R"("body":[{"do":"scaler.new","as":"s-copy"}]})"});
}

TEST(Copy, ExpectsTheRepliesWithItsNamesAndDevices) {
  Reply reply = Reply::make_ok({{"result", Ref{"t"}}, {"device", Device{"cuda", 1}}});
  reply.warnings.push_back({"UserWarning", "once"});
  const std::vector<Exchange> program{
      {command_from_json(R"({"do":"core.empty","as":"t"})"), reply}};

  const auto steps = changed(program, {.beside = true, .device = true}, two_devices());

  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[1].wanted.warnings.size(), 1U);
  EXPECT_TRUE(steps[2].wanted.warnings.empty());
  EXPECT_EQ(steps[2].wanted.ok.find("result")->get_if<Ref>()->name, "t-copy");
  EXPECT_EQ(*steps[2].wanted.ok.find("device")->get_if<Device>(), (Device{"cuda", 0}));
}

TEST(Changes, AreWhatTheProgramBears) {
  EXPECT_EQ(borne({R"({"do":"scaler.new","as":"s"})"}), "beside thread device no_grad");
  EXPECT_EQ(borne({R"({"do":"autocast.set_enabled","with":{"value":true}})"}),
            "beside thread device no_grad");
  EXPECT_EQ(borne({R"({"do":"dispatch.keys"})"}), "thread device");
  EXPECT_EQ(borne({R"({"do":"dispatch.events","with":{"trace":{"ref":"t"}}})"}), "device");
  EXPECT_EQ(borne({R"({"do":"core.device","with":{"text":"cuda:0"}})"}), "beside thread no_grad");
  EXPECT_EQ(borne({R"({"do":"core.backward","with":{"tensor":{"ref":"t"}}})"}),
            "beside thread device");
  EXPECT_EQ(borne({R"({"do":"reset"})"}), "");
  EXPECT_EQ(borne({R"({"do":"drop","with":{"object":{"ref":"t~3"}}})"}), "");
}

TEST(Changes, DependOnTheSubject) {
  const auto program = program_of({R"({"do":"autocast.set_enabled","with":{"value":true}})"});
  SubjectInfo info = two_devices();

  info.threads = false;
  EXPECT_EQ(names_of(borne_by(program, info)), "device no_grad");
  info.devices.pop_back();
  EXPECT_EQ(names_of(borne_by(program, info)), "no_grad");
  info.areas = {"autocast"};
  EXPECT_EQ(names_of(borne_by(program, info)), "");
}

TEST(Changes, AreTriedOneByOneOnlyWhereOneIsBorne) {
  const auto program = program_of({R"({"do":"autocast.set_enabled","with":{"value":true}})"});
  std::vector<std::string> names;
  for (const Changes& one : each_of(borne_by(program, two_devices()), program)) {
    names.push_back(names_of(one));
  }

  EXPECT_EQ(names, (Texts{"beside thread", "thread", "device", "no_grad"}));
}

TEST(Rewrite, ReachesNamesAndDevicesOfEveryKindOfValue) {
  const std::string text =
      R"({"do":"value","with":{"value":[{"tuple":[{"ref":"a"}]},)"
      R"({"dict":[["k",{"callable":"a"}]]},{"device":"cuda:0"},"cuda:0","cuda"]}})";
  Rewrite rewrite;
  rewrite.name = [](const std::string& name) { return name + "2"; };
  rewrite.device = [](const Device&) { return Device{"cuda", 7}; };

  EXPECT_EQ(to_json(rewritten(command_from_json(text), rewrite)),
            R"({"do":"value","with":{"value":[{"tuple":[{"ref":"a2"}]},)"
            R"({"dict":[["k",{"callable":"a2"}]]},{"device":"cuda:7"},"cuda:7","cuda"]}})");
}

}  // namespace
}  // namespace assay
