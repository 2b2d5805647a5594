// Shared by numbers in integers.
#ifndef BITS_GLSL
#define BITS_GLSL

int highest_bit(uint64_t value)
{
    const uint upper = uint(value >> 32);
    return upper != 0 ? 32 + findMSB(upper) : findMSB(uint(value));
}

#endif
