#include "live/shadow.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "base/guard.h"
#include "base/text.h"

namespace ordeal::live {
namespace {

Options recorder_options(const LiveOptions& options) {
  Options out;
  out.strategy = "live";
  out.seed = options.seed;
  out.system = options.system;
  out.parameters = options.parameters;
  out.states = options.states;
  return out;
}

}  // namespace

Shadow::Shadow(const Checkable& subject, const detail::Declaration& declared,
               const LiveOptions& options)
    : options_(options),
      keeps_messages_(declared.network == Network::kSet),
      world_(subject.world()),
      recorder_(*world_, recorder_options(options)),
      budget_(declared) {
  recorder_.trace().free_faults = true;
  for (const Property& property : subject.properties()) {
    LiveStatus::Verdict verdict;
    verdict.property = property.name;
    verdict.kind = to_string(property.kind);
    verdicts_.push_back(std::move(verdict));
  }
}

Result<void> Shadow::start(uint32_t initial) {
  if (auto started = recorder_.start(initial); !started) return started;
  told_.trace = recorder_.trace();
  told_.verdicts = verdicts_;
  return {};
}

bool Shadow::follow_start(const std::vector<Asked>& asked) {
  return guard([&] {
    answer(asked);
    answer_first();
    judge();
  });
}

bool Shadow::follow(const Record& record) {
  return guard([&] { step(record); });
}

bool Shadow::guard(const std::function<void()>& follow) {
  if (over_) return false;
  const std::string failure = guarded([&] { follow(); });
  if (!failure.empty()) {
    // A goal or a constraint that fails says nothing about the run.
    note(fmt::format("the properties cannot be judged: {}", one_line(failure)));
    finish("a property failed");
  }
  // Only what is judged is told: of the state behind the last step nothing has to be known, not
  // even what its handlers would do, and so a recording that ends here replays.
  tell();
  return !over_;
}

void Shadow::step(const Record& record) {
  std::string why;
  const std::optional<uint32_t> index = find(record, why);
  if (!index) return differ(record, why);
  budget_.take(record);
  sent_from_ = recorder_.trace().steps.size();
  if (const auto done = recorder_.step(*index); !done) return differ(record, done.error().message);
  answer(record.asked);
  if (recorder_.failed() != !record.failure.empty()) {
    return differ(record, recorder_.failed() ? "in the simulator the handler fails: " +
                                                   recorder_.trace().steps.back().detail.failure
                                             : "live the handler fails: " + record.failure);
  }
  if (recorder_.failed()) return violate(kNoFailure);
  if (why = compare(record); !why.empty()) return differ(record, why);
  judge();
  if (!over_ && count() >= options_.max_steps) {
    finish(fmt::format("{} were recorded, which is as many as it was to be",
                       counted(count(), "step")));
  }
}

std::optional<uint32_t> Shadow::find(const Record& record, std::string& why) {
  const std::vector<Choice>& enabled = world_->enabled();
  bool asked_otherwise = false;
  for (uint32_t i = 0; i < enabled.size(); ++i) {
    if (enabled[i].kind != record.kind) continue;
    const Offer offer = world_->offer(i);
    if (offer.node.value != record.node || offer.from.value != record.from) continue;
    const uint64_t content = record.payload.empty() ? 0 : record.payload.hash();
    if (!record.payload.empty() && offer.content != content) continue;
    if (world_->action(i).choices == record.choices) return i;
    asked_otherwise = true;
  }
  why = asked_otherwise
            ? "in the simulator it does not ask choose(n) in the same way"
            : "in the simulator it cannot happen here: something before it went another way";
  return std::nullopt;
}

void Shadow::answer(const std::vector<Asked>& asked) {
  for (const Asked& one : asked) {
    const std::vector<Choice>& enabled = world_->enabled();
    if (recorder_.failed() || enabled.empty() || enabled[0].kind != ActionKind::kChoose) return;
    if (one.answer >= enabled.size() || !recorder_.step(one.answer)) return;
  }
}

// Value nodes that choose while they start, among opaque objects, took the first way.
void Shadow::answer_first() {
  while (!world_->enabled().empty() && world_->enabled()[0].kind == ActionKind::kChoose) {
    if (recorder_.failed() || !recorder_.step(0)) return;
  }
}

// --- Comparing
// -------------------------------------------------------------------------------------

std::string Shadow::compare(const Record& record) const {
  if (const auto sent = compare_sent(record); !sent.empty()) return sent;
  for (const auto& [node, digest] : record.digests) {
    for (const Snapshot::Part& part : recorder_.snapshot().parts) {
      if (part.node != node || part.digest == digest) continue;
      return fmt::format("{} is in another state than in the simulator, where it is {}", part.name,
                         cut_to(value::show(part.tree), 200));
    }
  }
  return "";
}

std::string Shadow::compare_sent(const Record& record) const {
  // Where messages are kept, one that is there already is not sent again.
  if (keeps_messages_) return "";
  std::vector<std::pair<int, uint64_t>> sent;
  const std::vector<TraceStep>& steps = recorder_.trace().steps;
  for (size_t i = sent_from_; i < steps.size(); ++i) {
    for (const Sent& one : steps[i].detail.sent) {
      const bool counts = one.kind == ActionKind::kDeliver || one.kind == ActionKind::kEvent;
      if (counts) sent.emplace_back(one.to, one.payload_digest);
    }
  }
  std::sort(sent.begin(), sent.end());
  if (sent == record.sent) return "";
  if (sent.size() == record.sent.size()) return "it sends other messages than in the simulator";
  return fmt::format("it sends {}, in the simulator {}", counted(record.sent.size(), "message"),
                     sent.size());
}

void Shadow::differ(const Record& record, const std::string& what) {
  LiveStatus::Verdict verdict;
  verdict.property = kLiveAsSimulated;
  verdict.kind = "audit";
  verdict.violated = true;
  verdict.step = std::max(count(), static_cast<uint32_t>(1));
  verdict.why = fmt::format(
      "step {} ({}): {}; a handler of node {} depends on something other than its state and its "
      "events: time, threads, global variables",
      verdict.step, show(record), what, record.node);
  if (record.node >= 0) verdict.nodes = {record.node};
  note(fmt::format("✗ violated: {}\n  {}", verdict.property, one_line(verdict.why)));
  verdicts_.push_back(verdict);
  finish("the simulator cannot follow");
}

// --- Judging
// ---------------------------------------------------------------------------------------

void Shadow::judge() {
  if (!outside_ && !world_->within()) {
    outside_ = true;
    note(fmt::format("step {} leaves the declared constraint: from here on nothing is judged",
                     count()));
  }
  if (outside_) return;
  const bool terminal = recorder_.terminal();
  stuck_ = stuck_ && terminal;
  judgement_.clear();
  world_->judge(terminal, judgement_);
  judgement_.settled.resize(verdicts_.size());
  for (const uint32_t property : judgement_.reached) {
    LiveStatus::Verdict& verdict = verdicts_[property];
    if (verdict.reached) continue;
    verdict.reached = true;
    verdict.step = count();
    judgement_.settled[property] = true;
    note(fmt::format("✓ reached: {} (step {})", one_line(verdict.property), verdict.step));
  }
  for (const uint32_t property : judgement_.violated) {
    if (over_ || verdicts_[property].violated) continue;
    const bool at_the_end = world_->properties()[property].kind == PropertyKind::kEventually;
    if (!at_the_end || budget_.exceeded().empty()) {
      violate(property);
    } else if (!stuck_) {
      // It is promised only within the declared faults.
      stuck_ = true;
      note(
          fmt::format("nothing can happen by itself any more, and \"{}\" does not hold: {}; but "
                      "more happened than is declared: {}",
                      one_line(verdicts_[property].property),
                      one_line(world_->explain(terminal, property).why()), budget_.exceeded()));
    }
  }
}

void Shadow::violate(uint32_t property) {
  if (!recorder_.conclude(property)) return;
  LiveStatus::Verdict& verdict = verdicts_[property];
  const TraceVerdict& found = recorder_.trace().verdict;
  verdict.violated = true;
  verdict.kind = found.kind;
  verdict.why = found.why;
  verdict.nodes = found.nodes;
  verdict.step = found.step;
  note(fmt::format("✗ violated: {} (step {})\n  {}", one_line(found.property), found.step,
                   one_line(found.why)));
  if (!budget_.exceeded().empty()) {
    note(fmt::format("  but more happened than is declared: {}", budget_.exceeded()));
  }
  if (options_.keep_going && !recorder_.failed()) {
    recorder_.trace().verdict = {};
  } else {
    finish(fmt::format("\"{}\" is violated", found.property));
  }
}

// --- The end, and what others see
// --------------------------------------------------------------------

void Shadow::note(std::string text) { notes_.push_back(std::move(text)); }

void Shadow::finish(std::string why) {
  over_ = true;
  why_ = std::move(why);
}

void Shadow::tell() {
  Trace& trace = recorder_.trace();
  const std::lock_guard lock(mutex_);
  if (told_.ended) return;  // nobody listens any more
  for (size_t i = told_.trace.steps.size(); i < trace.steps.size(); ++i) {
    told_.trace.steps.push_back(std::move(trace.steps[i]));
  }
  told_.trace.verdict = trace.verdict;
  told_.verdicts = verdicts_;
  for (std::string& text : notes_) told_.notes.push_back(std::move(text));
  notes_.clear();
  told_.over = over_;
  told_.why = why_;
  changed_.notify_all();
}

void Shadow::end(const std::string& why, const Remains& remains) {
  // What was violated on the way is the verdict of the whole only if it still is.
  if (recorder_.trace().verdict.property.empty() && !recorder_.failed()) {
    for (uint32_t i = 0; i < world_->properties().size(); ++i) {
      if (!verdicts_[i].violated || world_->properties()[i].kind == PropertyKind::kSometimes) {
        continue;
      }
      if (recorder_.conclude(i)) break;
    }
  }
  tell();
  tell_the_end(why, remains, false);
}

void Shadow::abandon(const std::string& why, const Remains& remains) {
  tell_the_end(why, remains, true);
}

void Shadow::tell_the_end(const std::string& why, const Remains& remains, bool abandoned) {
  const std::lock_guard lock(mutex_);
  if (told_.ended) return;
  told_.remains = remains;
  for (const LiveStatus::Unfinished& one : remains.unfinished) {
    told_.notes.push_back(fmt::format(
        "! the handler of node {} has not returned, and what it does is not recorded: {}", one.node,
        one_line(one.what)));
  }
  if (told_.over) told_.remains.unrecorded = 0;  // behind the end
  if (told_.remains.unrecorded > 0) {
    told_.notes.push_back(fmt::format(
        "! {} happened and {} not recorded: the simulator, which follows, {}",
        counted(told_.remains.unrecorded, "step"), told_.remains.unrecorded == 1 ? "is" : "are",
        abandoned ? "is still in a handler" : "was so far behind"));
  }
  if (!told_.over) told_.why = why;
  told_.over = told_.ended = true;
  changed_.notify_all();
}

LiveNews Shadow::poll(size_t steps_seen, size_t notes_seen, double wait_seconds) const {
  std::unique_lock lock(mutex_);
  const auto& steps = told_.trace.steps;
  const auto& notes = told_.notes;
  changed_.wait_for(lock, std::chrono::duration<double>(wait_seconds), [&] {
    return told_.ended || steps.size() > steps_seen || notes.size() > notes_seen;
  });
  LiveNews news;
  const size_t first_step = std::min(steps_seen, steps.size());
  news.steps.assign(steps.begin() + static_cast<ptrdiff_t>(first_step), steps.end());
  const size_t first_note = std::min(notes_seen, notes.size());
  news.notes.assign(notes.begin() + static_cast<ptrdiff_t>(first_note), notes.end());
  news.over = told_.ended;
  news.why = told_.ended ? told_.why : "";
  return news;
}

Trace Shadow::trace() const {
  const std::lock_guard lock(mutex_);
  return told_.trace;
}

void Shadow::describe(LiveStatus& out) const {
  const std::lock_guard lock(mutex_);
  out.steps = static_cast<uint32_t>(told_.trace.steps.size());
  out.verdicts = told_.verdicts;
  out.why = told_.why;
  out.unfinished = told_.remains.unfinished;
  out.unrecorded = static_cast<uint32_t>(told_.remains.unrecorded);
}

}  // namespace ordeal::live
