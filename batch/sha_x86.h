/* The processor's SHA instructions behind adit_sha256. */
#ifndef ADIT_SHA_X86_H
#define ADIT_SHA_X86_H

/* Installs them if this processor has them; call once, before the first hash. */
void sha_accelerate(void);

#endif
