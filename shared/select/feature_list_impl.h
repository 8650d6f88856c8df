/* The features: a row each, in the order of the weights' table; features.c and context.c define their values.
 *
 * name for the code, name for people, group, direction, what it is. The direction is what is known before learning: more of
 * it never takes points (GIVES), never gives any (TAKES), or EITHER; scripts/train keeps to it. Those called g_ are facts
 * about the page, those called z_ come from scores, or are looked at beside them. "Running text" is a text that reads like a paragraph; "per mille" is of
 * letters. */
#ifndef ADIT_SELECT_FEATURE_LIST_IMPL_H
#define ADIT_SELECT_FEATURE_LIST_IMPL_H

/* clang-format off */
#define ADIT_LEAF_FEATURES(X)                                                                                          \
    X(L, "letters", OWN, GIVES, "letters of the text; a listing counts as 300 at most")                                \
    X(nl, "links", OWN, EITHER, "links in the text")                                                                   \
    X(cm, "commas", OWN, GIVES, "commas and semicolons; none in code")                                                 \
    X(up, "capitals", OWN, EITHER, "capital letters, per mille of all letters")                                        \
    X(en, "ends-sentence", OWN, GIVES, "whether the text ends like a sentence")                                        \
    X(em, "emphasis", OWN, EITHER, "letters in bold or italics, per mille")                                            \
    X(od, "separators", OWN, TAKES, "bars, arrows and other signs that stand between links")                           \
    X(time, "times", OWN, EITHER, "<time> elements in the text")                                                       \
    X(inp, "inputs", OWN, TAKES, "input fields in the text")                                                           \
    X(ell, "ellipsis", OWN, TAKES, "whether the text breaks off with an ellipsis")                                     \
    X(tag, "tag", OWN, EITHER, "what element owns the text: paragraph, item, heading, cell, ...")                      \
    X(hl, "heading-level", OWN, EITHER, "level of a heading; 0: the text is none")                                     \
    X(tm, "title-match", OWN, EITHER, "3: the text is the page's title; 2: a part of it; 0: neither")                  \
    X(dupn, "copies", OWN, EITHER, "how often the page has this text, at most 9")                                      \
    X(a_nav, "to-nav", AROUND, GIVES, "levels up to the nearest nav; 63: none")                                        \
    X(a_header, "to-header", AROUND, GIVES, "levels up to the nearest header")                                         \
    X(a_footer, "to-footer", AROUND, GIVES, "levels up to the nearest footer")                                         \
    X(a_aside, "to-aside", AROUND, GIVES, "levels up to the nearest aside")                                            \
    X(a_form, "to-form", AROUND, GIVES, "levels up to the nearest form")                                               \
    X(a_main, "to-main", AROUND, TAKES, "levels up to the nearest main")                                               \
    X(a_article, "to-article", AROUND, TAKES, "levels up to the nearest article")                                      \
    X(a_blockquote, "to-blockquote", AROUND, EITHER, "levels up to the nearest blockquote")                            \
    X(a_button, "to-button", AROUND, GIVES, "levels up to the nearest button")                                         \
    X(a_dialog, "to-dialog", AROUND, GIVES, "levels up to the nearest dialog")                                         \
    X(a_body_prop, "to-body-property", AROUND, TAKES, "levels up to the nearest itemprop of an article's or a review's text") \
    X(c_body, "to-body-word", WORDS, TAKES, "levels up to an element whose class speaks of a body of text")            \
    X(c_product, "to-product-word", WORDS, EITHER, "levels up to an element whose class speaks of a product")          \
    X(c_comment, "to-comment-word", WORDS, GIVES, "levels up to an element whose class speaks of comments")            \
    X(c_nav, "to-navigation-word", WORDS, GIVES, "levels up to an element whose class speaks of navigation")           \
    X(c_foot, "to-footer-word", WORDS, GIVES, "levels up to an element whose class speaks of a footer")                \
    X(c_side, "to-sidebar-word", WORDS, GIVES, "levels up to an element whose class speaks of a side bar")             \
    X(c_related, "to-related-word", WORDS, GIVES, "levels up to an element whose class speaks of other stories")       \
    X(c_share, "to-share-word", WORDS, GIVES, "levels up to an element whose class speaks of sharing")                 \
    X(c_ad, "to-advertising-word", WORDS, GIVES, "levels up to an element whose class speaks of advertising")          \
    X(c_meta, "to-metadata-word", WORDS, GIVES, "levels up to an element whose class speaks of by-lines, dates, tags") \
    X(c_caption, "to-caption-word", WORDS, GIVES, "levels up to an element whose class speaks of captions and pictures") \
    X(c_signup, "to-sign-up-word", WORDS, GIVES, "levels up to an element whose class speaks of forms and subscriptions") \
    X(c_modal, "to-dialog-word", WORDS, GIVES, "levels up to an element whose class speaks of dialogues and consent")  \
    X(c_code, "to-code-word", WORDS, EITHER, "levels up to an element whose class speaks of code")                     \
    X(c_accordion, "to-panel-word", WORDS, EITHER, "levels up to an element whose class speaks of tabs and panels")    \
    X(c_review, "to-review-word", WORDS, EITHER, "levels up to an element whose class speaks of reviews and ratings")  \
    X(c_unseen, "to-hidden-word", WORDS, GIVES, "levels up to an element whose class speaks of hiding")                \
    X(cpm, "text-before", PLACE, EITHER, "text before this one, per mille of the page's")                              \
    X(gbef, "prose-before", PLACE, EITHER, "running text before this one, per mille of the page's")                    \
    X(gaft, "prose-after", PLACE, EITHER, "running text after this one, per mille of the page's")                      \
    X(tb, "since-title", PLACE, EITHER, "texts since the title's heading; negative before it; -999: no title")         \
    X(hd, "since-heading", SECTION, EITHER, "texts since the last heading, at most 99")                                \
    X(hlv, "section-level", SECTION, EITHER, "level of the last heading; 0: none")                                     \
    X(hsn, "section-texts", SECTION, EITHER, "texts in the section, from heading to heading")                          \
    X(hslk, "section-links", SECTION, TAKES, "letters in links, per mille of the section")                             \
    X(hsL, "section-letters", SECTION, EITHER, "letters of the section")                                               \
    X(tagm1, "tag-before", NEAR, EITHER, "what element owns the text before")                                          \
    X(Lp1, "letters-next", NEAR, EITHER, "letters of the next text; -1: none")                                         \
    X(wlk5, "links-near", NEAR, TAKES, "letters in links, per mille of five texts on each side")                       \
    X(pn0, "texts-in-element", SUBTREE, EITHER, "texts in the owner")                                                  \
    X(ps0, "share-of-element", SUBTREE, EITHER, "letters in the owner, per mille of the page")                         \
    X(pgs1, "prose-of-parent", SUBTREE, EITHER, "running text in the parent, per mille of the page's")                 \
    X(pgs2, "prose-of-grandparent", SUBTREE, EITHER, "running text two levels up, per mille of the page's")            \
    X(ps3, "share-three-up", SUBTREE, EITHER, "letters three levels up, per mille of the page")                        \
    X(pG4, "prose-four-up", SUBTREE, EITHER, "running text four levels up, per mille of the text there")               \
    X(arts, "article-share", REGION, EITHER, "letters in the nearest article, per mille of the page; -1: none")        \
    X(mainlk, "main-links", REGION, EITHER, "letters in links, per mille of the nearest main; -1: none")               \
    X(dtop, "to-best-container", REGION, EITHER, "levels from the element with most running text up to where this branch leaves it") \
    X(dchn, "to-chain", REGION, EITHER, "levels from the end of the chain of large elements up to where this branch leaves it") \
    X(gN, "kin-texts", KIN, EITHER, "texts of the same kind: owner and three ancestors have the same tags and classes") \
    X(gL, "kin-share", KIN, EITHER, "letters of the kin, per mille of the page")                                       \
    X(gM, "kin-mean", KIN, GIVES, "mean letters of the kin")                                                           \
    X(gen, "kin-ends", KIN, EITHER, "kin that end like a sentence, per mille")                                         \
    X(gRel, "kin-beside-biggest", KIN, EITHER, "letters outside links of the kin, per mille of the page's biggest kin") \
    X(tN, "path-texts", KIN, EITHER, "texts below the same tags")                                                      \
    X(tL, "path-share", KIN, EITHER, "letters below the same tags, per mille of the page")                             \
    X(tse, "path-sentences", KIN, GIVES, "sentences below the same tags, tenths a text")                               \
    X(rN, "row-items", REPEAT, EITHER, "sisters of the strongest repetition around; 0: none")                          \
    X(rL, "row-item-letters", REPEAT, EITHER, "letters of its item around this text")                                  \
    X(rPs, "row-share", REPEAT, EITHER, "letters of the whole row, per mille of the page")                             \
    X(rPlk, "row-links", REPEAT, TAKES, "letters in links, per mille of the row")                                      \
    X(rM, "row-mean", REPEAT, EITHER, "mean letters of the row's items")                                               \
    X(sib0, "sisters", REPEAT, EITHER, "sisters of the owner with the same tag and classes")                           \
    X(sib2, "sisters-two-up", REPEAT, EITHER, "the same, two levels up")                                               \
    X(eimg, "pictures", REPEAT, EITHER, "pictures in the owner itself")                                                \
    X(comout, "prose-outside-comments", JOINT, EITHER, "in a comment: running text outside comments, per mille; else -1") \
    X(dtopG, "to-large-container", JOINT, EITHER, "to-best-container where that holds most running text; else -1")     \
    X(lkA, "links-on-article", JOINT, TAKES, "letters in links, per mille, on pages that claim to be an article; else -1") \
    X(hslkA, "section-links-on-article", JOINT, TAKES, "section-links on pages that claim to be an article; else -1")  \
    X(gaftT, "prose-after-in-container", JOINT, EITHER, "running text after this one in the best container, per mille; -1: outside") \
    X(rcE, "comment-signs", RECORD, EITHER, "signs that the records around are readers' comments, 0 to 7; -1: no records") \
    X(rcB, "prose-before-records", RECORD, EITHER, "running text between title and the first record, if there are two signs; else -1") \
    X(rcP, "share-before-records", RECORD, EITHER, "the same, per mille of itself and the records")                    \
    X(rcN, "records", RECORD, EITHER, "records of the kind around this text")                                          \
    X(rtN, "records-with-links", RECORD, EITHER, "records that open with a link, per mille; -1: no records")           \
    X(rtL, "record-letters", RECORD, EITHER, "mean letters of the records; -1: none")                                  \
    X(capL, "letters-with-picture", PICTURE, EITHER, "letters in the nearest element around, of five, that holds a picture") \
    X(artI, "article-number", ORDER, EITHER, "the page's first, second, ... article; 0: outside")                      \
    X(artA, "article-number-on-article", ORDER, EITHER, "the same on pages that claim to be an article; else -1")      \
    X(h1I, "titles-since", ORDER, EITHER, "headings of level 1 since the title; -1: before it")                        \
    X(lk, "link-share", OWN, EITHER, "letters in links, per mille")                                                    \
    X(dt, "digits-of-line", OWN, EITHER, "digits of a short line; -1: the text is none")                               \
    X(plk1, "links-of-parent", SUBTREE, EITHER, "letters in links, per mille of the parent")                           \
    X(plk2, "links-of-grandparent", SUBTREE, EITHER, "letters in links, per mille two levels up")                      \
    X(plk3, "links-three-up", SUBTREE, EITHER, "letters in links, per mille three levels up")                          \
    X(pG2, "prose-two-up", SUBTREE, EITHER, "running text two levels up, per mille of the text there")                 \
    X(Lm1, "letters-before", NEAR, EITHER, "letters of the text before; -1: none")                                     \
    X(wG4, "prose-near", NEAR, EITHER, "running text, per mille of four texts on each side")                           \
    X(sinceG, "since-prose", NEAR, EITHER, "texts since the last running text, at most 20")                            \
    X(untilG, "until-prose", NEAR, EITHER, "texts until the next running text, at most 20")         \
    X(tw, "title-words", TOPIC, EITHER, "words of the page's titles that the text says, at most 6; -1: no titles")     \
    X(tww, "title-words-near", TOPIC, EITHER, "the same of the text and three on each side, at most 10")

/* Of the page. */
#define ADIT_PAGE_FEATURES(X)                                                                                          \
    X(g_TLKpm, "page-links", PAGE, EITHER, "letters in links, per mille of the page")                                  \
    X(g_Gpm, "page-prose", PAGE, EITHER, "running text, per mille of the page")                                        \
    X(g_Ppm, "page-paragraphs", PAGE, EITHER, "letters in paragraphs, per mille of the page")                          \
    X(g_LIpm, "page-items", PAGE, EITHER, "letters in list items, per mille of the page")                              \
    X(g_PREpm, "page-code", PAGE, EITHER, "letters in listings, per mille of the page")                                \
    X(g_nart, "page-articles", PAGE, EITHER, "article elements, at most 99")                                           \
    X(g_mainpm, "page-main", PAGE, EITHER, "letters in the largest main, per mille of the page")                       \
    X(g_nh1, "page-h1", PAGE, EITHER, "headings of level 1, at most 9")                                                \
    X(g_nh2, "page-h2", PAGE, EITHER, "headings of level 2, at most 99")                                               \
    X(g_nh3, "page-h3", PAGE, EITHER, "headings of level 3, at most 99")                                               \
    X(g_ldProd, "page-product", PAGE, EITHER, "whether the page's JSON-LD speaks of a product")                        \
    X(g_bd_article, "page-body-word", PAGE, EITHER, "whether body's class speaks of an article")                       \
    X(g_ncur, "page-prices", PAGE, EITHER, "texts with a price, at most 99")                                           \
    X(g_ntime, "page-times", PAGE, EITHER, "texts with a <time>, at most 99")                                          \
    X(g_nfor, "page-forum", PAGE, EITHER, "letters below classes that speak of a forum, per mille")                    \
    X(g_nlst, "page-lists", PAGE, EITHER, "letters below classes that speak of lists, per mille")                      \
    X(g_topL, "container-share", PAGE, EITHER, "letters in the best container, per mille of the page")                 \
    X(g_topG, "container-prose", PAGE, EITHER, "running text in the best container, per mille of the page's")          \
    X(g_chainG, "chain-share", PAGE, EITHER, "letters at the end of the chain of large elements, per mille of the page") \
    X(g_topS, "container-score", PAGE, EITHER, "points of the best container")                                         \
    X(g_bgLpm, "biggest-kin-share", PAGE, EITHER, "letters of the biggest kin, per mille of the page")                 \
    X(g_bgMean, "biggest-kin-mean", PAGE, EITHER, "mean letters of the biggest kin")                                   \
    X(g_n, "page-texts", PAGE, EITHER, "texts of the page")                                                            \
    X(g_L, "page-letters", PAGE, EITHER, "letters of the page, in hundreds")                                           \
    X(g_frame, "page-frame", PAGE, EITHER, "letters in nav, header, footer, aside and form, per mille of the page")

/* Of the second look, from the scores of the first (context.c). */
#define ADIT_CONTEXT_FEATURES(X)                                                                                       \
    X(z_own, "own-score", SCORE, GIVES, "what the text scores alone")                                                  \
    X(z_class, "kin-score", SCORE, GIVES, "mean score of texts of the same kind")                                      \
    X(z_path, "path-score", SCORE, GIVES, "mean score of texts below the same tags")                                   \
    X(z_near, "near-score", SCORE, GIVES, "mean score of three texts on each side")                                    \
    X(z_up2, "score-two-up", SCORE, GIVES, "mean score of the texts two levels up")                                    \
    X(z_up4, "score-four-up", SCORE, GIVES, "mean score of the texts four levels up")                                  \
    X(z_core, "beside-core", SCORE, EITHER, "own score less the mean score of what is probably content")               \
    X(z_prev, "score-before", SCORE, GIVES, "score of the text before")                                                \
    X(z_next, "score-next", SCORE, GIVES, "score of the next text")                                                    \
    X(z_sec, "section-score", SCORE, GIVES, "mean score of the section")                                               \
    X(z_box, "to-box", SCORE, TAKES, "levels from the element that holds most of the probable content up to where this branch leaves it") \
    X(z_side, "beside-box", SCORE, EITHER, "texts before (negative) or after that element; 0: inside")                 \
    X(z_up6, "score-six-up", SCORE, GIVES, "mean score of the texts six levels up")                                    \
    X(z_before, "content-before", SCORE, EITHER, "probable content before this text, per mille of the page's")         \
    X(z_after, "content-after", SCORE, EITHER, "probable content after this text, per mille of the page's")            \
    X(z_since, "since-content", SCORE, EITHER, "texts since the last that is probably content, at most 20")            \
    X(z_until, "until-content", SCORE, EITHER, "texts until the next that is probably content, at most 20")            \
    X(z_around, "around-list", SCORE, GIVES, "the lower of the scores before and after the list or table around this text, or the text") \
    X(z_list, "list-score", SCORE, GIVES, "mean score of the list or table around this text, or of the text") \
    X(z_dw, "description-words", TOPIC, EITHER, "words of the page's description that the text says, at most 12; -1: no description") \
    X(z_dww, "description-words-near", TOPIC, EITHER, "the same of the text and three on each side, at most 16")         \
    X(z_ds, "description-share", TOPIC, EITHER, "words of the description that the text says, per mille of them")       \
    X(z_dm, "description-match", TOPIC, EITHER, "the same, per mille of the shorter of both; 0: fewer than three words") \
    X(z_sd, "stated", TOPIC, EITHER, "pairs of words that JSON-LD's text has, per mille, where it states the whole text; else -1")
/* clang-format on */

#endif
