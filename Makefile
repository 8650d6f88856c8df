# adit: one Makefile, no recursion. `make help` lists the targets.
#
# Object trees, from the same sources: build/native (gcc), build/asan (clang, ASan + UBSan),
# build/wasm (clang, wasm32-wasi), build/fuzz (clang, libFuzzer). The core's libraries are built
# from the same unpacked sources for each tree (scripts/fetch-sources, scripts/build-deps); the
# HTTP server's too, but not for WASM (scripts/build-microhttpd).

SHELL := /bin/sh
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2) -Otarget --no-print-directory
endif

CC       = gcc
CLANG    = clang-19
LLVM_AR  = llvm-ar-19
PREFIX   = /usr/local
DESTDIR  =
SETUP    = yes
export ENVOY VICEROY WASMTIME WAZERO
FUZZ_S   = 60
OCI_TAG  = latest
B       := build
comma   := ,
D       := $(B)/deps

# --- flags -------------------------------------------------------------------------------------

WARN     := -Wall -Wextra -Wshadow -Wconversion -Werror
COMMON   := -std=c11 -g -ffp-contract=off -ffunction-sections -fdata-sections $(WARN) -Ishared -I. \
            -isystem $(D)/lexbor -isystem $(D)/bearssl/inc -isystem $(D)/cjson -isystem $(D)/utf8proc \
            -isystem $(D)/miniz -isystem $(D)/zstd/lib -DLEXBOR_STATIC -DUTF8PROC_STATIC \
            -DMINIZ_NO_ARCHIVE_APIS -DMINIZ_NO_STDIO -DMINIZ_NO_TIME -DMINIZ_NO_ZLIB_COMPATIBLE_NAMES
POSIX    := -D_GNU_SOURCE -isystem /usr/include/libxml2 -isystem $(D)/microhttpd/src/include
SAN      := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
WASM     := --target=wasm32-wasi -mbulk-memory -msign-ext --sysroot=$(D)/wasi

# Fit for a shared library, which costs the command nothing: no name of ours can be interposed.
CC_native := $(CC) -O3 -fPIC -fvisibility=hidden
CC_asan   := $(CLANG) -O1 $(SAN)
CC_fuzz   := $(CLANG) -O1 $(SAN) -fsanitize=fuzzer-no-link
# In WASM size counts too: -Oz costs next to no speed but where a page's bytes, nodes and leaves are
# gone through one by one. Those folders have -O2: 5 % of the time, for 6 KB gzipped (bench-edge).
CC_wasm   := $(CLANG) $(WASM) -Oz -DNDEBUG -isystem $(D)/packed
HOT_wasm  := base html select tape
# Linking without -O: with it clang runs a wasm-opt if it finds one, and the result depends on the machine.
LD_wasm   := $(CLANG) $(WASM)
# lld links a program with sanitizers in a quarter of ld's time, and there are a hundred of them.
LD_asan   := $(CC_asan) -fuse-ld=lld
LD_fuzz   := $(CLANG) -O1 $(SAN) -fsanitize=fuzzer -fuse-ld=lld
AR_native := ar
AR_asan   := ar
AR_fuzz   := ar
AR_wasm   := $(LLVM_AR)
# Libraries: the same optimisation, no warnings, and no UBSan in code that is not ours.
DEPCC_native := $(CC) -O3 -fPIC -fvisibility=hidden
DEPCC_asan   := $(CLANG) -O1 -fsanitize=address
DEPCC_fuzz   := $(CLANG) -O1 -fsanitize=address,fuzzer-no-link
DEPCC_wasm   := $(CLANG) $(WASM) -O2 -DNDEBUG

SYSLIBS   := -ldeflate -lz -lzstd -lbrotlidec -lbrotlienc -lxml2 -lcurl -lpthread
WASM_LINK := -Wl,--gc-sections,--strip-all,--stack-first,-z,stack-size=262144

# --- sources -----------------------------------------------------------------------------------

SHARED   := $(wildcard shared/*/*.c)
BATCH    := $(filter-out batch/bench/%,$(wildcard batch/*.c batch/*/*.c))
# What the WASI command is made of: no threads, no sockets, no system libraries.
PORTABLE := $(addprefix batch/,main.c $(addprefix cli/,options.c parse.c values.c help.c terminal.c file.c sha_x86.c) $(addprefix extract/,lines.c pages.c) $(addprefix cmd/,page.c fingerprint.c version.c))
# What the proxy-wasm filter is made of; the core module is edge/core.c.
FILTER   := $(addprefix edge/,filter.c roots.c streams.c drive.c body.c headers.c metrics.c)
# What the program for Fastly Compute is made of, and all that it may import: the calls of its header,
# whose types are compared with those of an engine that Fastly ships (scripts/fetch-fastly).
FASTLY   := $(wildcard edge/fastly*.c)
FASTLY_I := wasi_snapshot_preview1=clock_time_get \
            $(shell sed -n 's/^FASTLY_CALL(\([a-z_]*\), \([a-z0-9_]*\)).*/fastly_\1=\2/p' edge/fastly.h)
ENGINE   := $(B)/fastly/fastly.wasm

UNIT     := $(foreach f,$(wildcard shared/*/tests/*.c),$(word 2,$(subst /, ,$f))-$(basename $(notdir $f)))
BATCH_T  := $(foreach f,$(wildcard batch/*/tests/*.c),$(word 2,$(subst /, ,$f))-$(basename $(notdir $f)))
FUZZERS  := $(wildcard shared/*/fuzz/*/fuzz.c batch/*/fuzz/*/fuzz.c)

objs      = $(patsubst %.c,$(B)/$(1)/%.o,$(2))
deps_lib  = $(D)/lib-$(1).a
# lexbor's parser, which tests compare ours with; no product has it.
oracle_lib = $(D)/liboracle-$(1).a
# What batch/ needs besides: the HTTP server's library.
http_lib  = $(D)/libmicrohttpd-$(1).a

.PHONY: FORCE all demo test test-quick lint format bench fuzz clean help setup setup-test setup-dev sizes
all: $(B)/adit $(B)/adit-edge.wasm $(B)/adit-core.wasm $(B)/adit-fastly.wasm $(B)/adit-cli.wasm lib ## build everything: the command, the four WASM modules, the library

# --- set-up: packages and sources, once --------------------------------------------------------

ifeq ($(SETUP),yes)
$(B)/.packages-%: scripts/packages.tsv scripts/install-packages
	@mkdir -p $(B)
	@scripts/install-packages $*
	@touch $@
else
$(B)/.packages-%:
	@mkdir -p $(B) && touch $@
endif

# What compiles a tree: the command alone needs no more than Debian's compiler.
TOOLS_wasm := $(B)/.packages-wasm
TOOLS_asan := $(B)/.packages-test
TOOLS_fuzz := $(B)/.packages-test
# One after the other: apt has a lock.
$(B)/.packages-wasm: | $(B)/.packages-build
$(B)/.packages-test: | $(B)/.packages-wasm
$(B)/.packages-dev: | $(B)/.packages-test
$(B)/.packages-lint $(B)/.packages-package: | $(B)/.packages-build

SRC_VARS := LEXBOR_SRC BEARSSL_SRC CJSON_SRC UTF8PROC_SRC ZSTD_SRC MINIZ_SRC MICROHTTPD_SRC WASI_LIBC_SRC HTMLTESTS_SRC
export $(SRC_VARS)
# With an own copy named on the command line, ask again: it may be another one than last time.
$(D)/ready: scripts/sources.tsv scripts/fetch-sources $(if $(strip $(foreach v,$(SRC_VARS),$($v))),FORCE) | $(B)/.packages-build
	@scripts/fetch-sources
# html5lib's trees, for tests alone.
$(D)/ready-test: scripts/sources.tsv scripts/fetch-sources $(if $(HTMLTESTS_SRC),FORCE) | $(D)/ready
	@scripts/fetch-sources test

$(B)/.npm: wasm-tests/package.json wasm-tests/package-lock.json | $(B)/.packages-test
	@echo "adit: installing npm packages"
	@cd wasm-tests && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(B)/.npm-worker: edge/worker/package.json edge/worker/package-lock.json | $(B)/.npm
	@echo "adit: installing npm packages for the Worker"
	@cd edge/worker && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(B)/.fastly: scripts/fetch-fastly | $(B)/.packages-test
	@scripts/fetch-fastly
	@touch $@

setup: $(D)/ready
setup-test: setup $(D)/ready-test $(B)/.packages-test $(B)/.npm $(B)/.npm-worker $(B)/.fastly
setup-dev: setup-test $(B)/.packages-dev
.PHONY: setup-package
setup-package: $(B)/.packages-package ## install shells, linters and packaging tools, for the tests of what is packaged

# --- objects, one rule a tree ------------------------------------------------------------------

# Objects are made again when the way they are made changes.
$(B)/%/.flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC_$*)$(if $(HOT_$*), $(HOT_$*)) $(COMMON)' | cmp -s - $@ || echo '$(CC_$*)$(if $(HOT_$*), $(HOT_$*)) $(COMMON)' >$@

define tree
$$(D)/lib-$(1).a: scripts/build-deps $(if $(filter wasm,$(1)),scripts/pack-tables.mjs scripts/unpack-tables.h scripts/unpack-references.h) $$(D)/ready | $$(TOOLS_$(1))
	@echo "  deps    $(1)"
	@scripts/build-deps core $$@ $$(AR_$(1)) $$(DEPCC_$(1)) -g -ffp-contract=off -ffunction-sections -fdata-sections

$$(D)/liboracle-$(1).a: scripts/build-deps $$(D)/lib-$(1).a
	@echo "  deps    $(1) (lexbor's parser)"
	@scripts/build-deps oracle $$@ $$(AR_$(1)) $$(DEPCC_$(1)) -g -ffp-contract=off -ffunction-sections -fdata-sections

$(if $(HOT_$(1)),$(foreach f,$(HOT_$(1)),$$(B)/$(1)/shared/$f/%.o): FAST := -O2)
$$(B)/$(1)/shared/%.o: shared/%.c $$(B)/$(1)/.flags | $$(D)/ready $$(TOOLS_$(1)) $(if $(filter wasm,$(1)),$$(D)/lib-wasm.a)
	@mkdir -p $$(@D)
	@$$(CC_$(1)) $$(FAST) $$(COMMON) -MMD -MP -c $$< -o $$@

$$(B)/$(1)/%.o: %.c $$(B)/$(1)/.flags | $$(D)/ready $$(TOOLS_$(1))
	@mkdir -p $$(@D)
	@$$(CC_$(1)) $$(COMMON) $(if $(filter wasm,$(1)),,$$(POSIX)) -MMD -MP -c $$< -o $$@

$$(B)/$(1)/libadit.a: $$(call objs,$(1),$$(SHARED))
	@rm -f $$@ && $$(AR_$(1)) qcs $$@ $$^
endef
$(foreach t,native asan wasm fuzz,$(eval $(call tree,$t)))

# Files that are part of the program (CLI_ASSET).
$(foreach t,native asan fuzz,$(B)/$t/batch/view/html.o): batch/view/view.css batch/view/filter.js
$(foreach t,native asan fuzz,$(B)/$t/batch/serve/page.o): batch/serve/inspector.html

$(D)/libmicrohttpd-%.a: scripts/build-microhttpd $(D)/ready | $(B)/.packages-build
	@echo "  deps    $* (microhttpd)"
	@scripts/build-microhttpd $@ "$(DEPCC_$*)"
$(D)/libmicrohttpd-asan.a $(D)/libmicrohttpd-fuzz.a: | $(B)/.packages-test

# --- products ----------------------------------------------------------------------------------

# The core's zstd decoder, small and slow, has the names of libzstd, which batch/ uses. Here it is
# locked into the one object that calls it, and libzstd comes first for all others.
$(B)/native/unzstd.o: $(B)/native/shared/codec/unzstd.o $(call deps_lib,native)
	@ar p $(call deps_lib,native) build_deps_zstd-decoder_zstddeclib.c.o >$@.decoder
	@ld -r -o $@.both $< $@.decoder && objcopy --keep-global-symbol=adit_unzstd_new $@.both $@
	@rm -f $@.decoder $@.both

$(B)/adit: $(call objs,native,$(BATCH)) $(B)/native/unzstd.o $(B)/native/libadit.a $(call deps_lib,native) $(call http_lib,native)
	@$(CC_native) -o $@ $(filter %.o,$^) $(B)/native/libadit.a -lzstd $(call deps_lib,native) $(call http_lib,native) -Wl,--gc-sections,-z,relro,-z,now $(SYSLIBS)
	@echo "  built   $@"

$(B)/asan/adit: $(call objs,asan,$(BATCH)) $(B)/asan/libadit.a $(call deps_lib,asan) $(call http_lib,asan)
	@$(LD_asan) -o $@ $^ $(SYSLIBS)

$(B)/adit-cli.wasm: $(call objs,wasm,$(PORTABLE)) $(B)/wasm/libadit.a $(call deps_lib,wasm)
	@$(LD_wasm) -o $@ $^ $(WASM_LINK)
	@node scripts/check-imports.mjs $@ wasi_snapshot_preview1

$(B)/adit-core.wasm: $(call objs,wasm,edge/core.c) $(B)/wasm/libadit.a $(call deps_lib,wasm)
	@$(LD_wasm) -mexec-model=reactor -o $@ $^ $(WASM_LINK)
	@node scripts/check-imports.mjs $@

$(B)/adit-edge.wasm: $(call objs,wasm,$(FILTER)) $(B)/wasm/libadit.a $(call deps_lib,wasm)
	@$(LD_wasm) -mexec-model=reactor -o $@ $^ $(WASM_LINK)
	@node scripts/check-imports.mjs $@ env:proxy_

# An instance a request: unpacking the tables would be most of its start, so here they are as they are.
$(D)/lib-wasm-tables.a: scripts/build-deps $(D)/lib-wasm.a
	@echo "  deps    wasm (tables)"
	@scripts/build-deps tables $@ $(AR_wasm) $(DEPCC_wasm) -ffunction-sections -fdata-sections

$(B)/adit-fastly.wasm: $(call objs,wasm,$(FASTLY)) $(B)/wasm/libadit.a $(D)/lib-wasm-tables.a $(call deps_lib,wasm)
	@$(LD_wasm) -nostartfiles -Wl,--no-entry -o $@ $^ $(WASM_LINK)
	@node scripts/check-imports.mjs $@ --like $(ENGINE) $(FASTLY_I)

include scripts/package/rules.mk

.PHONY: oci
oci: $(B)/adit-edge.wasm ## the filter as an OCI image layout in build/oci, for Istio, Envoy Gateway and Higress
	@scripts/make-oci.mjs $< $(B)/oci $(OCI_TAG)

# --- tests -------------------------------------------------------------------------------------

define unit
$$(B)/asan/tests/$(1): $$(B)/asan/shared/$(2).o $$(if $$(filter bindings-%,$(1)),$$(call objs,asan,$$(LIB_SRC))) $$(B)/asan/libadit.a $$(if $$(filter html-%,$(1)),$$(call oracle_lib,asan)) $$(call deps_lib,asan)
	@mkdir -p $$(@D) && $$(LD_asan) -o $$@ $$^
$$(B)/wasm/tests/$(1).wasm: $$(B)/wasm/shared/$(2).o $$(if $$(filter bindings-%,$(1)),$$(call objs,wasm,$$(LIB_SRC))) $$(B)/wasm/libadit.a $$(if $$(filter html-%,$(1)),$$(call oracle_lib,wasm)) $$(call deps_lib,wasm)
	@mkdir -p $$(@D) && $$(LD_wasm) -o $$@ $$^ -Wl,--gc-sections,--stack-first,-z,stack-size=1048576
endef
$(foreach u,$(UNIT),$(eval $(call unit,$u,$(firstword $(subst -, ,$u))/tests/$(word 2,$(subst -, ,$u)))))

define batch_test
$$(B)/asan/tests/batch-$(1): $$(B)/asan/batch/$(2).o $$(filter-out $$(B)/asan/batch/main.o,$$(call objs,asan,$$(BATCH))) $$(B)/asan/libadit.a $$(call deps_lib,asan) $$(call http_lib,asan)
	@mkdir -p $$(@D) && $$(LD_asan) -o $$@ $$^ $$(SYSLIBS)
endef
$(foreach t,$(BATCH_T),$(eval $(call batch_test,$t,$(firstword $(subst -, ,$t))/tests/$(word 2,$(subst -, ,$t)))))

TEST_BIN  := $(addprefix $(B)/asan/tests/,$(UNIT)) $(addprefix $(B)/asan/tests/batch-,$(BATCH_T))
TEST_WASM := $(addprefix $(B)/wasm/tests/,$(addsuffix .wasm,$(UNIT)))

SCRIPT_T  := $(wildcard batch/*/tests/*.sh shared/*/tests/*.sh wasm-tests/*.test.mjs)
# With T only what its tests need is made: C tests by their names; the products when a script matches.
wanted     = $(if $(T),$(shell printf '%s\n' $(1) | grep -e '$(T)'),$(1))
wanted_wasm = $(sort $(subst /wasmtime/,/tests/,$(call wanted,$(TEST_WASM) $(subst /tests/,/wasmtime/,$(TEST_WASM)))))
products   = $(if $(call wanted,$(SCRIPT_T)),all $(B)/asan/adit $(B)/fuzz-native)

test: $(products) $(call wanted,$(TEST_BIN)) $(wanted_wasm) $(if $(T),,lint-quick) | setup-test ## run every test: natively under sanitizers, in WASM, over HTTP; T=PATTERN: those whose path has it
	@scripts/run-tests all $(if $(T),'$(T)')

.PHONY: wazero
wazero: ## Debian's wazero, a further engine for the WASI tests, into build/wazero, where it can be had
	@scripts/fetch-wazero

.PHONY: test-envoy
test-envoy: $(B)/adit-edge.wasm | setup-test ## run the transcripts through a real Envoy: ENVOY=/path/to/envoy
	@if [ -n "$(ENVOY)" ]; then scripts/run-tests all wasm-tests/envoy.test; else echo "adit: skipped: there is no Envoy; name one: ENVOY=/path/to/envoy make test-envoy"; fi

.PHONY: test-fastly
test-fastly: $(B)/adit-fastly.wasm | setup-test ## run the HTTP suite through a real Viceroy: VICEROY=/path/to/viceroy
	@if [ -n "$(VICEROY)" ]; then scripts/run-tests all wasm-tests/viceroy.test; else echo "adit: skipped: there is no Viceroy; name one: VICEROY=/path/to/viceroy make test-fastly"; fi

.PHONY: test-slurm
test-slurm: $(B)/adit | $(B)/.packages-slurm ## run scripts/slurm on a cluster of Slurm on this machine, which the test starts and stops
	@ADIT=$(CURDIR)/$(B)/adit LC_ALL=C TZ=UTC prove --norc --exec scripts/run-one scripts/slurm/test.sh

test-quick: $(B)/adit $(B)/asan/adit $(call wanted,$(TEST_BIN)) | setup-test ## run the native tests that are not slow: under a minute on two idle processors
	@scripts/run-tests quick $(if $(T),'$(T)')

.PHONY: test-pages
test-pages: $(B)/asan/tests/html-pages $(B)/wasm/tests/html-pages.wasm $(B)/adit $(B)/adit-cli.wasm | setup-test ## every page of the corpora, not only a sample: our trees against lexbor's, natively and in WASM; all formats natively and in WASM; Markdown and HTML read back
	@ADIT_ALL=1 ADIT_ALL_PAGES=1 prove --exec scripts/run-one $(filter-out $(B)/adit%,$^) wasm-tests/parity.test.mjs wasm-tests/markdown.test.mjs

.PHONY: lint-quick
lint-quick: $(B)/native/libadit.a | $(B)/.packages-wasm ## check folder dependencies, forbidden symbols and texts
	@scripts/lint $(B)/native/libadit.a

lint: lint-quick $(B)/.packages-lint ## the same, and clang-format and clang-tidy
	@scripts/lint-format
	@scripts/lint-tidy "$(COMMON) $(POSIX)"

format: $(B)/.packages-lint ## format our C files
	@clang-format-19 -i $$(git ls-files '*.c' '*.h')

# --- fuzzing: a folder a target, found by glob --------------------------------------------------

$(B)/fuzz/bin/%: $(B)/fuzz/%/fuzz.o $(filter-out $(B)/fuzz/batch/main.o,$(call objs,fuzz,$(BATCH))) $(B)/fuzz/libadit.a $(call oracle_lib,fuzz) $(call deps_lib,fuzz) $(call http_lib,fuzz)
	@mkdir -p $(@D) && $(LD_fuzz) -o $@ $^ $(SYSLIBS)

# The native half of wasm-tests/fuzz.mjs: what adit-core.wasm exports, compiled natively.
$(B)/fuzz-native: wasm-tests/fuzz-native.c $(wildcard edge/*.[ch]) $(B)/native/libadit.a $(call deps_lib,native)
	@$(CC_native) $(COMMON) $(POSIX) -Wno-attributes -o $@ $< $(B)/native/libadit.a $(call deps_lib,native)

export FUZZ_LONG FUZZ_JOBS
fuzz: $(patsubst %/fuzz.c,$(B)/fuzz/bin/%,$(FUZZERS)) $(B)/fuzz-native $(B)/adit-core.wasm ## fuzz every parser for FUZZ_S seconds each, and native code against WASM
	@scripts/run-fuzz $(FUZZ_S) $(patsubst %/fuzz.c,%,$(FUZZERS)); status=$$?; scripts/fuzz-wasm $(FUZZ_S) && exit $$status

# --- the rest -----------------------------------------------------------------------------------

bench: all setup-dev ## measure: ratios against limits and peers, in one run; build/bench.json and charts
	@scripts/run-bench

.PHONY: bench-publish
bench-publish: ## take the charts of the last make bench into the README
	@cp $(B)/bench-speed-light.svg $(B)/bench-speed-dark.svg $(B)/bench-quality-light.svg $(B)/bench-quality-dark.svg batch/bench/

.PHONY: bench-scale
bench-scale: $(B)/adit ## measure pack in steps over 10,000, 100,000 and 1,000,000 pages, as far as there is space: time a page, memory of each step
	@scripts/slurm/bench-scale
	@scripts/slurm/bench-scale --count

demo: $(B)/adit ## convert a small bundled site
	@scripts/demo

clean: ## remove what was built, but not the fetched sources (make distclean: all of build/)
	rm -rf $(B)/native $(B)/asan $(B)/wasm $(B)/fuzz $(B)/fuzz-native $(B)/adit $(B)/*.wasm

.PHONY: distclean
distclean:
	rm -rf $(B) wasm-tests/node_modules edge/worker/node_modules

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile scripts/package/rules.mk | column -t -s '|'
	@echo
	@echo "  Variables: T (a pattern of paths of tests), PREFIX DESTDIR, SETUP=no (install nothing), FUZZ_S (seconds a fuzz target),"
	@echo "  ENVOY (of make test-envoy), VICEROY (of make test-fastly), WASMTIME, WAZERO (engines of your own for the WASI tests),"
	@echo "  OCI_TAG (of make oci), FUZZ_LONG (seconds of the targets that gain most by time), FUZZ_JOBS (how many at once),"
	@echo "  $(SRC_VARS): your own copy of a library's source"

-include $(shell find $(B) -name '*.d' -not -path '$(D)/*' 2>/dev/null)
