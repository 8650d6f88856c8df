/* Made by scripts/train. */
#ifndef ADIT_WEIGHTS_H
#define ADIT_WEIGHTS_H
#include "page/score.h"
enum { ADIT_SCORE_BASE = 0 };
static const struct adit_step adit_step_table[] = {{0, 0}};
static const struct adit_steps adit_steps[ADIT_N_FEATURES] = {{0, 0}};
#endif
