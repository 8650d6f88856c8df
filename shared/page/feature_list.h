/* The features by name, in the order of the weights' table. Internal to page/. */
#ifndef ADIT_FEATURE_LIST_H
#define ADIT_FEATURE_LIST_H

#define ADIT_LEAF_FEATURES(X)                                                                      \
    X(L) X(W) X(lk) X(nl) X(cm) X(se) X(dg) X(up) X(lt) X(awl) X(en) X(su) X(em) X(od) X(cu) X(yr) \
    X(tp) X(br) X(img) X(time) X(inp) X(hidi) X(cpy) X(at) X(colon) X(ell) X(qm) X(tag) X(hl)      \
    X(tm) X(dm) X(dup) X(dupn)                                                                     \
    X(a_nav) X(a_header) X(a_footer) X(a_aside) X(a_form) X(a_main) X(a_article) X(a_section)      \
    X(a_li) X(a_table) X(a_td) X(a_figure) X(a_blockquote) X(a_ul) X(a_ol) X(a_dl) X(a_a)          \
    X(a_button) X(a_details) X(a_h) X(a_p) X(a_fieldset) X(a_tr) X(a_noscript) X(a_dialog)         \
    X(a_body_prop)                                                                                 \
    X(c_content) X(c_article) X(c_body) X(c_main) X(c_desc) X(c_product) X(c_forum) X(c_comment)   \
    X(c_nav) X(c_foot) X(c_head) X(c_side) X(c_related) X(c_share) X(c_ad) X(c_meta) X(c_caption)  \
    X(c_signup) X(c_modal) X(c_title) X(c_list) X(c_hidden) X(c_code) X(c_reference)               \
    X(c_signature) X(c_accordion) X(c_review)                                                      \
    X(dep) X(cpm) X(gbef) X(gaft) X(tb) X(hd) X(hlv) X(hsn) X(hslk) X(hsg) X(hsL)                  \
    X(Lm3) X(Lm2) X(Lm1) X(Lp1) X(Lp2) X(Lp3) X(lkm3) X(lkm2) X(lkm1) X(lkp1) X(lkp2) X(lkp3)      \
    X(sem2) X(sem1) X(sep1) X(sep2) X(tagm2) X(tagm1) X(tagp1) X(tagp2)                            \
    X(enm2) X(enm1) X(enp1) X(enp2) X(spm2) X(spm1) X(spp1) X(spp2)                                \
    X(wL5) X(wlk5) X(wse5) X(wG5) X(wL12) X(wlk12) X(wse12) X(wG12)                                \
    X(plk0) X(pn0) X(pG0) X(ps0) X(pgs0) X(plk1) X(pn1) X(pG1) X(ps1) X(pgs1)                      \
    X(plk2) X(pn2) X(pG2) X(ps2) X(pgs2) X(plk3) X(pn3) X(pG3) X(ps3) X(pgs3)                      \
    X(plk4) X(pn4) X(pG4) X(ps4) X(pgs4) X(plk6) X(pn6) X(pG6) X(ps6) X(pgs6)                      \
    X(arts) X(artlk) X(artG) X(artsib) X(mains) X(mainlk) X(mainG) X(secs) X(seclk) X(secG)        \
    X(secsib) X(dtop) X(dchn) X(rtop) X(btop) X(etop)                                              \
    X(gN) X(gL) X(gM) X(glk) X(gse) X(tN) X(tL) X(tM) X(tlk) X(tse)                                \
    X(rN) X(rI) X(rLv) X(rL) X(rlk) X(rPs) X(rPlk) X(rM) X(rse)                                    \
    X(sib0) X(sidx0) X(sib1) X(sib2) X(eimg) X(comout) X(lead) X(emtail) X(lktail)          \
    X(dtopA) X(dchnA) X(dtopG) X(artO) X(gRel) X(lkA) X(hslkA) X(comA) X(rNA) X(gseA) X(gaftT) X(gbefT)

#define ADIT_PAGE_FEATURES(X)                                                                      \
    X(g_TLKpm) X(g_Gpm) X(g_Ppm) X(g_LIpm) X(g_PREpm) X(g_TDpm) X(g_NSpm) X(g_nart) X(g_nmain)     \
    X(g_mainpm) X(g_nh1) X(g_nh2) X(g_nh3) X(g_ldArt) X(g_ldProd) X(g_ldForum) X(g_ldList)         \
    X(g_ldFaq) X(g_og) X(g_bd_article) X(g_bd_product) X(g_bd_forum) X(g_bd_list) X(g_bd_main)     \
    X(g_ncur) X(g_ntime) X(g_nform) X(g_nyear) X(g_ncom) X(g_nfor) X(g_nlst) X(g_nprd) X(g_topL)   \
    X(g_topG) X(g_chainG) X(g_chnLen) X(g_topS) X(g_CJpm) X(g_bgN) X(g_bgLpm) X(g_bgMean)

#endif
