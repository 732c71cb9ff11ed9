// The typed client of the area dispatch: keys, schemas, registration and calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/reported.hpp"
#include "harness/suite/session.hpp"

namespace assay {

/// The bits of a key set, in the layout of the contract.
using KeyBits = std::uint64_t;

/// A key set as an argument: its bits, or keys to be united.
class KeySet {
 public:
  KeySet(KeyBits bits) : value_(static_cast<std::int64_t>(bits)) {}
  KeySet(const char* key) : KeySet(std::vector<std::string>{key}) {}
  KeySet(const std::string& key) : KeySet(std::vector<std::string>{key}) {}
  KeySet(const std::vector<std::string>& keys);
  KeySet(std::initializer_list<std::string> keys) : KeySet(std::vector<std::string>(keys)) {}
  operator Value() const { return value_; }

 private:
  Value value_;
};

/// An object made by this area: a kernel, a registration, a library, a guard, a tensor, a handle.
/// It lives until it is dropped. Converts to a value.
class DispatchObject {
 public:
  DispatchObject(Session& session, std::string name) : session_(&session), name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }
  void drop() const { session_->drop(name_); }

 private:
  Session* session_;
  std::string name_;
};

struct KeyLists {
  std::vector<std::string> backends;
  std::vector<std::string> functionalities;  ///< `Undefined` first
  std::vector<std::string> per_backend;
  std::vector<std::string> aliases;
  Reported<std::int64_t> slots = {};
  Reported<KeyBits> full = {};
};

struct KeyInfo {
  std::string kind;
  Reported<std::optional<std::int64_t>> slot;
  KeyBits set = 0;
  Reported<std::optional<std::string>> autograd;
};

struct SetInfo {
  KeyBits set = 0;
  bool empty = false;
  std::string highest;
  Reported<std::int64_t> slot = {};
  std::vector<std::string> keys;
  std::string text;
  Reported<std::string> backend_key;
};

struct ProbeOptions {
  std::optional<std::string> device = {};
  std::optional<Dtype> dtype = {};
  std::optional<std::string> layout = {};
  std::optional<bool> inference = {};
  std::optional<KeySet> keys = {};
  std::optional<bool> conj = {};
  std::optional<bool> neg = {};
  std::optional<bool> zero = {};
};

struct TlsSets {
  KeyBits included = 0;
  KeyBits excluded = 0;
};

/// An argument or a return value of a schema.
struct SchemaArgumentInfo {
  std::string name;
  std::string type;
  std::optional<std::int64_t> size;  ///< the N of `int[N]`
  std::optional<Value> default_value;
  bool kwarg_only = false;
  Value alias;  ///< None, or a result of `alias_of`
};

/// An alias annotation in the form of replies.
Value alias_of(bool write, std::vector<std::string> before, std::vector<std::string> after,
               Value contained = {});

/// A parsed schema; if only a name was parsed, only the first three members are set.
struct ParsedSchema {
  std::string text;
  std::string name;
  std::string overload;
  std::vector<SchemaArgumentInfo> arguments;
  std::vector<SchemaArgumentInfo> returns;
  bool vararg = false;
  bool varret = false;
  bool is_mutable = false;
};

struct InferredSchema {
  std::string text;
  std::string alias_kind;
};

/// The parameters of a kernel's behaviour; `label` is the kernel's name in `ran`.
struct KernelOptions {
  std::string behaviour = "return";
  std::optional<std::string> label = {};
  std::optional<std::string> signature = {};
  std::optional<std::int64_t> argument = {};
  std::optional<std::vector<Value>> values = {};
  std::optional<KeySet> keys = {};
  std::optional<std::string> kind = {};
  std::optional<std::string> message = {};
  std::optional<Callable> call = {};
  std::optional<bool> takes_keys = {};
};

struct LibraryOptions {
  std::string kind;
  std::string ns;
  std::optional<std::string> key = {};
  std::optional<std::string> at = {};
};

struct DefOptions {
  std::optional<Value> library = {};
  std::optional<Value> kernel = {};
  std::optional<std::string> key = {};
  std::optional<std::string> alias_kind = {};
  std::optional<std::vector<std::string>> tags = {};
  std::optional<std::string> at = {};
};

struct ImplOptions {
  std::optional<std::string> key = {};
  std::optional<std::string> device = {};
  std::optional<Value> library = {};
  std::optional<std::string> at = {};
};

struct EntryOptions {
  std::string func;
  std::optional<std::string> variants = {};
  std::vector<std::pair<std::string, std::string>> dispatch = {};  ///< keys to kernel names
  std::optional<bool> structured = {};
  std::optional<std::string> structured_delegate = {};
  std::optional<std::string> device_check = {};
};

struct Entry {
  DispatchObject registrations;
  std::vector<std::string> ops;  ///< `op@key`
};

struct CallOptions {
  std::optional<std::string> signature = {};
  std::optional<bool> boxed = {};
  std::optional<std::string> for_key = {};
  std::optional<KeySet> keys = {};
  std::optional<std::vector<Value>> below = {};
  std::optional<Value> stack = {};  ///< a boxed list that serves as the stack
  std::optional<std::int64_t> depth = {};
  std::string as = {};
};

/// A kernel that ran. For the runtime's own kernels a subject may report only their
/// arguments.
struct RanKernel {
  Reported<std::string> kernel;
  std::string op;
  Reported<std::string> key;
  Reported<KeyBits> keys = {};
  Reported<bool> boxed = {};
  std::vector<Value> arguments;
};

struct Called {
  Value result;
  std::vector<RanKernel> ran;
  std::vector<Value> stack;
  Reported<bool> shows_own = Reported<bool>(true);  ///< `ran` includes the runtime's own kernels

  /// The labels of the kernels that ran, separated by spaces.
  std::string labels() const;
};

struct OpInfo {
  bool has_schema = false;
  std::optional<std::string> schema;
  std::string debug;
  std::string alias_kind;
  std::vector<std::string> tags;
  std::string state;
  std::string table;
};

struct ObserverOptions {
  std::optional<bool> inputs = {};
  std::optional<bool> outputs = {};
  std::optional<double> probability = {};
};

/// An event reported to an observer.
struct Observed {
  std::string event;
  std::string op;
  std::int64_t sequence = 0;
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  bool schema = false;
};

class DispatchClient {
 public:
  explicit DispatchClient(Session& session) : session_(&session) {}

  KeyLists keys() const;
  KeyInfo key(const std::string& key) const;
  std::vector<std::string> members(const std::string& alias) const;
  std::string parse_key(const std::string& text) const;
  SetInfo set(const KeySet& set) const;
  SetInfo set(const KeySet& set, const std::string& operation, const Value& operand) const;
  bool has(const KeySet& set, const std::string& key) const;
  bool has_all(const KeySet& set, const KeySet& all) const;
  bool has_any(const KeySet& set, const KeySet& any) const;
  KeyBits named_set(const std::string& name, const std::optional<std::string>& key = {}) const;
  std::string device_key(const std::string& device) const;
  std::string backend_key(const std::string& device, Dtype dtype, const std::string& layout) const;
  DispatchObject tensor(const ProbeOptions& options) const;
  KeyBits tensor_keys(const Value& of) const;

  TlsSets tls() const;
  DispatchObject include(const KeySet& keys) const;
  DispatchObject exclude(const KeySet& keys) const;
  DispatchObject force(const KeySet& included, const KeySet& excluded) const;
  DispatchObject below(const std::string& what) const;
  void set_included(const std::string& key, bool value) const;
  void set_excluded(const std::string& key, bool value) const;
  bool is_included(const std::string& key) const;
  bool is_excluded(const std::string& key) const;
  void zero_tls() const;
  /// Saves a snapshot with that name.
  void thread_state(const std::string& name) const;
  DispatchObject restore(const Value& state) const;
  void leave(const Value& guard) const;

  /// `as` is `schema`, `name` or `either`.
  ParsedSchema parse(const std::string& text, const std::string& as = "schema") const;
  InferredSchema infer(const std::string& signature, const std::string& name) const;
  /// Why the inferred schema does not match; nothing if it does.
  std::optional<std::string> schema_difference(const std::string& declared,
                                               const std::string& inferred) const;

  DispatchObject kernel(const KernelOptions& options) const;
  DispatchObject library(const LibraryOptions& options) const;
  DispatchObject move_library(const Value& library) const;
  void reset_library(const Value& library) const;
  DispatchObject def(const std::string& schema, const DefOptions& options = {}) const;
  DispatchObject impl(const Value& op, const Value& kernel, const ImplOptions& options = {}) const;
  DispatchObject fallback(const Value& kernel, const ImplOptions& options = {}) const;
  void assign(const Value& to, const Value& from) const;
  void autograd_fallback(const std::string& mode) const;
  Entry entry(const EntryOptions& options) const;

  Called call(const Value& op, std::vector<Value> args, const CallOptions& options = {}) const;
  DispatchObject handle(const Value& op, const std::optional<std::string>& signature = {}) const;
  /// A guard that records the kernels that run on this thread while it is entered.
  DispatchObject trace() const;
  std::vector<RanKernel> traced(const Value& trace) const;

  bool find(const Value& op, bool need_schema = false) const;
  DispatchObject find_or_throw(const std::string& name, const std::string& overload) const;
  std::vector<std::string> dangling() const;
  std::vector<std::string> ops(const std::string& ns) const;
  std::vector<std::string> registrations(const std::optional<std::string>& key,
                                         const std::optional<std::string>& ns = {}) const;
  OpInfo describe(const Value& op) const;
  bool has_kernel(const Value& op, const std::string& key) const;
  bool has_computed_kernel(const Value& op, const std::string& key) const;
  bool has_any_kernel(const Value& op, const KeySet& keys) const;
  bool has_fallback(const std::string& key) const;
  void check(const std::optional<std::string>& op = {}) const;

  DispatchObject listen(const std::optional<Callable>& added = {},
                        const std::optional<Callable>& removed = {}) const;
  DispatchObject observe(const ObserverOptions& options = {}) const;
  DispatchObject observer_off() const;
  std::vector<std::string> heard(const Value& listener) const;
  std::vector<Observed> observed(const Value& observer) const;

 private:
  DispatchObject make(const std::string& kind, std::string verb, Fields with = {}) const;
  std::vector<std::string> texts(std::string verb, Fields with = {}) const;

  Session* session_;
};

/// Reads the list `ran` of a reply.
std::vector<RanKernel> ran_from(const Value& list);
/// Reads the reply of `dispatch.call`.
Called called_from(const Reply& reply);

}  // namespace assay
