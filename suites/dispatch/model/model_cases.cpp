// Random registrations over all keys, compared with the model: every slot of the table, and calls
// with random arguments under random thread-local sets.
#include <random>

#include "harness/suite/reading.hpp"
#include "suites/dispatch/model/batch.hpp"
#include "suites/dispatch/model/model.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "random::f";
const std::string kTwo = "random::two";
const char* const kUnary = "Tensor(const Tensor&)";
const char* const kBinary = "Tensor(const Tensor&,const Tensor&)";

const std::vector<std::string> kAliases{"CompositeImplicitAutograd", "CompositeExplicitAutograd",
                                        "Autograd", "CompositeExplicitAutogradNonFunctional",
                                        "CompositeImplicitAutogradNestedTensor"};

/// Keys with the most complex rules; half of all draws use them.
const std::vector<std::string> kCrowded{"CPU",
                                        "CUDA",
                                        "XLA",
                                        "QuantizedCPU",
                                        "SparseCPU",
                                        "SparseCUDA",
                                        "NestedTensorCPU",
                                        "FPGA",
                                        "MkldnnCPU",
                                        "AutogradCPU",
                                        "AutogradCUDA",
                                        "AutogradOther",
                                        "AutogradXLA",
                                        "BackendSelect",
                                        "Tracer",
                                        "ADInplaceOrView",
                                        "PrivateUse1",
                                        "Meta"};

class Trial {
 public:
  Trial(Session& subject, std::uint64_t seed)
      : subject_(subject),
        model_(model_of(subject)),
        random_(seed),
        batch_(subject),
        excluded_by_default_(subject.dispatch().tls().excluded) {
    subject.dispatch().def(kOp + "(Tensor x) -> Tensor");
    subject.dispatch().def(kTwo + "(Tensor x, Tensor y) -> Tensor");
    bare_ = probe(subject, KeyBits{0}).name();
  }

  /// Adds or removes a registration.
  void step() {
    if (!live_.empty() && chance(30)) return take_back();
    if (chance(15)) return add_fallback();
    const std::string key = chance(40) ? pick(kAliases) : any_key();
    const bool falls = chance(15);
    const std::string label = key + "#" + std::to_string(++labels_);
    const TableEntry entry{falls ? TableEntry::Kind::kFallthrough : TableEntry::Kind::kKernel,
                           falls ? "" : label};
    batch_.then([&](Session& s) {
      const DispatchObject kernel = falls ? fallthrough_kernel(s) : boxed_kernel(s, label);
      for (const std::string& op : {kOp, kTwo}) {
        live_.emplace_back(s.dispatch().impl(op, kernel, {.key = key}), model_.add(op, key, entry));
      }
    });
  }

  /// A call with one or two tensors with random keys, sometimes under random thread-local sets.
  void expect_call() {
    CallKeys keys{.args = 0,
                  .included = model_.layout().included_by_default(),
                  .excluded = excluded_by_default_};
    if (chance(40)) {
      keys.included = random_set(static_cast<int>(random_() % 3));
      keys.excluded = random_set(static_cast<int>(random_() % 3));
    }
    const bool two = chance(50);
    std::vector<Value> args;
    for (int i = 0; i < (two ? 2 : 1); ++i) {
      const KeyBits bits = random_set(1 + static_cast<int>(random_() % 3));
      keys.args |= bits;
      batch_.then([&](Session& s) { args.emplace_back(probe(s, bits)); });
    }
    CallOptions how{.boxed = true};
    if (chance(50)) how = {.signature = two ? kBinary : kUnary};
    const std::string& op = two ? kTwo : kOp;
    const std::string words = op + (how.boxed ? " boxed, " : " typed, ") + "arguments " +
                              hex(keys.args) + ", included " + hex(keys.included) + ", excluded " +
                              hex(keys.excluded);
    judge(model_.call(op, keys), words, [&](Session& s) {
      within(
          s, [&](Session& g) { g.dispatch().force(keys.included, keys.excluded); },
          [&](Session& g) { g.dispatch().call(op, args, how); });
    });
  }

  /// Checks all slots with a kernel, and some without, by redispatching to them.
  void expect_table() {
    int errors = 0;
    for (const std::string& key : model_.layout().runtime_keys()) {
      const KeyBits bits = model_.layout().bits_of(key);
      const ExpectedCall wanted = model_.redispatch(kOp, bits);
      if (wanted.error && (chance(70) || ++errors > 6)) continue;
      judge(wanted, "redispatch to " + key, [&](Session& s) {
        within(
            s, [](Session&) {},
            [&](Session& inner) {
              inner.dispatch().call(kOp, {Ref{bare_}}, {.boxed = true, .keys = KeySet(bits)});
            });
      });
    }
  }

  /// Sends the remaining commands, then reports what the subject could not observe.
  void finish() {
    batch_.flush();
    if (blind_) throw Unsupported(*blind_);
  }

 private:
  using Live = std::pair<DispatchObject, int>;

  bool chance(unsigned percent) { return random_() % 100 < percent; }
  const std::string& pick(const std::vector<std::string>& from) {
    return from[static_cast<std::size_t>(random_() % from.size())];
  }
  /// Any key with a slot, except Undefined.
  std::string any_key() {
    if (chance(50)) return pick(kCrowded);
    const auto& keys = model_.layout().runtime_keys();
    return keys[1 + static_cast<std::size_t>(random_() % (keys.size() - 1))];
  }
  KeyBits random_set(int count) {
    KeyBits bits = 0;
    for (int i = 0; i < count; ++i) bits |= model_.layout().bits_of(any_key());
    return bits;
  }

  void take_back() {
    const auto index = static_cast<std::ptrdiff_t>(random_() % live_.size());
    const Live gone = live_[static_cast<std::size_t>(index)];
    live_.erase(live_.begin() + index);
    batch_.then([&](Session&) { gone.first.drop(); });
    model_.remove(gone.second);
  }

  void add_fallback() {
    const std::string key = any_key();
    if (model_.has_fallback(key)) return;
    const std::string label = "fallback " + key + "#" + std::to_string(++labels_);
    batch_.then([&](Session& s) {
      const DispatchObject made = s.dispatch().fallback(boxed_kernel(s, label), {.key = key});
      live_.emplace_back(made, model_.add_fallback(key, {TableEntry::Kind::kKernel, label}));
    });
  }

  /// `program` sends one scope that contains one call.
  void judge(const ExpectedCall& wanted, const std::string& words,
             const std::function<void(Session&)>& program) {
    if (wanted.entry.label == "of the runtime") return;
    if (!wanted.error) {
      return batch_.then(program, words, [this, wanted](const Reply& reply) {
        compare(called_from(reply.replies.at(0)), wanted);
      });
    }
    batch_.flush();
    const ScopedTrace place(words);
    expect_error([&] { program(subject_); }, *wanted.error);
    if (*wanted.error == ErrorKind::kNotImplemented) return;
    // A plain `error` would satisfy `internal`, and so would the derived `not_implemented`.
    expect_false(raises_missing(program), "no kernel is said to be missing");
  }

  bool raises_missing(const std::function<void(Session&)>& program) {
    try {
      program(subject_);
    } catch (const SubjectError& raised) {
      return raised.error().kind == ErrorKind::kNotImplemented;
    }
    return false;
  }

  void compare(const Called& got, const ExpectedCall& wanted) {
    const ScopedTrace place("at " + wanted.key);
    expect_false(got.ran.empty(), "a kernel runs");
    expect_text(last_of(got.ran).kernel, wanted.entry.label);
    try {
      expect_text(last_of(got.ran).key, wanted.key);
      expect_text(hex(last_of(got.ran).keys), hex(wanted.keys));
    } catch (const Unsupported& unseen) {
      blind_ = unseen;  // reported at the end; labels are still checked
    }
  }

  static std::string hex(KeyBits bits) {
    std::string text;
    for (; bits != 0; bits >>= 4U) text.insert(text.begin(), "0123456789abcdef"[bits & 15U]);
    return "0x" + (text.empty() ? "0" : text);
  }

  Session& subject_;
  Model model_;
  std::mt19937_64 random_;
  Batch batch_;
  KeyBits excluded_by_default_;
  std::string bare_;
  std::vector<Live> live_;
  int labels_ = 0;
  std::optional<Unsupported> blind_;
};

/// One program of random registrations, checked after every step.
void run_trial(Session& subject, std::uint64_t seed) {
  const ScopedTrace place("seed " + std::to_string(seed));
  Trial trial(subject, seed);
  for (int step = 0; step < 14; ++step) {
    trial.step();
    trial.expect_call();
    trial.expect_call();
  }
  trial.expect_table();
  trial.finish();
}

}  // namespace

CASES("dispatch/random") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    conformance("program_" + std::to_string(seed),
                {"DSP-501", "DSP-503", "DSP-509", "DSP-510", "DSP-511", "DSP-513"},
                [seed](Session& subject) { run_trial(subject, seed); });
  }
}

}  // namespace assay::suites
