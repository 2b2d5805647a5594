// The scores of an encode as files, in the layouts of the tool's score files. All functions but the
// last one depend on the page's data alone.

const jsonNumber = (value) => (typeof value === 'number' ? value : null);

/** CSV with a line for each frame. Infinite scores are "inf", missing ones are empty. */
function scoresCsv(encode) {
  const names = Object.keys(encode.metrics);
  const text = (value) => ({Infinity: 'inf', '-Infinity': '-inf'}[value] || (value === null || value === undefined ? '' : String(value)));
  const rows = Array.from(encode.frames, (frame, i) => [frame, ...names.map((name) => text(encode.metrics[name][i]))]);
  return [['Frame', ...names], ...rows].map((row) => row.join(',') + '\n').join('');
}

/** JSON, which `vmaf --report` and libvmaf.read_scores() read. */
function scoresJson(data, encode) {
  const finite = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, jsonNumber(value)]));
  const names = Object.keys(encode.metrics);
  const frames = Array.from(encode.frames, (frame, i) => ({frameNum: frame,
    metrics: Object.fromEntries(names.map((name) => [name, encode.metrics[name][i]]).filter(([, value]) => value !== null).map(([name, value]) => [name, jsonNumber(value)]))}));
  const details = {reference: data.reference, distorted: encode.distorted, scored: encode.scored, models: data.models, warnings: data.warnings,
    ...(encode.coded_frames ? {coded_frames: encode.coded_frames} : {})};
  const pooled = Object.fromEntries(Object.entries(encode.pooled).map(([name, statistics]) => [name, finite(statistics)]));
  const incomplete = encode.complete ? {} : {incomplete: {reason: encode.reason, frames: frames.length}};
  return JSON.stringify({version: data.version, frames, pooled_metrics: pooled, aggregate_metrics: finite(encode.aggregate), details, ...incomplete}, null, 1) + '\n';
}

/** @param chosen gives the chosen encode's number. */
function startDownloads(data, chosen) {
  const save = (ending, type, make) => () => {
    const encode = data.encodes ? data.encodes[chosen()] : data;
    const url = URL.createObjectURL(new Blob([make(encode)], {type}));
    const link = Object.assign(document.createElement('a'), {href: url, download: `${String(encode.distorted.path).split(/[\\/]/).pop() || 'scores'}.${ending}`});
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  };
  document.getElementById('save-csv').addEventListener('click', save('csv', 'text/csv', scoresCsv));
  document.getElementById('save-json').addEventListener('click', save('json', 'application/json', (encode) => scoresJson(data, encode)));
}
