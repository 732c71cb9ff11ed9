// The reference as a subject: looks up commands and builds replies; the common commands (hello,
// reset, and inspection of named objects), and the dispatcher of a session with its built-in
// registrations.
#include "reference/subject/reference_subject.hpp"

#include <list>
#include <mutex>
#include <new>

#include "harness/subject/common_commands.hpp"
#include "reference/amp/operators.hpp"
#include "reference/autocast/wrapper.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/memory/tensor_memory.hpp"
#include "reference/operators/operator.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

// The dispatcher of a session.

namespace {

/// Registers the operators of all areas.
void add_all_operators(Dispatcher& dispatcher) {
  add_amp_operators(dispatcher);
  add_operators(dispatcher);
  add_autocast(dispatcher);
}

/// An unused dispatcher that sessions copy, since registering hundreds of operators at every reset
/// would be slow.
struct Prototype {
  explicit Prototype(const Contract& contract) : runtime(contract), dispatcher(runtime) {
    add_all_operators(dispatcher);
  }

  Runtime runtime;
  Dispatcher dispatcher;
};

/// One for each contract, never destroyed.
const Dispatcher& prototype_for(const Contract& contract) {
  static std::mutex mutex;
  static auto& made = *new std::list<Prototype>;
  const std::scoped_lock lock(mutex);
  for (const Prototype& prototype : made) {
    if (prototype.runtime.contract() == contract) return prototype.dispatcher;
  }
  return made.emplace_back(contract).dispatcher;
}

struct SessionDispatcher {
  std::once_flag once;
  std::unique_ptr<Dispatcher> dispatcher;
};

}  // namespace

Dispatcher& dispatcher_of(Runtime& runtime) {
  auto& session = runtime.shared<SessionDispatcher>();
  std::call_once(session.once, [&] {
    session.dispatcher = std::make_unique<Dispatcher>(runtime, prototype_for(runtime.contract()));
  });
  return *session.dispatcher;
}

// The common commands.

namespace {

constexpr std::string_view kVersion = "0.2.0";

assay::List devices_of(const Runtime& runtime) {
  assay::List list;
  for (int i = 0; i < runtime.cuda_devices(); ++i)
    list.items.emplace_back(assay::Device{"cuda", i});
  list.items.emplace_back(assay::Device{"cpu", -1});
  return list;
}

void hello(Call& call) {
  const assay::Contract wish = requested_contract(call);
  const Contract contract = to_reference(wish);
  if (!(contract == call.contract())) {
    call.names().clear();  // its objects need the runtime of the old contract
    call.runtime().reset();
    use_devices(call.runtime());
  }
  call.runtime().set_contract(contract);
  introduce(call,
            {"reference", kVersion, devices_of(call.runtime()), command_table().areas(), wish});
}

void reset(Call& call) {
  call.names().clear();  // events and guards need the runtime before the reset
  call.runtime().reset();
  use_devices(call.runtime());
  call.set("uncleaned", assay::List{});
}

void drop(Call& call) { call.names().drop(call.arguments().ref("object")); }

void uses(Call& call) {
  const Object object = call.object("object");
  const auto names = static_cast<std::int64_t>(call.names().names_of(identity_of(object)));
  // This function itself is one owner. The undefined tensor has none (CORE-11).
  const std::int64_t owners = object.held().use_count() - names - 1;
  call.result(std::max<std::int64_t>(owners, 0));
}

struct WeakHandle {
  std::weak_ptr<void> target;
};

void weak(Call& call) {
  const Object object = call.object("object");
  auto handle = std::make_shared<WeakHandle>(WeakHandle{object.held()});
  const bool is_defined = object.held() != nullptr;  // the undefined tensor cannot be watched
  if (is_defined && object.is<TensorImpl>()) object.as<TensorImpl>()->watchers.push_back(handle);
  call.result(Object(std::move(handle), "weak"));
}

void gone(Call& call) { call.result(call.held<WeakHandle>("weak", "weak")->target.expired()); }

}  // namespace

void add_session_commands(CommandTable& table) {
  table.add("hello", hello);
  table.add("reset", reset);
  table.add("drop", drop);
  table.add("uses", uses);
  table.add("weak", weak);
  table.add("gone", gone);
  add_object_commands(table);
}

const CommandTable& command_table() {
  static const CommandTable made = [] {
    CommandTable table;
    add_session_commands(table);
#include <waist/table.inc>
    return table;
  }();
  return made;
}

// The subject.

namespace {

Reply reply_to(const Error& error) {
  ErrorKind kind = error.kind();
  Reply reply = Reply::make_error(to_protocol(kind), error.message());
  if (error.code()) reply.error.code = Value(*error.code());
  return reply;
}

Reply run(Call& call, CommandTable::Handler handler) {
  try {
    handler(call);
    return call.finish();
  } catch (const MissingFeature& missing) {
    return Reply::make_unsupported(missing.message());
  } catch (const Error& error) {
    return reply_to(error);
  } catch (const InvalidArgument& wrong) {
    return Reply::make_invalid(wrong.what());
  } catch (const NotSupported& missing) {
    return Reply::make_unsupported(missing.what());
  } catch (const std::bad_alloc&) {
    return Reply::make_error(assay::ErrorKind::kOutOfMemory, "out of memory on the host");
  }
}

Fields difference(const Counters& after, const Counters& before) {
  return {{"launches", after.launches - before.launches},
          {"unscale_calls", after.unscale_calls - before.unscale_calls},
          {"unscale_tensors", after.unscale_tensors - before.unscale_tensors},
          {"copies", after.copies - before.copies},
          {"host_reads", after.host_reads - before.host_reads},
          {"allocations", after.allocations - before.allocations}};
}

class ReferenceSubject final : public Subject {
 public:
  ReferenceSubject() { use_devices(runtime_); }
  /// Tensors must be destroyed before their memory.
  ~ReferenceSubject() override {
    names_.clear();
    runtime_.reset();
  }
  ReferenceSubject(const ReferenceSubject&) = delete;
  ReferenceSubject& operator=(const ReferenceSubject&) = delete;

  Reply execute(const Command& command, Host& host) override {
    const CommandTable::Handler handler = command_table().find(command.verb);
    if (handler == nullptr) return Reply::make_unsupported(command_table().missing(command.verb));
    if (command.verb == "reset") return answer(command, host, handler);  // resets all counters

    const std::size_t warned = runtime_.warnings();
    const Counters before = runtime_.counters();
    Reply reply = answer(command, host, handler);
    for (Warning& warning : runtime_.take_warnings(warned)) {
      reply.warnings.push_back({std::move(warning.category), std::move(warning.text)});
    }
    if (command.count) reply.counts = difference(runtime_.counters(), before);
    return reply;
  }

 private:
  Reply answer(const Command& command, Host& host, CommandTable::Handler handler) {
    Call call(runtime_, names_, host, command);
    return run(call, handler);
  }

  Runtime runtime_;
  Names names_;
};

}  // namespace

std::unique_ptr<Subject> make_subject() { return std::make_unique<ReferenceSubject>(); }

}  // namespace assay::reference
