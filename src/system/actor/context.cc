#include "ordeal/context.h"

namespace ordeal {

void Context::add(Effect::Kind kind, NodeId to, value::Any value) {
  Effect effect;
  effect.kind = kind;
  effect.to = to;
  effect.value = std::move(value);
  captured_->effects.push_back(std::move(effect));
}

void Context::give(Effect::Kind kind, NodeId to, value::Any value) {
  if (value.empty()) {
    throw AssertionFailed("a handler gave its context an empty value: there is nothing to send");
  }
  add(kind, to, std::move(value));
}

void Context::set_timer(std::string name, TimerOptions options) {
  Effect effect;
  effect.kind = Effect::Kind::kSetTimer;
  effect.text = std::move(name);
  effect.after = options.after;
  effect.idle = options.idle;
  captured_->effects.push_back(std::move(effect));
}

void Context::cancel_timer(std::string name) {
  Effect effect;
  effect.kind = Effect::Kind::kCancelTimer;
  effect.text = std::move(name);
  captured_->effects.push_back(std::move(effect));
}

uint32_t Context::choose(uint32_t n) {
  ORDEAL_ASSERT(n > 0);
  if (captured_->ask) return captured_->ask(n);
  if (next_choice_ == captured_->choices.size()) captured_->choices.push_back(0);
  captured_->arities.push_back(n);
  uint32_t& answer = captured_->choices[next_choice_++];
  // Only a handler that is not deterministic asks for less than it did before.
  if (answer >= n) answer = n - 1;
  return answer;
}

void Context::log(std::string line) {
  Effect effect;
  effect.kind = Effect::Kind::kLog;
  effect.text = std::move(line);
  captured_->effects.push_back(std::move(effect));
}

void assertion_failed(const char* condition, const char* file, int line) {
  const std::string path(file);
  const size_t slash = path.find_last_of('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  throw AssertionFailed("assertion failed: " + std::string(condition) + " (" + name + ":" +
                        std::to_string(line) + ")");
}

}  // namespace ordeal
