/* Tables of bytes for scanning. */
#include "html/parse_impl.h"

#define ROW(c)  [c] = SCAN_LETTER, [(c) + 32] = SCAN_LETTER
#define WHITE   (SCAN_SPACE | SCAN_TAG_END | SCAN_ATTR_END | SCAN_VALUE_END)
#define LOW(c)  [c] = ((c) + 32)
#define SAME(c) [c] = (c)
#define SAME8(c)                                                                        \
    SAME(c), SAME((c) + 1), SAME((c) + 2), SAME((c) + 3), SAME((c) + 4), SAME((c) + 5), \
        SAME((c) + 6), SAME((c) + 7)
#define SAME64(c)                                                                                 \
    SAME8(c), SAME8((c) + 8), SAME8((c) + 16), SAME8((c) + 24), SAME8((c) + 32), SAME8((c) + 40), \
        SAME8((c) + 48), SAME8((c) + 56)

const uint8_t adit_scan_class[256] = {
    ['\t'] = WHITE,
    ['\n'] = WHITE,
    ['\f'] = WHITE,
    ['\r'] = WHITE | SCAN_SPECIAL,
    ['&'] = SCAN_SPECIAL,
    ['\0'] = SCAN_SPECIAL,
    [' '] = WHITE,
    ['/'] = SCAN_TAG_END | SCAN_ATTR_END,
    ['>'] = SCAN_TAG_END | SCAN_ATTR_END | SCAN_VALUE_END,
    ['='] = SCAN_ATTR_END,
    ROW('A'),
    ROW('B'),
    ROW('C'),
    ROW('D'),
    ROW('E'),
    ROW('F'),
    ROW('G'),
    ROW('H'),
    ROW('I'),
    ROW('J'),
    ROW('K'),
    ROW('L'),
    ROW('M'),
    ROW('N'),
    ROW('O'),
    ROW('P'),
    ROW('Q'),
    ROW('R'),
    ROW('S'),
    ROW('T'),
    ROW('U'),
    ROW('V'),
    ROW('W'),
    ROW('X'),
    ROW('Y'),
    ROW('Z'),
};

const uint8_t adit_scan_lower[256] = {
    SAME64(0), SAME('@'), LOW('A'),   LOW('B'),   LOW('C'),   LOW('D'),    LOW('E'),    LOW('F'),
    LOW('G'),  LOW('H'),  LOW('I'),   LOW('J'),   LOW('K'),   LOW('L'),    LOW('M'),    LOW('N'),
    LOW('O'),  LOW('P'),  LOW('Q'),   LOW('R'),   LOW('S'),   LOW('T'),    LOW('U'),    LOW('V'),
    LOW('W'),  LOW('X'),  LOW('Y'),   LOW('Z'),   SAME('['),  SAME('\\'),  SAME(']'),   SAME('^'),
    SAME('_'), SAME8(96), SAME8(104), SAME8(112), SAME8(120), SAME64(128), SAME64(192),
};
