// Where runs were: every state is put on a map, by a colouring whose colours are places.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/run/driver.h"
#include "explore/run/run_counts.h"
#include "explore/store/visited.h"
#include "ordeal/check.h"
#include "ordeal/value.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// So many places are told apart, and no row, column or grid has a higher number.
inline constexpr size_t kMostPlaces = 1'000'000;
inline constexpr int64_t kMostPlaceNumber = 1'000'000;

// The numbers of a colour that is a place: two or three of them, whole and not below 0. None: it is
// another colour.
std::optional<std::vector<int64_t>> place_of(const value::Tree& colour);

class RunMap : public RunObserver {
 public:
  // `map` and `measure` are names of colourings; "": no map is asked for. What is wrong with them
  // is in error(), then or later.
  RunMap(World& world, const std::string& map, const std::string& measure);

  bool is_asked() const { return is_asked_; }
  const std::string& error() const { return error_; }
  uint64_t bytes() const { return states_.bytes() + places_.size() * sizeof(MapPlace); }

  bool arrive(const Arrival& at) override;

  std::vector<MapPlace> places() const;  // by ascending numbers

 private:
  MapPlace* find(World& world, size_t node);

  bool is_asked_ = false;
  std::string name_;
  std::string error_;
  uint32_t map_ = 0;
  uint32_t measure_ = 0;
  std::vector<uint64_t> colours_;
  std::vector<uint64_t> measured_;
  std::unordered_map<uint64_t, size_t> by_colour_;  // looked up, never walked through
  std::vector<MapPlace> places_;                    // in the order in which they were met
  VisitedSet states_;                               // abstract states at places
};

}  // namespace ordeal::explore
