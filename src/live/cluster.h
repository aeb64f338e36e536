// Cluster: the nodes of a live run, each on a thread of its own, with what is on its way to it.
//
// A node takes what is due first, handles it on its thread without any lock, and commits: under the
// one lock the event is taken off, the effects are let out, and a Record gets its place in the
// order. So a record comes after the records of all that caused it. Components are called within
// the commit of the node that calls them; the lock is open meanwhile, and other commits wait for
// their turn. So no handler, of a node or a component, holds up who looks or who stops. The rules
// are those of docs/reference/world-rules.md; the simulator, which follows the records, finds out
// where they are not.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "live/clock.h"
#include "live/node_object.h"
#include "live/record.h"
#include "ordeal/live.h"
#include "system/actor/space.h"

namespace ordeal::live {

// What there was left when it was over.
struct Remains {
  std::vector<LiveStatus::Unfinished> unfinished;
  size_t unrecorded = 0;
};

class Cluster : public std::enable_shared_from_this<Cluster> {
 public:
  // Who holds it holds the run: when the last one lets go, it is halted and left. The threads of
  // the nodes own the rest of it, so that one that is left behind finds what it touches.
  // `start_choices`: what choose(n) answers value nodes while they start.
  static std::shared_ptr<Cluster> make(std::shared_ptr<actor::ActorSpace> space,
                                       const LiveOptions& options,
                                       std::vector<uint32_t> start_choices);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Runs `start` on every node, then lets them go. Called once. Returns what choose(n) answered
  // opaque objects while they started.
  Result<std::vector<Asked>> start();
  // Waits for a record and takes it. False: there will be no more, or the grace is over.
  bool take(Record& out);
  // From now on nothing happens. What the handlers do that run is not heard.
  void halt(const std::string& why);
  std::string why() const;  // that of the first halt()
  // Halted, and the grace is over.
  bool is_late() const;
  // Who takes records is at work on the last one.
  bool is_following() const;
  Clock::Real::time_point deadline() const;  // REQUIRES: halted
  // Waits until every handler has returned or the grace is over, and parts with the threads.
  // REQUIRES: halted. May be called again.
  Remains leave();

  // What a person does; ids as people know them. Each says what it did, or what makes no sense.
  Result<std::string> pause(int id);
  Result<std::string> resume(int id);
  Result<std::string> crash(int id);
  Result<std::string> restart(int id);
  Result<std::string> request(uint32_t index);
  Result<std::string> request_of(int id);  // the next one of this node, in turn
  Result<std::string> set_drop(int from, int to, bool drop);
  Result<std::string> set_delay(int from, int to, double ms);
  Result<std::string> cut(int a, int b);
  Result<std::string> heal();
  Result<std::string> set_speed(double speed);

  // Fills in nodes, links, requests, speed, quiet.
  void describe(LiveStatus& out) const;

 private:
  // On its way to a node, or waiting for it.
  struct Pending {
    uint64_t number = 0;
    ActionKind kind = ActionKind::kDeliver;
    int from = -1;  // position
    value::Any payload;
    double due = 0;
    bool claimed = false;  // its handler runs
  };
  struct Link {
    bool drop = false;
    double delay = 0;
    double last_due = 0;  // of what was sent on it
  };
  struct Node {
    Node(const detail::NodeDeclaration& declared, NodeId id, const std::vector<NodeId>& peers,
         const std::vector<NodeId>& group, uint64_t seed)
        : object(declared, id, peers, group), answers(seed) {}
    int id = -1;
    actor::Part part;          // without its state, which is the object's
    NodeObject object;         // of the node's thread; a component's: of whoever commits
    Rng answers;               // to choose(n); as the object
    std::list<Pending> queue;  // in the order in which it came
    std::map<std::string, double> timers;  // when each fires
    Record running;                        // what its thread handles, while it is busy
    bool has_operation = false;            // a client's, that has not returned
    bool paused = false;
    bool busy = false;  // its handler runs, or that of a component which it calls
    bool left = false;  // its thread is not waited for
    bool wants_recovery = false;
    uint64_t life = 0;  // how often it crashed
    uint32_t next_request = 0;
    std::thread thread;
  };
  // What a node does next.
  struct Next {
    enum class What : uint8_t { kNothing, kEvent, kTimer, kLose } what = What::kNothing;
    double due = 0;
    uint64_t number = 0;  // of a Pending
    std::string timer;
  };
  using Lock = std::unique_lock<std::mutex>;

  Cluster(std::shared_ptr<actor::ActorSpace> space, const LiveOptions& options,
          std::vector<uint32_t> start_choices);

  // --- The life of a node: its thread ------------------------------------------------------------
  // Returns whether it is not waited for.
  bool live(uint32_t position);
  Next next_of(const Node& node) const;
  bool may_handle(const Node& node) const;
  void handle(uint32_t position, const Next& next, Lock& lock);
  void recover(uint32_t position, Lock& lock);
  // Runs the handler of node or component `position` without the lock, on the thread of `caller`.
  Ran run(uint32_t position, const actor::Event& event, uint32_t caller, Lock& lock);
  // Waits until nobody else commits. False: it is over.
  bool wait_for_turn(Lock& lock);

  // --- Under the lock ----------------------------------------------------------------------------
  // REQUIRES: nobody else commits.
  void commit(uint32_t position, const actor::Event& event, const Ran& ran, Lock& lock);
  // Lets out what a handler did, and calls the components that it asks. "", or what makes no sense
  // about it: the handler has failed. In words, the simulator says it.
  std::string let_all_out(uint32_t position, const Ran& ran, Record& record, Lock& lock);
  std::string let_out(uint32_t position, const Ran& ran, Record& record,
                      std::vector<actor::Event>& calls);
  void send(uint32_t position, const Effect& effect, Record& record,
            std::vector<actor::Event>& calls);
  void note_digest(uint32_t position, const Ran& ran, Record& record) const;
  void lose(uint32_t position, uint64_t number);
  void add(uint32_t to, ActionKind kind, int from, const value::Any& payload, double due);
  void add_record(Record record);
  void notice(ActionKind kind, uint32_t about, uint32_t to);
  void tell_of_crash(uint32_t position);
  void tell_of_recovery(uint32_t position);
  // Whether some node handles such a notice now.
  bool is_handling(ActionKind kind, uint32_t about) const;
  void halt_now(const std::string& why);
  Clock::Real::duration grace() const;
  double latency();
  Result<uint32_t> position_of(int id) const;
  Result<void> is_going() const;
  const detail::Declaration& declaration() const { return space_->declaration(); }
  bool drops(const Pending& pending, uint32_t to) const;
  Result<std::string> submit(uint32_t index);

  const std::shared_ptr<actor::ActorSpace> space_;
  const LiveOptions options_;
  const std::vector<uint32_t> start_choices_;

  std::mutex leaving_;  // taken before the next
  mutable std::mutex mutex_;
  std::condition_variable changed_;            // for the nodes, and for who waits for them
  std::condition_variable recorded_;           // for who takes records
  std::vector<std::unique_ptr<Node>> nodes_;   // components last
  std::map<std::pair<int, int>, Link> links_;  // by position
  std::set<std::pair<int, int>> notified_;     // (who, of whose crash)
  std::deque<Record> records_;
  Clock clock_;
  Rng rng_;
  uint64_t count_ = 0;       // of everything that was ever on its way
  bool committing_ = false;  // a node lets out what it did, and may wait for a component
  bool following_ = true;    // who takes records is at work on the last one; at first: on the start
  size_t taken_ = 0;         // records that it is at work on: 0 or 1
  size_t unrecorded_ = 0;    // those that nobody took
  std::vector<LiveStatus::Unfinished> unfinished_;
  bool halted_ = false;
  Clock::Real::time_point halted_at_;
  std::string why_;
};

}  // namespace ordeal::live
