// Looks up the function of a command and builds the reply.
#include "cuda_impl/subject/subject.hpp"

#include <new>

#include "cuda_impl/autograd/no_derivative.hpp"
#include "cuda_impl/runtime/logs.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

Reply reply_to(const Error& error) {
  Reply reply = Reply::make_error(to_waist(error.kind()), error.message());
  if (error.code()) reply.error.code = Value(*error.code());
  return reply;
}

Reply answer(Call& call, CommandTable::Handler handler) {
  try {
    handler(call);
    return call.finish();
  } catch (const NoDerivative& missing) {
    return Reply::make_unsupported(missing.message());
  } catch (const Error& error) {
    return reply_to(error);
  } catch (const InvalidArgument& wrong) {
    return Reply::make_invalid(wrong.what());
  } catch (const NotSupported& missing) {
    return Reply::make_unsupported(missing.what());
  } catch (const std::bad_alloc&) {
    return Reply::make_error(assay::ErrorKind::kOutOfMemory, "the host has no memory left");
  }
}

Fields counted_since(const Counters& before) {
  const Counters& now = counters();
  return {{"launches", now.launches - before.launches},
          {"unscale_calls", now.unscale_calls - before.unscale_calls},
          {"unscale_tensors", now.unscale_tensors - before.unscale_tensors},
          {"copies", now.copies - before.copies},
          {"host_reads", now.host_reads - before.host_reads},
          {"allocations", now.allocations - before.allocations}};
}

/// Warnings of commands inside callbacks have been taken already.
void take_warnings(std::size_t first, Reply& reply) {
  std::vector<Warning>& all = warnings();
  for (std::size_t i = first; i < all.size(); ++i) {
    reply.warnings.push_back({std::move(all[i].category), std::move(all[i].text)});
  }
  all.resize(std::min(all.size(), first));
}

class CudaSubject final : public Subject {
 public:
  CudaSubject() { set_traced(true); }

  Reply execute(const Command& command, Host& host) override {
    const CommandTable::Handler handler = command_table().find(command.verb);
    if (handler == nullptr) return Reply::make_unsupported(command_table().missing(command.verb));
    const std::size_t warned = warnings().size();
    const Counters before = counters();
    Reply reply = run(command, host, handler);
    take_warnings(warned, reply);
    if (command.count) reply.counts = counted_since(before);
    return reply;
  }

 private:
  Reply run(const Command& command, Host& host, CommandTable::Handler handler) {
    Call call(state_, host, command);
    return answer(call, handler);
  }

  SubjectState state_;
};

}  // namespace

std::unique_ptr<Subject> make_subject() { return std::make_unique<CudaSubject>(); }

}  // namespace assay::cuda
