#include "language/tla/syntax/config.h"

#include <algorithm>

#include "base/text.h"
#include "language/tla/syntax/lexer.h"

namespace ordeal::tla {
namespace {

constexpr uint32_t kMostNested = 200;

// A section of names: where they go, and whether there is at most one.
struct Section {
  std::string_view word;
  std::vector<ConfigName> Config::*names;
  bool single = false;
};

const Section kSections[] = {
    {"SPECIFICATION", &Config::specification, true},
    {"INIT", &Config::init, true},
    {"NEXT", &Config::next, true},
    {"INVARIANT", &Config::invariants},
    {"INVARIANTS", &Config::invariants},
    {"PROPERTY", &Config::properties},
    {"PROPERTIES", &Config::properties},
    {"CONSTRAINT", &Config::constraints},
    {"CONSTRAINTS", &Config::constraints},
    {"ACTION_CONSTRAINT", &Config::action_constraints},
    {"ACTION_CONSTRAINTS", &Config::action_constraints},
    {"SYMMETRY", &Config::symmetry, true},
    {"VIEW", &Config::view, true},
    {"ALIAS", &Config::alias, true},
    {"POSTCONDITION", &Config::postcondition, true},
    {"TYPE", &Config::type, true},
    {"TYPE_CONSTRAINT", &Config::type, true},
};

const std::vector<std::string>& config_keywords() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> made = {"CONSTANT", "CONSTANTS", "CHECK_DEADLOCK"};
    for (const Section& section : kSections) made.emplace_back(section.word);
    return made;
  }();
  return words;
}

bool is_config_keyword(std::string_view word) {
  const std::vector<std::string>& words = config_keywords();
  return std::find(words.begin(), words.end(), word) != words.end();
}

class ConfigReader {
 public:
  ConfigReader(const Sources& sources, std::vector<Token> tokens)
      : sources_(sources), tokens_(std::move(tokens)) {}

  Result<Config> read() {
    while (!failed_ && !ended()) section();
    if (failed_) return Error{message_};
    return std::move(config_);
  }

 private:
  const Token& peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool ended() const { return peek().kind == TokenKind::kEnd; }
  bool at(TokenKind kind) const { return peek().kind == kind; }
  // Keywords end a section; all of them look like names.
  bool at_keyword() const { return is_config_keyword(peek().text); }

  void fail(const Place& place, const std::string& message) {
    if (failed_) return;
    failed_ = true;
    message_ = sources_.error(place, message);
    at_ = tokens_.size() - 1;
  }
  void fail_here(const std::string& expected) {
    const std::string found =
        at_keyword() ? "the keyword " + std::string(peek().text) : description(peek());
    fail(peek().place, "expected " + expected + ", found " + found);
  }

  void section() {
    const Token word = take();
    if (word.text == "CONSTANT" || word.text == "CONSTANTS") {
      while (!failed_ && !ended() && !at_keyword()) constant();
      return;
    }
    if (word.text == "CHECK_DEADLOCK") return deadlock(word);
    for (const Section& section : kSections) {
      if (section.word == word.text) return names(section, word);
    }
    fail(word.place, "expected a keyword such as SPECIFICATION or INVARIANT, found " +
                         description(word) + did_you_mean(upper(word.text), config_keywords()));
  }

  static std::string upper(std::string_view text) {
    std::string made(text);
    for (char& c : made) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return made;
  }

  void names(const Section& section, const Token& word) {
    std::vector<ConfigName>& into = config_.*section.names;
    if (section.single) {
      if (!into.empty()) {
        fail(word.place, std::string(word.text) + " stands here a second time, after '" +
                             into.front().name + "': there is at most one");
        return;
      }
      if (at_keyword() || !at(TokenKind::kName)) {
        fail_here("a name behind " + std::string(word.text));
        return;
      }
      into.push_back(name());
      return;
    }
    while (!failed_ && !ended() && !at_keyword()) {
      if (at(TokenKind::kComma)) {
        fail(peek().place, "no ',' stands between the names of a configuration: blanks do");
      } else if (at(TokenKind::kDefine) || peek().text == "=" || at(TokenKind::kSubst)) {
        fail(peek().place, "'" + std::string(peek().text) + "' belongs below CONSTANTS: " +
                               std::string(word.text) + " takes names");
      } else if (!at(TokenKind::kName)) {
        fail_here("a name or a keyword");
      } else {
        into.push_back(name());
      }
    }
  }

  // `Name` or `Instance!Name`
  ConfigName name() {
    ConfigName made;
    const Token& first = take();
    made.name = first.kind == TokenKind::kOperator ? first.op->text : first.text;
    made.place = first.place;
    while (at(TokenKind::kBang)) {
      take();
      const Token& next = take();
      if (next.kind != TokenKind::kName && next.kind != TokenKind::kOperator) {
        fail(next.place, "expected a name behind '!', found " + description(next));
      }
      made.name += "!";
      made.name += next.kind == TokenKind::kOperator ? next.op->text : next.text;
      made.place.end_line = next.place.end_line;
      made.place.end_column = next.place.end_column;
    }
    return made;
  }

  void deadlock(const Token& word) {
    if (config_.says_deadlock) {
      fail(word.place, "CHECK_DEADLOCK stands here a second time: there is at most one");
    } else if (peek().text != "TRUE" && peek().text != "FALSE") {
      fail_here("TRUE or FALSE behind CHECK_DEADLOCK");
    } else {
      config_.check_deadlock = take().text == "TRUE";
      config_.says_deadlock = true;
    }
  }

  void constant() {
    if (!at(TokenKind::kName) && !at(TokenKind::kOperator)) {
      fail_here("the name of a constant, or a keyword");
      return;
    }
    ConfigConstant made;
    const ConfigName called = name();
    made.name = called.name;
    made.place = called.place;
    if (at(TokenKind::kLeftParen)) {
      take();
      do made.arguments.push_back(value(0));
      while (take_if(TokenKind::kComma));
      expect(TokenKind::kRightParen);
    }
    made.is_override = at(TokenKind::kSubst);
    if (made.is_override ? take_if(TokenKind::kSubst) : take_equals(made)) {
      if (take_if(TokenKind::kLeftBracket)) {
        if (!at(TokenKind::kName)) fail_here("the name of a module in '[ ]'");
        made.module = take().text;
        expect(TokenKind::kRightBracket);
      }
      if (!made.is_override) {
        made.value = value(0);
      } else if (!failed_ && !at_keyword() && (at(TokenKind::kName) || at(TokenKind::kOperator))) {
        made.other = name().name;
      } else {
        fail_here("the name of a definition behind '<-' (a value stands behind '=')");
      }
    }
    config_.constants.push_back(std::move(made));
  }

  bool take_equals(const ConfigConstant& made) {
    if (!failed_ && peek().kind == TokenKind::kOperator && peek().text == "=") {
      take();
      return true;
    }
    if (at(TokenKind::kDefine)) {
      fail(peek().place, "a configuration gives a constant its value by '=', not by '=='");
      return false;
    }
    if (!failed_) {
      const std::string found =
          at_keyword() ? "the keyword " + std::string(peek().text) : description(peek());
      fail(ended() ? made.place : peek().place,
           "expected '=' or '<-' behind the constant '" + made.name + "', found " + found +
               did_you_mean(upper(made.name), config_keywords()));
    }
    return false;
  }

  bool take_if(TokenKind kind) {
    if (!at(kind)) return false;
    take();
    return true;
  }
  void expect(TokenKind kind) {
    if (!take_if(kind)) fail_here(description(kind));
  }

  ConfigValue value(uint32_t depth) {
    ConfigValue made;
    made.place = peek().place;
    if (depth > kMostNested) {
      fail(made.place, "sets are nested more than " + grouped(kMostNested) + " deep");
      return made;
    }
    const Token token = peek();
    if (token.text == "-" && peek(1).kind == TokenKind::kNumber) {
      take();
      made.text = "-" + std::string(take().text);
    } else if (token.kind == TokenKind::kNumber) {
      made.text = take().text;
    } else if (token.kind == TokenKind::kString) {
      made.kind = ConfigValue::Kind::kString;
      made.text = unescaped(take().text);
    } else if (token.kind == TokenKind::kName && !at_keyword()) {
      const bool truth = token.text == "TRUE" || token.text == "FALSE";
      made.kind = truth ? ConfigValue::Kind::kBoolean : ConfigValue::Kind::kModelValue;
      made.text = take().text;
    } else if (token.kind == TokenKind::kLeftBrace) {
      made.kind = ConfigValue::Kind::kSet;
      take();
      if (!at(TokenKind::kRightBrace)) {
        do made.elements.push_back(value(depth + 1));
        while (!failed_ && take_if(TokenKind::kComma));
      }
      if (!failed_ && !at(TokenKind::kRightBrace)) {
        fail_here("',' or '}' in a set");
      }
    } else if (!failed_) {
      fail_here(
          "a value: a number, a string, TRUE, FALSE, a model value or a set of them in '{ }' "
          "(other values are defined in a module, and given by '<-')");
    }
    if (made.kind == ConfigValue::Kind::kSet) take();
    const Place& last = tokens_[at_ == 0 ? 0 : at_ - 1].place;
    made.place.end_line = last.end_line;
    made.place.end_column = last.end_column;
    return made;
  }

  const Sources& sources_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  bool failed_ = false;
  std::string message_;
  Config config_;
};

}  // namespace

Result<Config> parse_config(const Sources& sources, uint32_t file) {
  Result<std::vector<Token>> tokens = lex(sources, file, LexPart::kAll);
  if (!tokens) return tokens.error();
  return ConfigReader(sources, *std::move(tokens)).read();
}

}  // namespace ordeal::tla
