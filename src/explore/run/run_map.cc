#include "explore/run/run_map.h"

#include <map>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "ordeal/steering.h"

namespace ordeal::explore {

std::optional<std::vector<int64_t>> place_of(const value::Tree& colour) {
  using Kind = value::Tree::Kind;
  const bool holds =
      colour.kind == Kind::kList || colour.kind == Kind::kTuple || colour.kind == Kind::kRecord;
  if (!holds || colour.items.size() < 2 || colour.items.size() > 3) return std::nullopt;
  std::vector<int64_t> out;
  for (const value::Tree& item : colour.items) {
    if (item.kind != Kind::kInteger) return std::nullopt;
    if (item.integer < 0 || item.integer > kMostPlaceNumber) return std::nullopt;
    out.push_back(item.integer);
  }
  return out;
}

RunMap::RunMap(World& world, const std::string& map, const std::string& measure)
    : is_asked_(!map.empty()), name_(map) {
  if (!is_asked_) return;
  const Result<uint32_t> places = world.colouring(map);
  const Result<uint32_t> measured = world.colouring(measure);
  if (!places) {
    error_ = places.error().message;
  } else if (!measured) {
    error_ = measured.error().message;
  } else {
    map_ = *places;
    measure_ = *measured;
  }
}

// Of a node that is down there is none, and null is returned without an error.
MapPlace* RunMap::find(World& world, size_t node) {
  const uint64_t colour = colours_[node];
  if (const auto known = by_colour_.find(colour); known != by_colour_.end()) {
    return &places_[known->second];
  }
  if (colour == kCrashedColour) return nullptr;
  std::vector<value::Tree> shown;
  world.show_colours(map_, shown);
  const auto place = node < shown.size() ? place_of(shown[node]) : std::nullopt;
  if (!place) {
    error_ = "the colouring " + quoted_for_message(name_) + " is no map: a colour of it is " +
             (node < shown.size() ? value::show(shown[node]) : "unknown") +
             ", and a place is two or three whole numbers, from 0 to 1,000,000: row and column, "
             "with a grid before them or without";
  } else if (places_.size() == kMostPlaces) {
    error_ = "the colouring " + quoted_for_message(name_) + " has more than 1,000,000 places";
  } else if (!places_.empty() && places_[0].at.size() != place->size()) {
    error_ = "the colouring " + quoted_for_message(name_) +
             " is no map: some of its colours are two numbers, some three";
  }
  if (!error_.empty()) return nullptr;
  by_colour_[colour] = places_.size();
  return &places_.emplace_back(MapPlace{*place, 0, 0});
}

bool RunMap::arrive(const Arrival& at) {
  colours_.clear();
  measured_.clear();
  at.world.colours(map_, colours_);
  at.world.colours(measure_, measured_);
  uint64_t state = 0;  // a sum: of a multiset
  for (const uint64_t colour : measured_) state += mix64(colour);
  for (size_t node = 0; node < colours_.size(); ++node) {
    MapPlace* place = find(at.world, node);
    if (place == nullptr) {
      if (!error_.empty()) return false;
      continue;
    }
    ++place->visits;
    if (states_.put(combine(mix64(state), colours_[node])).is_new) ++place->states;
  }
  return true;
}

// Nodes of two types may have colours that are different values with the same numbers.
std::vector<MapPlace> RunMap::places() const {
  std::map<std::vector<int64_t>, MapPlace> all;
  for (const MapPlace& one : places_) {
    MapPlace& place = all[one.at];
    place.at = one.at;
    place.visits += one.visits;
    place.states += one.states;
  }
  std::vector<MapPlace> out;
  for (auto& [at, place] : all) out.push_back(std::move(place));
  return out;
}

}  // namespace ordeal::explore
