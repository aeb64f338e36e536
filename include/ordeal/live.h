// LiveRun: the same nodes in real time, each on a thread of its own. A person watches, and makes
// things happen: pauses a node, crashes it, sends a request, makes a link lose or delay messages.
//
//   Result<std::unique_ptr<LiveRun>> run = LiveRun::start(system, {.unit_ms = 50});
//   (*run)->command("crash 2");
//   LiveNews news = (*run)->poll(0, 0, 1.0);      // the steps so far, as they came
//   (*run)->stop();
//   write_trace((*run)->trace(), "live.json");    // replays in the simulator, step by step
//
// Every node handles one event at a time, nodes handle theirs at the same time. What happens gets
// its place in the recording when a handler has ended and its effects are let out, so the order of
// the steps respects who caused what. The simulator follows the recording step by step, under
// System::free_faults(): it gives the steps their details, judges the properties after each, and
// compares. A handler that does something else live than in the simulator is told as a violation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/trace.h"
#include "ordeal/world.h"

namespace ordeal {

// What a run is said to violate if a handler does one thing live and another in the simulator.
inline constexpr const char* kLiveAsSimulated = "a handler does live what it does in the simulator";

struct LiveOptions {
  double unit_ms = 100;  // a unit of virtual time: a timer with `after` n takes n of them
  double latency_low_ms = 20;
  double latency_high_ms = 60;
  uint64_t seed = 0;           // of latencies, and of the answers of choose(n)
  bool hold_requests = false;  // declared requests wait until a person sends them
  bool keep_going = false;     // after a violation
  uint32_t max_steps = 100'000;
  bool states = true;  // record every part of the state after every step, for viewers
  // When it is over: so long for handlers that run to return, and for the simulator to catch up.
  // What takes longer is left behind, and told.
  double grace_ms = 2000;
  // Copied into the trace.
  std::string system = {};
  std::map<std::string, std::string> parameters = {};
};

struct LiveStatus {
  struct Node {
    int id = -1;
    std::string name;  // the type of the node
    bool up = true;
    bool paused = false;
    uint32_t queue = 0;  // what is on its way to it or waits for it
  };
  struct Link {  // those that are not as at the start
    int from = -1;
    int to = -1;
    bool drop = false;
    double delay_ms = 0;  // on top of the latency
  };
  struct Request {
    uint32_t index = 0;
    int node = -1;
    std::string text;
  };
  struct Verdict {
    std::string property;
    std::string kind;  // "always", "sometimes", "eventually"; "failure", "audit"
    bool violated = false;
    bool reached = false;  // `sometimes`
    std::string why;
    std::vector<int> nodes;
    uint32_t step = 0;  // where it was violated or reached
  };
  struct Unfinished {
    int node = -1;
    std::string what;  // "deliver Ping{number: 1} 1→2"
  };
  bool running = false;
  bool quiet = false;  // nothing is on its way, no timer runs: only a person makes it go on
  double seconds = 0;  // since the start, as a clock on the wall has it
  double speed = 1;
  uint32_t steps = 0;  // of the recording
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<Request> requests;
  std::vector<Verdict> verdicts;       // one per property
  std::string why;                     // it is over; "" while it is running
  std::vector<Unfinished> unfinished;  // handlers that had not returned when it was over
  uint32_t unrecorded = 0;  // steps that happened when the simulator was too far behind to follow
};

// What came after what the caller has seen.
struct LiveNews {
  std::vector<TraceStep> steps;
  std::vector<std::string> notes;  // lines for people: violations, goals reached, the end
  bool over = false;               // nothing will follow
  std::string why;                 // it is over
};

class LiveRun {
 public:
  // Starts the nodes, and waits for their `start`. An Error: the subject has no nodes, or cannot
  // start.
  static Result<std::unique_ptr<LiveRun>> start(const Checkable& subject,
                                                const LiveOptions& options = {});
  // Stops. A handler that does not return goes on on its thread, and what it touches of the run
  // stays. As long as there is one, exit() does not destroy what is static.
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  // All of these may be called from any thread.

  // Does what a line says, and returns what there is to say about it: "crash 2", "delay 1 2 500".
  // "help" lists the commands. An Error says what is wrong with the line, and what would be right.
  Result<std::string> command(std::string_view line);

  // Waits until there is more than so many steps and notes, or the run is over, or the time is up.
  LiveNews poll(size_t steps_seen, size_t notes_seen, double wait_seconds) const;

  LiveStatus status() const;
  // The recording so far; after stop() the whole of it.
  Trace trace() const;
  // From now on nothing is handled; what has happened is recorded to its end. Takes no longer than
  // the grace. May be called again.
  void stop(const std::string& why = "it was stopped");

 private:
  class Impl;
  explicit LiveRun(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// What command() understands, for help and for completion: {"pause N", "node N handles nothing …"}.
struct LiveVerb {
  const char* form;
  const char* what;
};
const std::vector<LiveVerb>& live_verbs();
// Whether command() would understand the line, asked before there is a run: an Error as it gives.
Result<void> check_live_command(std::string_view line);

}  // namespace ordeal
