# The tasks of the house. 'make help' lists them; each installs what it is missing.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# JOBS and TEST_JOBS may be set on the command line: make build JOBS=1
JOBS      ?= $(shell scripts/jobs.sh)
# One more than there are processors: some tests wait, for a browser or for a time limit.
TEST_JOBS ?= $(shell expr $$(nproc) + 1)
DEPS      := scripts/install-deps.sh
CTEST     := ctest --output-on-failure --parallel $(TEST_JOBS) --no-tests=error
# Gcc's ThreadSanitizer cannot run where the kernel randomises addresses widely.
# Opaque nodes live in processes that were forked and have threads, which it has to be told to bear.
FIXED_ADDRESSES = $(shell setarch -R true 2>/dev/null && echo setarch -R)

configure = cmake --preset $(1) --log-level=WARNING
compile   = cmake --build --preset $(1) --parallel $(JOBS)

.PHONY: help command build demo test slowest tidy format bench bench-peers experiments experiment-pages coverage \
        soak asan tsan fuzz clang plain nightly install-deps clean

help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

command: ## build the command alone, optimised: build/release/ordeal
	@$(DEPS) build viewer
	@$(call configure,release)
	@$(call compile,release) --target ordeal

build: ## build everything, optimised
	@$(DEPS) build viewer grammar
	@$(call configure,release)
	@$(call compile,release)

demo: command ## find a planted bug in a consensus protocol and write its report
	@scripts/demo.sh

test: build ## build, and run every test but the long ones
	@$(DEPS) browser
	@$(CTEST) --test-dir build/release --label-exclude '^soak$$'

soak: build ## run the long tests (label soak)
	@scripts/soak.sh build/release

slowest: ## which sources and tests took longest, the last time they were built and run
	@scripts/slowest.sh build/release

asan: ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(DEPS) build viewer browser
	@$(call configure,asan)
	@$(call compile,asan)
	@$(CTEST) --test-dir build/asan --label-exclude '^soak$$'

tsan: ## run the tests under ThreadSanitizer
	@$(DEPS) build viewer browser
	@$(call configure,tsan)
	@$(FIXED_ADDRESSES) $(call compile,tsan)
	@TSAN_OPTIONS=die_after_fork=0 $(FIXED_ADDRESSES) $(CTEST) --test-dir build/tsan \
	  --label-exclude '^soak$$'

clang: ## build with clang, and run the tests
	@$(DEPS) build viewer browser fuzz
	@$(call configure,clang)
	@$(call compile,clang)
	@$(CTEST) --test-dir build/clang --label-exclude '^soak$$'

plain: ## build without the viewer and each source alone, and run the tests
	@$(DEPS) build
	@$(call configure,plain)
	@$(call compile,plain)
	@$(CTEST) --test-dir build/plain --label-exclude '^soak$$'

nightly: ## run every check there is, each to its end, and print a table of what came of them
	@scripts/nightly.sh

coverage: ## which lines and branches of the protocols their tests take: docs/experiments/coverage.md
	@$(DEPS) build viewer coverage
	@$(call configure,coverage)
	@find build/coverage -name '*.gcda' -delete
	@$(call compile,coverage)
	@scripts/coverage.sh build/coverage

fuzz: ## run every fuzz target for FUZZ_SECONDS (30) each
	@$(DEPS) build viewer fuzz
	@$(call configure,fuzz)
	@$(call compile,fuzz)
	@scripts/fuzz.sh

bench: ## build the benchmarks and run bench/run.sh
	@$(DEPS) build viewer bench
	@$(call configure,bench)
	@$(call compile,bench)
	@if [ -f bench/run.sh ]; then bash bench/run.sh; \
	else echo "bench: there is no bench/run.sh yet; nothing was run"; fi

bench-peers: build ## the same protocols on Ordeal, SPIN and Stateright, side by side
	@$(DEPS) peers || echo "bench-peers: going on without SPIN"
	@bash bench/peers/run.sh build/release/ordeal

# TRIALS and MAX_RUNS may be set too; the document says what they were. EXPERIMENT takes more options
# of `ordeal compare`, such as --bare.
TRIALS     ?= 20
MAX_RUNS   ?= 10000
LEARNER_TRIALS ?= 20
LEARNER_RUNS   ?= 100
EXPERIMENT ?=
experiments: build ## compare all strategies on all planted bugs: docs/experiments/strategies.md
	@build/release/ordeal compare --trials $(TRIALS) --max-runs $(MAX_RUNS) $(EXPERIMENT) \
	  --markdown docs/experiments/strategies.md
	@build/release/ordeal compare --strategies random,uniform,bonusmax,negrl,ucbzero,egreedy \
	  --trials $(LEARNER_TRIALS) --max-runs $(LEARNER_RUNS) --markdown docs/experiments/strategies-learners.md

QUICK_EXPERIMENTS := cube-world raft-mined-waypoints raft-ways abstract-coverage targets raft-bugs
experiment-pages: command ## run the quick experiments of experiments/, and write their pages in docs/experiments/
	for name in $(QUICK_EXPERIMENTS); do \
	  build/release/ordeal experiment experiments/$$name.toml --out build/experiments/$$name --quiet && \
	  cp build/experiments/$$name/results.md docs/experiments/$$name.md && \
	  cp build/experiments/$$name/*.svg docs/experiments/ || exit 1; \
	done

tidy: ## check the format of all sources and lint src/
	@$(DEPS) build viewer tidy
	@$(call configure,dev)
	@scripts/tidy.sh

format: ## format all sources in place
	@$(DEPS) tidy
	@scripts/tidy.sh format-fix

install-deps: ## install the packages of every task
	@$(DEPS) build viewer browser bench peers tidy fuzz coverage grammar

clean: ## remove all that was built
	rm -rf build out
