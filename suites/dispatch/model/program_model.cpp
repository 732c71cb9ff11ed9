// Checks random programs against the model: results of calls, keys, and queries.
// DSP-501 to DSP-513, DSP-202 to DSP-215.
#include "harness/program/program_model.hpp"

#include <map>

#include "harness/suite/reading.hpp"
#include "suites/dispatch/model/model.hpp"
#include "suites/dispatch/model/registered.hpp"
#include "suites/dispatch/model/tensor_model.hpp"
#include "suites/dispatch/model/thread_model.hpp"

namespace assay::suites {
namespace {

/// The kernels of a call, each called by the one before, and the final result.
struct Chain {
  std::vector<ExpectedCall> kernels;
  std::optional<ErrorKind> error;
  bool is_known = true;
};

bool flag(const Fields& with, std::string_view name) {
  const Value* value = with.find(name);
  const bool* set = value == nullptr ? nullptr : value->get_if<bool>();
  return set != nullptr && *set;
}

const std::string* text(const Fields& with, std::string_view name) {
  const Value* value = with.find(name);
  return value == nullptr ? nullptr : value->get_if<std::string>();
}

Value as_set(KeyBits bits) { return static_cast<std::int64_t>(bits); }

/// Follows one program from its first command.
class Follower {
 public:
  Follower(Model model, const ThreadModel& fresh)
      : registered_(std::move(model)),
        tensors_(registered_.model().layout()),
        fresh_(fresh),
        thread_(&threads_.emplace("main", fresh).first->second) {}

  Reply expected(const Command& command, const Reply& got);

 private:
  const Layout& layout() const { return registered_.model().layout(); }
  bool strict() const { return registered_.model().is_strict(); }

  Reply block(const Command& command, const Reply& got);
  Reply scope(const Command& command, const Reply& got);
  Reply on(const Command& command, const Reply& got);
  Reply call(const Command& command, const Reply& got);
  Reply tls(const Reply& got);
  Reply tensor_keys(const Command& command, const Reply& got);
  Reply has_kernel(const Command& command, const Reply& got);
  void note(const Command& command, const Reply& got);

  Chain chain(const std::string& op, const Command& command);
  std::optional<ExpectedCall> next(const std::string& op, const ExpectedCall& from, CallKeys& keys,
                                   bool is_call);
  Value corrected(const Value& ran, const std::vector<ExpectedCall>& kernels) const;

  Registered registered_;
  TensorModel tensors_;
  ThreadModel fresh_;
  std::map<std::string, ThreadModel> threads_;
  ThreadModel* thread_;
  std::map<std::string, std::shared_ptr<EnteredGuard>> guards_;
};

Reply Follower::block(const Command& command, const Reply& got) {
  Reply wanted = got;
  for (std::size_t i = 0; i < std::min(command.body.size(), got.replies.size()); ++i) {
    wanted.replies[i] = expected(command.body[i], got.replies[i]);
  }
  return wanted;
}

Reply Follower::scope(const Command& command, const Reply& got) {
  std::vector<std::shared_ptr<EnteredGuard>> entered;
  for (const Command& enter : command.enter) {
    entered.push_back(thread_->enter(enter, layout()));
    if (!enter.as.empty()) guards_[enter.as] = entered.back();
  }
  Reply wanted = block(command, got);
  while (!entered.empty()) {
    thread_->leave(*entered.back(), layout(), strict());
    entered.pop_back();
  }
  return wanted;
}

Reply Follower::on(const Command& command, const Reply& got) {
  const std::string* name = text(command.with, "thread");
  if (name == nullptr) return got;
  ThreadModel* const before = thread_;
  thread_ = &threads_.try_emplace(*name, fresh_).first->second;
  Reply wanted = block(command, got);
  thread_ = before;
  return wanted;
}

Reply Follower::tls(const Reply& got) {
  const Value* included = got.ok.find("included");
  const Value* excluded = got.ok.find("excluded");
  if (included == nullptr || excluded == nullptr) return got;
  if (!thread_->is_known()) {
    thread_->look(key_bits_of(included, layout()), key_bits_of(excluded, layout()));
    return got;
  }
  Reply wanted = got;
  wanted.ok.set("included", as_set(thread_->included()));
  wanted.ok.set("excluded", as_set(thread_->excluded()));
  return wanted;
}

Reply Follower::tensor_keys(const Command& command, const Reply& got) {
  const Value* of = command.with.find("of");
  const std::optional<KeyBits> keys = of == nullptr ? std::nullopt : tensors_.keys_of(*of);
  if (!keys || !got.succeeded()) return got;
  Reply wanted = got;
  wanted.ok.set("result", as_set(*keys));
  return wanted;
}

Reply Follower::has_kernel(const Command& command, const Reply& got) {
  const std::string* op = text(command.with, "op");
  const std::string* key = text(command.with, "computed");
  const bool is_judged = op != nullptr && key != nullptr && got.succeeded() &&
                         registered_.schema(*op) && layout().is_runtime(*key) &&
                         *key != "Undefined";
  if (!is_judged) return got;
  const TableEntry entry = registered_.model().live(*op, *key);
  Reply wanted = got;
  wanted.ok.set("result", entry.kind != TableEntry::Kind::kMissing);
  return wanted;
}

/// The kernel that a redispatching kernel calls; nothing if it does not call one.
std::optional<ExpectedCall> Follower::next(const std::string& op, const ExpectedCall& from,
                                           CallKeys& keys, bool is_call) {
  const ProgramKernel* kernel = registered_.kernel(from.entry.label);
  if (kernel == nullptr) return std::nullopt;
  if (kernel->behaviour == "redispatch") {
    return registered_.model().redispatch(op, from.keys & layout().full_after(from.key));
  }
  if (kernel->behaviour != "call" || !is_call) return std::nullopt;
  keys.excluded |= layout().bits_of(from.key);
  return registered_.model().call(op, keys);
}

Chain Follower::chain(const std::string& op, const Command& command) {
  Chain made;
  const bool is_call = !command.with.has("keys");
  CallKeys keys{.args = 0, .included = thread_->included(), .excluded = thread_->excluded()};
  ExpectedCall reached;
  if (is_call) {
    const std::optional<KeyBits> args = tensors_.keys_of(*command.with.find("args"));
    made.is_known = args && thread_->is_known();
    if (!made.is_known) return made;
    keys.args = *args;
    reached = registered_.model().call(op, keys);
  } else {
    reached = registered_.model().redispatch(op, key_bits_of(command.with.find("keys"), layout()));
  }
  for (int most = 40; most > 0; --most) {
    made.error = reached.error;
    if (reached.error) return made;
    const ProgramKernel* kernel = registered_.kernel(reached.entry.label);
    made.is_known = kernel != nullptr && (is_call || kernel->behaviour != "call") &&
                    (kernel->uses_its_keys || kernel->behaviour == "return");
    if (!made.is_known) return made;
    made.kernels.push_back(reached);
    const std::optional<ExpectedCall> further = next(op, reached, keys, is_call);
    if (!further) return made;
    reached = *further;
  }
  made.is_known = false;
  return made;
}

Value Follower::corrected(const Value& ran, const std::vector<ExpectedCall>& kernels) const {
  List wanted;
  std::size_t at = 0;
  for (const Value& item : held_in<List>(ran).items) {
    Dict entry = held_in<Dict>(item);
    bool own = false;
    for (const auto& [name, value] : entry.items) {
      const std::string* label = name.get_if<std::string>();
      const std::string* kernel = value.get_if<std::string>();
      const bool is_label = label != nullptr && *label == "kernel" && kernel != nullptr;
      own = own || (is_label && registered_.kernel(*kernel) != nullptr);
    }
    if (own && at < kernels.size()) {
      const ExpectedCall& reached = kernels[at++];
      for (auto& [name, value] : entry.items) {
        const std::string& member = held_in<std::string>(name);
        if (member == "kernel") value = reached.entry.label;
        if (member == "key") value = reached.key;
        if (member == "keys") value = as_set(reached.keys);
      }
    } else if (own) {
      continue;  // one kernel too many
    }
    wanted.items.emplace_back(std::move(entry));
  }
  for (; at < kernels.size(); ++at) {
    wanted.items.emplace_back(Dict{{{"kernel", kernels[at].entry.label}}});
  }
  return wanted;
}

Reply Follower::call(const Command& command, const Reply& got) {
  const std::string* op = text(command.with, "op");
  const Value* args = command.with.find("args");
  const List* list = args == nullptr ? nullptr : args->get_if<List>();
  if (op == nullptr || list == nullptr || command.with.has("for_key")) return got;
  const auto schema = registered_.schema(*op);
  const bool boxed = flag(command.with, "boxed");
  if (!schema || schema->arity != list->items.size() || command.with.has("depth")) return got;
  if (!boxed && !strict() && schema->has_array) return got;
  const bool failed = got.status == Reply::Status::kError;
  if (!got.succeeded() && !(failed && boxed)) return got;

  const Chain wanted = chain(*op, command);
  if (!wanted.is_known) return got;
  Reply reply = got;
  if (wanted.error) {
    reply.status = Reply::Status::kError;
    reply.error.kind = *wanted.error;
    if (!failed) reply.error.message = "by the model: no kernel can be reached";
    return reply;
  }
  const Value* ran = got.ok.find("ran");
  if (got.succeeded() && ran != nullptr && ran->get_if<List>() != nullptr) {
    reply.ok.set("ran", corrected(*ran, wanted.kernels));
  } else if (failed && got.error.kind == ErrorKind::kNotImplemented) {
    reply = Reply{};  // a kernel is reached, and none of a program raises this
    reply.ok.set("ran", corrected(List{}, wanted.kernels));
    reply.blind = {"result", "stack"};
  }
  return reply;
}

void Follower::note(const Command& command, const Reply& got) {
  if (registered_.follow(command, got.succeeded())) return;
  const std::string& verb = command.verb;
  if (verb == "dispatch.set_included" || verb == "dispatch.set_excluded" ||
      verb == "dispatch.zero_tls") {
    return thread_->lose();
  }
  if (!got.succeeded()) return;
  if (verb == "dispatch.tensor") tensors_.made(command, thread_->is_known());
  if (verb == "core.undefined") tensors_.made_undefined(command.as);
  if (verb == "leave") {
    const Value* guard = command.with.find("guard");
    const Ref* ref = guard == nullptr ? nullptr : guard->get_if<Ref>();
    const auto found = ref == nullptr ? guards_.end() : guards_.find(ref->name);
    if (found != guards_.end()) thread_->leave(*found->second, layout(), strict());
  }
}

Reply Follower::expected(const Command& command, const Reply& got) {
  if (registered_.is_lost()) return got;
  if (command.verb == "scope") return scope(command, got);
  if (command.verb == "on") return on(command, got);
  if (command.verb == "dispatch.call") {
    Reply wanted = call(command, got);
    if (!strict() && registered_.has_calling_kernel()) thread_->lose();
    return wanted;
  }
  if (command.verb == "dispatch.tls") return tls(got);
  if (command.verb == "dispatch.tensor_keys") return tensor_keys(command, got);
  if (command.verb == "dispatch.has_kernel") return has_kernel(command, got);
  note(command, got);
  return got;
}

class DispatchProgramModel final : public ProgramModel {
 public:
  /// The runtime's own registrations are queried once.
  void begin(Link& subject, const Contract& contract) override {
    if (!asked_) ask(subject, contract);
    follower_.reset();
    if (model_) follower_.emplace(*model_, *fresh_);
  }

  Reply expected(const Command& command, const Reply& got) override {
    return follower_ ? follower_->expected(command, got) : got;
  }

 private:
  /// Makes no predictions for a subject that does not answer.
  void ask(Link& subject, const Contract& contract) {
    SubjectInfo info;
    info.contract = contract;
    Session session(subject, info);
    try {
      const TlsSets sets = session.dispatch().tls();
      fresh_.emplace(sets.included, sets.excluded);
      model_ = model_of(session);
    } catch (const LinkBroken&) {
      throw;
    } catch (const std::exception&) {
      model_.reset();
    }
    asked_ = true;
  }

  bool asked_ = false;
  std::optional<Model> model_;
  std::optional<ThreadModel> fresh_;
  std::optional<Follower> follower_;
};

std::unique_ptr<ProgramModel> make_model() { return std::make_unique<DispatchProgramModel>(); }

[[maybe_unused]] const bool kAdded = add_program_model("dispatch", make_model);

}  // namespace
}  // namespace assay::suites
