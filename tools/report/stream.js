// How an encode's frames are stored: their sizes and types, below the curves.

const kFrameTypes = [['K', 'key', 'c1'], ['I', 'I', 'c6'], ['P', 'P', 'c0'], ['B', 'B', 'c7'], ['?', 'unknown', 'dim']];

/** {sizes, types} of frames 0, 1, ...; null if they are not known. */
function makeStream(coded) {
  return coded ? {sizes: Float64Array.from(coded.bytes), types: coded.types} : null;
}

/**
 * Bars for a picture of `columns` pixels that shows frame numbers from `from` to `to`: {at, width,
 * size, type}, in pixels. If several frames share a pixel, it has the largest of them.
 */
function streamBars({sizes, types}, from, to, columns) {
  const perFrame = columns / (to - from);
  const begin = Math.max(0, Math.ceil(from - 0.5));
  const end = Math.min(sizes.length, Math.floor(to + 0.5) + 1);
  const bars = [];
  for (let i = begin; i < end; ++i) {
    const at = (i - 0.5 - from) * perFrame;
    const last = bars[bars.length - 1];
    if (perFrame >= 1) bars.push({at, width: perFrame, size: sizes[i], type: types[i]});
    else if (!last || Math.floor(at) > last.at) bars.push({at: Math.floor(at), width: 1, size: sizes[i], type: types[i]});
    else if (sizes[i] > last.size) Object.assign(last, {size: sizes[i], type: types[i]});
  }
  return bars;
}

/** Scene cuts in view; none if they are too close to tell apart. */
function shownCuts(cuts, [from, to], columns) {
  const kLeastGap = 6;
  const shown = cuts.slice(lowerBound(cuts, from), lowerBound(cuts, to));
  return shown.length * kLeastGap <= columns ? shown : [];
}

/** "3.2 kB". */
function bytesText(bytes) {
  return bytes < 1e3 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** ", P frame of 3.2 kB"; empty if the size is not known. */
function frameText(stream, frame) {
  if (!stream || !(frame < stream.sizes.length)) return '';
  const [, name] = kFrameTypes.find(([type]) => type === stream.types[frame]) || kFrameTypes[4];
  return `, ${name} frame of ${bytesText(stream.sizes[frame])}`;
}

/**
 * @param box the bars' place. @param look {name, colour}: the encode's name, which may be empty,
 * and the page's colours.
 */
function drawStream(context, stream, {left, width, top, bottom}, [from, to], {name, colour}) {
  const bars = streamBars(stream, from, to, Math.floor(width));
  const most = bars.reduce((largest, {size}) => Math.max(largest, size), 0);
  context.strokeStyle = colour('line');
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(left, bottom + 0.5);
  context.lineTo(left + width, bottom + 0.5);
  context.stroke();
  context.fillStyle = colour('dim');
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillText(bytesText(most), left - 7, top + 4);
  context.save();
  context.beginPath();
  context.rect(left, top, width, bottom - top);
  context.clip();
  for (const [type, , fill] of kFrameTypes) {
    context.fillStyle = colour(fill);
    for (const bar of bars) {
      const height = Math.max(1, bar.size / most * (bottom - top));
      if (bar.type === type) context.fillRect(left + bar.at, bottom - height, Math.max(1, bar.width - (bar.width > 3 ? 1 : 0)), height);
    }
  }
  context.restore();
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  let x = left;
  const write = (text) => {
    context.fillStyle = colour('text');
    context.fillText(text, x, top - 4);
    x += context.measureText(text).width + 12;
  };
  write(name ? `frame sizes: ${name}` : 'frame sizes');
  for (const [type, what, fill] of kFrameTypes) {
    if (!stream.types.includes(type)) continue;
    context.fillStyle = colour(fill);
    context.fillRect(x, top - 13, 10, 10);
    x += 14;
    write(what);
  }
}
