#include "fault/client_run.h"

#include "fault/client_session.h"
#include "support/cuda_client.h"

namespace vmaf::test {
namespace {

// The client's own context lives as long as the process. Its driver calls are not the library's.
VmafCudaConfiguration configuration(bool in_clients_context)
{
    static std::string why;
    static const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    return {in_clients_context ? client->context() : nullptr};
}

int preallocate(VmafContext *vmaf, const Script &script)
{
    VmafCudaPictureConfiguration pool{};
    pool.pic_params = {script.format.width, script.format.height, script.format.bpc, script.format.pix_fmt};
    pool.pic_prealloc_method = VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE;
    if (script.pictures == Pictures::host_pool)
        pool.pic_prealloc_method = VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST;
    else if (script.pictures == Pictures::pinned_pool)
        pool.pic_prealloc_method = VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED;
    return vmaf_cuda_preallocate_pictures(vmaf, pool);
}

} // namespace

const DeviceApi kCudaApi{
    [](void **state, bool in_clients_context) {
        return vmaf_cuda_state_init(reinterpret_cast<VmafCudaState **>(state), configuration(in_clients_context));
    },
    [](VmafContext *vmaf, void *state) { return vmaf_cuda_import_state(vmaf, static_cast<VmafCudaState *>(state)); },
    preallocate,
    vmaf_cuda_fetch_preallocated_picture,
    [](void *state) { return vmaf_cuda_state_free(static_cast<VmafCudaState *>(state)); },
};

Account run_script(const Script &script, const std::vector<ScoreColumn> &columns, unsigned frames,
                   const VmafDoubleControl &driver, ErrorLines &lines, AroundCalls around)
{
    Account account;
    Recorder recorder(account, driver, lines, around);
    driver.set_time(script.time, script.queries); // a real driver takes memory of its own
    account.sessions.resize(script.sessions);
    std::vector<ClientSession> sessions;
    for (unsigned i = 0; i < script.sessions; ++i) {
        sessions.emplace_back(script, columns, i, recorder, account.sessions[i]);
        sessions.back().init();
    }
    void *state = nullptr;
    const auto state_init = [&] { return script.api->state_init(&state, script.in_clients_context); };
    if (recorder.twice({CallKind::state_init}, state_init) == 0)
        for (ClientSession &session : sessions)
            session.open(state);
    for (unsigned frame = 0; frame < frames; ++frame)
        for (ClientSession &session : sessions)
            session.feed(frame);
    for (ClientSession &session : sessions) {
        session.hold_pictures();
        if (script.flushes)
            session.flush();
        if (script.asks_at_the_end)
            session.ask_all();
    }
    for (ClientSession &session : sessions)
        session.close();
    recorder.once({CallKind::state_free}, [&] { return script.api->state_free(state); });
    account.live_at_end = driver.live_total();
    for (ClientSession &session : sessions)
        session.give_up_pictures();
    return account;
}

Account run_states(const DeviceApi &api, bool in_clients_context, const VmafDoubleControl &driver, ErrorLines &lines)
{
    Account account;
    Recorder recorder(account, driver, lines, {});
    const auto import_into_two = [&](void *state, bool free_first) {
        VmafContext *both[2] = {};
        VmafConfiguration silent_but_for_errors{};
        silent_but_for_errors.log_level = VMAF_LOG_LEVEL_ERROR;
        for (VmafContext *&vmaf : both) {
            recorder.once({CallKind::init}, [&] { return vmaf_init(&vmaf, silent_but_for_errors); });
            recorder.twice({CallKind::import}, [&] { return api.import(vmaf, state); });
        }
        if (free_first)
            recorder.once({CallKind::state_free}, [&] { return api.state_free(state); });
        for (VmafContext *vmaf : both)
            recorder.once({CallKind::close}, [&] { return vmaf_close(vmaf); });
    };
    enum class Order { never_imported, freed_last, freed_first };
    for (const Order order : {Order::never_imported, Order::freed_last, Order::freed_first}) {
        void *state = nullptr;
        const auto state_init = [&] { return api.state_init(&state, in_clients_context); };
        if (recorder.twice({CallKind::state_init}, state_init) != 0)
            continue;
        if (order == Order::freed_last)
            import_into_two(state, false);
        if (order != Order::never_imported)
            import_into_two(state, order == Order::freed_first);
        if (order != Order::freed_first)
            recorder.once({CallKind::state_free}, [&] { return api.state_free(state); });
    }
    account.live_at_end = driver.live_total();
    return account;
}

} // namespace vmaf::test
