#include "language/tla/mapper/mapper_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace ordeal::tla {
namespace {

constexpr std::array kKeywords = {"specification", "define", "value",    "hidden", "on", "do",
                                  "ignore",        "see",    "otherwise"};
constexpr uint32_t kMostHidden = 20;

bool is_keyword(std::string_view text) {
  return std::find(kKeywords.begin(), kKeywords.end(), text) != kKeywords.end();
}

int depth_change(TokenKind kind) {
  switch (kind) {
    case TokenKind::kLeftParen:
    case TokenKind::kLeftBrace:
    case TokenKind::kLeftBracket:
    case TokenKind::kLeftAngle:
      return 1;
    case TokenKind::kRightParen:
    case TokenKind::kRightBrace:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBracketSub:
    case TokenKind::kRightAngle:
    case TokenKind::kRightAngleSub:
      return -1;
    default:
      return 0;
  }
}

// Of `a = b`: what cannot stand beside it if that is all there is.
bool binds_weaker(TokenKind kind, std::string_view text) {
  switch (kind) {
    case TokenKind::kForAll:
    case TokenKind::kExists:
    case TokenKind::kIf:
    case TokenKind::kCase:
    case TokenKind::kLet:
    case TokenKind::kChoose:
    case TokenKind::kLambda:
      return true;
    default:
      return kind == TokenKind::kOperator &&
             (text == "/\\" || text == "\\/" || text == "=>" || text == "<=>" || text == "~" ||
              text == "\\land" || text == "\\lor" || text == "\\lnot" || text == "\\neg" ||
              text == "\\equiv");
  }
}

}  // namespace

Error MapperParser::error_at(const Word& word, const std::string& message) const {
  return Error{spec_.sources().error(word.place, message)};
}

Result<void> MapperParser::read_words() {
  auto tokens = spec_.tokens(path_, text_);
  if (!tokens) return tokens.error();
  const Sources& sources = spec_.sources();
  const char* const start = sources.text(static_cast<uint32_t>(sources.size() - 1)).data();
  uint32_t line = 0;
  for (const Token& token : *tokens) {
    Word word;
    word.kind = token.kind;
    word.place = token.place;
    word.first = token.place.line != line;
    line = token.place.line;
    if (token.kind == TokenKind::kEnd) {
      word.begin = word.end = text_.size();
    } else {
      word.begin = static_cast<size_t>(token.text.data() - start);
      word.end = word.begin + token.text.size();
      word.text = std::string(token.text);
    }
    words_.push_back(std::move(word));
  }
  return {};
}

Result<void> MapperParser::parse() {
  if (Result<void> read = read_words(); !read) return read;
  const size_t end = words_.size() - 1;  // kEnd
  size_t at = 0;
  while (at < end) {
    size_t next = at + 1;
    while (next < end && !(words_[next].first && words_[next].kind == TokenKind::kName &&
                           is_keyword(words_[next].text))) {
      ++next;
    }
    if (Result<void> read = read_statement({at, next}); !read) return read;
    at = next;
  }
  if (named_) return {};
  return Error{
      fmt::format("{}: it does not say which specification it is for; its first line would be: "
                  "specification {}",
                  one_line(path_), spec_.name())};
}

Result<void> MapperParser::read_statement(Range statement) {
  const Word& head = word(statement.first);
  const Range rest{statement.first + 1, statement.last};
  if (head.kind != TokenKind::kName || !is_keyword(head.text)) {
    const std::vector<std::string> known(kKeywords.begin(), kKeywords.end());
    return error_at(head, fmt::format("a statement begins with {}{}", enumeration(known),
                                      did_you_mean(head.text, known)));
  }
  if (!named_ && head.text != "specification") {
    return error_at(
        head,
        "the first statement says which specification this is for: specification " + spec_.name());
  }
  if (head.text == "ignore") {
    if (mapper_.rules_.empty()) return error_at(head, "'ignore' belongs to an 'on' above it");
    if (rest.first < rest.last) return error_at(word(rest.first), "nothing follows 'ignore'");
    mapper_.rules_.back().ignored = true;
    return {};
  }
  if (rest.first == rest.last) return error_at(head, "something must follow '" + head.text + "'");
  if (head.text == "specification") return read_specification(rest);
  if (head.text == "define") return read_define(rest);
  if (head.text == "value") return read_value(rest);
  if (head.text == "hidden") return read_hidden(rest);
  if (head.text == "on") return read_on(rest);
  if (head.text == "do") return read_do(rest);
  if (head.text == "see") return read_see(rest);
  return read_otherwise(rest);
}

Result<void> MapperParser::read_specification(Range rest) {
  if (named_) return error_at(word(rest.first), "the specification was named before");
  const Word& name = word(rest.first);
  if (name.text != spec_.name() || rest.last != rest.first + 1) {
    return error_at(name, fmt::format("this mapper is for another specification; here it is {}{}",
                                      spec_.name(), did_you_mean(name.text, {spec_.name()})));
  }
  named_ = true;
  return {};
}

Result<void> MapperParser::read_define(Range rest) {
  const size_t end = word(rest.last - 1).end;
  const Result<std::vector<std::string>> made =
      spec_.define(terms_.only(word(rest.first).begin, end));
  if (made) return {};
  return error_at(word(rest.first), made.error().message);
}

Result<void> MapperParser::read_value(Range rest) {
  const Word& said = word(rest.first);
  Event json;
  if (said.kind == TokenKind::kString) {
    json = unescaped(said.text);
  } else if (said.text == "null" || said.text == "TRUE" || said.text == "FALSE") {
    json = said.text == "null" ? Event(nullptr) : Event(said.text == "TRUE");
  } else {
    json = Event::parse(said.text, nullptr, false);
    if (json.is_discarded() || !json.is_primitive()) {
      return error_at(said, "a value of the log is a text, a number, TRUE, FALSE or null");
    }
  }
  if (!is(rest.first + 1, rest, "is")) {
    return error_at(word(std::min(rest.first + 1, rest.last - 1)),
                    "a value is said so: value \"n1\" is s1");
  }
  const Result<Term> made = term({rest.first + 2, rest.last});
  if (!made) return made.error();
  if (made->about_states || !made->fields.empty()) {
    return error_at(word(rest.first + 2), "it depends on the state or the event; give a value");
  }
  Value value;
  const std::vector<Value> none(spec_.variables().size());
  const Result<void> done = model_.in(none, *mapper_.heap_, [&](Machine& m) {
    m.grow_constants(spec_.compiler().constants());
    value = deep_normal(
        m.heap(), made->node->eval(m, m.frame(nullptr, made->expression->closed.layout->slots)));
  });
  if (!done) return done.error();
  if (!mapper_.values_.emplace(json.dump(), value).second) {
    return error_at(said, "it was said before what this is");
  }
  return {};
}

Result<void> MapperParser::read_otherwise(Range rest) {
  const Word& how = word(rest.first);
  const bool one = rest.last == rest.first + 1;
  if (one && how.text == "ignore") {
    mapper_.otherwise_ = Otherwise::kIgnore;
  } else if (one && how.text == "depart") {
    mapper_.otherwise_ = Otherwise::kDepart;
  } else if (rest.last == rest.first + 2 && how.text == "by" &&
             word(rest.first + 1).text == "name") {
    mapper_.otherwise_ = Otherwise::kByName;
  } else {
    return error_at(how,
                    "what no rule is about is said so: otherwise ignore, otherwise depart, or "
                    "otherwise by name");
  }
  return {};
}

Result<Term> MapperParser::term(Range range, const std::string& each) {
  if (range.first >= range.last) {
    return error_at(word(range.first), "an expression is missing here");
  }
  return terms_.make(word(range.first).begin, word(range.last - 1).end, each);
}

std::vector<MapperParser::Range> MapperParser::split(Range range,
                                                     const std::string& separator) const {
  std::vector<Range> out;
  int depth = 0;
  size_t first = range.first;
  for (size_t i = range.first; i < range.last; ++i) {
    depth += depth_change(words_[i].kind);
    if (depth != 0 || words_[i].text != separator) continue;
    out.push_back({first, i});
    first = i + 1;
  }
  out.push_back({first, range.last});
  return out;
}

Result<void> MapperParser::read_on(Range rest) {
  Result<Term> condition = term(rest);
  if (!condition) return condition.error();
  if (condition->about_states) {
    return error_at(word(rest.first), "what an event is about does not depend on the state");
  }
  MappedRule rule;
  rule.condition = *std::move(condition);
  rule.texts = terms_.texts();
  rule.line = word(rest.first).place.line;
  mapper_.rules_.push_back(std::move(rule));
  return {};
}

Result<void> MapperParser::read_see(Range rest) {
  Seen seen;
  const size_t begin = word(rest.first).begin;
  seen.text = on_one_line(std::string_view(text_).substr(begin, word(rest.last - 1).end - begin));
  int depth = 0;
  size_t equation = 0;
  bool is_more = false;
  for (size_t i = rest.first; i < rest.last; ++i) {
    depth += depth_change(words_[i].kind);
    if (depth != 0) continue;
    is_more = is_more || binds_weaker(words_[i].kind, words_[i].text);
    if (words_[i].kind == TokenKind::kOperator && words_[i].text == "=" && equation == 0) {
      equation = i;
    }
  }
  const bool has_sides = equation != 0 && !is_more;
  if (has_sides) {
    Result<Term> left = term({rest.first, equation});
    if (!left) return left.error();
    seen.left = *std::move(left);
  }
  Result<Term> right = term({has_sides ? equation + 1 : rest.first, rest.last});
  if (!right) return right.error();
  seen.right = *std::move(right);
  (mapper_.rules_.empty() ? mapper_.seen_ : mapper_.rules_.back().seen).push_back(std::move(seen));
  return {};
}

Result<void> MapperParser::read_hidden(Range rest) {
  Range names = rest;
  mapper_.hidden_.most = 1;
  const size_t count = rest.last - rest.first;
  if (count > 3 && word(rest.last - 3).text == "at" && word(rest.last - 2).text == "most") {
    const Word& number = word(rest.last - 1);
    const Result<uint64_t> most = parse_number("at most", number.text, 1, kMostHidden);
    if (!most) return error_at(number, most.error().message);
    mapper_.hidden_.most = static_cast<uint32_t>(*most);
    names.last -= 3;
  }
  for (const Range& one : split(names, ",")) {
    Result<MappedAction> action = read_action(one);
    if (!action) return action.error();
    if (action->maybe || action->each) {
      return error_at(word(one.first), "a hidden action is named alone, with arguments or without");
    }
    mapper_.hidden_.actions.push_back(*std::move(action));
  }
  return {};
}

Result<void> MapperParser::read_do(Range rest) {
  if (mapper_.rules_.empty()) {
    return error_at(word(rest.first - 1), "'do' belongs to an 'on' above it");
  }
  for (const Range& one : split(rest, "or")) {
    Result<MappedSteps> steps = read_sequence(one);
    if (!steps) return steps.error();
    mapper_.rules_.back().steps.push_back(*std::move(steps));
  }
  return {};
}

Result<MappedSteps> MapperParser::read_sequence(Range range) {
  MappedSteps out;
  const std::vector<Range> parts = split(range, "when");
  if (parts.size() > 2) return error_at(word(parts[2].first - 1), "'when' comes once in a way");
  if (parts.size() == 2) {
    Result<Term> when = term(parts[1]);
    if (!when) return when.error();
    out.when = *std::move(when);
  }
  const Range steps = parts[0];
  if (steps.last == steps.first + 1 && word(steps.first).text == "nothing") return out;
  for (const Range& one : split(steps, "then")) {
    Result<MappedAction> action = read_action(one);
    if (!action) return action.error();
    out.actions.push_back(*std::move(action));
  }
  return out;
}

// [maybe] Name [(arguments)] [for x in S]
Result<MappedAction> MapperParser::read_action(Range range) {
  MappedAction out;
  out.number = mapper_.action_count_++;
  size_t at = range.first;
  if (is(at, range, "maybe")) {
    out.maybe = true;
    ++at;
  }
  if (at >= range.last || word(at).kind != TokenKind::kName) {
    return error_at(word(std::min(at, words_.size() - 1)),
                    "the name of an action is expected here");
  }
  const Word& head = word(at);
  for (; at < range.last; ++at) {
    const bool is_part = word(at).kind == TokenKind::kName || word(at).kind == TokenKind::kBang;
    if (!is_part || word(at).text == "for") break;
    out.name += word(at).text;
  }
  Range arguments{at, at};
  if (at < range.last && word(at).kind == TokenKind::kLeftParen) {
    int depth = 0;
    size_t close = at;
    do {
      depth += depth_change(word(close).kind);
      ++close;
    } while (close < range.last && depth > 0);
    arguments = {at + 1, close - 1};
    at = close;
  }
  std::string each;
  if (is(at, range, "for")) {
    if (at + 3 >= range.last || word(at + 1).kind != TokenKind::kName ||
        word(at + 2).text != "in") {
      return error_at(word(at), "an action for each of several is said so: A(x) for x in S");
    }
    each = word(at + 1).text;
    Result<Term> set = term({at + 3, range.last});
    if (!set) return set.error();
    out.each = *std::move(set);
    at = range.last;
  }
  if (at < range.last) {
    return error_at(word(at), "after an action come 'then', 'or', 'for', or the next statement");
  }
  size_t given = 0;
  if (arguments.first < arguments.last) {
    for (const Range& one : split(arguments, ",")) {
      if (Result<void> read = read_argument(one, given++, each, out); !read) return read.error();
    }
  }
  if (Result<void> fine = check_action(out, given, head); !fine) return fine.error();
  return out;
}

// name: e, or e in the place of the parameter; _ says nothing about it.
Result<void> MapperParser::read_argument(Range range, size_t position, const std::string& each,
                                         MappedAction& out) {
  MappedArgument argument;
  const bool is_named = range.last > range.first + 1 &&
                        word(range.first + 1).kind == TokenKind::kColon &&
                        word(range.first).kind == TokenKind::kName;
  const Range value{is_named ? range.first + 2 : range.first, range.last};
  if (is_named) {
    argument.name = word(range.first).text;
  } else {
    argument.name = "#" + std::to_string(position);  // check_action() knows its name
    if (range.last == range.first + 1 && word(range.first).kind == TokenKind::kUnderscore)
      return {};
  }
  Result<Term> made = term(value, each);
  if (!made) return made.error();
  argument.value = *std::move(made);
  out.arguments.push_back(std::move(argument));
  return {};
}

// None: it is not known in which order they come.
std::optional<std::vector<std::string>> MapperParser::parameters_of(const std::string& name) {
  constexpr size_t kMostParameters = 32;
  try {
    for (size_t count = 0; count <= kMostParameters; ++count) {
      const Operator* const op = spec_.compiler().find(name, count);
      if (op != nullptr) return op->param_names;
    }
  } catch (const CompileError&) {
    return std::nullopt;
  }
  for (const NamedAction& one : model_.ways().actions()) {
    if (one.name == name) return one.parameters;
  }
  return std::nullopt;
}

Result<void> MapperParser::check_action(MappedAction& action, size_t given, const Word& at) {
  const bool by_place =
      std::any_of(action.arguments.begin(), action.arguments.end(),
                  [](const MappedArgument& one) { return one.name.starts_with('#'); });
  if (by_place) {
    const auto parameters = parameters_of(action.name);
    if (parameters && given != parameters->size()) {
      return error_at(
          at, fmt::format("{} takes {}{}, and here are {}", action.name,
                          counted(parameters->size(), "argument"),
                          parameters->empty() ? "" : " (" + join(*parameters, ", ") + ")", given));
    }
    for (MappedArgument& argument : action.arguments) {
      if (!argument.name.starts_with('#') || !parameters) continue;
      argument.name = (*parameters)[std::stoul(argument.name.substr(1))];
    }
  }
  std::vector<std::string> names;
  for (const MappedArgument& argument : action.arguments) names.push_back(argument.name);
  std::vector<std::string> twice = names;
  std::sort(twice.begin(), twice.end());
  const auto repeated = std::adjacent_find(twice.begin(), twice.end());
  if (repeated != twice.end()) return error_at(at, "argument " + *repeated + " is given twice");
  const Result<std::vector<Way>> ways = model_.ways().find(action.name, names);
  if (!ways) return error_at(at, ways.error().message);
  return {};
}

}  // namespace ordeal::tla
