# What is handed to others: the library, the installed tree. Included by the Makefile.

VERSION   := $(shell sed -n 's/^\#define ADIT_VERSION *"\(.*\)"/\1/p' shared/base/base.h)
# Of the shared library's name: raised when a symbol goes or changes its meaning.
SOVERSION := 0
LIBDIR     = lib
# What programs may call: the names of the version script.
LIB_MAP   := shared/bindings/c/libadit.map
LIB_NAMES := $(shell sed -n 's/^ *\(libadit_[a-z_]*\);/\1/p' $(LIB_MAP))
LIB_SRC   := $(wildcard shared/bindings/c/libadit*.c)
LIB_SO    := $(B)/libadit.so.$(VERSION)

# --- the library ------------------------------------------------------------------------------------

.PHONY: lib
lib: $(B)/libadit.a $(LIB_SO) $(B)/libadit.wasm $(B)/adit.pc ## the library: libadit.a, libadit.so, libadit.wasm, adit.pc

# One object, in which the core and its libraries have no names of their own any more.
$(B)/libadit.a: $(call objs,native,$(LIB_SRC)) $(B)/native/libadit.a $(call deps_lib,native) $(LIB_MAP)
	@ld -r -o $@.o $(filter %.o %.a,$^)
	@objcopy --strip-debug $(addprefix --keep-global-symbol=,$(LIB_NAMES)) $@.o
	@rm -f $@ && ar qcs $@ $@.o && rm -f $@.o

$(LIB_SO): $(call objs,native,$(LIB_SRC)) $(B)/native/libadit.a $(call deps_lib,native) $(LIB_MAP)
	@$(CC_native) -shared -o $@ $(filter %.o %.a,$^) -Wl,--version-script=$(LIB_MAP),-soname,libadit.so.$(SOVERSION) \
	  -Wl,--gc-sections,-z,defs,-z,relro,-z,now
	@ln -sf $(@F) $(B)/libadit.so.$(SOVERSION) && ln -sf $(@F) $(B)/libadit.so

# The same for whatever runs WASM; the allocator is the caller's way to hand in bytes.
$(B)/libadit.wasm: $(call objs,wasm,$(LIB_SRC)) $(B)/wasm/libadit.a $(call deps_lib,wasm) $(LIB_MAP)
	@$(LD_wasm) -mexec-model=reactor -o $@ $(filter %.o %.a,$^) $(WASM_LINK) $(addprefix -Wl$(comma)--export=,$(LIB_NAMES) malloc free)
	@node scripts/check-imports.mjs $@

$(B)/adit.pc: shared/bindings/c/adit.pc.in shared/base/base.h FORCE
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' $< | cmp -s - $@ || sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' $< >$@

# --- other languages --------------------------------------------------------------------------------

.PHONY: npm wheel
npm: $(B)/libadit.wasm ## the npm package of the core (an ES module) in build/npm
	@scripts/package/make-npm $< $(VERSION) $(B)/npm

wheel: $(LIB_SO) ## the Python wheel in build/wheel
	@scripts/package/make-wheel $< $(VERSION) $(B)/wheel

# --- manuals and completion -------------------------------------------------------------------------

.PHONY: man completion
man: $(B)/man/.made ## manual pages in build/man
completion: $(B)/completion/.made ## completion for bash, zsh and fish in build/completion

$(B)/man/.made: scripts/package/make-man $(wildcard scripts/package/man/*) edge/CONFIGURATION.md shared/exchange/adit.schema.json $(B)/adit
	@scripts/package/make-man $(B)/adit $(@D) && touch $@

$(B)/completion/.made: scripts/package/make-completion $(B)/adit
	@scripts/package/make-completion $(B)/adit $(@D) && touch $@

# --- installing -------------------------------------------------------------------------------------

MODULES := $(addprefix $(B)/,adit-edge.wasm adit-core.wasm adit-fastly.wasm adit-cli.wasm)
IN       = $(DESTDIR)$(PREFIX)
# What `make install` puts where; `make uninstall` removes the same list.
INSTALLED = bin/adit include/adit.h $(LIBDIR)/libadit.a $(LIBDIR)/$(notdir $(LIB_SO)) $(LIBDIR)/libadit.so.$(SOVERSION) \
            $(LIBDIR)/libadit.so $(LIBDIR)/pkgconfig/adit.pc $(addprefix share/adit/,$(notdir $(MODULES)) libadit.wasm) \
            share/bash-completion/completions/adit share/zsh/vendor-completions/_adit share/fish/vendor_completions.d/adit.fish

.PHONY: install uninstall
install: all man completion ## install the command, the modules, the library, manuals and completions to $(DESTDIR)$(PREFIX)
	install -d $(sort $(dir $(addprefix $(IN)/,$(INSTALLED))))
	install -s -m 755 $(B)/adit $(IN)/bin/adit
	install -m 644 shared/bindings/c/adit.h $(IN)/include/adit.h
	install -m 644 $(B)/libadit.a $(IN)/$(LIBDIR)/libadit.a
	install -s -m 644 $(LIB_SO) $(IN)/$(LIBDIR)/$(notdir $(LIB_SO))
	ln -sf $(notdir $(LIB_SO)) $(IN)/$(LIBDIR)/libadit.so.$(SOVERSION)
	ln -sf libadit.so.$(SOVERSION) $(IN)/$(LIBDIR)/libadit.so
	install -m 644 $(B)/adit.pc $(IN)/$(LIBDIR)/pkgconfig/adit.pc
	install -m 644 $(MODULES) $(B)/libadit.wasm $(IN)/share/adit
	install -m 644 $(B)/completion/bash/adit $(IN)/share/bash-completion/completions/adit
	install -m 644 $(B)/completion/zsh/_adit $(IN)/share/zsh/vendor-completions/_adit
	install -m 644 $(B)/completion/fish/adit.fish $(IN)/share/fish/vendor_completions.d/adit.fish
	install -d $(IN)/share/man/man1 $(IN)/share/man/man5
	for page in $(B)/man/*.[15]; do gzip -9nc $$page >$(IN)/share/man/man$${page##*.}/$${page##*/}.gz || exit 1; done

uninstall: ## remove what make install put there
	rm -f $(addprefix $(IN)/,$(INSTALLED)) $(IN)/share/man/man1/adit.1.gz $(IN)/share/man/man1/adit-*.1.gz $(addprefix $(IN)/share/man/man5/,adit.json.5.gz scp.5.gz)
	-rmdir $(IN)/share/adit

# --- packages ---------------------------------------------------------------------------------------

TRIPLET = $(shell gcc -dumpmachine | sed 's/-pc-/-/; s/-unknown-/-/')
DIST    = $(B)/dist/adit-$(VERSION).tar.gz

.PHONY: dist deb sbom test-dist test-deb test-container
dist: ## the sources of the last commit as build/dist/adit-VERSION.tar.gz; builds offline with the *_SRC variables
	@mkdir -p $(B)/dist
	@git archive --format=tar --prefix=adit-$(VERSION)/ HEAD | gzip -9n >$(DIST)
	@sha256sum $(DIST)

deb: all man completion $(B)/.packages-package ## Debian packages adit, libadit0, libadit-dev in build/deb, and what lintian says
	@rm -rf $(B)/deb $(B)/stage
	@env -u MAKEFLAGS make SETUP=no install DESTDIR=$(abspath $(B)/stage) PREFIX=/usr LIBDIR=lib/$(TRIPLET) >/dev/null
	@scripts/package/make-deb $(B)/stage $(VERSION) $(B)/deb
	@lintian --allow-root --fail-on error,warning --suppress-tags-from-file scripts/package/debian/lintian-suppressed $(B)/deb/*.deb

sbom: $(B)/adit ## the bill of materials (SPDX) of the command as build/adit.spdx.json
	@scripts/package/make-sbom $< $(VERSION) $(B)/adit.spdx.json && echo $(B)/adit.spdx.json

test-dist: dist ## build the tarball without network, from the sources that are here
	@scripts/package/test-dist $(DIST)

test-deb: deb ## install the packages in a clean root (debootstrap) and run them
	@scripts/package/test-deb $(B)/deb

test-container: ## build the Containerfile of the last commit without a registry, and run the image
	@scripts/package/test-container

# --- documents --------------------------------------------------------------------------------------

DOCS_URL = https://adit.example/

.PHONY: docs
docs: $(B)/adit man $(B)/.packages-package ## all documents as a static site in build/docs, which adit has processed; DOCS_URL says where it will be
	@scripts/package/make-docs $(B)/adit $(B)/man $(B)/docs $(DOCS_URL)

# --- a release --------------------------------------------------------------------------------------

.PHONY: release-notes
release-notes: ## what CHANGELOG.md says of this version (or of what is not released yet)
	@awk -v v="## $(VERSION)" 'index($$0, "## ") == 1 { if (on) exit; on = index($$0, v) == 1; if (on) next } on' CHANGELOG.md | grep . || \
	  awk '/^## / { if (on) exit; on = /^## Unreleased/; if (on) next } on' CHANGELOG.md
