// The page: draws the curves of its data, follows the pointer and the keys.

function startReport() {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId('vmaf-data').textContent);
  document.documentElement.classList.add('scripted');

  // ---- data: members of a single encode are at the top, several encodes are in a list ----

  const numbers = (list) => Float64Array.from(list, (value) => (value === null ? NaN : Number(value)));
  const encodes = (data.encodes || [data]).map((source, index) => ({
    index,
    name: source.label || 'distorted',
    video: source.distorted,
    fps: data.reference.fps || (source.distorted && source.distorted.fps) || null,
    frames: Float64Array.from(source.frames),
    metrics: source.metrics,
    pooled: source.pooled,
    coded: source.coded_frames,
    cuts: source.scene_cuts || [],
    curves: new Map(),
  }));
  const ladder = encodes.length > 1;
  const models = new Set(data.models.map((model) => model.name));
  const metrics = [...new Set(encodes.flatMap((encode) => Object.keys(encode.metrics)))];
  metrics.sort((a, b) => models.has(b) - models.has(a));

  /** {values, pyramid, above, below}, made when a curve is first shown. */
  function curveOf(encode, metric) {
    if (!encode.curves.has(metric) && encode.metrics[metric]) {
      const values = numbers(encode.metrics[metric]);
      encode.curves.set(metric, {values, ...makeCurve(values)});
    }
    return encode.curves.get(metric);
  }

  /** Frame sizes of the chosen encode, made when it is first shown; null: they are not known. */
  function streamOf(encode) {
    if (encode.stream === undefined) encode.stream = makeStream(encode.coded);
    return encode.stream;
  }

  const lastFrame = Math.max(0, ...encodes.map((encode) => encode.frames[encode.frames.length - 1] || 0));
  const whole = [-0.5, lastFrame + 0.5];
  const kLeastFrames = Math.min(8, lastFrame + 1);
  const fps = encodes[0].fps;

  const state = {
    view: whole,
    metrics: new Set(metrics.filter((metric) => models.has(metric)).slice(0, 6)),
    encodes: new Set(encodes.map((encode) => encode.index)),
    metric: metrics[0],
    encode: 0,
    difference: null, // of two encodes, like an encode
    best: false, // whether the list of frames has the other end
    pointer: null, // where it is over the curves
    marked: null, // the frame that was asked for last
  };
  if (state.metrics.size === 0 && metrics.length > 0) state.metrics.add(metrics[0]);

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const colourIndex = (metric, encode) => (ladder ? encode.index : metrics.indexOf(metric)) % 10;
  const number = (value) => {
    if (!Number.isFinite(value)) return {Infinity: '∞', '-Infinity': '−∞'}[value] || '–';
    const size = Math.abs(value);
    return value.toFixed(size >= 1000 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4);
  };
  const isLowerBetter = (metric) => data.better[metric] === 'lower';
  const short = (value) => (Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential(1) : String(+value.toPrecision(6)));

  function element(name, attributes = {}, ...children) {
    const result = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith('on')) result.addEventListener(key.slice(2), value);
      else if (key in result) result[key] = value;
      else result.setAttribute(key, value);
    }
    result.append(...children);
    return result;
  }

  /** A canvas as sharp as the screen, cleared; coordinates are CSS pixels. */
  function prepared(canvas, height) {
    if (height) canvas.style.height = height + 'px';
    const box = canvas.getBoundingClientRect();
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(box.width * scale));
    canvas.height = Math.max(1, Math.round(box.height * scale));
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = '12px ' + getComputedStyle(document.body).fontFamily;
    return {context, width: box.width, height: box.height};
  }

  // ---- the curves ----

  const canvas = byId('canvas');
  const kAxis = fps ? 36 : 22;
  const kStreamHeight = 64;
  let layout = null; // of the last drawing: the plot of plot.js

  /** Panels from top to bottom: curves of one scale each. */
  function panels() {
    const groups = new Map();
    for (const metric of metrics) {
      if (!state.metrics.has(metric)) continue;
      const key = ladder ? metric : models.has(metric) ? 'models' : familyOf(metric);
      if (!groups.has(key)) groups.set(key, {metrics: [], curves: []});
      groups.get(key).metrics.push(metric);
    }
    const add = (group, metric, encode) => {
      const curve = curveOf(encode, metric);
      if (curve) group.curves.push({metric, encode, ...curve, colour: colour('c' + colourIndex(metric, encode))});
    };
    const list = [];
    for (const group of groups.values()) {
      for (const metric of group.metrics) for (const encode of encodes) if (state.encodes.has(encode.index)) add(group, metric, encode);
      list.push(group);
      if (!state.difference) continue;
      const panel = {metrics: group.metrics, curves: [], title: `${group.metrics[0]}: ${state.difference.name}`};
      add(panel, group.metrics[0], state.difference);
      list.push(panel);
    }
    return list;
  }

  /** The scores of one encode minus another's, where both have them. */
  function differenceOf(a, b) {
    const places = new Map(Array.from(b.frames, (frame, i) => [frame, i]));
    const frames = a.frames.filter((frame) => places.has(frame));
    const metricsOf = {};
    for (const metric of Object.keys(a.metrics)) {
      if (!b.metrics[metric]) continue;
      const [left, right] = [curveOf(a, metric).values, curveOf(b, metric).values];
      metricsOf[metric] = Array.from(left, (value, i) => [a.frames[i], value]).filter(([frame]) => places.has(frame))
        .map(([frame, value]) => (value === right[places.get(frame)] ? 0 : value - right[places.get(frame)]));
    }
    return {index: a.index, name: `${a.name} − ${b.name}`, frames, metrics: metricsOf, pooled: {}, curves: new Map()};
  }

  function heightsOf(count, narrow) {
    const first = narrow ? 210 : 290;
    const others = narrow ? 130 : 150;
    return count === 1 ? [first + 30] : Array.from({length: count}, (_, i) => (i === 0 ? first : others));
  }

  /** The scale of a panel: its values with a margin. Flat curves get a scale too. */
  function rangeOf(panel) {
    const [from, to] = byId('fit').checked ? state.view : whole;
    let low = Infinity;
    let high = -Infinity;
    for (const {encode, pyramid} of panel.curves) {
      const [least, greatest] = extremes(pyramid, lowerBound(encode.frames, from), lowerBound(encode.frames, to));
      if (least < low) low = least;
      if (greatest > high) high = greatest;
    }
    if (!(low <= high)) return [0, 1];
    if (panel.title) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    const air = (high - low) * 0.06 || Math.max(Math.abs(high) * 0.02, 1e-6);
    const isScore = !panel.title && panel.metrics.some((metric) => models.has(metric)) && low >= 0 && high <= 100;
    return isScore ? [Math.max(0, low - air), Math.min(high + air, 100 + air / 2)] : [low - air, high + air];
  }

  /** Mean and worst 5 % of the chosen metric and encode, or of the only curve. */
  function drawPooled(panel) {
    if (!byId('lines').checked || panel.title) return;
    const chosen = panel.curves.find(({metric, encode}) => metric === state.metric && encode.index === state.encode);
    const curve = panel.curves.length === 1 ? panel.curves[0] : chosen;
    const pooled = curve && curve.encode.pooled[curve.metric];
    if (!pooled) return;
    const worst = isLowerBetter(curve.metric) ? pooled.p95 : pooled.p5;
    const marks = [['mean', pooled.mean, [7, 4]], ['worst 5 %', worst, [2, 3]]].filter(([, value]) => Number.isFinite(value));
    drawLines(layout, panel, curve.colour, marks);
  }

  /** Names and colours in a panel's title. */
  const entriesOf = (panel) => (ladder ? [[panel.title || panel.metrics[0], null]]
    : panel.metrics.map((metric) => [metric, colour('c' + colourIndex(metric, encodes[0]))]));

  /** Below the curves: how the chosen encode's frames are stored, and where scenes begin. */
  function drawStored(context, stream, top) {
    const encode = encodes[state.encode];
    if (stream) {
      const box = {left: kLeft, width: layout.plotWidth, top: top + kTitle, bottom: top + kTitle + kStreamHeight};
      drawStream(context, stream, box, state.view, {name: ladder ? encode.name : '', colour});
    }
    if (byId('cuts').checked) for (const frame of shownCuts(encode.cuts, state.view, layout.plotWidth)) drawMark(layout, frame - 0.5, [1, 3], 'dim');
  }

  function drawCurves() {
    const list = panels();
    const narrow = canvas.clientWidth < 600;
    const heights = heightsOf(Math.max(1, list.length), narrow);
    const stream = byId('sizes').checked ? streamOf(encodes[state.encode]) : null;
    const total = [...heights, ...(stream ? [kStreamHeight] : [])].reduce((sum, height) => sum + height + kTitle + kGap, kAxis);
    const {context, width} = prepared(canvas, total);
    const plotWidth = Math.max(10, width - kLeft - kRight);
    const [from, to] = state.view;
    layout = {
      context, view: state.view, plotWidth, panels: list, bottom: total - kAxis, lastFrame, fps, colour, number, short,
      x: (frame) => kLeft + (frame - from) / (to - from) * plotWidth,
      frame: (x) => from + (x - kLeft) / plotWidth * (to - from),
    };
    let top = 0;
    list.forEach((panel, i) => {
      panel.top = top + kTitle;
      panel.bottom = panel.top + heights[i];
      top = panel.bottom + kGap;
      [panel.low, panel.high] = rangeOf(panel);
      panel.y = (value) => panel.bottom - (value - panel.low) / (panel.high - panel.low) * (panel.bottom - panel.top);
      drawPanelFrame(layout, panel, entriesOf(panel));
      context.save();
      context.beginPath();
      context.rect(kLeft, panel.top - 1, plotWidth, panel.bottom - panel.top + 2);
      context.clip();
      for (const curve of panel.curves) drawCurve(layout, panel, curve);
      context.restore();
      drawPooled(panel);
    });
    if (list.length === 0) {
      context.fillStyle = colour('dim');
      context.textAlign = 'center';
      context.fillText('choose a metric above', width / 2, total / 2);
      return;
    }
    drawStored(context, stream, top);
    drawFrameAxis(layout);
    if (state.marked !== null) drawMark(layout, state.marked, [], 'accent');
    drawPointer(context);
  }

  /** The crosshair, and the values of all curves at that frame. */
  function drawPointer(context) {
    const tip = byId('tip');
    const reference = layout.panels.flatMap((panel) => panel.curves)[0];
    const index = state.pointer && reference ? nearest(reference.encode.frames, layout.frame(state.pointer.x)) : -1;
    const frame = index < 0 ? NaN : reference.encode.frames[index];
    const inside = frame >= state.view[0] && frame <= state.view[1];
    tip.hidden = !inside;
    if (!inside) return;
    drawMark(layout, frame, [3, 3], 'dim');
    const rows = [];
    for (const panel of layout.panels)
      for (const {metric, encode, values, colour: fill} of panel.curves) {
        const i = lowerBound(encode.frames, frame);
        const value = encode.frames[i] === frame ? values[i] : NaN;
        if (Number.isFinite(value)) {
          context.fillStyle = fill;
          context.beginPath();
          context.arc(layout.x(frame), panel.y(value), 3.5, 0, 7);
          context.fill();
        }
        const name = !ladder ? metric : layout.panels.length > 1 ? `${encode.name}: ${metric}` : encode.name;
        rows.push(element('div', {className: 'row'}, element('i', {className: 'swatch k' + colourIndex(metric, encode)}),
          element('span', {}, name), element('b', {}, number(value))));
      }
    const encode = encodes[state.encode];
    const stored = frameText(byId('sizes').checked ? streamOf(encode) : null, frame) + (encode.cuts.includes(frame) ? ', a scene begins' : '');
    const time = (fps ? `  ${clockText(frame / fps)}` : '') + stored;
    tip.replaceChildren(element('strong', {}, `frame ${frame}`), time, ...rows.slice(0, 24));
    const x = layout.x(frame);
    const room = canvas.clientWidth - tip.offsetWidth;
    const left = x + 14 <= room ? x + 14 : x - 14 - tip.offsetWidth;
    tip.style.transform = `translate(${Math.max(0, Math.min(left, room))}px, ${Math.max(0, Math.min(state.pointer.y - 20, canvas.clientHeight - tip.offsetHeight))}px)`;
  }

  // ---- the strip below: the whole clip, with the range that is shown ----

  const strip = byId('overview-strip');
  function drawStrip() {
    const {context, width, height} = prepared(strip);
    const plotWidth = Math.max(10, width - kLeft - kRight);
    const encode = encodes[state.encode];
    const curve = curveOf(encode, state.metric);
    const place = (frame) => kLeft + (frame - whole[0]) / (whole[1] - whole[0]) * plotWidth;
    context.fillStyle = colour('soft');
    context.fillRect(kLeft, 0, plotWidth, height);
    if (curve) {
      const [low, high] = extremes(curve.pyramid, 0, curve.values.length);
      const y = (value) => height - 4 - (high > low ? (value - low) / (high - low) : 0.5) * (height - 8);
      context.strokeStyle = colour('c' + colourIndex(state.metric, encode));
      context.globalAlpha = 0.75;
      context.beginPath();
      for (const {column, low: least, high: most} of decimate(encode.frames, curve.pyramid, whole[0], whole[1], Math.floor(plotWidth))) {
        context.lineTo(kLeft + column + 0.5, y(most));
        context.lineTo(kLeft + column + 0.5, y(least) + 1);
      }
      context.stroke();
      context.globalAlpha = 1;
    }
    const [left, right] = state.view.map(place);
    context.fillStyle = colour('panel');
    context.globalAlpha = 0.7;
    context.fillRect(kLeft, 0, left - kLeft, height);
    context.fillRect(right, 0, kLeft + plotWidth - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = colour('accent');
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, Math.max(1.5, right - left - 1.5), height - 1.5);
  }

  function describeView() {
    const first = Math.max(0, Math.ceil(state.view[0]));
    const last = Math.min(lastFrame, Math.floor(state.view[1]));
    const time = fps ? `, ${clockText(first / fps)} to ${clockText(last / fps)}` : '';
    byId('view-text').textContent = `frames ${first} to ${last} of ${lastFrame + 1}${time}`;
  }

  let asked = false;
  function redraw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      drawAll();
    });
  }
  function drawAll() {
    drawCurves();
    drawStrip();
    describeView();
  }

  /** Show these frames, kept inside the clip. */
  function show(from, to) {
    const size = Math.min(Math.max(to - from, kLeastFrames), whole[1] - whole[0]);
    const start = Math.min(Math.max((from + to - size) / 2, whole[0]), whole[1] - size);
    state.view = [start, start + size];
    redraw();
  }
  function zoom(factor, around) {
    const [from, to] = state.view;
    const size = Math.min(Math.max((to - from) * factor, kLeastFrames), whole[1] - whole[0]);
    const start = around - (around - from) * size / (to - from);
    show(start, start + size);
  }
  function move(by) {
    const [from, to] = state.view;
    const kept = Math.min(Math.max(by, whole[0] - from), whole[1] - to);
    show(from + kept, to + kept);
  }
  function goTo(frame) {
    state.marked = frame;
    const size = Math.min(Math.max(kLeastFrames, (fps || 25) * 4), state.view[1] - state.view[0]);
    show(frame - size / 2, frame + size / 2);
    byId('plot').scrollIntoView({block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'});
  }

  canvas.addEventListener('wheel', (event) => {
    // The page scrolls unless the plot was clicked. It also scrolls if there is nothing to zoom.
    if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) return;
    const isWhole = state.view[1] - state.view[0] >= whole[1] - whole[0];
    if (isWhole && event.deltaY > 0) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(event.deltaX / layout.plotWidth * (state.view[1] - state.view[0]));
    else zoom(Math.exp(Math.min(Math.max(event.deltaY, -240), 240) * 0.002), layout.frame(event.offsetX));
  }, {passive: false});

  const pointers = new Map(); // those that are down, and where
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event.offsetX);
    canvas.classList.add('dragging');
  });
  canvas.addEventListener('pointermove', (event) => {
    state.pointer = {x: event.offsetX, y: event.offsetY};
    const before = pointers.get(event.pointerId);
    if (before !== undefined) {
      const scale = (state.view[1] - state.view[0]) / layout.plotWidth;
      const other = [...pointers].find(([id]) => id !== event.pointerId);
      if (!other) move((before - event.offsetX) * scale);
      else zoom(Math.max(20, Math.abs(before - other[1])) / Math.max(20, Math.abs(event.offsetX - other[1])), layout.frame(other[1]));
      pointers.set(event.pointerId, event.offsetX);
    }
    redraw();
  });
  for (const name of ['pointerup', 'pointercancel'])
    canvas.addEventListener(name, (event) => {
      pointers.delete(event.pointerId);
      canvas.classList.toggle('dragging', pointers.size > 0);
    });
  canvas.addEventListener('pointerleave', () => {
    state.pointer = null;
    redraw();
  });
  canvas.addEventListener('dblclick', () => show(...whole));
  canvas.addEventListener('keydown', (event) => {
    const [from, to] = state.view;
    const actions = {
      '+': () => zoom(0.5, (from + to) / 2), '=': () => zoom(0.5, (from + to) / 2), '-': () => zoom(2, (from + to) / 2),
      ArrowLeft: () => move((from - to) / 8), ArrowRight: () => move((to - from) / 8), 0: () => show(...whole),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  const centre = (event) => {
    const frame = whole[0] + (event.offsetX - kLeft) / (strip.clientWidth - kLeft - kRight) * (whole[1] - whole[0]);
    const half = (state.view[1] - state.view[0]) / 2;
    move(frame - half - state.view[0]);
  };
  strip.addEventListener('pointerdown', (event) => {
    strip.setPointerCapture(event.pointerId);
    centre(event);
  });
  strip.addEventListener('pointermove', (event) => {
    if (event.buttons) centre(event);
  });

  function drawHistogram() {
    const encode = encodes[state.encode];
    const curve = curveOf(encode, state.metric);
    if (!curve) return;
    const fill = colour('c' + colourIndex(state.metric, encode));
    const text = drawDistribution(prepared(byId('histogram')), curve, {left: kLeft, fill, colour, number, short});
    byId('distribution-text').textContent = `${state.metric}${ladder ? ' of ' + encode.name : ''}: ${text}`;
  }

  // ---- worst frames ----

  function fillWorst() {
    const list = byId('worst-list');
    if (!list) return;
    for (const part of document.querySelectorAll('[data-encode]')) part.hidden = +part.dataset.encode !== state.encode;
    const encode = encodes[state.encode];
    const curve = curveOf(encode, state.metric);
    const gap = Math.ceil(encode.fps || 25);
    const highest = isLowerBetter(state.metric) !== state.best;
    const found = curve ? worstFrames(encode.frames, curve.values, 20, gap, highest ? -1 : 1) : [];
    byId('worst-metric').textContent = state.metric;
    byId('worst-order').textContent = highest ? 'highest' : 'lowest';
    byId('other-end').textContent = `show the ${highest ? 'lowest' : 'highest'}`;
    list.replaceChildren(...found.map((i) => {
      const frame = encode.frames[i];
      return element('li', {}, element('button', {type: 'button', className: 'go', 'data-frame': frame}, `frame ${frame}`),
        element('span', {className: 'time'}, encode.fps ? clockText(frame / encode.fps) : ''),
        element('span', {className: 'value'}, number(curve.values[i])));
    }));
  }

  document.addEventListener('click', (event) => {
    const go = event.target.closest('[data-frame]');
    if (!go) return;
    const encode = go.closest('[data-encode]');
    if (encode) choose(state.metric, +encode.dataset.encode);
    goTo(+go.dataset.frame);
  });
  const order = byId('other-end');
  if (order)
    order.addEventListener('click', () => {
      state.best = !state.best;
      fillWorst();
    });

  // ---- choices ----

  function choose(metric, encode) {
    state.metric = metric;
    state.encode = encode;
    byId('metric').value = metric;
    byId('encode').value = encode;
    fillWorst();
    drawHistogram();
    redraw();
  }

  function chip(text, swatch, set, value) {
    const box = element('input', {type: 'checkbox', checked: set.has(value), onchange: () => {
      if (box.checked) set.add(value);
      else set.delete(value);
      redraw();
    }});
    return element('label', {title: text}, box, ...(swatch === null ? [] : [element('i', {className: 'swatch k' + swatch})]),
      element('span', {className: 'text'}, text));
  }
  /** If there are many chips, only the first ones and those that are on are shown at first. */
  function fillChips(box, chips) {
    box.append(...chips);
    const spare = chips.filter((label, i) => i >= 10 && !label.firstChild.checked);
    if (spare.length < 3) return;
    for (const label of spare) label.hidden = true;
    const more = element('button', {type: 'button', onclick: () => {
      for (const label of spare) label.hidden = false;
      more.remove();
    }}, `${spare.length} more`);
    box.append(more);
  }
  fillChips(byId('metric-choice'), metrics.map((metric, i) => chip(metric, ladder ? null : i % 10, state.metrics, metric)));
  fillChips(byId('encode-choice'), encodes.map((encode) => chip(encode.name, encode.index % 10, state.encodes, encode.index)));
  byId('metric').append(...metrics.map((metric) => element('option', {value: metric}, metric)));
  byId('encode').append(...encodes.map((encode) => element('option', {value: encode.index}, encode.name)));
  byId('encode-choice').hidden = byId('encode-label').hidden = byId('difference').hidden = !ladder;
  const sides = ['minuend', 'subtrahend'].map(byId);
  for (const side of sides) {
    side.append(element('option', {value: ''}, 'none'), ...encodes.map((encode) => element('option', {value: encode.index}, encode.name)));
    side.addEventListener('change', () => {
      const [a, b] = sides.map(({value}) => value !== '' && encodes[value]);
      state.difference = a && b && a !== b ? differenceOf(a, b) : null;
      redraw();
    });
  }
  byId('metric').addEventListener('change', () => {
    state.metrics.add(byId('metric').value);
    for (const box of byId('metric-choice').querySelectorAll('input'))
      if (state.metrics.has(box.closest('label').title)) {
        box.checked = true;
        box.closest('label').hidden = false;
      }
    choose(byId('metric').value, state.encode);
  });
  byId('encode').addEventListener('change', () => choose(state.metric, +byId('encode').value));
  byId('sizes').parentElement.hidden = !encodes.some(({coded}) => coded);
  byId('cuts').parentElement.hidden = !encodes.some(({cuts}) => cuts.length);
  for (const id of ['lines', 'fit', 'sizes', 'cuts']) byId(id).addEventListener('change', redraw);
  byId('reset').addEventListener('click', () => show(...whole));

  const drawEverything = () => {
    drawAll();
    drawHistogram();
  };
  window.addEventListener('resize', drawEverything);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawEverything);
  // Print in light colours, also if the screen is dark.
  window.addEventListener('beforeprint', () => {
    document.documentElement.classList.add('printing');
    drawEverything();
  });
  window.addEventListener('afterprint', () => {
    document.documentElement.classList.remove('printing');
    drawEverything();
  });

  startViewer(element);
  if (ladder) startLadder({encodes, metrics, isLowerBetter, number, short, element});
  startDownloads(data, () => state.encode);
  if (metrics.length > 0) choose(state.metric, 0);
  drawEverything();
}

if (typeof document !== 'undefined') startReport();
