// Helpers for autocast cases.
#include "suites/autocast/casting.hpp"

#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "harness/suite/reading.hpp"

namespace assay::suites {
namespace {

constexpr std::array<std::pair<char, Dtype>, 10> kLetters = {{{'f', Dtype::kFloat32},
                                                              {'h', Dtype::kFloat16},
                                                              {'b', Dtype::kBfloat16},
                                                              {'d', Dtype::kFloat64},
                                                              {'i', Dtype::kInt64},
                                                              {'j', Dtype::kInt32},
                                                              {'o', Dtype::kBool},
                                                              {'c', Dtype::kComplex64},
                                                              {'8', Dtype::kFloat8E5m2},
                                                              {'z', Dtype::kComplex128}}};

constexpr std::string_view kNamespace = "assay_autocast";

/// Whether the key runs between the caller and the backend. A composite operator has its only
/// kernel at an autograd key.
bool is_above_backends(std::string_view key) {
  return key.starts_with("Autograd") || key.starts_with("ADInplaceOrView");
}

bool is_of_autocast(std::string_view key) { return key.starts_with("Autocast"); }

void collect_types(const Value& value, std::vector<Dtype>& types) {
  if (const auto* dtype = value.get_if<Dtype>()) types.push_back(*dtype);
  if (const TensorValue* tensor = value.tensor()) types.push_back(tensor->dtype);
  if (const auto* list = value.get_if<List>()) {
    for (const Value& item : list->items) collect_types(item, types);
  }
}

const Value* entry(const Dict& dict, std::string_view name) {
  for (const auto& [key, value] : dict.items) {
    const auto* text = key.get_if<std::string>();
    if (text != nullptr && *text == name) return &value;
  }
  return nullptr;
}

std::string text_entry(const Dict& dict, std::string_view name) {
  const Value* value = entry(dict, name);
  if (value == nullptr) return {};
  const auto* text = value->get_if<std::string>();
  return text == nullptr ? std::string() : *text;
}

}  // namespace

Target target_of(const Session& subject) {
  const Device device = subject.device();
  if (device.type == "cpu") return cpu_target();
  const bool is_bfloat = device.type == "hpu" || device.type == "xla" || device.type == "maia";
  if (is_bfloat) return {device.type, Dtype::kBfloat16, Dtype::kFloat16, device};
  return {device.type, Dtype::kFloat16, Dtype::kBfloat16, device};  // CAST-105
}

Target cpu_target() { return {"cpu", Dtype::kBfloat16, Dtype::kFloat16, {"cpu", -1}}; }

std::string third_device(const Target& target) { return target.type == "xpu" ? "hpu" : "xpu"; }

std::string backend_key(const Target& target) {
  static const std::set<std::string> known = {"cpu", "cuda", "xpu", "ipu",  "hpu",
                                              "xla", "mps",  "ve",  "mtia", "maia"};
  if (!known.contains(target.type)) return "PrivateUse1";
  std::string key = target.type;
  for (char& letter : key) letter = static_cast<char>(std::toupper(letter));
  return key;
}

Dtype dtype_of_letter(char letter) {
  for (const auto& [known, dtype] : kLetters) {
    if (known == letter) return dtype;
  }
  throw std::logic_error(std::string("no type has the letter ") + letter);
}

std::string letters_of(const std::vector<Dtype>& types) {
  std::string letters;
  for (const Dtype type : types) {
    char found = '?';
    for (const auto& [letter, dtype] : kLetters) {
      if (dtype == type) found = letter;
    }
    letters += found;
  }
  return letters;
}

TensorValue matrix(const Target& target, Dtype dtype, double value) {
  return of_shape(target, dtype, {1, 1}, value);
}

TensorValue of_shape(const Target& target, Dtype dtype, std::vector<std::int64_t> shape,
                     double value) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return on(shaped(filled(dtype, count, value), std::move(shape)), target.device);
}

std::vector<Value> operands(const Target& target, std::string_view letters,
                            const std::vector<std::int64_t>& shape) {
  std::vector<Value> values;
  for (const char letter : letters) {
    values.emplace_back(of_shape(target, dtype_of_letter(letter), shape));
  }
  return values;
}

void inside(Session& subject, const RegionOptions& options, const std::function<void()>& body) {
  const RegionHandle region = subject.autocast().construct(options);
  region.enter();
  body();
  region.exit();
}

void inside(Session& subject, const Target& target, const std::function<void()>& body) {
  inside(subject, RegionOptions{.device = target.type}, body);
}

std::vector<KernelRun> runs_of(const Value& list) {
  const auto* items = list.get_if<List>();
  if (items == nullptr) throw BadReply("what ran should be a list");
  std::vector<KernelRun> runs;
  for (const Value& item : items->items) {
    const auto* dict = item.get_if<Dict>();
    if (dict == nullptr) throw BadReply("a kernel that ran should be a dict");
    KernelRun run{.op = text_entry(*dict, "op"), .key = text_entry(*dict, "key"), .arguments = {}};
    const Value* arguments = entry(*dict, "arguments");
    const auto* given = arguments == nullptr ? nullptr : arguments->get_if<List>();
    if (given == nullptr) throw BadReply("a kernel that ran should have a list of arguments");
    run.arguments = given->items;
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Dtype> tensor_types(const std::vector<Value>& arguments) {
  std::vector<Dtype> types;
  for (const Value& argument : arguments) collect_types(argument, types);
  return types;
}

Dtype Called::dtype() const { return dtype_of(*subject_, result()); }

std::optional<KernelRun> Called::kernel() const {
  std::optional<KernelRun> last;
  for (KernelRun& run : ran()) {
    if (run.op == op_ && !is_of_autocast(run.key)) last = std::move(run);
  }
  return last;
}

std::string Called::reached() const {
  const std::optional<KernelRun> run = kernel();
  if (!run) throw Unsupported("what ran does not show a kernel of " + op_);
  return letters_of(tensor_types(run->arguments));
}

Called call(Session& subject, const std::string& op, std::vector<Value> args, std::string as) {
  Fields with{{"op", op}, {"args", List{std::move(args)}}};
  return {subject, op, subject.send("dispatch.call", std::move(with), std::move(as))};
}

Ref call_ref(Session& subject, const std::string& op, std::vector<Value> args) {
  Ref name{subject.fresh_name("r")};
  call(subject, op, std::move(args), name.name);
  return name;
}

Called mm(Session& subject, const Value& left, const Value& right) {
  return call(subject, "aten::mm", {left, right});
}

Dtype dtype_of(Session& subject, const Value& value) {
  if (const TensorValue* tensor = value.tensor()) return tensor->dtype;
  if (value.is<Ref>())
    return field_as<Dtype>(subject.send("core.info", {{"tensor", value}}), "dtype");
  throw BadReply("a tensor was expected, not a " + std::string(kind_of(value)));
}

double number_of(Session& subject, const Value& value) {
  if (const TensorValue* tensor = value.tensor()) return tensor->real_at(0);
  if (value.is<Ref>()) return subject.core().read(value).real_at(0);
  throw BadReply("a tensor was expected, not a " + std::string(kind_of(value)));
}

std::int64_t conversions(Session& subject, const std::function<void()>& body) {
  const std::int64_t before = subject.autocast().stat("conversions");
  body();
  return subject.autocast().stat("conversions") - before;
}

std::vector<Value> on_thread(Session& subject, const std::string& thread,
                             const std::function<void(Session&)>& program) {
  std::vector<Value> results;
  for (const Reply& reply : subject.on(thread, subject.block(program))) {
    const Value* found = reply.ok.find("result");
    results.push_back(found == nullptr ? Value() : *found);
  }
  return results;
}

std::vector<KernelRun> traced(Session& subject, const std::function<void(Session&)>& program) {
  const std::string trace = subject.fresh_name("trace");
  Command enter;
  enter.verb = "dispatch.trace";
  enter.as = trace;
  const std::vector<Reply> replies = subject.scope({enter}, subject.block([&](Session& inner) {
    program(inner);
    inner.send("dispatch.traced", {{"trace", Ref{trace}}});
  }));
  subject.drop(trace);
  return runs_of(field(last_of(replies), "result"));
}

std::vector<std::string> reached_by(const std::vector<KernelRun>& runs, std::string_view op) {
  std::vector<std::string> above;
  std::vector<std::string> words;
  for (const KernelRun& run : runs) {
    if (run.op != op || is_of_autocast(run.key)) continue;
    (is_above_backends(run.key) ? above : words).push_back(letters_of(tensor_types(run.arguments)));
  }
  return words.empty() ? above : words;
}

std::string only_word(const std::vector<std::string>& words, Where where) {
  expect_equal(static_cast<std::int64_t>(words.size()), 1, where);
  return words.front();
}

void expect_dtype(Session& subject, const Value& value, Dtype wanted, Where where) {
  expect_equal(dtype_of(subject, value), wanted, where);
}

std::string define(Session& subject, const Target& target, const OwnOp& op) {
  const Ref library{subject.fresh_name("library")};
  subject.send("dispatch.library", {{"kind", "FRAGMENT"}, {"namespace", std::string(kNamespace)}},
               library.name);
  const std::string name =
      std::string(kNamespace) + "::" + op.schema.substr(0, op.schema.find('('));
  subject.send("dispatch.def",
               {{"schema", std::string(kNamespace) + "::" + op.schema}, {"library", library}},
               subject.fresh_name("def"));
  const Ref kernel{subject.fresh_name("kernel")};
  subject.send("dispatch.kernel", op.kernel, kernel.name);
  Fields impl{{"op", name}, {"kernel", kernel}, {"library", library}};
  impl.set("key", op.key.empty() ? backend_key(target) : op.key);
  subject.send("dispatch.impl", std::move(impl), subject.fresh_name("impl"));
  return name;
}

Fields calling(Session& subject, const std::function<void(Session&)>& program) {
  const Callable callable = subject.callback(subject.fresh_name("code"), subject.block(program));
  return {{"behaviour", "callback"}, {"call", callable}};
}

std::int64_t depth(Session& subject) {
  const std::int64_t deeper = subject.autocast().nesting(1);
  subject.autocast().nesting(-1);
  return deeper - 1;
}

}  // namespace assay::suites
