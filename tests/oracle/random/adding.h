// Generated nodes in the forms that they can have: structs, opaque objects, and put together at run
// time.
#pragma once

#include <memory>
#include <utility>

#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "tests/oracle/random/case.h"
#include "tests/oracle/random/made.h"

namespace ordeal::oracle {

template <class T, class Make>
void add_nodes_of(System& s, const Purpose& purpose, const Program* program, int count,
                  const Make& make) {
  if (purpose.made) {
    s.add(made_node<T>(program), count, [make](NodeId id) { return made_state(make(id)); });
  } else if (purpose.lives && purpose.digested) {
    s.add_opaque<Digested<T>>(count, [make](NodeId id) {
      return std::unique_ptr<Digested<T>>(new Digested<T>{make(id)});
    });
  } else if (purpose.lives) {
    s.add_opaque<T>(count, [make](NodeId id) { return std::make_unique<T>(make(id)); });
  } else {
    s.add<T>(count, make);
  }
}

inline void add_part(System& s, const Purpose& purpose, const Program* program, const Part& part) {
  if (purpose.made) {
    s.component("part", made_node<Part>(program), made_state(part));
  } else {
    s.component("part", part);
  }
}

inline value::Any asked(const Purpose& purpose, bool twin, uint8_t n) {
  if (purpose.made) return bytes_of(twin ? made().twin_ask : made().ask, {{"n", n}});
  return twin ? value::Any::of(twin::Ask{n}) : value::Any::of(Ask{n});
}

// What properties of single nodes look at.
struct Seen {
  uint8_t state = 0;
  uint8_t fuel = 0;
};

inline Seen seen_in(ConstRef node) {
  const ConstRef cell = node["cell"];
  return {cell[made().state].as<uint8_t>(), cell[made().fuel].as<uint8_t>()};
}
template <class T>
Seen seen_in(const T& node) {
  return {node.cell.state, node.cell.fuel};
}

template <class T, class F>
Predicate each_seen(const Purpose& purpose, F f, Over over = Over::kAll) {
  if (purpose.made) {
    return dynamic::each(
        made().of<T>(), [f](ConstRef node) { return f(seen_in(node)); }, over);
  }
  if (purpose.lives && purpose.digested) {
    return each<Digested<T>>([f](const Digested<T>& node) { return f(seen_in(node)); }, over);
  }
  return each<T>([f](const T& node) { return f(seen_in(node)); }, over);
}

template <class T, class F>
Predicate pairs_seen(const Purpose& purpose, F f, Over over = Over::kAll) {
  const auto both = [f](const auto& a, const auto& b) { return f(seen_in(a), seen_in(b)); };
  if (purpose.made) return dynamic::pairs(made().of<T>(), both, over);
  if (purpose.lives && purpose.digested) return pairs<Digested<T>>(both, over);
  return pairs<T>(both, over);
}

}  // namespace ordeal::oracle
