#include "conform/tla_states.h"

#include "base/text.h"

namespace ordeal::conform {

bool TlaStates::add(std::span<const tla::Value> values) {
  const uint64_t fingerprint = tla::fingerprint_of(values);
  if (known_.contains(fingerprint)) return false;
  if (all_.size() >= most_) {
    cut_ = true;
    return false;
  }
  known_.insert(fingerprint);
  all_.push_back({{values.begin(), values.end()}, fingerprint});
  return true;
}

void TlaStates::add(const TlaState& state) { add(state.values); }

void TlaStates::clear() {
  all_.clear();
  known_.clear();
  cut_ = false;
}

std::string AskedStep::text() const {
  std::string out = name;
  for (size_t i = 0; i < names.size(); ++i) {
    out += i == 0 ? "(" : ", ";
    out += names[i] + ": ";
    if (values[i].empty()) {
      out += "?";
    } else {
      tla::print(values[i][0], out);
    }
  }
  if (!names.empty()) out += ")";
  return out;
}

std::string AskedWay::text() const {
  std::string out;
  for (const AskedStep& step : steps) {
    out += (out.empty() ? "" : " then ") + std::string(step.maybe ? "maybe " : "") + step.text();
  }
  if (out.empty()) out = "nothing";
  return when == nullptr ? out : out + " when " + one_line(when->text);
}

}  // namespace ordeal::conform
