// The behaviours of client kernels.
#include "cuda_impl/subject/dispatch/behaviours.hpp"

#include <algorithm>

#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"

namespace assay::cuda {
namespace {

/// The nesting depth of kernels on the thread.
class Depth {
 public:
  explicit Depth(const Entry& entry) {
    constexpr int kMost = 400;
    require(depth() < kMost, ErrorKind::kInternal, [&] {
      return entry.table->op->text() + " is " + std::to_string(kMost) +
             " calls deep: a kernel calls itself without end";
    });
    ++depth();
  }
  ~Depth() { --depth(); }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  static int& depth() {
    thread_local int mine = 0;
    return mine;
  }
};

void run_boxed(const Entry& entry, KeySet keys, Stack& stack) {
  const dispatch::Table& table = *entry.table;
  const std::size_t count =
      table.has_schema ? std::min<std::size_t>(table.arguments, stack.size()) : stack.size();
  const auto first = stack.end() - static_cast<std::ptrdiff_t>(count);
  std::vector<Boxed> arguments(first, stack.end());
  const std::size_t returns = table.has_schema ? table.returns : 1;
  const auto& named = dispatch::functor_of<NamedKernel>(entry);
  Stack results = named.run({entry, keys, arguments, returns, nullptr});
  stack.erase(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
  for (Boxed& result : results) stack.push_back(std::move(result));
}

std::size_t first_tensor(const std::vector<Boxed>& arguments) {
  const auto found =
      std::ranges::find_if(arguments, [](const Boxed& one) { return one.is_tensor(); });
  return found == arguments.end() ? 0 : static_cast<std::size_t>(found - arguments.begin());
}

Behaviour returning(Call& call) {
  std::optional<std::int64_t> number;
  if (call.has("argument")) number = call.arguments().integer("argument");
  return [number](const KernelRun& run) {
    const std::size_t first =
        number ? static_cast<std::size_t>(*number) : first_tensor(run.arguments);
    require(first + run.returns <= run.arguments.size(), ErrorKind::kIndex, [&] {
      return "a kernel that returns " + std::to_string(run.returns) + " arguments from number " +
             std::to_string(first) + " has " + std::to_string(run.arguments.size());
    });
    const auto from = run.arguments.begin() + static_cast<std::ptrdiff_t>(first);
    return Stack(from, from + static_cast<std::ptrdiff_t>(run.returns));
  };
}

Behaviour giving(Call& call) {
  Stack values;
  for (const Value& value : call.arguments().items("values")) {
    values.push_back(boxed_from(call, value));
  }
  return [values](const KernelRun&) { return values; };
}

/// The key by which the kernel was selected.
Key own_key(const KernelRun& run) { return run.entry.table->layout->highest(run.keys); }

Stack redispatched(const KernelRun& run, KeySet keys) {
  Operator& op = *run.entry.table->op;
  if (run.signature != nullptr) return run.signature->redispatch(op, keys, run.arguments);
  Stack stack = run.arguments;
  redispatch_boxed(op, keys, stack);
  return stack;
}

Behaviour redispatching(Call& call) {
  std::optional<KeySet> fixed;
  if (call.has("keys")) fixed = set_argument(call, "keys");
  return [fixed](const KernelRun& run) {
    const Layout& layout = *run.entry.table->layout;
    return redispatched(run, fixed.value_or(run.keys & layout.full_after(own_key(run))));
  };
}

Stack call_again(const KernelRun& run) {
  const dispatch::Table& table = *run.entry.table;
  const dispatch::KeyGuard guard(table.contract(), dispatch::Which::kExcluded,
                                 table.layout->set_of(own_key(run)));
  if (run.signature != nullptr) return run.signature->call(*table.op, run.arguments);
  Stack stack = run.arguments;
  call_boxed(*table.op, stack);
  return stack;
}

Behaviour raising(Call& call) {
  const std::string kind = call.arguments().text("kind");
  const auto found = assay::error_kind_named(kind);
  if (!found) throw InvalidArgument("dispatch.kernel: there is no error kind '" + kind + "'");
  const Error error(from_waist(*found), call.arguments().text("message"));
  return [error](const KernelRun&) -> Stack { throw error; };
}

Stack results_from(Call& call, const Value& value, std::size_t returns) {
  if (returns == 0) return {};
  if (returns == 1) return {boxed_from(call, value)};
  const auto* list = value.get_if<List>();
  if (list == nullptr) {
    throw InvalidArgument("a kernel with " + std::to_string(returns) + " returns gave no list");
  }
  Stack results;
  for (const Value& item : list->items) results.push_back(boxed_from(call, item));
  return results;
}

Behaviour calling_back(Call& call) {
  const auto* callable = call.arguments().value("call").get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument("dispatch.kernel: 'call' must be a callable");
  return [name = callable->name](const KernelRun& run) {
    Call& current = Call::current();
    std::vector<Value> arguments;
    for (const Boxed& one : run.arguments) arguments.push_back(lent_value(current, one));
    const Fields named{{"keys", to_value(run.keys)}, {"op", run.entry.table->op->text()}};
    return results_from(current, current.call_back(name, arguments, named), run.returns);
  };
}

/// A kernel whose first parameter is not the key set cannot say which key it is for.
bool needs_keys(Call& call, const std::string& name) {
  return name == "call" || (name == "redispatch" && !call.has("keys"));
}

Behaviour behaviour_named(Call& call, const std::string& name) {
  if (name == "return") return returning(call);
  if (name == "value") return giving(call);
  if (name == "redispatch") return redispatching(call);
  if (name == "call") return call_again;
  if (name == "raise") return raising(call);
  if (name == "callback") return calling_back(call);
  throw NotSupported("no kernel does '" + name + "'");
}

}  // namespace

Stack NamedKernel::run(const KernelRun& run) const {
  const Depth depth(run.entry);
  if (dispatch::is_traced()) {
    dispatch::report_to_traces({label, run.entry, run.keys, signature == nullptr, run.arguments});
  }
  return behaviour(run);
}

std::shared_ptr<NamedKernel> make_named_kernel(Call& call) {
  auto made = std::make_shared<NamedKernel>();
  const std::string& as = call.command().as;
  made->label = call.arguments().text("label", as.empty() ? "kernel" : as);
  const std::string behaviour = call.arguments().text("behaviour");
  if (call.has("signature")) made->signature = &menu_row(call.arguments().text("signature"));
  const bool takes_keys = call.arguments().boolean("takes_keys", true);
  if (behaviour == "fallthrough") {
    made->kernel = Kernel::fallthrough();
  } else if (behaviour == "named_guard") {
    made->kernel = Kernel::named_guard();
  } else if (behaviour == "null") {
    made->kernel = Kernel::of_boxed(nullptr);
  } else {
    made->behaviour = behaviour_named(call, behaviour);
    if (made->signature != nullptr && !takes_keys && needs_keys(call, behaviour)) {
      made->behaviour = [](const KernelRun&) -> Stack {
        throw NotSupported("this kernel is not told its keys, so it has no key of its own");
      };
    }
    made->kernel =
        made->signature != nullptr ? made->signature->kernel : Kernel::of_boxed(run_boxed);
  }
  return made;
}

Kernel registered(const std::shared_ptr<NamedKernel>& named) {
  Kernel kernel = named->kernel;
  kernel.functor = named;
  return kernel;
}

}  // namespace assay::cuda
