// Rate and quality of several encodes: a plot of any score by groups, the hull, and differences.

const kPlot = {left: 52, right: 16, top: 14, bottom: 32};
const kLabelWidth = 70; // of a bitrate

/** An element of SVG. Figures for readers without scripts have the same namespace. */
function svgElement(name, attributes = {}, ...children) {
  const result = document.createElementNS(document.querySelector('svg.rate').namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) result.setAttribute(key, value);
  result.append(...children);
  return result;
}

/** "1.25 Mbit/s", as the page's tables write it. */
function bitrateText(rate) {
  return rate >= 1e6 ? `${+(rate / 1e6).toPrecision(3)} Mbit/s` : `${+(rate / 1e3).toPrecision(3)} kbit/s`;
}

/** Round bitrates for a logarithmic scale: more of them if there is room. */
function rateTicks({low, high, width}) {
  const decade = width / Math.log10(high / low);
  const lists = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3]];
  const closest = (list) => Math.min(...[...list.slice(1), 10].map((factor, i) => Math.log10(factor / list[i])));
  const factors = lists.find((list) => closest(list) * decade >= kLabelWidth) || [1];
  const result = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
    for (const factor of factors) if (factor * power >= low && factor * power <= high) result.push(factor * power);
  return result;
}

/** Functions from scores and bitrates to places in a plot of that width. */
function makeScales(points, width) {
  const height = Math.max(240, Math.round(width * 0.53));
  const rates = points.map(({rate}) => rate);
  const scores = points.map(({score}) => score);
  const [low, high] = [Math.min(...rates) / 1.15, Math.max(...rates) * 1.15];
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const air = (most - least) * 0.08 || Math.abs(most) * 0.02 || 1;
  return {
    width, height, low, high, least: least - air, most: most + air,
    x: (rate) => kPlot.left + Math.log(rate / low) / Math.log(high / low) * (width - kPlot.left - kPlot.right),
    y: (score) => height - kPlot.bottom - (score - least + air) / (most - least + 2 * air) * (height - kPlot.top - kPlot.bottom),
  };
}

function gridOf(scales, short) {
  const parts = [];
  for (const score of ticks(scales.least, scales.most, 6)) {
    const y = scales.y(score);
    parts.push(svgElement('path', {class: 'grid', d: `M${kPlot.left} ${y}H${scales.width - kPlot.right}`}),
      svgElement('text', {x: kPlot.left - 7, y: y + 4, 'text-anchor': 'end'}, short(score)));
  }
  for (const rate of rateTicks(scales)) {
    const x = scales.x(rate);
    parts.push(svgElement('path', {class: 'grid', d: `M${x} ${kPlot.top}V${scales.height - kPlot.bottom}`}),
      svgElement('text', {x, y: scales.height - kPlot.bottom + 18, 'text-anchor': 'middle'}, bitrateText(rate)));
  }
  return parts;
}

/** @param page what report.js knows: encodes, metrics, isLowerBetter, number, short, element. */
function startLadder({encodes, metrics, isLowerBetter, number, short, element}) {
  const byId = (id) => document.getElementById(id);
  if (!byId('rate-live')) return;
  const statistics = [['mean', 'mean'], ['harmonic mean', 'harmonic_mean'], ['worst 5 %', 'worst'], ['median', 'median']];
  const sizeOf = ({video}) => (video.width ? `${video.width}×${video.height}` : 'unknown size');
  const codecOf = ({video}) => video.codec || 'unknown codec';
  const groupings = [['codec and size', (encode) => `${codecOf(encode)} ${sizeOf(encode)}`], ['codec', codecOf], ['size', sizeOf], ['none', () => 'all encodes']];
  const pathOf = (scales, points) => points.map(({rate, score}, i) => `${i ? 'L' : 'M'}${scales.x(rate).toFixed(1)} ${scales.y(score).toFixed(1)}`).join('');

  function pointsOf(metric, statistic) {
    const member = statistic !== 'worst' ? statistic : isLowerBetter(metric) ? 'p95' : 'p5';
    return encodes.filter(({video, pooled}) => video.bitrate > 0 && pooled[metric])
      .map((encode) => ({encode, rate: encode.video.bitrate, score: Number(encode.pooled[metric][member] ?? NaN)}))
      .filter(({score}) => Number.isFinite(score));
  }
  function groupsOf(points, nameOf) {
    const groups = new Map();
    for (const point of points) {
      const name = nameOf(point.encode);
      groups.set(name, [...(groups.get(name) || []), point]);
    }
    return [...groups].map(([name, of], i) => ({name, points: of.sort((a, b) => a.rate - b.rate), colour: i % 10}));
  }

  function plotOf(scales, groups, hull, what) {
    const dots = groups.flatMap(({points, colour}) => points.map(({encode, rate, score}) => {
      const text = `${encode.name}: ${bitrateText(rate)}, ${number(score)}`;
      return svgElement('circle', {class: 'f' + colour, cx: scales.x(rate), cy: scales.y(score), r: 6, tabindex: 0, role: 'img', 'aria-label': text},
        svgElement('title', {}, text));
    }));
    return svgElement('svg', {class: 'rate', viewBox: `0 0 ${scales.width} ${scales.height}`, role: 'group', 'aria-label': what},
      ...gridOf(scales, short),
      ...(hull.length > 1 ? [svgElement('path', {class: 'hull', d: pathOf(scales, hull)})] : []),
      ...groups.map(({points, colour}) => svgElement('path', {class: 'path s' + colour, d: pathOf(scales, points)})), ...dots);
  }

  /** Compares each group with each other one. The anchor has a row, the other group a column. */
  function differencesOf(groups, metric) {
    const several = groups.map((group) => (isComparable(group.points) ? group : {...group, points: rateHull(group.points, isLowerBetter(metric)), isHull: true}))
      .filter(({points}) => points.length > 1);
    if (several.length < 2)
      return [element('p', {className: 'note'}, 'Two groups are compared here if each has two encodes or more.')];
    const signed = (value, digits) => (value > 0 ? '+' : value < 0 ? '−' : '') + Math.abs(value).toFixed(digits);
    const cell = (anchor, test) => {
      if (anchor === test) return element('td', {}, '');
      const [rate, score] = [bdRate(anchor.points, test.points), bdQuality(anchor.points, test.points)];
      return element('td', {}, Number.isNaN(rate) ? '–' : `${signed(rate, 1)} %`, element('br'),
        element('small', {}, Number.isNaN(score) ? '–' : signed(score, Math.abs(score) < 1 ? 3 : 2)));
    };
    const few = several.filter(({points}) => points.length < 4);
    const hulls = several.filter(({isHull}) => isHull);
    const names = (of) => of.map(({name}) => name).join(', ');
    const table = element('table', {},
      element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, 'compared with'), ...several.map(({name}) => element('th', {scope: 'col'}, name)))),
      element('tbody', {}, ...several.map((anchor) => element('tr', {}, element('th', {scope: 'row'}, anchor.name), ...several.map((test) => cell(anchor, test))))));
    return [
      element('h3', {}, 'BD-rate and BD-quality'),
      element('p', {className: 'note'}, `How much more bitrate the column's encodes need than the row's for the same ${metric}. Below: how much higher they score at the same bitrate. `
        + 'PCHIP over logarithmic bitrates (ITU-T HSTP-VID-WPOM).'),
      element('div', {className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'differences of groups'}, table),
      ...(few.length ? [element('p', {className: 'note'}, `Uncertain, because there are fewer than four encodes: ${names(few)}.`)] : []),
      ...(hulls.length ? [element('p', {className: 'note'}, `Some encodes have a worse score at a higher bitrate, so only those on the group's own hull are compared: ${names(hulls)}.`)] : []),
    ];
  }

  function draw() {
    const metric = byId('rate-metric').value;
    const statistic = statistics[byId('rate-statistic').value];
    const points = pointsOf(metric, statistic[1]);
    byId('rate-caption').textContent = `${metric}: ${statistic[0]} over bitrate`;
    if (points.length === 0) {
      byId('rate-plot').replaceChildren(element('p', {className: 'note'}, 'No encode has a known bitrate and a finite score.'));
      for (const id of ['rate-legend', 'rate-hull-list', 'rate-differences']) byId(id).replaceChildren();
      return;
    }
    const groups = groupsOf(points, groupings[byId('rate-groups').value][1]);
    const hull = rateHull(points, isLowerBetter(metric));
    byId('rate-plot').replaceChildren(plotOf(makeScales(points, Math.min(640, byId('rate-plot').clientWidth)), groups, byId('rate-hull').checked ? hull : [], byId('rate-caption').textContent));
    byId('rate-legend').replaceChildren(...groups.map(({name, colour}) => element('span', {}, element('i', {className: 'swatch k' + colour}), name)));
    byId('rate-hull-list').replaceChildren(...hull.map(({encode, rate, score}) => element('li', {}, element('b', {}, bitrateText(rate)), ` ${encode.name}, ${number(score)}`)));
    byId('rate-differences').replaceChildren(...differencesOf(groups, metric));
  }

  const options = (names) => names.map((name, value) => element('option', {value}, name));
  byId('rate-metric').append(...metrics.map((metric) => element('option', {value: metric}, metric)));
  byId('rate-statistic').append(...options(statistics.map(([name]) => name)));
  byId('rate-groups').append(...options(groupings.map(([name]) => name)));
  const kinds = (nameOf) => new Set(encodes.map(nameOf)).size;
  // Codecs are compared if there are several. The sizes of one ladder are one curve.
  byId('rate-groups').value = kinds(codecOf) > 1 ? 1 : 3;
  for (const id of ['rate-metric', 'rate-statistic', 'rate-groups', 'rate-hull']) byId(id).addEventListener('change', draw);
  window.addEventListener('resize', draw);
  draw();
}
