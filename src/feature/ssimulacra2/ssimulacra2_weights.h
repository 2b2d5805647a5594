#pragma once

#include "feature/ssimulacra2/ssimulacra2_params.h"

// Shared with device code: plain C++17.

namespace vmaf {

/// spec ssimulacra2 3.7: a row is a plane and scale with 6 scales; in it ssim, artefact, detail of
/// norm 1, then of norm 4.
constexpr unsigned kSsimulacra2TermsOfScale = kSsimulacra2Norms * kSsimulacra2Maps;
constexpr double kSsimulacra2Weights[kSsimulacra2Planes * kSsimulacra2Scales][kSsimulacra2TermsOfScale] = {
    {0, 0.0007376606707406586, 0, 0, 0.0007793481682867309, 0},                                     // X 0
    {0, 0.0004371155730107379, 0, 1.1041726426657346, 0.00066284834129271, 0.00015231632783718752}, // X 1
    {0, 0.0016406437456599754, 0, 1.8422455520539298, 11.441172603757666, 0},                       // X 2
    {0.0007989109436015163, 0.000176816438078653, 0, 1.8787594979546387, 10.94906990605142, 0},     // X 3
    {0.0007289346991508072, 0.9677937080626833, 0, 0.00014003424285435884, 0.9981766977854967,
     0.00031949755934435053},                                                                    // X 4
    {0.0004550992113792063, 0, 0, 0.0013648766163243398, 0, 0},                                  // X 5
    {0, 0, 0, 7.466890328078848, 0, 17.445833984131262},                                         // Y 0
    {0.0006235601634041466, 0, 0, 6.683678146179332, 0.00037724407979611296, 1.027889937768264}, // Y 1
    {225.20515300849274, 0, 0, 19.213238186143016, 0.0011401524586618361, 0.001237755635509985}, // Y 2
    {176.39317598450694, 0, 0, 24.43300999870476, 0.28520802612117757, 0.0004485436923833408},   // Y 3
    {0, 0, 0, 34.77906344483772, 44.835625328877896, 0},                                         // Y 4
    {0, 0, 0, 0, 0, 0},                                                                          // Y 5
    {0, 0.0008680556573291698, 0, 0, 0, 0},                                                      // B 0
    {0, 0.0005313191874358747, 0, 0.00016533814161379112, 0, 0},                                 // B 1
    {0, 0, 0, 0.0004179171803251336, 0.0017290828234722833, 0},                                  // B 2
    {0.0020827005846636437, 0, 0, 8.826982764996862, 23.19243343998926, 0},                      // B 3
    {95.1080498811086, 0.9863978034400682, 0.9834382792465353, 0.0012286405048278493, 171.2667255897307,
     0.9807858872435379},                                        // B 4
    {0, 0, 0, 0.0005130064588990679, 0, 0.00010854057858411537}, // B 5
};

/// Which terms of a row have a weight other than 0, as bits (spec ssimulacra2 5.4). With fewer than
/// 6 scales the weights of planes Y and B move up (spec ssimulacra2 3.7); such pictures are tiny
/// and have all terms computed.
constexpr unsigned ssimulacra2_terms(unsigned plane, unsigned scale, unsigned scale_count)
{
    if (scale_count < kSsimulacra2Scales)
        return (1U << kSsimulacra2TermsOfScale) - 1;
    unsigned terms = 0;
    for (unsigned term = 0; term < kSsimulacra2TermsOfScale; ++term)
        if (kSsimulacra2Weights[plane * kSsimulacra2Scales + scale][term] != 0)
            terms |= 1U << term;
    return terms;
}

/// Which error maps of a scale have a weight in a norm: bit m is map m.
constexpr unsigned ssimulacra2_maps(unsigned plane, unsigned scale, unsigned scale_count)
{
    const unsigned terms = ssimulacra2_terms(plane, scale, scale_count);
    return (terms | terms >> kSsimulacra2Maps) & ((1U << kSsimulacra2Maps) - 1);
}

enum Ssimulacra2Map : unsigned { kSsimMap, kArtefactMap, kDetailMap };

constexpr bool has_map(unsigned maps, unsigned map)
{
    return (maps >> map & 1) != 0;
}
constexpr bool has_ssim(unsigned maps)
{
    return has_map(maps, kSsimMap);
}
constexpr bool has_edges(unsigned maps)
{
    return (maps & (1U << kArtefactMap | 1U << kDetailMap)) != 0;
}

} // namespace vmaf
