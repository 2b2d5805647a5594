// A matrix and vectors of a group, as the bits of floats.

shared uint matrix[kSize][kSize];
shared uint vector_v[kSize], vector_x[kSize];

void load_covariance(Model model)
{
    for (int at = thread; at < kSize * kSize; at += kGroupThreads)
        matrix[at / kSize][at % kSize] = model.covariance[at / kSize][at % kSize];
    barrier();
}
