# gpuplan: build, test and install. GNU make 4.3 or later; `make help` lists the targets.

VERSION := 0.1.0

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
BINDIR  ?= $(PREFIX)/bin
LIBDIR  ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR  ?= $(PREFIX)/share/man
DATADIR ?= $(PREFIX)/share
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR  ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
DOCS    ?= docs

ifeq ($(origin CC),default)
CC := $(if $(shell command -v gcc),gcc,cc)
endif
AR         := ar
PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g
LDFLAGS    ?=
WERROR     ?= 0
JOBS       ?= $(shell nproc 2>/dev/null || echo 2)
V          ?= 0
Q          := $(if $(filter 1,$(V)),,@)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: FORCE

# ---- libraries -------------------------------------------------------------------------------
# Asked when a recipe needs them, not when this file is read: `make deps demo` installs them first.
# The first use of a variable replaces it by its value.

once = $(eval $(1) := $(2))$($(1))
pkg = $(shell $(PKG_CONFIG) $(1) 2>/dev/null)

LIB_PACKAGES := yaml-0.1 libcjson
NETWORK     ?= $(call once,NETWORK,$(shell $(PKG_CONFIG) --exists libcurl 2>/dev/null && echo 1 || echo 0))
LIB_CFLAGS   = $(call once,LIB_CFLAGS,$(call pkg,--cflags $(LIB_PACKAGES)))
LIB_LIBS     = $(call once,LIB_LIBS,$(call pkg,--libs $(LIB_PACKAGES)))
CURL_CFLAGS  = $(call once,CURL_CFLAGS,$(if $(filter 1,$(NETWORK)),$(call pkg,--cflags libcurl)))
XLSX        ?= $(call once,XLSX,$(shell $(PKG_CONFIG) --exists xlsxwriter 2>/dev/null && echo 1 || echo 0))
XLSX_CFLAGS  = $(call once,XLSX_CFLAGS,$(if $(filter 1,$(XLSX)),$(call pkg,--cflags xlsxwriter)))
# The file names that these go by where programs are run: they are opened when first needed.
soname = $(or $(shell for place in "$$($(PKG_CONFIG) --variable=libdir $(1))/$(2).so" \
    "$$($(CC) -print-file-name=$(2).so)"; do readelf -d "$$place"; done 2>/dev/null | \
    sed -n '/SONAME/{s/.*\[\(.*\)\].*/\1/p;q;}'),$(2)$(if $(filter Darwin,$(shell uname)),.dylib,.so))
CURL_NAME    = $(call once,CURL_NAME,$(call soname,libcurl,libcurl))
XLSX_NAME    = $(call once,XLSX_NAME,$(call soname,xlsxwriter,libxlsxwriter))
TEST_CFLAGS  = $(call once,TEST_CFLAGS,$(call pkg,--cflags cmocka))
TEST_LIBS    = $(call once,TEST_LIBS,$(call pkg,--libs cmocka))

# ---- flags -----------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
    -Wfloat-equal -Wformat=2 -Wundef -Wvla -Wcast-qual -Wpointer-arith -Wwrite-strings \
    -Wstrict-prototypes -Wmissing-prototypes -Wredundant-decls -Wswitch-enum \
    -Wnull-dereference -Wimplicit-fallthrough
# Threads have small stacks; a sanitizer's frames are larger.
WARNINGS += $(if $(findstring -fsanitize,$(CFLAGS)),,-Wframe-larger-than=16384)
# cmocka's macros cast between integers and pointers; the tests leave out what those casts trip.
TEST_WARNINGS := -Wall -Wextra -Wshadow -Wformat=2 -Wundef -Wvla -Wpointer-arith -Wwrite-strings \
    -Wstrict-prototypes -Wredundant-decls -Wimplicit-fallthrough

STANDARD := -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -fvisibility=hidden
CPPFLAGS_ALL = -Iinclude -Isrc -I$(BUILD)/generated -DGP_VERSION='"$(VERSION)"' -DGP_NETWORK=$(NETWORK) -DGP_XLSX=$(XLSX) $(CPPFLAGS)
COMPILE = $(CC) $(STANDARD) $(CPPFLAGS_ALL) $(LIB_CFLAGS) $(CFLAGS) \
    $(if $(filter 1,$(WERROR)),-Werror) -MMD -MP

# ---- sources ---------------------------------------------------------------------------------

FLOORS := base source schema model catalog estimate simulate plan fit import report render api
LIB_SOURCES := $(sort $(wildcard $(FLOORS:%=src/%/*.c)))
CLI_SOURCES := $(sort $(wildcard src/cli/*.c))
CATALOG_FILES := $(sort $(wildcard src/catalog/*.yaml src/catalog/*/*.yaml))
PUBLIC_HEADERS := $(sort $(wildcard include/gpuplan/*.h include/gpuplan/*.def))
# The allocation against every combination and against a solver takes minutes: make properties.
# What takes longest of the others starts first.
SLOW_TESTS := tests/property/test_allocation.c
LONGEST_TEST := tests/property/test_plans.c tests/property/test_all_work.c
TEST_SOURCES := $(LONGEST_TEST) $(filter-out $(SLOW_TESTS) $(LONGEST_TEST),$(sort \
    $(wildcard tests/unit/test_*.c tests/property/test_*.c tests/lab/test_*.c \
    tests/oom/test_*.c tests/fuzz/test_*.c)))
TEST_SUPPORT := $(sort $(wildcard tests/support/*.c))
BENCH_SOURCES := $(sort $(wildcard tests/bench/*.c))
# The workshop: published runs of every kind, and the fit of the built-in constants to them.
LAB_TESTS := $(sort $(wildcard tests/lab/test_*.c))
LAB_SOURCES := $(filter-out $(LAB_TESTS),$(sort $(wildcard tests/lab/*.c)))

LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/catalog_data.o
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
SUPPORT_OBJECTS := $(TEST_SUPPORT:%.c=$(BUILD)/%.o)
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(BUILD)/%)
BENCH_PROGRAMS := $(BENCH_SOURCES:%.c=$(BUILD)/%)
LAB_OBJECTS := $(LAB_SOURCES:%.c=$(BUILD)/%.o)
LIBRARY := $(BUILD)/libgpuplan.a
BINARY := $(BUILD)/gpuplan
LAB := $(BUILD)/gpuplan-lab

# ---- the build -------------------------------------------------------------------------------

.PHONY: all lab test-programs
all: $(LIBRARY) $(BINARY) ## the library and the program, in BUILD (build)
lab: $(LAB) ## gpuplan-lab, which scores published runs and fits the constants; not installed
test-programs: all lab $(filter-out $(LEFT_OUT),$(TEST_PROGRAMS)) $(BENCH_PROGRAMS)

# A stamp is rewritten only when its text changes, so what depends on it is rebuilt only then.
$(BUILD)/.:
	@mkdir -p $@

define update_stamp
@if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi
endef

$(BUILD)/flags: FORCE | $(BUILD)/. $(filter deps deps-e2e deps-properties,$(MAKECMDGOALS))
	@$(PKG_CONFIG) --exists $(LIB_PACKAGES) || \
	    { echo "make: $(LIB_PACKAGES) not found; 'make deps' installs what is missing" >&2; exit 1; }
	$(file >$@.new,$(COMPILE) $(WARNINGS) $(TEST_WARNINGS) $(LDFLAGS) $(LIB_LIBS) $(CURL_NAME) $(XLSX_NAME))
	$(update_stamp)

$(BUILD)/objects: FORCE | $(BUILD)/.
	$(file >$@.new,$(LIB_OBJECTS) $(CLI_OBJECTS) $(LAB_OBJECTS))
	$(update_stamp)

$(BUILD)/catalog_files: FORCE | $(BUILD)/.
	$(file >$@.new,$(CATALOG_FILES))
	$(update_stamp)

# The members that hold constants, from the rows of the catalogue.
CONSTANTS := $(BUILD)/generated/catalog/constants.inc
$(CONSTANTS): src/catalog/compiler/constants.awk $(wildcard src/catalog/constants/*.yaml)
	@mkdir -p $(@D)
	@awk -f $^ >$@.new
	$(update_stamp)

# Topics of the help and templates of specs, as rows of a table.
TEXTS := $(BUILD)/generated/cli/texts.inc
$(TEXTS): src/cli/texts/embed.awk $(sort $(wildcard src/cli/texts/*.txt src/cli/texts/*.yaml))
	@mkdir -p $(@D)
	@awk -f $^ >$@.new
	$(update_stamp)

# Compiled into tables by a program that is made of the floors below the planner.
COMPILER := $(BUILD)/catalog_compiler
COMPILER_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/catalog/compiler/*.c)) \
    $(filter $(foreach floor,base source schema model catalog,$(BUILD)/src/$(floor)/%), \
    $(LIB_SOURCES:%.c=$(BUILD)/%.o))
$(COMPILER): $(COMPILER_OBJECTS) $(BUILD)/objects
	@echo "  LINK    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(COMPILER_OBJECTS) $(LIB_LIBS) -lm

$(BUILD)/catalog_data.c: $(COMPILER) $(CATALOG_FILES) $(BUILD)/catalog_files
	@echo "  COMPILE $@"
	$(Q)$(COMPILER) src/catalog $(CATALOG_FILES) >$@

$(BUILD)/catalog_data.o: $(BUILD)/catalog_data.c $(BUILD)/flags
	@echo "  CC      $<"
	$(Q)$(COMPILE) $(WARNINGS) -c -o $@ $<

$(BUILD)/src/cli/%.o: src/cli/%.c $(BUILD)/flags | $(CONSTANTS) $(TEXTS)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(COMPILE) $(WARNINGS) $(CURL_CFLAGS) $(XLSX_CFLAGS) \
	    -DGP_CURL='"$(CURL_NAME)"' -DGP_XLSXWRITER='"$(XLSX_NAME)"' -c -o $@ $<

$(BUILD)/src/%.o: src/%.c $(BUILD)/flags | $(CONSTANTS)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(COMPILE) $(WARNINGS) -c -o $@ $<

$(LIBRARY): $(LIB_OBJECTS) $(BUILD)/objects
	@echo "  AR      $@"
	$(Q)rm -f $@ && $(AR) qcs $@ $(LIB_OBJECTS)

$(BINARY): $(CLI_OBJECTS) $(LIBRARY) $(BUILD)/objects
	@echo "  LINK    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(CLI_OBJECTS) $(LIBRARY) $(LIB_LIBS) -pthread -ldl -lm

# The command line without its table of commands, and a table of its own.
$(LAB): $(LAB_OBJECTS) $(CLI_OBJECTS) $(LIBRARY) $(BUILD)/objects
	@echo "  LINK    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(LAB_OBJECTS) \
	    $(filter-out %/src/cli/commands.o,$(CLI_OBJECTS)) $(LIBRARY) $(LIB_LIBS) -pthread -ldl -lm

$(LAB_OBJECTS): $(BUILD)/tests/lab/%.o: tests/lab/%.c $(BUILD)/flags | $(CONSTANTS)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(COMPILE) $(WARNINGS) -Itests -c -o $@ $<

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags | $(CONSTANTS)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(COMPILE) $(TEST_WARNINGS) -Itests $(TEST_CFLAGS) -c -o $@ $<

$(BUILD)/tests/fuzz/test_fuzz: $(BUILD)/tests/fuzz/fuzz.o
LAB_TEST_OBJECTS := $(filter-out %/commands.o,$(LAB_OBJECTS))
$(LAB_TESTS:%.c=$(BUILD)/%): $(LAB_TEST_OBJECTS)
$(TEST_PROGRAMS) $(SLOW_TESTS:%.c=$(BUILD)/%): %: %.o $(SUPPORT_OBJECTS) $(LIBRARY)
	@echo "  LINK    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIB_LIBS) $(TEST_LIBS) -lm

$(BENCH_PROGRAMS): %: %.o $(BUILD)/tests/support/spec_case.o $(LIBRARY)
	@echo "  LINK    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/tests/support/spec_case.o $(LIBRARY) \
	    $(LIB_LIBS) -lm

.SECONDARY:

-include $(wildcard $(BUILD)/src/catalog/compiler/*.d) $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(LAB_OBJECTS:.o=.d) $(SUPPORT_OBJECTS:.o=.d) \
    $(TEST_PROGRAMS:%=%.d) $(BENCH_PROGRAMS:%=%.d) $(SLOW_TESTS:%.c=$(BUILD)/%.d)

# ---- dependencies ----------------------------------------------------------------------------

# In `make deps check` everything that builds waits for the installation, also under -j.
AFTER_DEPS := $(filter deps deps-e2e deps-properties,$(MAKECMDGOALS))
TIMED := sh tests/timed.sh $(BUILD)/times

.PHONY: deps deps-e2e deps-properties
deps: ## install what is missing to build and test (apt, dnf, apk, pacman, brew)
	@$(TIMED) deps sh .ci/deps.sh

deps-e2e: ## install what the end-to-end tests need: servers, and the programs that exports and forms are for
	@$(TIMED) deps sh .ci/deps.sh --e2e $(BUILD)/node

deps-properties: ## install what make properties needs: a solver
	@$(TIMED) deps sh .ci/deps.sh --properties

# ---- demo, docs, bench -----------------------------------------------------------------------

REFERENCE_RUNS := tests/reference/training.csv tests/reference/finetune.csv \
    tests/reference/training_other.csv tests/reference/memory.csv \
    tests/reference/serving_power.csv tests/reference/collectives_one_node.csv
SERVING_RUNS := tests/reference/inference.csv tests/reference/inference_other.csv \
    tests/reference/serving_ep.csv tests/reference/exchanges.csv

# Several builds live side by side below BUILD; each is made by a make of its own.
SUBMAKE = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: demo docs accuracy calibrate calibrate-serving bench
demo: | $(AFTER_DEPS) ## build, then size the quickstart example
	+@$(SUBMAKE) all
	@echo "$(BINARY) size examples/quickstart.yaml"
	@$(BINARY) size examples/quickstart.yaml

messages: ## print every message that a user can read, in order of file
	@.ci/messages.py

docs: all ## regenerate the generated pages of docs/
	@sh .ci/docs.sh $(BINARY) $(DOCS)

accuracy: all lab $(BUILD)/tests/unit/test_calibrate ## regenerate docs/accuracy.md and the tables of docs/calibration.md
	@sh .ci/accuracy.sh $(LAB) $(DOCS)
	@sh .ci/rl.sh $(BINARY) $(DOCS)
	@sh .ci/sites.sh $(BINARY) $(LAB) $(DOCS)
	@sh .ci/wide_ep.sh $(BINARY) $(LAB) $(DOCS)
	@UPDATE_CALIBRATION=$(DOCS)/calibration.md $(BUILD)/tests/unit/test_calibrate

calibrate: lab ## fit the constants to tests/reference, as a catalogue on standard output
	@$(LAB) refit $(REFERENCE_RUNS)

calibrate-serving: lab ## the same of the constants of serving
	@$(LAB) refit $(SERVING_RUNS)

bench: all $(BENCH_PROGRAMS) ## build and run the benchmarks
	@[ -n "$(BENCH_PROGRAMS)" ] || { echo "bench: tests/bench has no programs" >&2; exit 1; }
	@for program in $(BENCH_PROGRAMS); do GPUPLAN=$(abspath $(BINARY)) $$program || exit 1; done

# ---- tests -----------------------------------------------------------------------------------
# Each suite adds a line to $(BUILD)/results; the total is printed, and judged, at the end.

ASAN_CFLAGS := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
    -fsanitize=float-divide-by-zero,float-cast-overflow -fno-sanitize-recover=all
# Lines are all that a trace of a failure needs, and quicker to build and link.
CHECK_CFLAGS := -O2 -g1
GCC_BUILD = BUILD=$(BUILD)/gcc CC=gcc CFLAGS='$(CHECK_CFLAGS)' WERROR=1
CLANG_BUILD = BUILD=$(BUILD)/clang CC=clang CFLAGS='$(CHECK_CFLAGS)' WERROR=1 NETWORK=0
# Generated plans, and examples that are explained, where the same code runs again, slower.
FEWER_PLANS := GPUPLAN_PROPERTY_COUNT=20 GPUPLAN_EXPLAIN_ONE=rl
# Instrumented code makes gcc see null pointers that are not there: no -Werror.
ASAN_BUILD = BUILD=$(BUILD)/asan CC=gcc CFLAGS='$(ASAN_CFLAGS)' WERROR=0
VALGRIND := valgrind -q --error-exitcode=9 --leak-check=full \
    --errors-for-leak-kinds=definite,possible
META_TESTS := $(sort $(wildcard tests/meta/*.sh))
REFERENCE_TESTS := $(sort $(wildcard tests/reference/*.sh))
E2E_TESTS := $(sort $(wildcard tests/e2e/*.sh))
OOM_TESTS := $(filter %/test_oom tests/oom/%,$(TEST_SOURCES:%.c=%))

RUN = JOBS=$(JOBS) RESULTS=$(BUILD)/results
start = @mkdir -p $(BUILD) && rm -f $(BUILD)/results
total = @RESULTS=$(BUILD)/results sh tests/run.sh total
# $(call unit,BUILD-NAME,TESTS) $(call cli,BUILD-NAME) $(call scripts,LABEL,SCRIPTS[,BUILD-NAME])
unit = sh tests/run.sh unit unit-$(1) $(2:%=$(BUILD)/$(1)/%)
cli = LABEL=cli-$(1) GPUPLAN=$(abspath $(BUILD)/$(1)/gpuplan) sh tests/cli/run.sh
scripts = BUILD=$(BUILD)/$(or $(3),gcc) GPUPLAN=$(abspath $(BUILD)/$(or $(3),gcc)/gpuplan) \
    CC=gcc CFLAGS='$(CHECK_CFLAGS)' ROOT=$(CURDIR) NODE=$(abspath $(BUILD)/node) \
    MAKE='$(MAKE)' sh tests/run.sh scripts $(1) $(2)
TESTS := $(TEST_SOURCES:%.c=%)
# Arithmetic of hundreds of runs and layouts, and plans made for every finding and form.
LONG_TESTS := %/test_published %/test_layouts_launch %/test_report %/test_explain \
    %/test_service %/test_verdicts %/test_sites %/test_room %/test_packing \
    %/test_monotonic %/test_growth
# Goldens beside the whole of them by gcc; check-asan runs all of them, too.
EVERY_SIXTH_CASE = $(filter-out $(LONG_CASES),$(shell cd tests/cli && ls */*.sh | awk 'NR % 6 == 1'))
LONG_CASES := render/again.sh size/first_screen.sh export/spec.sh check/several_kinds.sh
SANITIZED := ASAN_OPTIONS=exitcode=99:detect_leaks=1 \
    UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99 $(FEWER_PLANS)

.PHONY: check check-all check-one check-builds check-suites check-asan check-valgrind check-oom check-e2e
.PHONY: picture messages golden-update coverage properties
check: | $(AFTER_DEPS) ## every test with one compiler: units, goldens, meta tests
	+@$(TIMED) builds $(SUBMAKE) $(GCC_BUILD) test-programs
	$(start)
	+@$(TIMED) check $(SUBMAKE) check-one
	$(total)

check-all: | $(AFTER_DEPS) ## the same with gcc, clang and ASan+UBSan, as CI does
	+@$(TIMED) builds $(SUBMAKE) check-builds
	$(start)
	+@$(TIMED) check $(SUBMAKE) check-suites
	$(total)

check-builds:
	+@$(SUBMAKE) $(GCC_BUILD) test-programs
	+@$(SUBMAKE) $(CLANG_BUILD) all lab
	+@$(SUBMAKE) $(ASAN_BUILD) LEFT_OUT='$(LONG_TESTS)' test-programs

check-one:
	@$(RUN) $(call unit,gcc,$(TESTS))
	@$(RUN) $(call cli,gcc)
	@$(RUN) $(call scripts,meta,$(META_TESTS))
	@$(if $(REFERENCE_TESTS),$(RUN) $(call scripts,reference,$(REFERENCE_TESTS)),:)

# What another compiler could change are bytes of output: clang runs the goldens. What takes half a
# minute or more under the sanitizers is left to make check-asan.
check-suites:
	@$(RUN) $(SANITIZED) $(call unit,asan,$(filter-out $(LONG_TESTS),$(TESTS)))
	@$(RUN) $(call cli,clang) $(EVERY_SIXTH_CASE)
	@$(RUN) $(SANITIZED) $(call cli,asan) $(EVERY_SIXTH_CASE)
	+@$(SUBMAKE) check-one

check-asan: | $(AFTER_DEPS) ## unit tests and goldens under ASan and UBSan
	+@$(SUBMAKE) $(ASAN_BUILD) test-programs
	$(start)
	@$(RUN) $(SANITIZED) $(call unit,asan,$(TESTS))
	@$(RUN) $(SANITIZED) $(call cli,asan)
	$(total)

check-valgrind: | $(AFTER_DEPS) ## unit tests and goldens under valgrind
	@command -v valgrind >/dev/null || { echo "valgrind is not installed: make deps" >&2; exit 1; }
	+@$(SUBMAKE) $(GCC_BUILD) test-programs
	$(start)
	@$(RUN) EXEC_PREFIX='$(VALGRIND)' GPUPLAN_PROPERTY_COUNT=10 GPUPLAN_EXPLAIN_ONE=rl \
	    $(call unit,gcc,$(TESTS))
	@$(RUN) EXEC_PREFIX='$(VALGRIND)' $(call cli,gcc)
	$(total)

check-oom: | $(AFTER_DEPS) ## the allocation failure tests, every allocation in turn
	+@$(SUBMAKE) $(GCC_BUILD) test-programs
	$(start)
	@$(RUN) GP_OOM_FULL=1 $(call unit,gcc,$(OOM_TESTS))
	$(total)

check-e2e: | $(AFTER_DEPS) ## the library installed, servers, exports and forms by what reads them
	+@$(SUBMAKE) $(GCC_BUILD) all
	$(start)
	+@$(RUN) $(TIMED) e2e env $(call scripts,e2e,$(E2E_TESTS))
	$(total)

picture: all ## draw docs/report.png, the first page of the quickstart (chromium, imagemagick)
	@scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	    $(BINARY) size examples/quickstart.yaml -q -o "$$scratch/report.html" && \
	    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
	        --window-size=1000,900 --screenshot="$$scratch/page.png" \
	        "file://$$scratch/report.html" >"$$scratch/log" 2>&1 && \
	    convert "$$scratch/page.png" -crop 1000x800+0+0 +repage -colors 48 -strip docs/report.png

golden-update: ## rewrite the expected outputs of tests/cli from what comes out
	+@$(SUBMAKE) $(GCC_BUILD) all lab
	@JOBS=$(JOBS) $(call cli,gcc) --update

properties: | $(AFTER_DEPS) ## generated plans at length, the allocation against a solver (cbc), what explain names
	+@$(SUBMAKE) $(GCC_BUILD) test-programs $(SLOW_TESTS:%.c=$(BUILD)/gcc/%)
	@for half in test_plans test_all_work; do \
	    GPUPLAN_PROPERTY_COUNT=$${GPUPLAN_PROPERTY_COUNT:-20000} \
	        $(BUILD)/gcc/tests/property/$$half || exit 1; done
	@$(BUILD)/gcc/tests/property/test_allocation
	@GPUPLAN_EXPLAIN_COUNT=0 $(BUILD)/gcc/tests/property/test_explain

# Every reader of outside input, from samples; FUZZ_TARGETS names some of tests/fuzz/targets.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=
FUZZ_FLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
    -fno-sanitize-recover=all
.PHONY: fuzz
fuzz: | $(AFTER_DEPS) ## libFuzzer (clang) on every reader, FUZZ_SECONDS each (60)
	+@$(SUBMAKE) BUILD=$(BUILD)/fuzz CC=clang CFLAGS='$(FUZZ_FLAGS)' NETWORK=0 XLSX=0 \
	    $(BUILD)/fuzz/fuzz
	@sh tests/fuzz/run.sh $(BUILD)/fuzz/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

$(BUILD)/fuzz: $(BUILD)/tests/fuzz/fuzz.o $(LIBRARY)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIB_LIBS) -lm

# What talks to servers is tested beside servers.
SERVED := $(patsubst %,tests/e2e/%.sh,hub price prometheus workbook)

coverage: ## coverage of lines and branches of src by unit tests, goldens and tests beside servers
	+@$(SUBMAKE) BUILD=$(BUILD)/coverage CC=gcc CFLAGS='-O0 -g --coverage' test-programs
	@find $(BUILD)/coverage -name '*.gcda' -exec rm -f {} +
	$(start)
	@$(RUN) $(FEWER_PLANS) $(call unit,coverage,$(TESTS))
	@$(RUN) $(call cli,coverage)
	@$(RUN) $(call scripts,served,$(SERVED),coverage)
	@sh tests/coverage.sh $(BUILD)/coverage $(LIB_SOURCES) $(CLI_SOURCES)
	$(total)

# ---- source form -----------------------------------------------------------------------------

C_FILES := $(sort $(wildcard include/gpuplan/*.h src/*/*.[ch] src/catalog/compiler/*.c \
    tests/*/*.[ch] examples/*.c))

.PHONY: lint format
lint: ## clang-tidy and clang-format; prints the longest functions
	@for tool in clang-tidy clang-format; do command -v $$tool >/dev/null || \
	    { echo "lint: $$tool is not installed" >&2; exit 1; }; done
	@sh tests/sizes.sh $(LIB_SOURCES) $(CLI_SOURCES)
	@clang-format --dry-run -Werror $(C_FILES)
	@printf '%s\n' $(LIB_SOURCES) $(CLI_SOURCES) | xargs -n 4 -P $(JOBS) sh -c \
	    'clang-tidy --quiet "$$@" -- $(STANDARD) $(subst ','\'',$(CPPFLAGS_ALL)) $(LIB_CFLAGS)' tidy
	@echo "lint: clean"

format: ## clang-format every C file in place
	clang-format -i $(C_FILES)

# ---- installation ----------------------------------------------------------------------------

MANUAL := docs/gpuplan.1
PKGCONFIG_DIR := $(LIBDIR)/pkgconfig
in_prefix = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))

$(BUILD)/gpuplan.pc: src/gpuplan.pc.in FORCE | $(BUILD)/.
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	    -e 's|@LIBDIR@|$(call in_prefix,$(LIBDIR))|' \
	    -e 's|@INCLUDEDIR@|$(call in_prefix,$(INCLUDEDIR))|' $< >$@

# Pages, completions and the schema for editors, as the program itself writes them.
WRITTEN := $(BUILD)/written
$(WRITTEN)/done: $(BINARY)
	@mkdir -p $(@D)
	@for kind in spec policy calibration config; do \
	    $(BINARY) help --man $$kind >$(@D)/gpuplan-$$kind.5 || exit 1; done
	@for shell in bash zsh fish; do \
	    $(BINARY) completion $$shell >$(@D)/gpuplan.$$shell || exit 1; done
	@$(BINARY) schema document >$(@D)/gpuplan.schema.json
	@touch $@

INSTALLED = $(BINDIR)/gpuplan $(LIBDIR)/libgpuplan.a $(PKGCONFIG_DIR)/gpuplan.pc \
    $(PUBLIC_HEADERS:include/%=$(INCLUDEDIR)/%) $(MANDIR)/man1/gpuplan.1 \
    $(MANDIR)/man5/gpuplan-spec.5 $(MANDIR)/man5/gpuplan-policy.5 \
    $(MANDIR)/man5/gpuplan-calibration.5 $(MANDIR)/man5/gpuplan-config.5 $(BASHDIR)/gpuplan $(ZSHDIR)/_gpuplan \
    $(FISHDIR)/gpuplan.fish $(DATADIR)/gpuplan/gpuplan.schema.json

.PHONY: install uninstall deb clean help
install: all $(BUILD)/gpuplan.pc $(WRITTEN)/done ## install under PREFIX (/usr/local), below DESTDIR
	install -d $(sort $(dir $(INSTALLED:%=$(DESTDIR)%)))
	install -m 755 $(BINARY) $(DESTDIR)$(BINDIR)/gpuplan
	install -m 644 $(LIBRARY) $(DESTDIR)$(LIBDIR)/libgpuplan.a
	install -m 644 $(BUILD)/gpuplan.pc $(DESTDIR)$(PKGCONFIG_DIR)/gpuplan.pc
	install -m 644 $(PUBLIC_HEADERS) $(DESTDIR)$(INCLUDEDIR)/gpuplan
	install -m 644 $(MANUAL) $(DESTDIR)$(MANDIR)/man1/gpuplan.1
	install -m 644 $(WRITTEN)/*.5 $(DESTDIR)$(MANDIR)/man5
	install -m 644 $(WRITTEN)/gpuplan.bash $(DESTDIR)$(BASHDIR)/gpuplan
	install -m 644 $(WRITTEN)/gpuplan.zsh $(DESTDIR)$(ZSHDIR)/_gpuplan
	install -m 644 $(WRITTEN)/gpuplan.fish $(DESTDIR)$(FISHDIR)/gpuplan.fish
	install -m 644 $(WRITTEN)/gpuplan.schema.json $(DESTDIR)$(DATADIR)/gpuplan

uninstall: ## remove what install wrote
	rm -f $(INSTALLED:%=$(DESTDIR)%)
	for folder in $(INCLUDEDIR)/gpuplan $(DATADIR)/gpuplan; do \
	    [ ! -d $(DESTDIR)$$folder ] || rmdir $(DESTDIR)$$folder || exit 1; done

deb: | $(AFTER_DEPS) ## build Debian packages in BUILD/deb
	@sh .ci/deb.sh $(BUILD) $(VERSION)

clean: ## remove the build folder
	rm -rf $(BUILD)

help: ## list the targets
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## \(.*\)/  \1|\2/p' Makefile | \
	    awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'
