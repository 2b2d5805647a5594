/* One kernel image as SYMBOL; FATBIN is its path. The driver wants it aligned. */
    .section .rodata
    .global SYMBOL
    .hidden SYMBOL
    .balign 16
SYMBOL:
    .incbin FATBIN
    .size SYMBOL, . - SYMBOL
    .section .note.GNU-stack,"",%progbits
