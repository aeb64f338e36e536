#include "report/draw/diagram.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/words.h"

namespace ordeal::report {
namespace {

constexpr size_t kMostRows = 2000;
constexpr size_t kMostLanes = 64;  // a hostile trace may name millions of nodes

std::vector<Lane> lanes_of(const Trace& trace) {
  std::set<int> nodes(trace.nodes.begin(), trace.nodes.end());
  std::set<int> clients;
  const auto add_sent = [&](const std::vector<Sent>& list) {
    for (const Sent& sent : list) nodes.insert({sent.from, sent.to});
  };
  add_sent(trace.initially_sent);
  for (const HistoryEvent& event : trace.initial_history) clients.insert(event.client);
  for (const TraceStep& step : trace.steps) {
    nodes.insert({step.detail.action.node, step.detail.action.from});
    add_sent(step.detail.sent);
    for (const HistoryEvent& event : step.detail.history) clients.insert(event.client);
  }
  nodes.erase(-1);
  std::vector<Lane> lanes;
  for (const int node : nodes) {
    const auto type = trace.node_types.find(node);
    lanes.push_back(
        {node, node_name(trace, node), type == trace.node_types.end() ? "" : type->second});
  }
  if (lanes.empty()) lanes.push_back({-1, "state", ""});
  for (const int client : clients) {
    if (!nodes.contains(client) && client != -1) {
      lanes.push_back({client, "client " + node_name(trace, client), ""});
    }
  }
  if (lanes.size() > kMostLanes) lanes.resize(kMostLanes);
  return lanes;
}

// Follows the run row by row and notes what is under way.
class RunLayout {
 public:
  explicit RunLayout(const Trace& trace) : trace_(trace) {
    out_.lanes = lanes_of(trace);
    out_.rows = trace.steps.size();
    out_.first_row = out_.rows > kMostRows ? out_.rows - kMostRows : 0;
  }

  Diagram run() {
    take_sent(trace_.initially_sent);
    take_history(trace_.initial_history);
    for (const TraceStep& step : trace_.steps) {
      ++row_;
      take_action(step.detail);
      // A copy that the network makes is drawn already, from where its message was sent.
      if (step.detail.action.kind != ActionKind::kDuplicate) take_sent(step.detail.sent);
      take_lost(step.detail.lost);
      take_history(step.detail.history);
    }
    for (auto& [client, operation] : open_operations_) end(operation, true, out_.operations);
    for (auto& [node, stretch] : down_) end(stretch, true, out_.down);  // no lane is down twice
    if (partitioned_) end(partition_, true, out_.partitions);
    std::sort(out_.operations.begin(), out_.operations.end(),
              [](const Stretch& a, const Stretch& b) { return a.from_row < b.from_row; });
    return std::move(out_);
  }

 private:
  void take_action(const StepDetail& detail) {
    const Action& action = detail.action;
    const size_t lane = out_.lane_of(action.node);
    switch (action.kind) {
      case ActionKind::kDeliver:
      case ActionKind::kEvent:
        arrive(action, Flight::End::kDelivered);
        break;
      case ActionKind::kDrop:
        arrive(action, Flight::End::kDropped);
        break;
      case ActionKind::kDuplicate:
        if (Flight* original = find(action, true)) {
          Flight copy = *original;
          copy.copy = true;
          add(copy, action);
        }
        break;
      case ActionKind::kDetect:
        notice(action, last_crash_);
        break;
      case ActionKind::kRestore:
        notice(action, last_return_);
        break;
      case ActionKind::kSuspect:
        last_return_[action.from] = row_;
        break;
      case ActionKind::kCrash:
        goes_down(action.node, lane);
        break;
      case ActionKind::kRecover:
        if (const auto at = down_.find(action.node); at != down_.end()) {
          end(at->second, false, out_.down);
          down_.erase(at);
        }
        last_return_[action.node] = row_;
        break;
      case ActionKind::kPartition:
        if (partitioned_) end(partition_, false, out_.partitions);
        partition_ = {0, row_, 0, false, action.type};
        partitioned_ = true;
        break;
      case ActionKind::kHeal:
        if (partitioned_) end(partition_, false, out_.partitions);
        partitioned_ = false;
        break;
      case ActionKind::kDescribed:  // from whom to whom, at once
        if (action.from >= 0 && action.from != action.node) {
          out_.flights.push_back({.from_lane = out_.lane_of(action.from),
                                  .to_lane = lane,
                                  .from_row = row_,
                                  .to_row = row_,
                                  .end = Flight::End::kDelivered,
                                  .text = action_words(trace_, action)});
        }
        break;
      default:
        break;
    }
    if (action.crash_at_persist > 0) goes_down(action.node, lane);
  }

  void goes_down(int node, size_t lane) {
    down_.emplace(node, Stretch{lane, row_, 0, false, ""});
    last_crash_[node] = row_;
  }

  void end(Stretch stretch, bool open, std::vector<Stretch>& list) {
    stretch.to_row = open ? out_.rows : row_;
    stretch.open = open;
    list.push_back(std::move(stretch));
  }

  // What tells one message from another in flight. An event's sender is not always named when it is
  // consumed, so it does not count.
  using Key = std::tuple<int, int, std::string, uint64_t>;
  static Key key_of(int from, int to, const std::string& type, uint64_t digest) {
    return {from, to, type, digest};
  }

  // The oldest identical flight: still under way, or (for messages that stay) any.
  Flight* find(const Action& action, bool pending_only) {
    const auto at =
        by_key_.find(key_of(action.from, action.node, action.type, action.payload_digest));
    if (at == by_key_.end()) return nullptr;
    std::vector<size_t>& indexes = at->second.indexes;
    size_t& first = at->second.first_pending;
    while (first < indexes.size() && out_.flights[indexes[first]].end != Flight::End::kPending) {
      ++first;
    }
    if (first < indexes.size()) return &out_.flights[indexes[first]];
    return pending_only ? nullptr : &out_.flights[indexes.front()];
  }

  void arrive(const Action& action, Flight::End how) {
    Flight* flight = find(action, false);
    if (flight == nullptr) return;
    if (flight->end != Flight::End::kPending) {  // a network that delivers again and again
      Flight again = *flight;
      again.copy = true;
      again.end = how;
      again.to_row = row_;
      out_.flights.push_back(std::move(again));
      return;
    }
    flight->end = how;
    flight->to_row = row_;
  }

  void add(Flight flight, const Action& action) {
    flight.end = Flight::End::kPending;
    const Key key = key_of(action.from, action.node, action.type, action.payload_digest);
    by_key_[key].indexes.push_back(out_.flights.size());
    out_.flights.push_back(std::move(flight));
  }

  void take_sent(const std::vector<Sent>& list) {
    for (const Sent& sent : list) {
      // A detector's notice is drawn when it arrives, from what it tells of; a request comes from
      // outside, and is drawn when it arrives too.
      if (sent.kind == ActionKind::kDetect || sent.kind == ActionKind::kRestore ||
          sent.kind == ActionKind::kRequest) {
        continue;
      }
      Action consumer;
      consumer.from = sent.from;
      consumer.node = sent.to;
      consumer.type = sent.type;
      consumer.payload_digest = sent.payload_digest;
      Flight flight;
      flight.from_lane = out_.lane_of(sent.from);
      flight.to_lane = out_.lane_of(sent.to);
      flight.from_row = row_;
      flight.text = sent.text.empty() ? sent.type : sent.text;
      add(std::move(flight), consumer);
    }
  }

  // Filters act on what has just been sent: of identical ones the newest is lost.
  void take_lost(const std::vector<Sent>& list) {
    for (const Sent& lost : list) {
      const auto at = by_key_.find(key_of(lost.from, lost.to, lost.type, lost.payload_digest));
      if (at == by_key_.end()) continue;
      const std::vector<size_t>& indexes = at->second.indexes;
      const auto newest = std::find_if(indexes.rbegin(), indexes.rend(), [&](size_t index) {
        return out_.flights[index].end == Flight::End::kPending;
      });
      if (newest == indexes.rend()) continue;
      out_.flights[*newest].end = Flight::End::kDropped;
      out_.flights[*newest].to_row = row_;
    }
  }

  void notice(const Action& action, const std::map<int, size_t>& origins) {
    const auto origin = origins.find(action.from);
    if (origin == origins.end()) return;
    Flight flight;
    flight.from_lane = out_.lane_of(action.from);
    flight.to_lane = out_.lane_of(action.node);
    flight.from_row = origin->second;
    flight.to_row = row_;
    flight.end = Flight::End::kDelivered;
    flight.notice = true;
    flight.text = action_words(trace_, action);
    out_.flights.push_back(std::move(flight));
  }

  void take_history(const std::vector<HistoryEvent>& events) {
    for (const HistoryEvent& event : events) {
      const auto open = open_operations_.find(event.client);
      if (open != open_operations_.end()) {
        if (event.is_return) open->second.text += " = " + event.text;
        end(open->second, !event.is_return, out_.operations);
        open_operations_.erase(open);
      }
      if (!event.is_return) {
        open_operations_[event.client] = {out_.lane_of(event.client), row_, 0, false, event.text};
      }
    }
  }

  struct Queue {
    std::vector<size_t> indexes;
    size_t first_pending = 0;
  };

  const Trace& trace_;
  Diagram out_;
  size_t row_ = 0;
  std::map<Key, Queue> by_key_;
  std::map<int, Stretch> open_operations_;
  std::map<int, Stretch> down_;
  std::map<int, size_t> last_crash_;
  std::map<int, size_t> last_return_;
  Stretch partition_;
  bool partitioned_ = false;
};

}  // namespace

size_t Diagram::lane_of(int node) const {
  const auto at =
      std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) { return lane.node == node; });
  return at == lanes.end() ? lanes.size() - 1 : static_cast<size_t>(at - lanes.begin());
}

Diagram layout(const Trace& trace) { return RunLayout(trace).run(); }

}  // namespace ordeal::report
