/* Which encoding bytes are in that nobody declared. Not for other folders. */
#ifndef ADIT_CODEC_DETECT_IMPL_H
#define ADIT_CODEC_DETECT_IMPL_H

#include "codec/encodings_impl.h"

/* ADIT_DETECT_BYTES: of a body that are looked at. ADIT_SAMPLE_MAX: of their text that
 * are weighed by every pair of an encoding and a language. */
enum { ADIT_DETECT_BYTES = 64 << 10, ADIT_SAMPLE_MAX = 16 << 10 };

/* The text of a page around its bytes from 0x80 on. Of longer ASCII runs only the ends are left:
 * they are the same in every encoding. */
struct adit_sample {
    size_t len, high;     /* bytes; and those from 0x80 on */
    size_t letters;       /* ASCII ones, of the whole text */
    struct adit_str lang; /* what <html lang> says */
    uint8_t bytes[ADIT_SAMPLE_MAX];
};
void adit_sample_take(struct adit_str body, struct adit_sample *s);

/* Bits: what an encoding, in the language that fits it best, needs to say the sample. Less is
 * likelier. */
struct adit_guess {
    const struct adit_encoding *encoding;
    uint32_t cost;
};

/* A cost is lowered for the languages that the URL and the page hint at. */
struct adit_language_hints {
    struct adit_str tld, lang;
};
uint32_t adit_language_prior(const struct adit_language_hints *hints, const char *language);

/* Improve *best where an encoding costs less: those of one byte a character (letters.c), and of
 * several (wide.c). */
void adit_guess_letters(const struct adit_sample *s, const struct adit_language_hints *hints,
                        struct adit_guess *best);
void adit_guess_wide(const struct adit_sample *s, const struct adit_language_hints *hints,
                     struct adit_guess *best);

/* The encoding of a body that is neither declared nor valid UTF-8. url may be empty. Not *seen: no
 * byte from 0x80 on stands in the first ADIT_DETECT_BYTES, and the hints alone have decided. */
const struct adit_encoding *adit_detect(struct adit_str body, struct adit_str url, bool *seen);

/* Whether most of what is not ASCII is UTF-8: pages of several sources have broken characters. */
bool adit_is_nearly_utf8(struct adit_str body);

/* Whether ASCII is ISO-2022-JP: escape sequences, and characters between them. */
bool adit_is_iso_2022_jp(struct adit_str body);

#endif
