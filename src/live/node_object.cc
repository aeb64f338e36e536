#include "live/node_object.h"

#include <new>
#include <utility>

#include "base/left_alone.h"
#include "system/actor/handler_run.h"

namespace ordeal::live {

void NodeObject::renew() {
  destroy();
  if (is_opaque()) {
    object_ = declared_.make_object(id_);
    return;
  }
  const value::Type& type = *declared_.type->type;
  object_ = ::operator new(type.size(), std::align_val_t(type.align()));
  type.copy_construct(object_, declared_.make_value(id_).data());
}

void NodeObject::destroy() {
  if (object_ == nullptr) return;
  if (is_opaque()) {
    declared_.type->destroy(object_);
  } else {
    const value::Type& type = *declared_.type->type;
    type.destroy(object_);
    ::operator delete(object_, std::align_val_t(type.align()));
  }
  object_ = nullptr;
}

void NodeObject::look(Ran& ran) const {
  const detail::NodeType& type = *declared_.type;
  if (!is_opaque()) {
    ran.audited = true;
    ran.state_digest = type.type->copy_any(object_).digest();
  } else if (type.digest != nullptr) {
    // Without a digest of its own, the simulator knows such an object by what happened to it.
    actor::OpaqueState state;
    state.digest = type.digest(object_);
    state.shown = type.show != nullptr ? type.show(object_) : "";
    ran.audited = true;
    ran.state_digest = value::Any::of(std::move(state)).digest();
  }
}

Ran NodeObject::run(const actor::Event& event, int from, const value::Any& disk,
                    const std::function<uint32_t(uint32_t)>& answer) {
  Ran ran;
  Context::Captured captured;
  captured.ask = [&](uint32_t n) {
    const uint32_t given = answer(n);
    if (is_opaque()) {
      ran.asked.push_back({id_.value, given, n});
    } else {
      ran.choices.push_back(given);
    }
    return given;
  };
  Context context(id_, from, peers_, group_, captured);
  ran.failure = actor::call_handler(*declared_.type, event, from, disk, object_, context);
  if (!ran.failure.empty()) {
    leave_alone(std::exchange(object_, nullptr));
    return ran;
  }
  ran.effects = std::move(captured.effects);
  look(ran);
  return ran;
}

}  // namespace ordeal::live
