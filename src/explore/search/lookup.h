// Looking successors up in the visited set, and queueing those that are to be expanded.
#pragma once

#include "explore/search/expansion.h"
#include "explore/search/search_state.h"

namespace ordeal::explore {

class Lookup {
 public:
  Lookup(const SearchPlan& plan, SearchState& state) : plan_(plan), s_(state) {}

  // Looks up the candidates in thread number `self`'s shards, in order.
  void look_up_shards(int self, Unit& unit);

  // One thread alone looks up successors as it expands, a few behind: what it looks at has been
  // asked for in time.
  void expand_and_look_up(Expander& expander, Unit& unit);

  // Writes down what is queued: who their parents are, and the chunk in which they wait. May be
  // called for different units at the same time.
  void queue(Unit& unit);

 private:
  void look_up(const Unit& unit, uint32_t number, Lane& lane);
  // Keeps of the state's sleep set what sleeps on every way to it. False: nothing is to be done.
  bool merge_sleep_sets(const Unit& unit, const VisitedSet::Place& place, Lane::Queued& queued,
                        Lane& lane);

  const SearchPlan& plan_;
  SearchState& s_;
};

}  // namespace ordeal::explore
