// What people see of a state besides its variables: ALIAS.
#include "language/tla/model/explorer.h"

namespace ordeal::tla {

value::Tree TlaExplorer::alias_of(StateRef state) {
  const auto tree_in = [&](const Node& node, Frame* frame) {
    value::Tree out;
    if (!tried([&] { out = tree_of(node.eval(machine_, frame)); })) {
      out = value::Tree::enumerator("no value: " + trouble_.substr(0, trouble_.find('\n')));
    }
    return out;
  };
  ask(state);
  // Evaluated field by field: one that is about the next state must not hide the others.
  const Node* node = spec_.alias.node;
  const Layout* layout = spec_.alias.layout;
  Frame* const frame = machine_.frame(nullptr, layout->slots);
  const auto* const record = dynamic_cast<const RecordNode*>(node);
  value::Tree out;
  if (record != nullptr && !record->is_set) {
    out = value::Tree::record("");
    for (size_t i = 0; i < record->names.size(); ++i) {
      out.add(atom_text(record->names[i].atom()), tree_in(*record->items[i], frame));
    }
  } else {
    out = tree_in(*node, frame);
  }
  trouble_.clear();
  return out;
}

}  // namespace ordeal::tla
