// The reference as a subject: looks up commands and builds replies.
#include "reference/subject/reference_subject.hpp"

#include <new>

#include "reference/core/types/error.hpp"
#include "reference/memory/tensor_memory.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

std::string unknown(const std::string& verb) {
  const std::string area = verb.substr(0, verb.find('.'));
  if (area == verb) return "no command " + verb;
  for (const std::string& known : command_table().areas()) {
    if (known == area) return "area " + area + " has no command " + verb;
  }
  return "no area " + area;
}

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
  ReferenceSubject() { use_devices(client_state_.runtime); }
  /// Tensors must be destroyed before their memory.
  ~ReferenceSubject() override {
    client_state_.names.clear();
    client_state_.runtime.reset();
  }
  ReferenceSubject(const ReferenceSubject&) = delete;
  ReferenceSubject& operator=(const ReferenceSubject&) = delete;

  Reply execute(const Command& command, Host& host) override {
    const CommandTable::Handler handler = command_table().find(command.verb);
    if (handler == nullptr) return Reply::make_unsupported(unknown(command.verb));
    if (command.verb == "reset") return answer(command, host, handler);  // resets all counters

    const std::size_t warned = client_state_.runtime.warnings();
    const Counters before = client_state_.runtime.counters();
    Reply reply = answer(command, host, handler);
    for (Warning& warning : client_state_.runtime.take_warnings(warned)) {
      reply.warnings.push_back({std::move(warning.category), std::move(warning.text)});
    }
    if (command.count) reply.counts = difference(client_state_.runtime.counters(), before);
    return reply;
  }

 private:
  Reply answer(const Command& command, Host& host, CommandTable::Handler handler) {
    Call call(client_state_, host, command);
    Reply reply = run(call, handler);
    call.take_back();
    return reply;
  }

  ClientState client_state_;
};

}  // namespace

std::unique_ptr<Subject> make_subject() { return std::make_unique<ReferenceSubject>(); }

}  // namespace assay::reference
