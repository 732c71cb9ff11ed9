// State shared by the parts of the interpreter: the subject, threads, callbacks, the context of
// each thread, and names that are local to one run of a block.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/subject/arguments.hpp"
#include "harness/subject/interpreter.hpp"
#include "harness/subject/interpreter/named_threads.hpp"

namespace assay {

// Names that are local to one run of a block: renamed so that runs do not collide, with arguments
// substituted.

/// The replacement of a name inside a block. References and callables with that name become the
/// value; if that is a reference, `as` is renamed too, and names that begin with `name.`.
using Substitution = std::map<std::string, Value>;

/// All names that `block` binds by `as`, in order, except those local to rounds and callbacks
/// inside it.
std::vector<std::string> names_bound_in(const Block& block);

/// The block with all names replaced. Names bound inside a callback or a round are unchanged there,
/// and so are the `$…` arguments of a callback.
Block substituted(const Block& block, const Substitution& substitution);
Value substituted(const Value& value, const Substitution& substitution);
Fields substituted(const Fields& fields, const Substitution& substitution);

/// The mark of a renamed name: `x~7`.
inline constexpr char kLocalMark = '~';

/// Adds a new name, `x~7`, for each name that `block` binds.
void add_fresh_names(Substitution& substitution, const Block& block,
                     std::atomic<std::uint64_t>& counter);

/// Names to be dropped at the end of the round or command that made them.
/// Thread-safe.
class LocalNames {
 public:
  void add(std::string name);
  bool empty();
  /// Newest first.
  std::vector<std::string> take();

 private:
  std::mutex mutex_;
  std::vector<std::string> names_;
};

/// Records what a command with a local `as` has bound: the name, and names below it (`x~7.scale`)
/// in the reply.
void note_bound(LocalNames& names, const Command& command, const Reply& reply);

// The state.

/// The maximum nesting of blocks and callbacks; deeper ones are answered `invalid`, to protect the
/// stack.
inline constexpr int kDeepestBlock = 100;

/// The current thread's position in the commands of one interpreter.
struct Context {
  const void* interpreter = nullptr;
  Actor* self = nullptr;
  LocalNames* locals = nullptr;
  int depth = 0;
};

/// Sets the current thread's context and restores the previous one.
class ContextScope {
 public:
  explicit ContextScope(Context context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  static const Context& current();

 private:
  Context former_;
};

class Interpreter::State {
 public:
  State(Interpreter& host, Subject& subject) : host_(host), subject_(subject) {}
  ~State() { threads_.end_all(); }

  /// Executes a command that is not inside another one.
  Reply execute(const Command& command);
  Reply call(const std::string& callback, const std::vector<Value>& arguments, const Fields& named);

 private:
  class Rounds;
  struct Entered;

  Reply run(const Command& command);
  Reply run_word(const Command& command);
  Reply run_blocks(const Command& command);
  Reply run_counted(const Command& command);
  Reply run_block(const Block& block);
  Reply ask_subject(const Command& command);
  void release(LocalNames& locals);
  /// The name of a member that `command` may not have; null if there is none.
  const char* misplaced_member(const Command& command) const;

  Reply hello(const Command& command);
  Reply reset(const Command& command);
  /// Ends threads, and drops callbacks and guards.
  void forget();
  Reply drop(const Command& command);
  Reply leave(const Command& command);
  Reply scope(const Command& command);
  Reply enter(const Block& block, Entered& entered);
  void leave_all(Entered& entered, Reply& outcome);
  Reply leave_guard(const std::string& guard);
  void drop_quietly(const std::string& name);
  /// Why the thread with this name cannot run something for the current thread.
  std::optional<Reply> no_thread(const std::string& name) const;
  Reply on(const Command& command);
  Reply together(const Command& command);
  Reply define_callback(const Command& command);
  Reply invoke(const Block& body);
  std::string fresh_suffix() { return std::to_string(++fresh_); }

  /// A thread that this interpreter did not start, during a callback. A command that ends meanwhile
  /// must not drop the names that the callback still uses.
  struct ForeignThread {
    explicit ForeignThread(LocalNames& names) : ended(names) {}
    ~ForeignThread();
    ForeignThread(const ForeignThread&) = delete;
    ForeignThread& operator=(const ForeignThread&) = delete;

    LocalNames& ended;
    LocalNames locals;
    Actor actor{"a thread of the subject's own", {}};
  };

  /// The context of the thread, or that of a foreign thread.
  Context here(ForeignThread& foreign_thread);

  Interpreter& host_;
  Subject& subject_;
  Actor main_{"main", {}};
  /// Names of finished callbacks on foreign threads: dropped when the next outermost command
  /// ends.
  LocalNames foreign_threads_;
  std::atomic<bool> threads_allowed_ = false;
  std::string greeted_with_;  ///< the last `hello`, as text
  std::atomic<std::uint64_t> fresh_ = 0;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Block>> callbacks_;  ///< guarded by mutex_
  std::map<std::string, bool> held_guards_;  ///< of scopes; true: already left; guarded by mutex_

  WaitGraph waits_;
  ThreadPool threads_;  ///< last: its threads use the rest
};

/// The failure of `part` as the reply of its enclosing command, without details of `part` itself.
Reply failure_of(const Reply& part);

/// `invalid`, because waiting for `awaited` would be a deadlock.
Reply deadlock_reply(const Actor& awaited);

/// Runs `action` and converts exceptions to replies.
template <typename Action>
Reply reply_or_failure(const Action& action) {
  try {
    return action();
  } catch (const InvalidArgument& failure) {
    return Reply::make_invalid(failure.what());
  } catch (const NotSupported& failure) {
    return Reply::make_unsupported(failure.what());
  } catch (const std::exception& failure) {
    return Reply::make_error(ErrorKind::kInternal, std::string("defect: ") + failure.what());
  } catch (...) {
    return Reply::make_error(ErrorKind::kInternal, "defect: an exception of unknown type");
  }
}

}  // namespace assay
