#include "explore/liveness/run_graph.h"

#include <algorithm>

#include "base/mutant.h"
#include "explore/store/visited.h"

namespace ordeal::explore {
namespace {

void write_number(uint64_t number, std::vector<uint8_t>& out) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<uint8_t>(number | 0x80));
  out.push_back(static_cast<uint8_t>(number));
}

uint64_t read_number(const uint8_t*& at) {
  uint64_t out = 0;
  for (int shift = 0;; shift += 7) {
    const uint8_t byte = *at++;
    out |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return out;
  }
}

// Small numbers of either sign are small numbers.
uint64_t folded(int64_t number) {
  return static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
}
int64_t unfolded(uint64_t number) {
  return static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
}

}  // namespace

uint32_t BitRows::number(const std::vector<bool>& row) {
  const auto [at, is_new] = known_.emplace(row, static_cast<uint32_t>(rows_.size()));
  if (is_new) rows_.push_back(&at->first);
  return at->second;
}

uint64_t BitRows::bytes() const {
  const uint64_t each = rows_.empty() ? 0 : 96 + rows_[0]->size() / 8;
  return rows_.size() * each;
}

// Breadth first from the initial states.
class RunGraph::Maker {
 public:
  Maker(RunGraph& graph, const Task& task)
      : g_(graph),
        task_(task),
        wide_(task.options.wide_fingerprints),
        explorer_(task.space.explorer()),
        seen_(wide_, VisitedSet::Note::kNumber) {
    g_.duties_.push_back(Owed::kNothing);
    state_row_.resize(task.liveness.state_atoms);
    step_row_.resize(task.liveness.step_atoms);
    no_steps_ = g_.step_rows_.number(step_row_);  // number 0: of what changes nothing
  }

  Result<std::optional<Bound>> run() {
    for (uint32_t i = 0; i < task_.roots.size(); ++i) {
      const StateSpace::Initial& root = task_.roots[i];
      const uint32_t before = g_.count_;
      const uint32_t number = number_of(root.fingerprint, root.state);
      if (number == before && number != kOutside) g_.roots_.emplace_back(number, i);
    }
    while (next_.states > 0) {
      std::swap(current_, next_);
      next_ = {};
      for (size_t at = 0; at < current_.words.size();) {
        const size_t size = current_.words[at];
        fingerprint_ = static_cast<uint64_t>(current_.words[at + 2]) << 32 | current_.words[at + 1];
        const StateRef state(current_.words.data() + at + 3, size);
        at += 3 + size;
        --current_.states;
        if (auto stop = look()) return stop;
        if (auto done = expand(state); !done) return done.error();
      }
    }
    look_at_memory();
    g_.table_bytes_ = duty_numbers_.size() * 48 + label_numbers_.size() * 64;
    return std::optional<Bound>();
  }

 private:
  static constexpr uint64_t kStates = 256;  // between two looks at memory

  struct Queue {
    std::vector<uint32_t> words;  // of each state: how many, the fingerprint, the words
    uint64_t states = 0;
  };

  void look_at_memory() {
    bytes_ = task_.held_bytes + task_.space.statistics().bytes + explorer_->bytes() +
             seen_.bytes() + (current_.words.capacity() + next_.words.capacity()) * 4 +
             duty_numbers_.size() * 48 + label_numbers_.size() * 64 + g_.bytes();
    g_.most_bytes_ = std::max(g_.most_bytes_, bytes_);
  }
  std::optional<Bound> look() {
    if (looks_++ % kStates == 0) look_at_memory();
    if (bytes_ > task_.most_bytes) {
      return Bound{.kind = Bound::Kind::kMemory, .limit = task_.most_bytes, .used = bytes_};
    }
    if (g_.count_ == kOutside - 1) {
      return Bound{.kind = Bound::Kind::kSize, .text = "more states than can be numbered"};
    }
    return task_.pace.look(task_.so_far, next_.states + current_.states, bytes_);
  }

  // The state's number; it is queued where it is new.
  uint32_t number_of(uint64_t fingerprint, StateRef state) {
    const uint64_t second = wide_ ? explorer_->second_fingerprint(state) : 0;
    const VisitedSet::Place place = seen_.put(fingerprint, second);
    if (!place.is_new) return seen_.note(place);
    const uint32_t number = inside(state) ? g_.count_++ : kOutside;
    seen_.set_note(place, number);
    if (number == kOutside) return number;
    next_.words.push_back(static_cast<uint32_t>(state.size()));
    next_.words.push_back(static_cast<uint32_t>(fingerprint));
    next_.words.push_back(static_cast<uint32_t>(fingerprint >> 32));
    next_.words.insert(next_.words.end(), state.begin(), state.end());
    ++next_.states;
    return number;
  }
  // Not by the explorer that has listed what is at hand: some look at one state at a time.
  bool inside(StateRef state) {
    if (looker_ == nullptr) looker_ = task_.space.explorer();
    return looker_->within(state);
  }

  Result<void> expand(StateRef state) {
    choices_.clear();
    explorer_->enumerate(state, choices_);
    const bool terminal = std::none_of(choices_.begin(), choices_.end(),
                                       [](const Choice& choice) { return choice.progress; });
    if (auto said = said_all(); !said) return said;
    record_.clear();
    uint32_t count = 0;
    int64_t last_to = static_cast<int64_t>(g_.begins_.size());
    uint32_t last_choice = 0;
    for (uint32_t i = 0; i < choices_.size(); ++i) {
      const Choice& choice = choices_[i];
      Label label;
      label.progress = choice.progress;
      if (task_.liveness.has_duties) label.duty = duty_number(explorer_->duty(state, choice));
      uint32_t to = kOutside;
      if (!choice.fails && !choice.outside) {
        words_.clear();
        const uint64_t fingerprint = explorer_->apply(state, fingerprint_, choice, words_);
        to = number_of(fingerprint, words_);
        if (!step_row_.empty() && to != kOutside) {
          explorer_->atoms_of_step(state, choice, words_, step_row_);
          if (auto said = said_all(); !said) return said;
          label.atoms = g_.step_rows_.number(step_row_);
        }
      }
      if (to == kOutside && mutant(Mutant::kEnabledInside)) continue;
      // Of what is not followed only that it is possible is of interest.
      if (to == kOutside && label.duty == 0) continue;
      ++count;
      write_number(i - last_choice, record_);
      last_choice = i;
      write_number(to == kOutside ? 0 : folded(static_cast<int64_t>(to) - last_to) + 1, record_);
      if (to != kOutside) last_to = to;
      write_number(label_number(label), record_);
    }
    // Last, since some look at one state at a time.
    explorer_->atoms_of_state(state, terminal, state_row_);
    if (auto said = said_all(); !said) return said;
    g_.edges_ += count;
    keep(count);
    g_.labels_.push_back(g_.state_rows_.number(state_row_) * 2 + (terminal ? 1 : 0));
    return {};
  }

  void keep(uint32_t count) {
    if (g_.begins_.size() % kBlock == 0) {
      if (!g_.blocks_.empty()) {
        g_.blocks_.back().shrink_to_fit();
        g_.block_bytes_ += g_.blocks_.back().capacity();
      }
      g_.blocks_.emplace_back();
    }
    std::vector<uint8_t>& block = g_.blocks_.back();
    g_.begins_.push_back(static_cast<uint32_t>(block.size()));
    write_number(count, block);
    block.insert(block.end(), record_.begin(), record_.end());
  }

  Result<void> said_all() {
    const std::string* trouble = explorer_->trouble();
    if (trouble == nullptr) return {};
    return Error{"what is said of runs could not be looked at in a state: " + *trouble};
  }

  uint32_t duty_number(const Duty& duty) {
    Owed owed = duty.owed;
    const Fairness choice = task_.options.fairness;
    if (choice == Fairness::kNone) owed = Owed::kNothing;
    if (owed == Owed::kNothing) return 0;
    if (choice == Fairness::kWeak) owed = Owed::kWeakly;
    if (choice == Fairness::kStrong) owed = Owed::kStrongly;
    const uint64_t key = mutant(Mutant::kOneForAll) ? 0 : duty.key;
    const auto [at, is_new] = duty_numbers_.emplace(key, static_cast<uint32_t>(g_.duties_.size()));
    if (is_new) g_.duties_.push_back(owed);
    // Whatever is owed to one that it serves.
    Owed& known = g_.duties_[at->second];
    known = std::max(known, owed);
    return at->second;
  }
  uint32_t label_number(const Label& label) {
    const auto [at, is_new] =
        label_numbers_.emplace(label, static_cast<uint32_t>(g_.edge_labels_.size()));
    if (is_new) g_.edge_labels_.push_back(label);
    return at->second;
  }

  RunGraph& g_;
  const Task& task_;
  const bool wide_;
  std::unique_ptr<Explorer> explorer_;
  std::unique_ptr<Explorer> looker_;
  VisitedSet seen_;
  Queue current_;
  Queue next_;
  uint64_t fingerprint_ = 0;
  std::vector<Choice> choices_;
  std::vector<uint32_t> words_;
  std::vector<uint8_t> record_;
  std::vector<bool> state_row_;
  std::vector<bool> step_row_;
  uint32_t no_steps_ = 0;
  std::unordered_map<uint64_t, uint32_t> duty_numbers_;
  std::map<Label, uint32_t> label_numbers_;
  uint64_t looks_ = 0;
  uint64_t bytes_ = 0;
};

Result<std::optional<Bound>> RunGraph::make(const Task& task) {
  return std::make_unique<Maker>(*this, task)->run();
}

RunGraph::Cursor RunGraph::edges_from(uint32_t state) const {
  Cursor out;
  out.at_ = blocks_[state / kBlock].data() + begins_[state];
  out.left_ = static_cast<uint32_t>(read_number(out.at_));
  out.to_ = state;
  return out;
}

bool RunGraph::Cursor::next(Edge& out) {
  if (left_ == 0) return false;
  --left_;
  choice_ += static_cast<uint32_t>(read_number(at_));
  const uint64_t to = read_number(at_);
  if (to > 0) to_ = static_cast<uint32_t>(static_cast<int64_t>(to_) + unfolded(to - 1));
  out.to = to > 0 ? to_ : kOutside;
  out.choice = choice_;
  out.label = static_cast<uint32_t>(read_number(at_));
  return true;
}

uint64_t RunGraph::bytes() const {
  const uint64_t last = blocks_.empty() ? 0 : blocks_.back().capacity();
  return block_bytes_ + last + blocks_.capacity() * sizeof(blocks_[0]) +
         (begins_.capacity() + labels_.capacity()) * sizeof(uint32_t) + state_rows_.bytes() +
         step_rows_.bytes() + edge_labels_.capacity() * sizeof(Label) + duties_.capacity() +
         table_bytes_;
}

}  // namespace ordeal::explore
