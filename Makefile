# Every target sets up what it needs; `make` alone lists them.

SOURCES = Package.swift Sources Tests Snippets Benchmarks/Package.swift Benchmarks/Sources Fuzzers/Package.swift Fuzzers/Sources Examples/VideoPlayer/Package.swift Examples/VideoPlayer/Sources
SECONDS ?= 60

.PHONY: help setup demo test serve bench fuzz docs format lint tsan

help:
	@echo "make demo            the whole way of the data on a sample shop, with a tally that must agree"
	@echo "make test            format lint, build, every test"
	@echo "make serve           the console and collector on http://127.0.0.1:8080, with a sample container and an app"
	@echo "make bench           benchmarks beside their baselines, written to Benchmarks/RESULTS.md"
	@echo "make fuzz SECONDS=60 random and mutated input for the decoders"
	@echo "make docs            the reference as a site in .build/docs"
	@echo "make lint            what the format check of make test says"
	@echo "make format          formats every source file"
	@echo "make tsan            the queue's tests under the thread sanitizer; TSAN_TESTS=. for all"

setup:
	@Scripts/bootstrap

demo: setup
	@swift build -c release --product tagworks 2>&1 | Scripts/quiet-build
	@swift build -c release --product tagworks-webhost 2>&1 | Scripts/quiet-build
	@.build/release/tagworks demo

# One test after another: servers and their clients would starve each other of the few threads of a small machine.
test: setup lint
	swift build --build-tests
	swift test --skip-build --disable-xctest --no-parallel

serve: setup
	@swift build -c release --product tagworks 2>&1 | Scripts/quiet-build
	@.build/release/tagworks serve --demo --data .build/serve

bench: setup
	@Scripts/bootstrap valgrind libexpat1-dev
	Scripts/bench

fuzz: setup
	swift run -c release --package-path Fuzzers fuzz --seconds $(SECONDS)

docs: setup
	Scripts/docs

format:
	swift format --in-place --recursive $(SOURCES)

lint:
	@swift format lint --strict --recursive $(SOURCES) || { echo "lint: 'make format' mends the layout" >&2; exit 1; }

# Locks that the sanitizer can see, and a build of its own: nothing built otherwise may be mixed with it. Crashes are left
# to the handlers under test. System calls do not fail under it, so that HQ-1102 prints that it is not run.
TSAN_TESTS ?= HitQueueTests
tsan: export TSAN_OPTIONS = handle_segv=0 handle_sigbus=0 handle_sigfpe=0 handle_sigill=0 handle_abort=0
tsan: setup
	swift test --disable-xctest --no-parallel --sanitize=thread --scratch-path .build/tsan -Xswiftc -DSANITIZES_THREADS \
	  --filter '$(TSAN_TESTS)'
