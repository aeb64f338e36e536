#include "ordeal/world.h"

namespace ordeal {

Result<std::unique_ptr<Checkable>> Checkable::with_free_faults() const {
  return Error{
      "it has no nodes that could run on their own: faults at any time are for systems of nodes"};
}

namespace {

Error not_declared(const std::string& what, const std::string& name) {
  return Error{"there is no " + what + " \"" + name + "\": the subject declares none"};
}

Result<uint32_t> only_default(const std::string& name) {
  if (name == kDefaultColouring) return 0U;
  return not_declared("colouring", name);
}

}  // namespace

Result<uint32_t> Explorer::predicate(const std::string& text) {
  return not_declared("predicate", text);
}
Result<uint32_t> Explorer::colouring(const std::string& name) { return only_default(name); }
void Explorer::show_colours(StateRef state, uint32_t, std::vector<value::Tree>& out) {
  out.push_back(value::tree(fingerprint(state)));
}

Result<uint32_t> World::predicate(const std::string& text) {
  return not_declared("predicate", text);
}
Result<uint32_t> World::colouring(const std::string& name) { return only_default(name); }
void World::show_colours(uint32_t, std::vector<value::Tree>& out) {
  out.push_back(value::tree(fingerprint()));
}

}  // namespace ordeal
