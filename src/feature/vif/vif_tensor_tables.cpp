#include "feature/vif/vif_tensor_tables.h"

#include <cstdlib>

#include "feature/vif/vif_log_table.h"

namespace vmaf {
namespace {

/// One byte of the coefficient with which a scale's filter takes an input for an output. The inputs
/// begin 8 before the outputs.
std::uint8_t coefficient_byte(unsigned scale, unsigned input, unsigned output, unsigned byte)
{
    const auto distance =
        static_cast<unsigned>(std::abs(static_cast<int>(input) - static_cast<int>(output + kVifHalf[0])));
    const std::uint32_t coefficient = distance > kVifHalf[scale] ? 0 : kVifFilter[scale][distance];
    return static_cast<std::uint8_t>(coefficient >> (8 * byte));
}

/// The words of operand A of m16n8k32 (PTX ISA, matrix fragments).
void deal_to_lanes(VifTensorMatrix matrix, std::uint32_t (&lanes)[32][4])
{
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned word = 0; word < 4; ++word) {
            const unsigned output = lane / 4 + word % 2 * 8, input = lane % 4 * 4 + word / 2 * 16;
            for (unsigned byte = 0; byte < 4; ++byte)
                lanes[lane][word] |= std::uint32_t{vif_tensor_entry(matrix, input + byte, output)} << (8 * byte);
        }
}

} // namespace

std::uint8_t vif_tensor_entry(VifTensorMatrix matrix, unsigned input, unsigned output)
{
    const unsigned swapped = input ^ 16;
    switch (matrix) {
    case kVifTensorLow:
        return coefficient_byte(0, input, output, 0);
    case kVifTensorHigh:
        return coefficient_byte(0, input, output, 1);
    case kVifTensorLowSwapped:
        return coefficient_byte(0, swapped, output, 0);
    case kVifTensorHighSwapped:
        return coefficient_byte(0, swapped, output, 1);
    case kVifTensorNext:
        return coefficient_byte(1, input, output % 8 * 2, output / 8);
    case kVifTensorNextSwapped:
        return coefficient_byte(1, swapped, output % 8 * 2, output / 8);
    }
    return 0;
}

std::unique_ptr<VifTensorTables> make_vif_tensor_tables()
{
    auto tables = std::make_unique<VifTensorTables>();
    const VifLogTable &log = vif_log_table();
    for (unsigned i = 0; i < kVifLogBytes; ++i)
        tables->log[i] = static_cast<std::uint8_t>(((log[i / 8] + i % 8) >> 3) - i / 16);
    for (unsigned matrix = 0; matrix < kVifTensorMatrices; ++matrix)
        deal_to_lanes(static_cast<VifTensorMatrix>(matrix), tables->matrices[matrix]);
    return tables;
}

} // namespace vmaf
