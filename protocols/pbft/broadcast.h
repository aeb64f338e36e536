// How a replica says something to all others; for the files that implement it.
#pragma once

#include "protocols/pbft/replica.h"

namespace ordeal::protocols::pbft {

template <class M>
void Replica::broadcast(Context& ctx, const M& message) const {
  // A Byzantine replica that withholds speaks to all, to some of them, or to nobody.
  const int reach = withholds ? static_cast<int>(ctx.choose(3)) : 0;
  const int last = reach == 0 ? setup.nodes : reach == 1 ? (setup.nodes + 1) / 2 : 0;
  for (int id = 1; id <= last; ++id) {
    if (ctx.self() != id) ctx.send(id, message);
  }
}

}  // namespace ordeal::protocols::pbft
