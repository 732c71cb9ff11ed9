// The named threads of a session, and the waits between them.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace assay {

/// Something that runs commands and may wait for other actors.
struct Actor {
  std::string name;
  std::vector<const Actor*> waits_for;  ///< guarded by the WaitGraph
};

/// Rejects waits that would deadlock.
class WaitGraph {
 public:
  /// `waiter` waits for each of `awaited` during the lifetime of this object. If `mutual`, each of
  /// `awaited` also waits for the others and for `waiter`.
  class Wait {
   public:
    Wait(WaitGraph& graph, Actor& waiter, std::vector<Actor*> awaited, bool mutual);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;
    /// Null, or the actor that already waits for `waiter`; nothing was added then.
    const Actor* refused_by() const { return refused_by_; }

   private:
    void enter(bool mutual);
    void add(Actor& from, const Actor& to);

    WaitGraph& graph_;
    Actor& waiter_;
    std::vector<Actor*> awaited_;
    std::vector<std::pair<Actor*, const Actor*>> edges_;
    const Actor* refused_by_ = nullptr;
  };

 private:
  std::mutex mutex_;
};

/// An OS thread that runs jobs in order. Jobs must not throw. Its name in the system is the first
/// 15 characters of `name`.
class NamedThread {
 public:
  /// Throws std::system_error if no thread can be created.
  explicit NamedThread(std::string name);
  /// Finishes its jobs, then joins.
  ~NamedThread();

  Actor& actor() { return actor_; }
  void post(std::function<void()> job);
  /// Posts a job and waits for its end.
  void run(const std::function<void()>& job);

 private:
  void work();

  Actor actor_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool ending_ = false;
  std::thread thread_;
};

/// Creates threads on first use and keeps them until `end_all`.
class ThreadPool {
 public:
  NamedThread& named(const std::string& name);
  /// Must not be called from one of the threads.
  void end_all();

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<NamedThread>> threads_;
};

}  // namespace assay
