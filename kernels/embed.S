/* One kernel image as SYMBOL; FATBIN is its path. The driver wants it aligned. */
#ifdef _WIN32
    .section .rdata,"dr"
#else
    .section .rodata
    .hidden SYMBOL
    .size SYMBOL, 1f - SYMBOL
#endif
    .global SYMBOL
    .balign 16
SYMBOL:
    .incbin FATBIN
1:
#ifndef _WIN32
    .section .note.GNU-stack,"",%progbits
#endif
