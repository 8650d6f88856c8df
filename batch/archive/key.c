/* Files of keys that versions are signed and verified with. */
#include "batch/archive/archive.h"

enum { KEY_FILE_MAX = 16384 };

typedef enum adit_code read_key(struct adit_str text, uint8_t *key);

static bool read_file(const char *path, read_key *read, uint8_t *key, const char *fault)
{
    struct adit_buf file;
    adit_buf_init(&file, cli_mem, KEY_FILE_MAX);
    bool good = cli_read(path, &file);
    if (good && read(adit_buf_str(&file), key) != ADIT_OK) {
        cli_say(path, "%s", fault);
        good = false;
    }
    adit_buf_free(&file);
    return good;
}

bool archive_private_key(const char *path, uint8_t key[ADIT_P256_KEY])
{
    return read_file(path, adit_p256_read_private, key,
                     "is not a private key on P-256: give PEM (openssl ecparam -name prime256v1 "
                     "-genkey -noout) or 64 hexadecimal digits");
}

bool archive_public_key(const char *path, uint8_t key[ADIT_P256_PUBLIC])
{
    return read_file(path, adit_p256_read_public, key,
                     "is not a public key on P-256: give PEM (openssl ec -pubout) or 130 "
                     "hexadecimal digits");
}
