// Looks up the function of a command and builds the reply; and answers the commands of every
// subject: hello, reset, and queries on named objects.
#include "cuda_impl/subject/subject.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <new>

#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/autograd/no_derivative.hpp"
#include "cuda_impl/autograd/streams.hpp"
#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/event_pool.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/memory/allocator.hpp"
#include "cuda_impl/memory/pinned.hpp"
#include "cuda_impl/module/apply.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/runtime/process.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/memory/memory_commands.hpp"
#include "cuda_impl/subject/simulated.hpp"
#include "harness/subject/common_commands.hpp"

namespace assay::cuda {

bool is_simulated() { return assay_cudart_machine != nullptr; }

namespace {

constexpr std::string_view kVersion = "0.2.0";

List devices() {
  List list;
  const int gpus = home().is_cuda() ? Session::cuda_devices() : 0;
  for (int i = 0; i < gpus; ++i) {
    list.items.emplace_back(assay::Device{"cuda", i});
  }
  list.items.emplace_back(assay::Device{"cpu", -1});
  return list;
}

/// First removes planned faults, open captures and lost contexts, so that destroying the client's
/// objects succeeds and leaves nothing behind.
void begin_again(Call& call, bool has_cuda) {
  if (is_simulated()) assay_cudart_recover();
  { const auto dropped = call.names().clear(); }
  call.reset_dispatcher();
  call.session().reset();
  conversion_flags() = {};
  has_warned_of_imaginary_parts() = false;
  free_named_blocks();
  memory::forget();
  memory::forget_pinned();
  forget_pooled_events();
  forget_side_streams();
  forget_other_stream();
  reset_runtime(has_cuda);
  if (is_simulated()) assay_cudart_reset();
}

void hello(Call& call) {
  const assay::Contract granted = requested_contract(call);
  const Contract contract{from_waist(granted.release), granted.strict()};
  const Device new_home = granted.cuda() ? Session::home() : kCpu;
  if (!(contract == call.contract() && new_home == home())) {
    begin_again(call, new_home.is_cuda());
  }
  set_home(new_home);
  call.session().set_contract(contract);
  set_rules(contract);
  if (!(contract == autocast::contract())) autocast::reset(contract);
  introduce(call, {is_simulated() ? "cuda_on_cpu" : "cuda", kVersion, devices(),
                   command_table().areas(), granted});
  // Real devices have no gates that the host could open.
  if (!is_simulated()) call.set("without", list_of(std::vector<std::string>{"runtime.gate"}));
  Session::forget_cuda_devices();
}

/// A failed kernel invalidates its device's context permanently.
bool is_lost() {
  if (Session::cuda_devices() == 0) return false;
  const bool is_lost = cudaDeviceSynchronize() != cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return is_lost;
}

void reset(Call& call) {
  begin_again(call, home().is_cuda());
  autocast::reset(call.contract());
  if (is_simulated()) return call.set("uncleaned", List{});
  if (Session::cuda_devices() > 0) static_cast<void>(cudaSetDevice(0));
  call.set("uncleaned", is_lost() ? list_of(command_table().areas()) : List{});
}

void drop(Call& call) { call.names().drop(call.arguments().ref("object")); }

void uses(Call& call) {
  const Object object = call.object("object");
  const auto names = static_cast<std::int64_t>(call.names().names_of(object.identity()));
  const std::int64_t this_function = 1;
  call.result(Value(std::max<std::int64_t>(object.owners() - names - this_function, 0)));
}

/// A watched tensor knows its watchers, because it must not be swapped (MOVE-10).
class WeakHandle {
 public:
  explicit WeakHandle(const Object& watched)
      : object_(watched.held()), tensor_(watched.tensor().body()) {
    if (const auto tensor = tensor_.lock()) ++tensor->watchers;
  }
  ~WeakHandle() {
    if (const auto tensor = tensor_.lock()) --tensor->watchers;
  }
  WeakHandle(const WeakHandle&) = delete;
  WeakHandle& operator=(const WeakHandle&) = delete;

  bool is_gone() const { return object_.expired() && tensor_.expired(); }

 private:
  std::weak_ptr<void> object_;
  Watched<TensorBody> tensor_;
};

void weak(Call& call) {
  auto handle = std::make_shared<WeakHandle>(call.object("object"));
  call.result(Object(std::move(handle), "weak"));
}

void gone(Call& call) { call.result(Value(call.held<WeakHandle>("weak", "weak")->is_gone())); }

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
    if (!is_simulated()) table.remove_area("sim");  // its functions call the simulated runtime
    return table;
  }();
  return made;
}

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
