// Tests that messages survive conversion to JSON, and that malformed ones are rejected.
#include "harness/protocol/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

double nan_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }

TensorValue f32(std::vector<std::int64_t> shape, std::vector<std::uint8_t> data) {
  TensorValue tensor;
  tensor.shape = std::move(shape);
  tensor.data = std::move(data);
  return tensor;
}

TensorValue strided() {
  TensorValue tensor = f32({2, 1}, {0, 0, 0x80, 0x7f, 1, 0, 0, 0x80});
  tensor.strides = {3, 7};
  tensor.device = {"cuda", 1};
  return tensor;
}

TensorValue by_recipe() {
  TensorValue tensor = f32({1 << 20}, {});
  tensor.recipe = Recipe{Recipe::Kind::kHash, UINT64_MAX, 1ull << 63, {{7, 0x7c00}}};
  return tensor;
}

TensorValue by_digest() {
  TensorValue tensor = f32({8}, {});
  tensor.digest = Digest{4, {0, 0xffffffff}};
  return tensor;
}

TensorValue on_meta() {
  TensorValue tensor = f32({1000000}, {});
  tensor.device = {"meta", -1};
  return tensor;
}

/// One call per value: a single list of them takes minutes to compile with sanitizers.
std::vector<Value> numbers() {
  std::vector<Value> values;
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 53,
                                   (std::int64_t{1} << 53) + 1, INT64_MAX, INT64_MIN}) {
    values.emplace_back(value);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {0.0, -0.0, 1.5, 0.1, infinity, -infinity, 5e-324,
                             -2.2250738585072009e-308, std::numeric_limits<double>::max()}) {
    values.emplace_back(value);
  }
  for (const std::uint64_t bits : {0x7ff8000000000000u, 0xfff8000000000000u, 0x7ff0000000000001u}) {
    values.emplace_back(nan_of(bits));
  }
  values.emplace_back(Complex{-0.0, nan_of(0x7ff8000000000007)});
  return values;
}

std::vector<Value> one_of_each_kind() {
  std::vector<Value> values = numbers();
  values.emplace_back();
  values.emplace_back(true);
  values.emplace_back(false);
  for (const char* text :
       {"", "text \"quoted\" \\ \n\t\x01\x7f", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82"}) {
    values.emplace_back(text);
  }
  values.emplace_back(Dtype::kBfloat16);
  values.emplace_back(Dtype::kFloat8E4m3fn);
  values.emplace_back(Device{"cuda", 3});
  values.emplace_back(Device{"cpu", -1});
  values.emplace_back(Ref{"x.scale"});
  values.emplace_back(List{});
  values.emplace_back(List{{1, List{{"a", None{}}}}});
  values.emplace_back(Tuple{{1, 2.0}});
  values.emplace_back(Tuple{});
  values.emplace_back(Lazy{{1}});
  values.emplace_back(Dict{});
  values.emplace_back(Dict{{{1, "a"}, {Tuple{{1}}, Ref{"x"}}}});
  values.emplace_back(NamedTuple{"Pair", {{"a", 1}, {"b", Device{"cpu", 0}}}});
  values.emplace_back(Generator{{"cuda", 0}, UINT64_MAX});
  values.emplace_back(Callable{"f"});
  values.emplace_back(Opaque{"lazy"});
  for (const TensorValue& tensor : {f32({}, {0, 0, 0x80, 0x3f}), f32({0, 3}, {}), strided(),
                                    by_recipe(), by_digest(), on_meta()}) {
    values.emplace_back(tensor);
  }
  TensorValue indices = f32({1, 1}, {3, 0, 0, 0, 0, 0, 0, 0});
  indices.dtype = Dtype::kInt64;
  values.emplace_back(SparseValue{indices, f32({1}, {0, 0, 0xc0, 0x7f}), {5}, true});
  return values;
}

bool same_recipe(const Value& left, const Value& right) {
  const TensorValue* a = left.tensor();
  const TensorValue* b = right.tensor();
  if (a == nullptr || !a->recipe) return true;
  return b->recipe && a->recipe->kind == b->recipe->kind && a->recipe->start == b->recipe->start &&
         a->recipe->step == b->recipe->step && a->recipe->set == b->recipe->set;
}

Command large_command() {
  Command command;
  command.id = INT64_MIN;
  command.verb = "amp.unscale";
  int number = 0;
  for (const Value& value : one_of_each_kind())
    command.with.set("v" + std::to_string(++number), value);
  command.as = "x";
  command.count = true;
  command.digest = 65536;
  Command inner;
  inner.verb = "value";
  inner.with = {{"value", 1}};
  command.enter = {inner};
  command.body = {inner, inner};
  command.observe = {inner};
  command.threads = {{"a", {inner}}, {"b", {}}};
  return command;
}

Reply large_reply() {
  Reply reply = Reply::make_ok();
  reply.id = INT64_MAX;
  int number = 0;
  for (const Value& value : one_of_each_kind()) reply.ok.set("v" + std::to_string(++number), value);
  reply.warnings = {{"UserWarning", "\"careful\""}, {"", ""}};
  reply.counts = {{"launches", 3}};
  reply.blind = {"same"};
  Reply failed = Reply::make_error(ErrorKind::kDevice, "illegal\naddress");
  failed.error.code = 700;
  reply.replies = {Reply::make_ok(), failed, Reply::make_unsupported("none"),
                   Reply::make_invalid("what?")};
  return reply;
}

TEST(JsonTest, EveryKindOfValueComesBackBitForBit) {
  for (const Value& value : one_of_each_kind()) {
    const std::string text = to_json(value);
    const Value back = value_from_json(text);

    EXPECT_TRUE(identical(back, value)) << text << "\n" << to_json(back);
    EXPECT_TRUE(same_recipe(back, value)) << text;
    EXPECT_EQ(to_json(back), text);
  }
}

TEST(JsonTest, ValuesAreWrittenAsTheDocumentSays) {
  EXPECT_EQ(to_json(Value(1.5)), R"({"f":"0x1.8p+0"})");
  EXPECT_EQ(to_json(Value(-0.0)), R"({"f":"-0x0p+0"})");
  EXPECT_EQ(to_json(Value(nan_of(0x7ff8000000000001))), R"({"f":"nan:7ff8000000000001"})");
  EXPECT_EQ(to_json(Value(std::int64_t{1} << 53)), "9007199254740992");
  EXPECT_EQ(to_json(Value(INT64_MAX)), R"({"i":"9223372036854775807"})");
  EXPECT_EQ(to_json(Value(f32({2}, {0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x7f}))),
            R"({"tensor":{"dtype":"float32","shape":[2],"bits":"3f800000 7f800000"}})");
  EXPECT_EQ(to_json(Value(Dict{{{"a", true}}})), R"({"dict":[["a",true]]})");
}

TEST(JsonTest, OtherWaysOfWritingAreRead) {
  EXPECT_TRUE(identical(value_from_json(" 1.5e0 "), 1.5));
  EXPECT_TRUE(identical(value_from_json("1E-400"), 0.0));
  EXPECT_TRUE(identical(value_from_json("-0"), 0));
  EXPECT_TRUE(
      identical(value_from_json(R"("\u00e9\ud83d\ude42\/\b")"), "\xc3\xa9\xf0\x9f\x99\x82/\b"));
  EXPECT_TRUE(
      identical(value_from_json(R"({"tensor":{"bits":"3F800000","shape":[],"dtype":"float32"}})"),
                f32({}, {0, 0, 0x80, 0x3f})));
}

TEST(JsonTest, CommandsAndRepliesComeBackWhole) {
  const std::string command = to_json(large_command());
  const std::string reply = to_json(large_reply());

  EXPECT_EQ(to_json(command_from_json(command)), command);
  EXPECT_EQ(to_json(reply_from_json(reply)), reply);
  EXPECT_EQ(command.find('\n'), std::string::npos);
}

TEST(JsonTest, TextThatIsNoValueIsMalformed) {
  for (const char* text : {"",
                           " ",
                           "nul",
                           "tru",
                           "01",
                           "-",
                           "1.",
                           "1e",
                           "+1",
                           ".5",
                           "1e400",
                           "99999999999999999999",
                           "\"",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"\\ud800\\u0041\"",
                           "\"\x01\"",
                           "\"\xff\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "[1",
                           "[1,]",
                           "[,1]",
                           "{}",
                           "{\"f\":1}",
                           "{\"f\":\"1.5\"}",
                           "{\"f\":\"0x1\",\"i\":\"1\"}",
                           "{\"i\":\"\"}",
                           "{\"i\":\"9223372036854775808\"}",
                           "{\"what\":1}",
                           "{\"f\" \"0x1\"}",
                           "1 2",
                           "{\"dict\":[[1]]}",
                           "{\"dict\":[[1,2,3]]}",
                           "{\"c\":[\"0x1\"]}",
                           "{\"dtype\":\"float33\"}",
                           "{\"device\":\"cuda:x\"}",
                           "{\"named\":{\"type\":\"a\"}}",
                           "{\"nan:0\":1}",
                           "{\"f\":\"nan:7ff0000000000000\"}",
                           "{\"generator\":{\"device\":\"cpu\",\"seed\":\"-1\"}}"}) {
    EXPECT_THROW(value_from_json(text), MalformedMessage) << text;
  }
}

TEST(JsonTest, TensorsThatDoNotFitTogetherAreMalformed) {
  for (
      const char* body :
      {R"("shape":[1],"bits":"3f800000")", R"("dtype":"float32","bits":"3f800000")",
       R"("dtype":"float32","shape":[1])", R"("dtype":"float32","shape":[2],"bits":"3f800000")",
       R"("dtype":"float32","shape":[-1],"bits":"")",
       R"("dtype":"float32","shape":[1099511627777],"bits":"")",
       R"("dtype":"float32","shape":[4294967296,4294967296],"bits":"")",
       R"("dtype":"float32","shape":[1],"bits":"3f80000g")",
       R"("dtype":"float32","shape":[2],"bits":"3f800000,3f800000")",
       R"("dtype":"float32","shape":[1],"bits":"3f800000 ")",
       R"("dtype":"complex64","shape":[0],"bits":"")",
       R"("dtype":"float32","shape":[1],"strides":[1,1],"bits":"3f800000")",
       R"("dtype":"float32","shape":[1],"stride":[1],"bits":"3f800000")",
       R"("dtype":"float32","shape":[1],"recipe":{"kind":"hash","start":"0"}})",
       R"("dtype":"float32","shape":[1],"recipe":{"kind":"hash","start":"0","step":"1","set":[[1,"0"]]})",
       R"("dtype":"float32","shape":[1],"digest":{"block":0,"crc":[]})",
       R"("dtype":"float32","shape":[1],"digest":{"block":1,"crc":["100000000"]})"}) {
    const std::string text = std::string(R"({"tensor":{)") + body + "}}";
    EXPECT_THROW(value_from_json(text), MalformedMessage) << text;
  }
}

TEST(JsonTest, MalformedMessagesSayWhatWasExpectedAndSeen) {
  const auto complaint = [](const char* text) -> std::string {
    return error_of<MalformedMessage>([&] { command_from_json(text); }, "none");
  };

  EXPECT_EQ(complaint(R"({"do":7})"), "'do' must be a string, not 7}");
  EXPECT_EQ(complaint(R"({"do")"), "not JSON: expected ':' at byte 5, where the text ends");
  EXPECT_EQ(complaint(R"({"do":"a"]})"), "not JSON: expected '}' at byte 9, not ']}'");
  EXPECT_EQ(complaint(R"({"do":"a","with":{"x":{"y":1}}})"), "no value has the tag 'y'");
  EXPECT_EQ(complaint(R"({"do":"a","with":{"x":1,"x":2}})"), "'with' has 'x' twice");
  EXPECT_EQ(complaint(R"({"id":1,"do":"a","id":2})"), "a command has 'id' twice");
  EXPECT_EQ(complaint(R"({"do":"a","do":"b"})"), "a command has 'do' twice");
  std::string many = R"({"do":"a","with":{)";
  for (int i = 0; i <= 1000; ++i) many += "\"x" + std::to_string(i) + "\":1,";
  EXPECT_EQ(complaint(many.c_str()), "'with' has more than 1000 fields");
}

TEST(JsonTest, AMalformedMessageStillTellsItsId) {
  for (const char* text : {R"({"id":7,"do":[]})", R"({"do":[{"id":1}, "]"],"id":7})",
                           R"({"id":7,"do":"a","with":{"x":)"}) {
    try {
      command_from_json(text);
      ADD_FAILURE() << text;
    } catch (const MalformedMessage& malformed) {
      EXPECT_EQ(malformed.id(), 7) << text;
    }
  }
}

TEST(JsonTest, NestingHasALimit) {
  const auto nested = [](int depth) {
    const auto count = static_cast<std::size_t>(depth);
    return std::string(count, '[') + std::string(count, ']');
  };

  EXPECT_NO_THROW(value_from_json(nested(150)));
  EXPECT_THROW(value_from_json(nested(1'000'000)), MalformedMessage);
}

TEST(JsonTest, TextThatIsNotUtf8IsWrittenAsUtf8) {
  const std::string text = to_json(Value(std::string("a\xff\xc3 \xe2\x82")));

  EXPECT_EQ(text, "\"a\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(JsonTest, NamesAndReferencesKeepToTheirGrammar) {
  const auto command = [](const std::string& name) {
    return R"({"do":"value","with":{"value":[{"ref":")" + name + R"("},{"callable":")" + name +
           R"("}]},"as":")" + name + R"("})";
  };
  for (const std::string& name :
       {std::string("x"), std::string("x.scale"), std::string("$0"), std::string("$optimizer"),
        std::string("lent4#1"), std::string("my-tensor_2"), std::string(128, 'x')}) {
    const Command read = command_from_json(command(name));
    EXPECT_EQ(read.as, name);
    EXPECT_EQ(command_from_json(to_json(read)).as, name);
  }

  for (const std::string& name :
       {std::string(), std::string("$"), std::string("$0] if 0 else __import__('os')"),
        std::string("a b"), std::string("x/1"), std::string("$$0"), std::string("\u0000"),
        std::string("\n"), std::string("caf\u00e9"), std::string("x\""), std::string(129, 'x')}) {
    for (const char* part :
         {R"({"do":"value","with":{"value":{"ref":"@"}}})",
          R"({"do":"value","with":{"value":{"callable":"@"}}})", R"({"do":"value","as":"@"})"}) {
      std::string text = part;
      text.replace(text.find('@'), 1, name);
      EXPECT_THROW(command_from_json(text), MalformedMessage) << text;
    }
    std::string reply = R"({"id":1,"ok":{"result":{"ref":"@"}}})";
    reply.replace(reply.find('@'), 1, name);
    EXPECT_THROW(reply_from_json(reply), MalformedMessage) << reply;
  }
}

/// A message with one to three changes: bytes set, removed, duplicated, or copied from elsewhere.
std::string mutated(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min<std::size_t>(1 + below(6), text.size() - at);
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      default:
        text[at] = "{}[]\",:0-\\e"[below(11)];
    }
  }
  return text;
}

TEST(JsonTest, MutatedMessagesAreReadOrMalformedAndNothingElse) {
  std::mt19937_64 random(20240229);
  const std::string command = to_json(large_command());
  const std::string reply = to_json(large_reply());
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = mutated(i % 2 == 0 ? command : reply, random);
    try {
      const std::string again =
          i % 2 == 0 ? to_json(command_from_json(text)) : to_json(reply_from_json(text));
      const std::string back =
          i % 2 == 0 ? to_json(command_from_json(again)) : to_json(reply_from_json(again));
      EXPECT_EQ(back, again) << text;
      ++read;
    } catch (const MalformedMessage&) {
    }
  }

  EXPECT_GT(read, 500) << "the mutations are so coarse that nothing is tested";
}

TEST(ExactTextTest, TextsThatAreNoExactFloatsAreRefused) {
  for (const char* text : {"", "-", "0x", "0xg", "1", "0x1p", "0x1p+1 ", " 0x1", "0x-1", "--0x1p+0",
                           "nan:", "nan:7ff8", "Inf", "infinity", "-nan"}) {
    EXPECT_EQ(exact_from_text(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace assay
