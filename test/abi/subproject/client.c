#include <libvmaf.h>
#include <libvmaf/model.h>

int main(void)
{
    VmafModelConfig config = {.name = "vmaf"};
    VmafModel *model;
    if (vmaf_model_load(&model, &config, "vmaf_v0.6.1"))
        return 1;
    vmaf_model_destroy(model);
    return puts(vmaf_version()) < 0;
}
