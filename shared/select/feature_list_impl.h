/* The features by name, in the order of the weights' table; features.c defines them. Those called
 * g_ are facts about the page, those called z_ come from scores. */
#ifndef ADIT_SELECT_FEATURE_LIST_IMPL_H
#define ADIT_SELECT_FEATURE_LIST_IMPL_H

/* clang-format off */
#define ADIT_LEAF_FEATURES(X)                                                                      \
    X(L) X(nl) X(cm) X(up) X(en) X(em) X(od) X(time) X(inp) X(ell) X(tag) X(hl)                    \
    X(tm) X(dupn)                                                                                  \
    X(a_nav) X(a_header) X(a_footer) X(a_aside) X(a_form) X(a_main) X(a_article)                   \
    X(a_blockquote) X(a_button) X(a_dialog) X(a_body_prop)                                         \
    X(c_body) X(c_product) X(c_comment) X(c_nav) X(c_foot)                                         \
    X(c_side) X(c_related) X(c_share) X(c_ad) X(c_meta) X(c_caption) X(c_signup)                   \
    X(c_modal) X(c_list) X(c_code) X(c_accordion) X(c_review) X(c_unseen)                          \
    X(cpm) X(gbef) X(gaft) X(tb) X(hd) X(hlv) X(hsn) X(hslk) X(hsL) X(tagm1) X(Lp1)                \
    X(wlk5) X(pn0) X(ps0) X(pgs1) X(pgs2) X(ps3) X(pG4) X(arts) X(mainlk)                          \
    X(dtop) X(dchn) X(gN) X(gL) X(gM) X(gse) X(gen) X(gtime) X(gRel)                               \
    X(tN) X(tL) X(tse) X(rN) X(rL) X(rPs) X(rPlk) X(rM) X(sib0) X(sib2) X(eimg)                    \
    X(comout) X(dtopG) X(lkA) X(hslkA) X(gaftT)

#define ADIT_PAGE_FEATURES(X)                                                                      \
    X(g_TLKpm) X(g_Gpm) X(g_Ppm) X(g_LIpm) X(g_PREpm) X(g_nart) X(g_mainpm) X(g_nh1) X(g_nh2)      \
    X(g_nh3) X(g_ldProd) X(g_bd_article) X(g_ncur) X(g_ntime)                                      \
    X(g_nfor) X(g_nlst) X(g_topL) X(g_topG) X(g_chainG) X(g_topS) X(g_bgLpm)                       \
    X(g_bgMean)

/* Of the second look, from the scores of the first (context.c). */
#define ADIT_CONTEXT_FEATURES(X)                                                                   \
    X(z_own) X(z_class) X(z_path) X(z_near) X(z_up2) X(z_up4) X(z_core)
/* clang-format on */

#endif
