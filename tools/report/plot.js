// Draws curves over frames, in panels one below another. All panels share `plot`: {context, view,
// plotWidth, panels, bottom, x, lastFrame, fps, colour, number, short}. A panel has {top, bottom,
// low, high, y, curves, metrics, title}.

const kLeft = 52;
const kRight = 10;
const kTitle = 22;
const kGap = 10;
const kInfiniteHeight = 4; // of the marks of infinite scores, at the panel's edge

/** A line through the values, or a filled band if there are more frames than pixels. */
function drawCurve(plot, panel, {encode, values, pyramid, above, below, colour: stroke}) {
  const {context, view: [from, to]} = plot;
  const columns = Math.max(1, Math.floor(plot.plotWidth));
  const perColumn = (to - from) / columns;
  const begin = Math.max(0, lowerBound(encode.frames, from) - 1);
  const end = Math.min(encode.frames.length, lowerBound(encode.frames, to) + 1);
  context.strokeStyle = stroke;
  context.fillStyle = stroke;
  for (const [places, y] of [[above, panel.top], [below, panel.bottom - kInfiniteHeight]])
    for (const {column} of places ? decimate(encode.frames, places, from, to, columns) : [])
      context.fillRect(kLeft + column - 1, y, 3, kInfiniteHeight);
  context.lineJoin = 'round';
  context.lineWidth = 1.5;
  context.beginPath();
  if (end - begin > 2 * columns) {
    context.lineWidth = 1;
    context.globalAlpha = panel.curves.length > 1 ? 0.75 : 1; // bands hide each other
    // Vertical lines, each up to its neighbour's begin: without a GPU, browsers draw them three
    // times as fast as one line through all.
    let before = {};
    for (const {column, low, high} of decimate(encode.frames, pyramid, from, to, columns)) {
      const joined = before.column === column - 1;
      const x = kLeft + column + 0.5;
      const top = panel.y(joined ? Math.max(high, before.low) : high);
      const bottom = panel.y(joined ? Math.min(low, before.high) : low);
      context.moveTo(x, top);
      context.lineTo(x, Math.max(bottom, top + 1));
      before = {column, low, high};
    }
    context.stroke();
    context.globalAlpha = 1;
    return;
  }
  let drawing = false;
  for (let i = begin; i < end; ++i) {
    if (!Number.isFinite(values[i])) drawing = false;
    else if (drawing) context.lineTo(plot.x(encode.frames[i]), panel.y(values[i]));
    else context.moveTo(plot.x(encode.frames[i]), panel.y(values[i]));
    drawing = drawing || Number.isFinite(values[i]);
  }
  context.stroke();
  if (perColumn < 0.15 || end - begin === 1)
    for (let i = begin; i < end; ++i) {
      if (!Number.isFinite(values[i])) continue;
      context.beginPath();
      context.arc(plot.x(encode.frames[i]), panel.y(values[i]), 2.5, 0, 7);
      context.fill();
    }
}

/** Draws values of the whole clip as horizontal lines. @param marks [name, value, dash] each. */
function drawLines(plot, panel, stroke, marks) {
  const {context, colour, number} = plot;
  let taken = -Infinity;
  for (const [name, value, dash] of marks) {
    const y = panel.y(value);
    if (y < panel.top || y > panel.bottom) continue;
    context.strokeStyle = stroke;
    context.globalAlpha = 0.8;
    context.lineWidth = 1;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(kLeft, y);
    context.lineTo(kLeft + plot.plotWidth, y);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
    const text = `${name} ${number(value)}`;
    const labelY = Math.abs(y - taken) < 14 ? y + 12 : y - 4;
    taken = y;
    context.textAlign = 'right';
    const x = kLeft + plot.plotWidth - 4;
    context.lineWidth = 4;
    context.strokeStyle = colour('panel');
    context.lineJoin = 'round';
    context.strokeText(text, x, labelY);
    context.fillStyle = colour('text');
    context.fillText(text, x, labelY);
  }
}

/** Scale and title. @param entries [name, colour] of each curve in the title; null: no colour. */
function drawPanelFrame(plot, panel, entries) {
  const {context, colour, short} = plot;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.lineWidth = 1;
  for (const value of ticks(panel.low, panel.high, Math.max(2, Math.floor((panel.bottom - panel.top) / (panel.title ? 30 : 46))))) {
    const y = Math.round(panel.y(value)) + 0.5;
    context.strokeStyle = colour(panel.title && value === 0 ? 'dim' : 'line');
    context.beginPath();
    context.moveTo(kLeft, y);
    context.lineTo(kLeft + plot.plotWidth, y);
    context.stroke();
    context.fillStyle = colour('dim');
    context.fillText(short(value), kLeft - 7, y);
  }
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  let x = kLeft;
  for (const [text, swatch] of entries) {
    if (swatch) {
      context.fillStyle = swatch;
      context.fillRect(x, panel.top - 13, 10, 10);
      x += 15;
    }
    context.fillStyle = colour('text');
    context.fillText(text, x, panel.top - 4);
    x += context.measureText(text).width + 16;
  }
}

/** The axis below: frame numbers, and times if they are known. */
function drawFrameAxis(plot) {
  const {context, colour, bottom, lastFrame, fps, view: [from, to]} = plot;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  const step = to - from > 5 ? Math.floor(plot.plotWidth / 95) : to - from;
  for (const frame of ticks(Math.max(0, from), Math.min(to, lastFrame), step)) {
    if (frame !== Math.round(frame)) continue;
    const x = plot.x(frame);
    context.strokeStyle = colour('line');
    context.beginPath();
    context.moveTo(x, bottom);
    context.lineTo(x, bottom + 4);
    context.stroke();
    const anchor = Math.min(Math.max(x, kLeft + 8), kLeft + plot.plotWidth - 16);
    context.fillStyle = colour('dim');
    context.fillText(String(frame), anchor, bottom + 16);
    if (fps) context.fillText(clockText(frame / fps, to - from < 20 * fps ? 2 : 0), anchor, bottom + 30);
  }
}

/** A vertical line through all panels. @param name of its colour. */
function drawMark(plot, frame, dash, name) {
  const {context, colour} = plot;
  const x = plot.x(frame);
  if (x < kLeft || x > kLeft + plot.plotWidth) return;
  context.strokeStyle = colour(name);
  context.setLineDash(dash);
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, plot.panels[0].top);
  context.lineTo(x, plot.bottom);
  context.stroke();
  context.setLineDash([]);
}
