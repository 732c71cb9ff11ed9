// Reads the arguments of the area dispatch.
#include "cuda_impl/subject/dispatch/objects.hpp"

#include <list>
#include <mutex>

#include "cuda_impl/amp/registered.hpp"
#include "cuda_impl/aten/library.hpp"

namespace assay::cuda {
namespace {

struct Prototype {
  Contract contract;
  bool has_cuda;
  std::shared_ptr<Dispatcher> dispatcher;
};

/// One for each contract and kind of build, never destroyed: to register hundreds of operators
/// takes longer than most cases.
const Dispatcher& prototype_for(const Contract& contract, bool has_cuda) {
  static std::mutex mutex;
  static auto& made = *new std::list<Prototype>;
  const std::scoped_lock lock(mutex);
  for (const Prototype& one : made) {
    if (one.contract == contract && one.has_cuda == has_cuda) return *one.dispatcher;
  }
  const Prototype& added = made.emplace_back(contract, has_cuda, Dispatcher::make(contract));
  aten::add_operators(*added.dispatcher, has_cuda);
  return *added.dispatcher;
}

}  // namespace

std::shared_ptr<Dispatcher> LazyDispatcher::get(const Contract& contract) {
  const std::scoped_lock lock(mutex_);
  if (made_ == nullptr) {
    made_ = Dispatcher::make(contract);
    made_->adopt(prototype_for(contract, home().is_cuda()));
    register_amp_operators(*made_);
  }
  return made_;
}

void LazyDispatcher::reset() {
  const std::scoped_lock lock(mutex_);
  made_ = nullptr;
  dispatch::reset_thread_keys();
  dispatch::observed_thread.next_sequence = 0;
  inference_mode() = false;
  grad_mode() = true;
}

const Layout& layout_of(Call& call) { return Layout::of(call.release()); }

Value to_value(KeySet keys) { return static_cast<std::int64_t>(keys.pytorch_bits()); }

Value names_of(const std::vector<Key>& keys) {
  List list;
  for (const Key key : keys) list.items.emplace_back(name_of(key));
  return list;
}

Key key_from(Call& call, const std::string& name) {
  if (const auto found = layout_of(call).find(name)) return *found;
  throw InvalidArgument(call.command().verb + ": there is no key '" + name + "' in this release");
}

Key key_argument(Call& call, std::string_view name) {
  return key_from(call, call.arguments().text(name));
}

std::optional<Key> key_or_none(Call& call, std::string_view name) {
  if (!call.has(name)) return std::nullopt;
  return key_argument(call, name);
}

KeySet set_argument(Call& call, std::string_view name) {
  const Layout& layout = layout_of(call);
  if (const auto* bits = call.arguments().value(name).get_if<std::int64_t>()) {
    const auto given = KeySet::of_pytorch_bits(static_cast<std::uint64_t>(*bits));
    if (layout.full().has_all(given)) return given;
    throw InvalidArgument("a set of keys has bits that stand for no key in this release");
  }
  KeySet keys;
  for (const Value& item : call.arguments().items(name)) {
    const auto* text = item.get_if<std::string>();
    if (text == nullptr) throw InvalidArgument("a set is an int or a list of keys");
    keys |= layout.set_of(key_from(call, *text));
  }
  return keys;
}

std::string operator_text(Call& call, std::string_view name) {
  if (call.arguments().value(name).is<Ref>()) {
    return call.held<NamedHandle>(name, "handle")->op->text();
  }
  return call.arguments().text(name);
}

Operator& operator_argument(Call& call, std::string_view name) {
  if (call.arguments().value(name).is<Ref>()) {
    return *call.held<NamedHandle>(name, "handle")->op;
  }
  const OperatorName wanted = dispatch::parse_name(call.arguments().text(name), call.contract());
  const auto dispatcher = call.dispatcher();
  Operator* found = dispatcher->find(wanted);
  return found != nullptr ? *found : dispatcher->find_schema(wanted);
}

void give_handle(Call& call, Operator& op, const MenuRow* signature) {
  auto made = std::make_shared<NamedHandle>(NamedHandle{call.dispatcher(), &op, signature});
  call.result(Object(std::move(made), "handle"));
}

}  // namespace assay::cuda
