// Trace: the list of actions of one run, in one documented JSON format and in a short form.
//
// docs/reference/trace.md describes the format field by field. A trace is replayed by identity
// (kind, node, sender, type, payload digest, inner choices), so it survives changes that only move
// choice indexes; every step carries the digest of the state after it, so that a program which no
// longer does the same is told at which step.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ordeal/action.h"
#include "ordeal/result.h"
#include "ordeal/value.h"

namespace ordeal {

inline constexpr int kTraceVersion = 1;

struct TraceStep {
  StepDetail detail;
  uint32_t choice = 0;           // the action's index among those enabled
  uint32_t enabled = 0;          // how many were enabled
  uint32_t occurrence = 0;       // how many equal actions came before in this trace
  std::vector<uint32_t> causes;  // steps (from 1) this one depends on directly; 0 is the start
  uint64_t digest = 0;           // of the whole state after the step
  uint64_t node_digest = 0;      // of the acting node after the step
  std::vector<value::Change> changes;  // what changed in the acting node
  // The parts of the state that changed, for viewers: a list in JSON, as docs/reference/trace.md
  // has it. Empty where states were not recorded (Options::states), or nothing changed.
  std::string parts;
};

// An operation of the client history: the how-manieth of its client, from 0.
struct TraceOperation {
  int client = -1;
  uint32_t number = 0;

  friend bool operator==(const TraceOperation&, const TraceOperation&) = default;
};

// What a trace shows where nothing is violated and the subject could not say what comes next, or
// what a check says (Explorer::trouble): these stand for the property and its kind.
inline constexpr const char* kTroubleName = "evaluation";
inline constexpr const char* kTroubleKind = "error";

// What a trace shows.
struct TraceVerdict {
  std::string property;  // empty: nothing is violated
  std::string kind;      // "always", "eventually", "failure"; kTroubleKind
  std::string why;
  std::vector<int> nodes;
  uint32_t step = 0;  // after which step (0: initially)
  // Of a property of the history: the operations that the reason is about, and those of them (and
  // perhaps others) that have no place among the rest.
  std::vector<TraceOperation> operations = {};
  std::vector<TraceOperation> unplaced = {};
  std::string word = {};  // what people are told for `kind`, where not that: see Property::word

  bool is_trouble() const { return kind == kTroubleKind; }
};

// Where an operation of the client history takes effect: right after this step.
struct LinearPoint {
  int client = -1;
  uint32_t operation = 0;  // the how-manieth of its client, from 0
  uint32_t step = 0;
};

struct Trace {
  std::string system;                             // the subject's name
  std::map<std::string, std::string> parameters;  // as given on the command line, defaults included
  std::string scenario;                           // under which it ran; "": none
  std::string strategy;
  uint64_t seed = 0;
  uint32_t initial = 0;  // which initial state
  uint64_t initial_digest = 0;
  std::vector<Sent> initially_sent;  // messages that the nodes sent while they started
  std::vector<HistoryEvent> initial_history;
  std::vector<KindRef> kinds;  // of actions, as far as its world describes them
  std::vector<int> nodes;      // the ids of the system's nodes; empty for raw models
  std::map<int, std::string> node_types;
  std::map<int, std::string> node_names;  // how people call them, if not by number
  // Where it comes from, if not from a run of Ordeal: "shiviz", "maelstrom". Such a run can be
  // looked at, not replayed.
  std::string source;
  bool free_faults = false;         // ran as System::free_faults() has it: recorded live
  std::string initial_parts;        // every part of the initial state, as TraceStep::parts
  std::vector<LinearPoint> points;  // of the operations that have a place, where that was asked
  std::vector<TraceStep> steps;
  // Of a run that goes on for ever: the last state goes back to the one after so many steps (0: the
  // initial one), and from there the steps come again and again. As many as there are steps: the
  // last state stays for ever.
  std::optional<uint32_t> loop_start;
  TraceVerdict verdict;
  uint32_t minimised_from = 0;  // steps before minimising; 0: not minimised
};

// With the states, where they were recorded.
std::string to_json(const Trace& trace);
Trace without_states(Trace trace);
// Hostile input is fine: the message says what was wrong, where, and what would be right.
Result<Trace> trace_from_json(std::string_view text);
Result<Trace> read_trace(const std::string& path);
// Writes aside and renames: the file is there whole, or not at all.
Result<void> write_trace(const Trace& trace, const std::string& path);

// "0.2.1": the choice indexes; "1:0.2.1" for a run from initial state number 1.
std::string short_form(const Trace& trace);
struct ShortForm {
  uint32_t initial = 0;
  std::vector<uint32_t> choices;
};
Result<ShortForm> parse_short_form(std::string_view text);

std::string hex(uint64_t digest);  // 16 digits

}  // namespace ordeal
