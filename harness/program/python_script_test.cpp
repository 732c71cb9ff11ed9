// Tests of scripts for PyTorch: the code for each command, and unsupported commands.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/program/python/script.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::python {
namespace {

using Exchanges = std::vector<std::pair<Command, Reply>>;

Command command(std::string verb, Fields with, std::string as = {}) {
  Command made;
  made.verb = std::move(verb);
  made.with = std::move(with);
  made.as = std::move(as);
  return made;
}

/// The text after the common part of scripts.
std::string body_of(const Exchanges& exchanges) {
  const std::string text =
      script("A title", "known", {Release::k2_11, DeviceRules::kCpu}, exchanges);
  return text.substr(text.rfind("\n\n") + 2);
}

TensorValue half_of(std::vector<std::uint16_t> bits) {
  TensorValue tensor;
  tensor.dtype = Dtype::kFloat16;
  tensor.shape = {static_cast<std::int64_t>(bits.size())};
  tensor.data.resize(bits.size() * 2);
  for (std::size_t i = 0; i < bits.size(); ++i) tensor.set_bits(i, bits[i]);
  return tensor;
}

TEST(PythonScript, NamesWhatIsNamedAndChecksWhatIsReplied) {
  const Exchanges exchanges = {
      {command("core.tensor", {{"value", half_of({0x3c00, 0xfc00, 0x8000})}}, "x"),
       Reply::make_ok({{"result", Ref{"x"}}})},
      {command("core.size", {{"tensor", Ref{"x"}}, {"dim", 0}}), Reply::make_ok({{"result", 3}})}};

  EXPECT_EQ(body_of(exchanges),
            "x = torch.tensor([1.0, -math.inf, -0.0], dtype=torch.float16)\n"
            "check(\"x.size(0)\", x.size(0), 3)\n"
            "sys.exit(1 if differences else 0)\n");
}

TEST(PythonScript, SaysWhoseWordItExpects) {
  const Contract contract{Release::k2_11, DeviceRules::kCpu};

  EXPECT_TRUE(holds(script("A title", "what PyTorch 2.11.0 was recorded to do", contract, {}),
                    "A title.\n\nExpected is what PyTorch 2.11.0 was recorded to do.\n"));
  EXPECT_TRUE(holds(script("A title", "what mine 3 replied", contract, {}),
                    "Expected is what mine 3 replied.\n"));
}

TEST(PythonScript, QuotesEveryTextThatIsNotItsOwn) {
  EXPECT_EQ(in_quotes("a \"\"\" b \\N"), R"("a \"\"\" b \\N")");
  EXPECT_EQ(in_quotes(std::string_view("\r\0\x1b\x7f", 4)), R"("\x0d\x00\x1b\x7f")");
  EXPECT_EQ(in_quotes("\u00e9\u202e\U0001f600"), R"("\xe9\u202e\U0001f600")");
  EXPECT_EQ(in_quotes("\xff"), R"("\ufffd")");

  const std::string text = script("A \"\"\"\nimport os", "what \\N{x} 1\r replied",
                                  {Release::k2_11, DeviceRules::kCpu}, {});
  EXPECT_TRUE(holds(text, R"("""A \"\"\"\nimport os.)")) << text;
  EXPECT_TRUE(holds(text, R"(Expected is what \\N{x} 1\x0d replied.)")) << text;
}

TEST(PythonScript, MakesAVariableOfAnyName) {
  EXPECT_EQ(variable("$0"), "args[0]");
  EXPECT_EQ(variable("$optimizer"), R"(named["optimizer"])");
  EXPECT_EQ(variable("$0] if 0 else x"), R"(named["0] if 0 else x"])");
  EXPECT_EQ(variable("x.scale"), "x__scale");
  EXPECT_EQ(variable("my_list.0"), "my_list__0");
  EXPECT_EQ(variable("a;import os"), "a_import_os_x3bx20_");
  EXPECT_EQ(variable("__import__"), "n__import___nuuuu_");
  for (const char* taken : {"None", "def", "sys", "torch", "differences", "held_in", "eval", "exec",
                            "open", "getattr", "dict"}) {
    const std::string_view mark = std::string_view(taken).find('_') == std::string::npos ? "" : "u";
    EXPECT_EQ(variable(taken), fmt::format("{}_{}_", taken, mark));
  }
}

/// All names of up to five characters of these, and what scripts call their own variables.
TEST(PythonScript, MakesAVariableOfItsOwnOfEachName) {
  std::vector<std::string> names = {""};
  for (std::size_t i = 0; i < names.size() && names[i].size() < 5; ++i) {
    for (const char c : std::string_view("au1_.-#")) names.push_back(names[i] + c);
  }
  std::set<std::string> variables = {"grads_1", "scale_12", "list", "torch", "work_1"};
  const std::size_t others = variables.size();
  for (const std::string& name : names) {
    if (!name.empty()) variables.insert(variable(name));
  }
  EXPECT_EQ(variables.size(), others + names.size() - 1);
}

TEST(PythonScript, LeavesTheCommasOfTextsAlone) {
  const Exchanges exchanges = {
      {command("core.device", {{"text", "(, , )[]{x}"}}), Reply::make_ok({{"text", "cpu"}})}};

  EXPECT_TRUE(holds(body_of(exchanges), R"(str(torch.device("(, , )[]{x}")))"))
      << body_of(exchanges);
}

TEST(PythonScript, RefusesOperatorsAndKeywordsThatAreNoNames) {
  const Contract contract{Release::k2_11, DeviceRules::kCpu};
  for (const char* op : {"aten::mm(x) or print", "a b::mm", "aten::", "::mm", "aten::mm\n",
                         "aten::mm..out", "aten::import"}) {
    const Exchanges exchanges = {
        {command("dispatch.call", {{"op", op}, {"args", List{}}}), Reply::make_ok()}};
    EXPECT_THROW(script("A title", "known", contract, exchanges), NoForm) << op;
  }

  const Exchanges exchanges = {
      {command("scaler.step", {{"scaler", Ref{"s"}},
                               {"optimizer", Ref{"o"}},
                               {"kwargs", Dict{{{Value("x=print(1), y"), Value(1)}}}}}),
       Reply::make_ok()}};
  EXPECT_THROW(script("A title", "known", contract, exchanges), NoForm);
}

TEST(PythonScript, BeginsWithNoMoreThanItUses) {
  const Exchanges exchanges = {
      {command("core.size", {{"tensor", Ref{"x"}}, {"dim", 0}}), Reply::make_ok({{"result", 3}})}};

  const std::string text =
      script("A title", "known", {Release::k2_11, DeviceRules::kCpu}, exchanges);

  for (const char* used :
       {"import math\n", "import sys\n", "import torch\n", "def alike(", "def check("}) {
    EXPECT_TRUE(holds(text, used)) << "lacks " << used << " in\n" << text;
  }
  for (const char* idle :
       {"import copy", "pickle", "ThreadPoolExecutor", "class raises", "def stage_of"}) {
    EXPECT_FALSE(holds(text, idle)) << "has " << idle << " in\n" << text;
  }
}

TEST(PythonScript, LeavesTheDefaultsOfOptimizersToPyTorch) {
  const List params{{Ref{"p"}}};
  const Exchanges exchanges = {
      {command("optim.adam", {{"params", params}, {"decoupled", true}}, "w"), Reply::make_ok()},
      {command("optim.adam", {{"params", params}, {"weight_decay", 0.5}}, "a"), Reply::make_ok()}};

  const std::string body = body_of(exchanges);

  EXPECT_TRUE(holds(body, "w = torch.optim.AdamW([p], foreach=False)\n")) << body;
  EXPECT_TRUE(holds(body, "a = torch.optim.Adam([p], weight_decay=0.5, foreach=False)\n")) << body;
}

TEST(PythonScript, LeavesOutArgumentsThatAreNotGiven) {
  const Exchanges exchanges = {
      {command("core.to", {{"tensor", Ref{"x"}}, {"copy", true}}, "y"), Reply::make_ok()},
      {command("scaler.update", {{"scaler", Ref{"s"}}}), Reply::make_ok()}};

  EXPECT_EQ(body_of(exchanges),
            "y = x.to(copy=True)\n"
            "s.update()\n"
            "sys.exit(1 if differences else 0)\n");
}

TEST(PythonScript, KeepsTheBitsOfAnUnusualNan) {
  const Exchanges exchanges = {
      {command("core.tensor", {{"value", half_of({0x7e01})}}, "x"), Reply::make_ok()}};

  EXPECT_TRUE(
      holds(body_of(exchanges), "torch.tensor([32257], dtype=torch.int16).view(torch.float16)"));
}

TEST(PythonScript, ExpectsErrorsByTheirClass) {
  const Exchanges exchanges = {{command("core.size", {{"tensor", Ref{"x"}}, {"dim", 9}}),
                                Reply::make_error(ErrorKind::kIndex, "no such dimension")}};

  EXPECT_EQ(body_of(exchanges),
            "with raises(IndexError):\n"
            "    x.size(9)\n"
            "sys.exit(1 if differences else 0)\n");
}

TEST(PythonScript, StandsBlocksInsideTheirGuards) {
  Command scope = command("scope", {});
  scope.enter = {command("autocast.region", {{"device", "cpu"}})};
  scope.body = {command("core.op", {{"name", "mm"}, {"args", List{{Ref{"a"}, Ref{"b"}}}}}, "c")};
  Reply reply = Reply::make_ok();
  reply.replies = {Reply::make_ok({{"result", Ref{"c"}}})};

  EXPECT_EQ(body_of({{scope, reply}}),
            "with torch.autocast(\"cpu\"):\n"
            "    c = torch.mm(a, b)\n"
            "sys.exit(1 if differences else 0)\n");
}

TEST(PythonScript, RefusesWhatPythonCannotSayAndNamesIt) {
  const Exchanges no_form = {{command("scaler.move", {{"scaler", Ref{"s"}}}), Reply::make_ok()}};
  const Exchanges no_place = {
      {command("core.size", {{"tensor", Ref{"x"}}, {"dim", 0}, {"new", 1}}), Reply::make_ok()}};

  EXPECT_THROW(
      try { body_of(no_form); } catch (const NoForm& lack) {
        EXPECT_TRUE(holds(lack.what(), "scaler.move"));
        throw;
      },
      NoForm);
  EXPECT_THROW(body_of(no_place), NoForm);
}

const Contract kOnCpu{Release::k2_11, DeviceRules::kCpu};

TEST(PythonBrief, ShowsTheStatementsAndWhatDiffers) {
  const Exchanges exchanges = {
      {command("scaler.new", {{"init_scale", 4.0}}, "s"), Reply::make_ok({{"result", Ref{"s"}}})},
      {command("scaler.get_scale", {{"scaler", Ref{"s"}}}), Reply::make_ok({{"result", 4.0}})},
      {command("scaler.get_scale", {{"scaler", Ref{"s"}}}), Reply::make_ok({{"result", 2.0}})}};
  const Reply got = Reply::make_ok({{"result", 4.0}});

  EXPECT_EQ(brief(kOnCpu, exchanges, got, {"result", "2", "4", ""}),
            "s = torch.amp.GradScaler(init_scale=4.0)\n"
            "s.get_scale()\n"
            "s.get_scale()  # 2.0, got 4.0\n");
}

TEST(PythonBrief, ShowsTheFieldThatDiffersOnItsOwnLine) {
  const Fields with = {{"scale", 4.0},  {"tracker", 1},   {"found_inf", 0.0},
                       {"growth", 2.0}, {"backoff", 0.5}, {"interval", 2}};
  const Exchanges exchanges = {
      {command("amp.update_scale", with),
       Reply::make_ok({{"scale", 8.0}, {"tracker", 0}, {"found_inf", 0.0}})}};
  const Reply got = Reply::make_ok({{"scale", 8.0}, {"tracker", 2}, {"found_inf", 0.0}});

  const std::string text = brief(kOnCpu, exchanges, got, {"tracker", "0", "2", ""});

  EXPECT_TRUE(holds(text, "2.0, 0.5, 2)\ntracker_2.item()  # 0, got 2\n")) << text;
  EXPECT_FALSE(holds(text, "scale_1.item()"));
}

TEST(PythonBrief, ShowsErrorsWhereTheyBelong) {
  const Reply refused = Reply::make_error(ErrorKind::kIndex, "no");
  const Exchanges exchanges = {{command("core.size", {{"tensor", Ref{"x"}}, {"dim", 7}}), refused},
                               {command("core.size", {{"tensor", Ref{"x"}}, {"dim", 8}}), refused}};

  EXPECT_EQ(brief(kOnCpu, exchanges, Reply::make_ok({{"result", 3}}),
                  {"the answer", "error index: no", "ok", ""}),
            "with contextlib.suppress(IndexError):\n"
            "    x.size(7)\n"
            "x.size(8)  # error index: no, got ok\n");
}

TEST(PythonBrief, PutsLongValuesOnALineOfTheirOwnAndLongerOnesInWords) {
  const auto text_with = [](std::size_t count) {
    const Exchanges exchanges = {
        {command("core.detach", {{"tensor", Ref{"x"}}}, "y"),
         Reply::make_ok({{"result", half_of(std::vector<std::uint16_t>(count, 0x3c00))}})}};
    const Reply got =
        Reply::make_ok({{"result", half_of(std::vector<std::uint16_t>(count, 0x4000))}});
    return brief(kOnCpu, exchanges, got, {"element [0]", "one", "two\n", ""});
  };

  EXPECT_EQ(text_with(2),
            "y = x.detach()\ny\n# torch.tensor([1.0, 1.0], dtype=torch.float16), got "
            "torch.tensor([2.0, 2.0], dtype=torch.float16)\n");
  EXPECT_EQ(text_with(100), "y = x.detach()  # one, got two\\n\n");
}

TEST(PythonBrief, HasNoFormWhereAScriptHasNone) {
  const Exchanges exchanges = {{command("dispatch.call", {}), Reply::make_ok({{"result", 1}})}};

  EXPECT_THROW(brief(kOnCpu, exchanges, Reply::make_ok({}), {}), NoForm);
}

TEST(PythonScript, MakesALossScaleOfAGradScaler) {
  const Exchanges exchanges = {{command("loss_scale.new",
                                        {{"scale", 4.0},
                                         {"growth_factor", 2.0},
                                         {"backoff_factor", 0.5},
                                         {"growth_interval", 1}},
                                        "one"),
                                Reply::make_ok({{"result", Ref{"one"}}})},
                               {command("loss_scale.update", {{"loss_scale", Ref{"one"}},
                                                              {"overflows", List{{true, false}}}}),
                                Reply::make_ok({{"scales", List{{2.0, 4.0}}}})}};

  EXPECT_TRUE(body_of(exchanges).starts_with(
      "one = LossScale(4.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=1)\n"))
      << body_of(exchanges);
  EXPECT_TRUE(holds(body_of(exchanges), "[one.step(overflow) for overflow in [True, False]]"))
      << body_of(exchanges);
  EXPECT_TRUE(holds(script("A title", "known", {Release::k2_11, DeviceRules::kCpu}, exchanges),
                    "class LossScale:\n"));
}

TEST(PythonScript, HasNoFormForALossScaleThatPyTorchLacks) {
  const Exchanges exchanges = {{command("loss_scale.new",
                                        {{"scale", 4.0},
                                         {"growth_factor", 2.0},
                                         {"backoff_factor", 0.5},
                                         {"growth_interval", 1},
                                         {"floor", 1.0}},
                                        "one"),
                                Reply::make_ok({{"result", Ref{"one"}}})}};

  EXPECT_THROW(body_of(exchanges), NoForm);
}

}  // namespace
}  // namespace assay::python
