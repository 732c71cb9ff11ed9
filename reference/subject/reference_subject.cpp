// The reference as a subject: looks up commands and builds replies.
#include "reference/subject/reference_subject.hpp"

#include <new>

#include "reference/core/types/missing_feature.hpp"
#include "reference/memory/tensor_memory.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
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
