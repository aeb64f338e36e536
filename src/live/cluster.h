// Cluster: the nodes of a live run, each on a thread of its own, with what is on its way to it.
//
// A node takes what is due first, handles it on its thread without any lock, and commits: under the
// one lock the event is taken off, the effects are let out, and a Record gets its place in the
// order. So a record comes after the records of all that caused it. Components are called within
// the commit of the node that calls them. The rules are those of docs/reference/world-rules.md; the
// simulator, which follows the records, finds out where they are not.
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

#include "actor/space.h"
#include "base/rng.h"
#include "live/clock.h"
#include "live/node_object.h"
#include "live/record.h"
#include "ordeal/live.h"

namespace ordeal::live {

class Cluster {
 public:
  // `start_choices`: what choose(n) answers value nodes while they start.
  Cluster(std::shared_ptr<actor::ActorSpace> space, const LiveOptions& options,
          std::vector<uint32_t> start_choices);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Runs `start` on every node, then lets them go. Called once. Returns what choose(n) answered
  // live objects while they started.
  Result<std::vector<Asked>> start();
  // Waits for records and takes them. False: there will be no more.
  bool take(std::vector<Record>& out);
  // From now on nothing happens. Handlers that run end, and are not heard.
  void halt(const std::string& why);
  std::string why() const;  // that of the first halt()
  void join();

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
    NodeObject object;         // of the node's thread; a component's: of whoever has the lock
    Rng answers;               // to choose(n); as the object
    std::list<Pending> queue;  // in the order in which it came
    std::map<std::string, double> timers;  // when each fires
    bool has_operation = false;            // a client's, that has not returned
    bool paused = false;
    bool busy = false;  // its handler runs
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

  // --- The life of a node: its thread ------------------------------------------------------------
  void live(uint32_t position);
  Next next_of(const Node& node) const;
  bool may_handle(const Node& node) const;
  void handle(uint32_t position, const Next& next, Lock& lock);
  void recover(uint32_t position, Lock& lock);
  // Runs the handler without the lock, a component's with it.
  Ran run(uint32_t position, const actor::Event& event, Lock& lock);

  // --- Under the lock ----------------------------------------------------------------------------
  void commit(uint32_t position, const actor::Event& event, const Ran& ran);
  // Lets out what a handler did, and calls the components that it asks. "", or what makes no sense
  // about it: the handler has failed. In words, the simulator says it.
  std::string let_all_out(uint32_t position, const Ran& ran, Record& record);
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
  double latency();
  Result<uint32_t> position_of(int id) const;
  Result<void> is_going() const;
  const detail::Declaration& declaration() const { return space_->declaration(); }
  bool drops(const Pending& pending, uint32_t to) const;
  Result<std::string> submit(uint32_t index);

  const std::shared_ptr<actor::ActorSpace> space_;
  const LiveOptions options_;
  const std::vector<uint32_t> start_choices_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;            // for the nodes, and for who waits for them
  std::condition_variable recorded_;           // for who takes records
  std::vector<std::unique_ptr<Node>> nodes_;   // components last
  std::map<std::pair<int, int>, Link> links_;  // by position
  std::set<std::pair<int, int>> notified_;     // (who, of whose crash)
  std::deque<Record> records_;
  Clock clock_;
  Rng rng_;
  uint64_t count_ = 0;  // of everything that was ever on its way
  bool halted_ = false;
  std::string why_;
};

}  // namespace ordeal::live
