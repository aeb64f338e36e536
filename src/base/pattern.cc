#include "base/pattern.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ordeal {

namespace {

using Bytes = std::bitset<256>;
using Kind = Pattern::Instruction::Kind;

constexpr size_t kLongest = 4000;
constexpr size_t kMostInstructions = 20'000;
constexpr size_t kMostGroups = 50;
constexpr size_t kDeepest = 100;
constexpr uint32_t kMostRepeats = 1000;
constexpr uint32_t kForever = UINT32_MAX;

Bytes digits() {
  Bytes set;
  for (int c = '0'; c <= '9'; ++c) set.set(static_cast<size_t>(c));
  return set;
}
Bytes word_bytes() {
  Bytes set = digits();
  for (int c = 'a'; c <= 'z'; ++c) set.set(static_cast<size_t>(c)).set(static_cast<size_t>(c - 32));
  return set.set('_');
}
Bytes blanks() {
  Bytes set;
  for (const char c : std::string_view(" \t\n\v\f\r")) set.set(static_cast<unsigned char>(c));
  return set;
}
Bytes one(char c) { return Bytes().set(static_cast<unsigned char>(c)); }

bool is_word(char c) {
  static const Bytes kWord = word_bytes();
  return kWord.test(static_cast<unsigned char>(c));
}

// A piece of the expression, before it becomes a program.
struct Piece {
  enum class Form { kNothing, kBytes, kEdge, kGroup, kSequence, kChoice, kRepeat };
  Form form = Form::kNothing;
  Bytes bytes;
  Kind edge = Kind::kLineStart;
  size_t group = 0;  // kGroup: which named one
  uint32_t least = 0;
  uint32_t most = 0;
  bool greedy = true;
  std::vector<Piece> parts;
};

}  // namespace

class PatternCompiler {
 public:
  explicit PatternCompiler(std::string_view text) : text_(text) {}

  Result<Pattern> run() {
    if (text_.size() > kLongest) {
      return Error{fmt::format("the expression is {} bytes long; at most {} are allowed",
                               text_.size(), kLongest)};
    }
    const Piece whole = choice(0);
    if (!error_ && at_ < text_.size()) fail("a ')' without its '('");
    if (error_) return *error_;
    emit(whole);
    add({Kind::kMatch, 0, 0});
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  using Form = Piece::Form;

  void fail(const std::string& what) {
    if (error_) return;
    error_ = Error{fmt::format("the expression {} is wrong at character {}: {}",
                               one_line(cut_to(text_, 120)), at_ + 1, what)};
    at_ = text_.size();
  }
  bool more() const { return at_ < text_.size(); }
  bool take(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }

  Piece choice(size_t depth) {
    if (depth > kDeepest) {
      fail(fmt::format("groups are nested deeper than {}", kDeepest));
      return {};
    }
    Piece first = sequence(depth);
    if (!more() || text_[at_] != '|') return first;
    Piece out;
    out.form = Form::kChoice;
    out.parts.push_back(std::move(first));
    while (take("|")) out.parts.push_back(sequence(depth));
    return out;
  }

  Piece sequence(size_t depth) {
    Piece out;
    out.form = Form::kSequence;
    while (more() && text_[at_] != '|' && text_[at_] != ')') {
      out.parts.push_back(repeated(atom(depth)));
    }
    return out;
  }

  // The numbers of "{2}", "{2,}" or "{2,5}"; anything else in braces is text, as in JavaScript.
  bool take_counts(uint32_t& least, uint32_t& most) {
    size_t at = at_ + 1;
    const auto number = [&](uint32_t& value) {
      const size_t begin = at;
      value = 0;
      while (at < text_.size() && text_[at] >= '0' && text_[at] <= '9') {
        value = std::min(value * 10 + static_cast<uint32_t>(text_[at++] - '0'), kMostRepeats + 1);
      }
      return at > begin;
    };
    if (!number(least)) return false;
    most = least;
    if (at < text_.size() && text_[at] == ',') {
      ++at;
      if (!number(most)) most = kForever;
    }
    if (at >= text_.size() || text_[at] != '}') return false;
    if (least > kMostRepeats || (most != kForever && most > kMostRepeats)) {
      fail(fmt::format("at most {} repeats are allowed", kMostRepeats));
      return true;
    }
    if (most < least) fail("the second number of repeats is less than the first");
    if (!error_) at_ = at + 1;
    return true;
  }

  Piece repeated(Piece inside) {
    uint32_t least = 0;
    uint32_t most = kForever;
    if (take("*")) {
    } else if (take("+")) {
      least = 1;
    } else if (take("?")) {
      most = 1;
    } else if (!more() || text_[at_] != '{' || !take_counts(least, most)) {
      return inside;
    }
    Piece out;
    out.form = Form::kRepeat;
    out.least = least;
    out.most = most;
    out.greedy = !take("?");
    out.parts.push_back(std::move(inside));
    if (more() && (text_[at_] == '*' || text_[at_] == '+' || text_[at_] == '?')) {
      fail("nothing to repeat");
    }
    return out;
  }

  Piece bytes(const Bytes& set) {
    Piece out;
    out.form = Form::kBytes;
    out.bytes = set;
    return out;
  }
  Piece edge(Kind kind) {
    Piece out;
    out.form = Form::kEdge;
    out.edge = kind;
    return out;
  }

  Piece atom(size_t depth) {
    if (take("(")) return group(depth);
    if (take("[")) return bytes(bracketed());
    if (take(".")) return bytes(~(one('\n') | one('\r')));
    if (take("^")) return edge(Kind::kLineStart);
    if (take("$")) return edge(Kind::kLineEnd);
    if (take("\\b")) return edge(Kind::kWordEdge);
    if (take("\\B")) return edge(Kind::kNoWordEdge);
    if (take("\\")) return bytes(escaped());
    const char c = text_[at_];
    if (c == '*' || c == '+' || c == '?') {
      fail("nothing to repeat");
      return {};
    }
    ++at_;
    return bytes(one(c));
  }

  Piece group(size_t depth) {
    Piece out;
    out.form = Form::kSequence;
    for (const char* around : {"?=", "?!", "?<=", "?<!"}) {
      if (take(around)) fail("looking ahead or behind is not supported");
    }
    if (take("?<")) {
      const size_t end = text_.find('>', at_);
      const std::string name(text_.substr(at_, end == text_.npos ? 0 : end - at_));
      if (name.empty() || !std::all_of(name.begin(), name.end(), is_word)) {
        fail("expected the name of a group: (?<host>…)");
      } else if (std::count(out_.names_.begin(), out_.names_.end(), name) > 0) {
        fail(fmt::format("there are two groups named '{}'", name));
      } else if (out_.names_.size() == kMostGroups) {
        fail(fmt::format("there are more than {} named groups", kMostGroups));
      } else {
        at_ = end + 1;
        out.form = Form::kGroup;
        out.group = out_.names_.size();
        out_.names_.push_back(name);
      }
    } else if (!take("?:") && take("?")) {
      fail("expected (…), (?:…) or (?<name>…)");
    }
    out.parts.push_back(choice(depth + 1));
    if (!error_ && !take(")")) fail("a '(' has no ')'");
    return out;
  }

  // Behind a backslash.
  Bytes escaped() {
    if (!more()) {
      fail("nothing follows the backslash");
      return {};
    }
    const char c = text_[at_++];
    switch (c) {
      case 'd':
        return digits();
      case 'D':
        return ~digits();
      case 'w':
        return word_bytes();
      case 'W':
        return ~word_bytes();
      case 's':
        return blanks();
      case 'S':
        return ~blanks();
      case 'n':
        return one('\n');
      case 't':
        return one('\t');
      case 'r':
        return one('\r');
      case 'f':
        return one('\f');
      case 'v':
        return one('\v');
      default:
        break;
    }
    if ((c >= '1' && c <= '9') || c == 'k') fail("back references are not supported");
    if (is_word(c)) fail(fmt::format("\\{} is not supported", c));
    return one(c);
  }

  // Behind a '['.
  Bytes bracketed() {
    Bytes set;
    const bool negated = take("^");
    while (more() && text_[at_] != ']') {
      const bool is_plain = text_[at_] != '\\';
      const char low = text_[at_];
      if (!is_plain) ++at_;
      Bytes items = is_plain ? one(text_[at_++]) : take("b") ? one('\b') : escaped();
      if (items.count() == 1 && text_.substr(at_).starts_with("-") && at_ + 1 < text_.size() &&
          text_[at_ + 1] != ']') {
        ++at_;
        const auto begin = static_cast<unsigned char>(is_plain ? low : first_of(items));
        const Bytes last = take("\\") ? escaped() : one(text_[at_++]);
        const auto end = static_cast<unsigned char>(first_of(last));
        if (last.count() != 1 || end < begin) fail("the range in brackets is no range");
        for (size_t c = begin; c <= end; ++c) items.set(c);
      }
      set |= items;
    }
    if (!error_ && !take("]")) fail("a '[' has no ']'");
    return negated ? ~set : set;
  }
  static char first_of(const Bytes& set) {
    for (size_t c = 0; c < 256; ++c) {
      if (set.test(c)) return static_cast<char>(c);
    }
    return 0;
  }

  uint32_t here() const { return static_cast<uint32_t>(out_.program_.size()); }
  uint32_t add(Pattern::Instruction instruction) {
    if (out_.program_.size() >= kMostInstructions) {
      if (!error_) error_ = Error{"the expression repeats too much; its program would be too long"};
      return 0;
    }
    out_.program_.push_back(instruction);
    return here() - 1;
  }
  // An instruction that goes on with the one after it.
  uint32_t add_next(Kind kind, uint32_t other) { return add({kind, here() + 1, other}); }

  void emit(const Piece& piece) {
    if (error_) return;
    switch (piece.form) {
      case Form::kNothing:
        break;
      case Form::kBytes:
        out_.sets_.push_back(piece.bytes);
        add_next(Kind::kBytes, static_cast<uint32_t>(out_.sets_.size()) - 1);
        break;
      case Form::kEdge:
        add_next(piece.edge, 0);
        break;
      case Form::kGroup:
        add_next(Kind::kSave, static_cast<uint32_t>(2 * piece.group));
        emit(piece.parts[0]);
        add_next(Kind::kSave, static_cast<uint32_t>(2 * piece.group + 1));
        break;
      case Form::kSequence:
        for (const Piece& part : piece.parts) emit(part);
        break;
      case Form::kChoice:
        emit_choice(piece);
        break;
      case Form::kRepeat:
        emit_repeat(piece);
        break;
    }
  }

  void emit_choice(const Piece& piece) {
    std::vector<uint32_t> ends;
    for (size_t i = 0; i < piece.parts.size() && !error_; ++i) {
      if (i + 1 == piece.parts.size()) {
        emit(piece.parts[i]);
        break;
      }
      const uint32_t split = add({Kind::kSplit, here() + 1, 0});
      emit(piece.parts[i]);
      ends.push_back(add({Kind::kSplit, 0, 0}));
      if (!error_) out_.program_[split].other = here();
    }
    if (error_) return;
    for (const uint32_t end : ends) out_.program_[end].next = out_.program_[end].other = here();
  }

  // A split whose one way is the next instruction; the other is filled in later.
  uint32_t add_fork() { return add({Kind::kSplit, 0, 0}); }
  void join_fork(uint32_t fork, uint32_t inside, uint32_t outside, bool greedy) {
    if (error_) return;
    out_.program_[fork].next = greedy ? inside : outside;
    out_.program_[fork].other = greedy ? outside : inside;
  }

  void emit_repeat(const Piece& piece) {
    for (uint32_t i = 0; i < piece.least && !error_; ++i) emit(piece.parts[0]);
    if (piece.most == kForever) {
      const uint32_t fork = add_fork();
      emit(piece.parts[0]);
      const uint32_t back = add({Kind::kSplit, fork, fork});
      join_fork(fork, fork + 1, back + 1, piece.greedy);
      return;
    }
    std::vector<uint32_t> forks;
    for (uint32_t i = piece.least; i < piece.most && !error_; ++i) {
      forks.push_back(add_fork());
      emit(piece.parts[0]);
    }
    for (const uint32_t fork : forks) join_fork(fork, fork + 1, here(), piece.greedy);
  }

  std::string_view text_;
  size_t at_ = 0;
  std::optional<Error> error_;
  Pattern out_;
};

// All ways through the program at once, byte by byte, the preferred ones first. Each way knows
// where its groups began and ended.
class PatternSearch {
 public:
  PatternSearch(const Pattern& pattern, std::string_view text)
      : pattern_(pattern), text_(text), slots_(2 * pattern.names_.size() + 1) {}

  std::optional<Pattern::Match> run(size_t from, uint64_t& steps) {
    Ways now(pattern_.program_.size(), slots_);
    Ways next(pattern_.program_.size(), slots_);
    bool found = false;
    for (size_t at = from; at <= text_.size(); ++at) {
      if (!found) {
        std::vector<uint32_t> fresh(slots_, kNowhere);
        fresh.back() = static_cast<uint32_t>(at);
        follow(now, 0, at, std::move(fresh));
      } else if (now.order.empty()) {
        break;
      }
      const uint64_t cost = now.order.size() + 1;
      if (steps < cost) {
        steps = 0;
        return std::nullopt;
      }
      steps -= cost;
      next.clear();
      for (const uint32_t index : now.order) {
        const Pattern::Instruction& instruction = pattern_.program_[index];
        if (instruction.kind == Kind::kMatch) {
          best_ = now.slots_of(index);
          end_ = at;
          found = true;
          break;  // what comes later is less preferred
        }
        if (at < text_.size() &&
            pattern_.sets_[instruction.other].test(static_cast<unsigned char>(text_[at]))) {
          follow(next, instruction.next, at + 1, now.slots_of(index));
        }
      }
      std::swap(now, next);
    }
    if (!found) return std::nullopt;
    Pattern::Match match;
    match.begin = best_.back();
    match.end = end_;
    for (size_t i = 0; i + 1 < slots_; i += 2) {
      const bool took_part = best_[i] != kNowhere && best_[i + 1] != kNowhere;
      match.groups.push_back(took_part ? text_.substr(best_[i], best_[i + 1] - best_[i])
                                       : std::string_view());
    }
    return match;
  }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  struct Ways {
    Ways(size_t instructions, size_t slots) : slots_each(slots), marks(instructions) {
      places.resize(instructions * slots);
    }
    void clear() {
      order.clear();
      ++round;
    }
    std::vector<uint32_t> slots_of(uint32_t index) const {
      const auto begin = places.begin() + static_cast<ptrdiff_t>(index * slots_each);
      return {begin, begin + static_cast<ptrdiff_t>(slots_each)};
    }
    size_t slots_each;
    std::vector<uint32_t> order;   // instructions, preferred ones first
    std::vector<uint64_t> marks;   // the round in which an instruction was reached last
    std::vector<uint32_t> places;  // slots of the instructions in `order`
    uint64_t round = 1;
  };

  bool holds(Kind kind, size_t at) const {
    const bool start = at == 0 || text_[at - 1] == '\n';
    const bool end = at == text_.size() || text_[at] == '\n';
    if (kind == Kind::kLineStart) return start;
    if (kind == Kind::kLineEnd) return end;
    const bool edge =
        (at > 0 && is_word(text_[at - 1])) != (at < text_.size() && is_word(text_[at]));
    return edge == (kind == Kind::kWordEdge);
  }

  // Adds what can be reached from an instruction without reading a byte.
  void follow(Ways& ways, uint32_t begin, size_t at, std::vector<uint32_t> slots) {
    stack_.push_back({begin, std::move(slots)});
    while (!stack_.empty()) {
      auto [index, places] = std::move(stack_.back());
      stack_.pop_back();
      if (ways.marks[index] == ways.round) continue;
      ways.marks[index] = ways.round;
      const Pattern::Instruction& instruction = pattern_.program_[index];
      switch (instruction.kind) {
        case Kind::kSplit:
          if (instruction.other != instruction.next) stack_.push_back({instruction.other, places});
          stack_.push_back({instruction.next, std::move(places)});
          break;
        case Kind::kSave:
          places[instruction.other] = static_cast<uint32_t>(at);
          stack_.push_back({instruction.next, std::move(places)});
          break;
        case Kind::kLineStart:
        case Kind::kLineEnd:
        case Kind::kWordEdge:
        case Kind::kNoWordEdge:
          if (holds(instruction.kind, at)) stack_.push_back({instruction.next, std::move(places)});
          break;
        case Kind::kBytes:
        case Kind::kMatch:
          std::copy(places.begin(), places.end(),
                    ways.places.begin() + static_cast<ptrdiff_t>(index * slots_));
          ways.order.push_back(index);
          break;
      }
    }
  }

  const Pattern& pattern_;
  std::string_view text_;
  size_t slots_;  // two a group, and where the match began
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> stack_;
  std::vector<uint32_t> best_;
  size_t end_ = 0;
};

Result<Pattern> Pattern::compile(std::string_view expression) {
  return PatternCompiler(expression).run();
}

std::optional<size_t> Pattern::group(std::string_view name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return std::nullopt;
  return static_cast<size_t>(at - names_.begin());
}

std::optional<Pattern::Match> Pattern::search(std::string_view text, size_t from,
                                              uint64_t& steps) const {
  return PatternSearch(*this, text).run(from, steps);
}

}  // namespace ordeal
