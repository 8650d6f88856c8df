/* What a page is: the facts that tell its kind and how sure its selection is, a row each, and the
 * steps that scripts/train-kinds has learned from them. */
#ifndef ADIT_SELECT_KIND_IMPL_H
#define ADIT_SELECT_KIND_IMPL_H

#include "select/score_impl.h"

/* clang-format off */
#define ADIT_KIND_FACTS(X) \
    X(ld_article, "JSON-LD speaks of an article") \
    X(ld_product, "JSON-LD speaks of a product") \
    X(ld_forum, "JSON-LD speaks of a thread or a question") \
    X(ld_list, "JSON-LD speaks of a list") \
    X(ld_faq, "JSON-LD speaks of questions that are often asked") \
    X(og_class, "og:type: 1 article, 2 product, 3 website, 4 other") \
    X(url_article, "the address has a word for articles") \
    X(url_docs, "the address has a word for documentation") \
    X(url_forum, "the address has a word for threads") \
    X(url_product, "the address has a word for products") \
    X(url_list, "the address has a word for lists of pages") \
    X(url_depth, "parts of the address's path") \
    X(url_words, "hyphens in the last part of the path: words of a headline") \
    X(words, "words of the page") \
    X(links, "letters in links, per mille of the page") \
    X(prose, "running text, per mille of the page") \
    X(listings, "letters in listings of code, per mille of the page") \
    X(items, "letters in list items, per mille of the page") \
    X(forum_words, "letters below classes that speak of a forum, per mille") \
    X(list_words, "letters below classes that speak of lists, per mille") \
    X(product_words, "letters below classes that speak of products, per mille") \
    X(prices, "texts with a price") \
    X(times, "texts with a <time>") \
    X(headings, "headings of level 2 and 3") \
    X(is_forum, "classes say forum") \
    X(thread, "posts of a thread, by their structure") \
    X(comments, "readers' comments stand apart") \
    X(kept_words, "words that are kept") \
    X(kept_share, "words that are kept, per mille") \
    X(kept_links, "letters in links, per mille of what is kept") \
    X(kept_prose, "running text, per mille of what is kept") \
    X(kept_items, "list items, per mille of what is kept") \
    X(kept_code, "listings of code, per mille of what is kept") \
    X(kept_cells, "cells of tables, per mille of what is kept") \
    X(kept_headings, "headings that are kept") \
    X(kept_prices, "prices that are kept") \
    X(kept_mean, "mean letters of a kept text") \
    X(kept_records, "words in records that stand five times or more, per mille of what is kept") \
    X(title_shown, "3: a text of the page is its title; 2: one is a part of it") \
    X(inputs, "texts with input fields") \
    X(expected, "F1 that the scores expect, per mille") \
    X(doubt, "words with odds between 1 : 4 and 4 : 1, per mille of those kept")
/* clang-format on */

enum adit_kind_fact {
#define ADIT_KIND_FACT_ENUM(name, does) ADIT_KF_##name,
    ADIT_KIND_FACTS(ADIT_KIND_FACT_ENUM)
#undef ADIT_KIND_FACT_ENUM
        ADIT_N_KIND_FACTS
};

/* A fact above the threshold adds delta to an output: a kind's score, or the confidence. */
struct adit_kind_step {
    int16_t threshold, delta;
    uint8_t fact, output;
};

/* Fills the facts of a page after its leaves were decided on. */
void adit_kind_facts(const struct adit_facts *f, const struct adit_page_hints *hints,
                     const struct adit_verdicts *v, int16_t out[ADIT_N_KIND_FACTS]);
/* Sets *look. */
void adit_kind_look(const int16_t facts[ADIT_N_KIND_FACTS], const struct adit_page_hints *hints,
                    struct adit_page_look *look);

#endif
