// The page of a catalogue: its table is sorted and filtered, its plots follow.

function startCatalogue() {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId('catalogue-data').textContent);
  document.documentElement.classList.add('scripted');
  const kRows = 50; // of the table, and
  const kPlots = 24; // plots, until more are asked for

  const isLowerBetter = (metric) => data.better[metric] === 'lower';
  const statistics = [['mean', 'mean'], ['harmonic mean', 'harmonic_mean'], ['worst 1 %', 'worst1'], ['worst 5 %', 'worst5'], ['median', 'median']];
  const worst = {worst1: ['p1', 'p99'], worst5: ['p5', 'p95']};
  const scoreOf = (row, metric, statistic) => {
    const member = worst[statistic] ? worst[statistic][isLowerBetter(metric) ? 1 : 0] : statistic;
    const place = data.statistics.indexOf(member);
    const values = row.scores[metric];
    return values && values[place] !== null ? Number(values[place]) : NaN;
  };
  const number = (value) => {
    if (!Number.isFinite(value)) return {Infinity: '∞', '-Infinity': '−∞'}[value] || '–';
    const size = Math.abs(value);
    return value.toFixed(size >= 1000 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4);
  };
  const short = (value) => String(+value.toPrecision(4));
  const textOf = (row) => [row.clip, row.encode, row.codec, row.width ? `${row.width}×${row.height}` : '', row.error].join(' ').toLowerCase();
  const rows = data.rows.map((row, index) => ({...row, index, text: textOf(row)}));

  const state = {sorted: null, isDescending: false, rows: kRows, plots: kPlots};

  function element(name, attributes = {}, ...children) {
    const result = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) key in result ? (result[key] = value) : result.setAttribute(key, value);
    result.append(...children);
    return result;
  }
  const chosen = () => ({metric: byId('metric').value, statistic: statistics[byId('statistic').value]});
  function filtered() {
    const words = byId('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => words.every((word) => row.text.includes(word)));
  }
  const clipElement = (row) => (row.page ? element('a', {href: row.page}, row.clip) : row.clip);

  // ---- the table: its heads name what a column shows ----

  const heads = [...document.querySelectorAll('table.catalogue thead th')];
  const valueOf = (row, key) => (key.startsWith('score:') ? scoreOf(row, ...key.slice(6).split('|')) : key === 'size' ? row.width * row.height || NaN : row[key]);
  /** What has no value stands last, whichever way is up. */
  function compare(a, b, key, sign) {
    const [x, y] = [valueOf(a, key), valueOf(b, key)];
    const [noX, noY] = [x, y].map((value) => value === null || value === undefined || value === '' || Number.isNaN(value));
    if (noX || noY) return noX - noY || a.index - b.index;
    const order = typeof x === 'string' ? x.localeCompare(y, undefined, {numeric: true}) : x === y ? 0 : x < y ? -1 : 1;
    return sign * order || a.index - b.index;
  }
  const sizeText = (bytes) => (bytes >= 1e9 ? `${short(bytes / 1e9)} GB` : bytes >= 1e6 ? `${short(bytes / 1e6)} MB` : `${short(bytes / 1e3)} kB`);
  const shownAs = {
    clip: (row) => clipElement(row),
    size: (row) => (row.width ? `${row.width}×${row.height}` : ''),
    duration: (row) => (row.duration === null ? '' : clockText(row.duration)),
    bitrate: (row) => (row.bitrate === null ? '' : bitrateText(row.bitrate)),
    bytes: (row) => (row.bytes === null ? '' : sizeText(row.bytes)),
  };
  function cellOf(row, key, i) {
    const shown = shownAs[key] ? shownAs[key](row) : key.startsWith('score:') ? number(valueOf(row, key)) : row[key] ?? '';
    return element(i === 0 ? 'th' : 'td', i === 0 ? {scope: 'row'} : {}, shown);
  }
  function rowOf(row) {
    const keys = heads.map((head) => head.dataset.key);
    const title = {title: row.url};
    if (!row.error) return element('tr', title, ...keys.map((key, i) => cellOf(row, key, i)));
    return element('tr', title, cellOf(row, 'clip', 0), element('td', {}, row.encode), element('td', {className: 'error', colSpan: keys.length - 2}, row.error));
  }
  function drawTable(list) {
    const {sorted: key, isDescending} = state;
    const sorted = [...list].sort((a, b) => compare(a, b, key, isDescending ? -1 : 1));
    for (const head of heads) {
      if (head.dataset.key === key) head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
    byId('rows').replaceChildren(...sorted.slice(0, state.rows).map(rowOf));
    byId('more-rows').hidden = sorted.length <= state.rows;
  }
  for (const head of heads) {
    const button = element('button', {type: 'button'}, ...head.childNodes);
    button.addEventListener('click', () => {
      const key = head.dataset.key;
      const first = key.startsWith('score:') && isLowerBetter(key.slice(6).split('|')[0]);
      state.isDescending = state.sorted === key ? !state.isDescending : first;
      state.sorted = key;
      drawTable(filtered());
    });
    head.replaceChildren(button);
  }

  // ---- the distribution ----

  function drawHistogram(list) {
    const {metric, statistic} = chosen();
    const values = list.map((row) => scoreOf(row, metric, statistic[1])).filter((value) => !Number.isNaN(value));
    const {least, greatest, total, counts} = histogram(values, 50);
    const infinite = values.length - total;
    byId('distribution-text').textContent = total === 0 ? 'no finite values' : `${metric}, ${statistic[0]}: ${total} encodes, ${number(least)} to ${number(greatest)}${infinite ? `, ${infinite} infinite` : ''}`;
    if (total === 0) return byId('histogram-plot').replaceChildren();
    const [width, height, base] = [Math.max(300, byId('histogram-plot').clientWidth), 190, 165];
    const [left, right, most] = [34, width - 12, Math.max(...counts)];
    const span = greatest - least;
    const x = (value) => (span > 0 ? left + (value - least) / span * (right - left) : (left + right) / 2);
    const step = (right - left) / counts.length;
    const bars = counts.map((count, i) => ({count, i})).filter(({count}) => count > 0).map(({count, i}) => {
      const tall = count / most * (base - 12);
      const range = `${number(least + i * span / 50)} to ${number(least + (i + 1) * span / 50)}`;
      return svgElement('rect', {class: 'bar', x: span > 0 ? left + i * step : x(least) - step / 2, y: base - tall, width: Math.max(1, step - 1), height: tall}, svgElement('title', {}, `${count} of ${range}`));
    });
    const marks = (span > 0 ? ticks(least, greatest, Math.max(3, Math.floor(width / 60))) : [least]).map((value) => svgElement('text', {x: x(value), y: base + 18, 'text-anchor': 'middle'}, short(value)));
    byId('histogram-plot').replaceChildren(svgElement('svg', {class: 'rate', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': byId('distribution-text').textContent},
      svgElement('path', {class: 'grid', d: `M${left} ${base}H${right}`}), svgElement('text', {x: left - 6, y: 16, 'text-anchor': 'end'}, String(most)), ...bars, ...marks));
  }

  // ---- plots of clips, the worst first ----

  const codecOf = ({codec}) => codec || 'unknown codec';
  const codecs = [...new Set(rows.filter(({bitrate}) => bitrate > 0).map(codecOf))].sort();
  const colourOf = (row) => codecs.indexOf(codecOf(row)) % 10;

  /** A curve for each codec: at one bitrate they have different scores. */
  function plotOf({points, page}, scales, clip) {
    const paths = codecs.map((_, colour) => {
      const of = points.filter(({row}) => codecOf(row) === codecs[colour]);
      const path = of.map(({rate, score}, i) => `${i ? 'L' : 'M'}${scales.x(rate).toFixed(1)} ${scales.y(score).toFixed(1)}`).join('');
      return svgElement('path', {class: `path s${colour % 10}`, d: path});
    });
    const dots = points.map(({row, rate, score}) => {
      const text = `${row.encode}: ${bitrateText(rate)}, ${number(score)}`;
      return svgElement('circle', {class: 'f' + colourOf(row), cx: scales.x(rate), cy: scales.y(score), r: 5, tabindex: 0, role: 'img', 'aria-label': text}, svgElement('title', {}, text));
    });
    return element('figure', {}, svgElement('svg', {class: 'rate', viewBox: `0 0 ${scales.width} ${scales.height}`, role: 'group', 'aria-label': `bitrate and score of ${clip}`},
      ...gridOf(scales, short), ...paths, ...dots), element('figcaption', {}, clipElement({clip, page})));
  }
  function drawPlots(list) {
    const {metric, statistic} = chosen();
    const clips = new Map();
    for (const row of list) {
      const score = scoreOf(row, metric, statistic[1]);
      if (!(row.bitrate > 0) || !Number.isFinite(score)) continue;
      if (!clips.has(row.clip)) clips.set(row.clip, {points: [], page: row.page});
      clips.get(row.clip).points.push({row, rate: row.bitrate, score});
    }
    const sign = isLowerBetter(metric) ? -1 : 1;
    const least = ({points}) => Math.min(...points.map(({score}) => sign * score));
    const several = [...clips].filter(([, {points}]) => points.length > 1).sort(([, a], [, b]) => least(a) - least(b));
    for (const [, {points}] of several) points.sort((a, b) => a.rate - b.rate);
    const shown = several.slice(0, state.plots);
    const all = shown.flatMap(([, {points}]) => points);
    const common = byId('common').checked && all.length ? makeScales(all, 340) : null;
    byId('plots').replaceChildren(...shown.map(([clip, of]) => plotOf(of, common || makeScales(of.points, 340), clip)));
    byId('rates').hidden = rows.every(({bitrate}) => !(bitrate > 0));
    if (several.length === 0) byId('plots').replaceChildren(element('p', {className: 'note'}, 'No clip has two encodes with a bitrate and a finite score.'));
    byId('more-plots').hidden = several.length <= state.plots;
  }

  if (codecs.length > 1) byId('codecs').append(...codecs.map((codec, i) => element('span', {}, element('i', {className: 'swatch k' + i % 10}), codec)));

  function draw() {
    const list = filtered();
    byId('shown').textContent = list.length === rows.length ? `${rows.length} encodes` : `${list.length} of ${rows.length} encodes`;
    drawHistogram(list);
    drawTable(list);
    drawPlots(list);
  }
  const options = (names) => names.map((name, value) => element('option', {value}, name));
  byId('metric').append(...data.metrics.map((metric) => element('option', {value: metric}, metric)));
  byId('statistic').append(...options(statistics.map(([name]) => name)));
  state.sorted = heads.map((head) => head.dataset.key).find((key) => key.startsWith('score:')) || 'clip';
  state.isDescending = data.metrics.length > 0 && isLowerBetter(data.metrics[0]);
  for (const id of ['metric', 'statistic', 'common']) byId(id).addEventListener('change', draw);
  byId('filter').addEventListener('input', draw);
  window.addEventListener('resize', draw);
  byId('more-rows').addEventListener('click', () => {
    state.rows += kRows;
    drawTable(filtered());
  });
  byId('more-plots').addEventListener('click', () => {
    state.plots += kPlots;
    drawPlots(filtered());
  });
  const print = (isPrinting) => document.documentElement.classList.toggle('printing', isPrinting);
  window.addEventListener('beforeprint', () => print(true));
  window.addEventListener('afterprint', () => print(false));
  draw();
}

startCatalogue();
