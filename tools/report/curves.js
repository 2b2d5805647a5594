'use strict';
// Computations on the report's curves. These are plain functions without a page, so that tests can
// call them.

/** The first index whose value is not below `limit`; `sorted` ascends. */
function lowerBound(sorted, limit) {
  let begin = 0;
  let end = sorted.length;
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (sorted[middle] < limit) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

/** The index of the value nearest to `wanted`; -1 if there are no values. */
function nearest(sorted, wanted) {
  const above = lowerBound(sorted, wanted);
  if (above === 0) return sorted.length - 1 < 0 ? -1 : 0;
  if (above === sorted.length) return above - 1;
  return wanted - sorted[above - 1] <= sorted[above] - wanted ? above - 1 : above;
}

const kBlock = 16;

/**
 * Least and greatest value of each block of 16 values, of each block of 16 such blocks, and so on.
 * With it, the extremes of any range are found in a number of steps that hardly depends on its
 * length. NaN is ignored.
 */
function makePyramid(values) {
  const levels = [{low: values, high: values}];
  for (let below = levels[0]; below.low.length > kBlock; below = levels[levels.length - 1]) {
    const size = Math.ceil(below.low.length / kBlock);
    const low = new Float64Array(size).fill(NaN);
    const high = new Float64Array(size).fill(NaN);
    for (let i = 0; i < below.low.length; ++i) {
      const block = Math.floor(i / kBlock);
      if (!(low[block] <= below.low[i])) low[block] = Number.isNaN(below.low[i]) ? low[block] : below.low[i];
      if (!(high[block] >= below.high[i])) high[block] = Number.isNaN(below.high[i]) ? high[block] : below.high[i];
    }
    levels.push({low, high});
  }
  return levels;
}

/** [least, greatest] of the values with indices begin to end - 1; both NaN if there is none. */
function extremes(pyramid, begin, end) {
  let least = NaN;
  let greatest = NaN;
  const take = (level, i) => {
    if (!(least <= level.low[i]) && !Number.isNaN(level.low[i])) least = level.low[i];
    if (!(greatest >= level.high[i]) && !Number.isNaN(level.high[i])) greatest = level.high[i];
  };
  for (let depth = 0; begin < end; ++depth) {
    const level = pyramid[depth];
    if (depth + 1 === pyramid.length) {
      for (; begin < end; ++begin) take(level, begin);
      break;
    }
    while (begin < end && begin % kBlock !== 0) take(level, begin++);
    while (begin < end && end % kBlock !== 0) take(level, --end);
    begin /= kBlock;
    end /= kBlock;
  }
  return [least, greatest];
}

/**
 * A curve in a picture of `columns` pixels: for each pixel column the extremes of the frames that
 * fall into it. Column c covers frame numbers from + c * step up to the next. Empty columns are
 * left out.
 */
function decimate(frames, pyramid, from, to, columns) {
  const step = (to - from) / columns;
  const result = [];
  let begin = lowerBound(frames, from);
  for (let column = 0; column < columns; ++column) {
    const end = lowerBound(frames, from + (column + 1) * step);
    if (end > begin) {
      const [low, high] = extremes(pyramid, begin, end);
      if (!Number.isNaN(low)) result.push({column, low, high});
    }
    begin = end;
  }
  return result;
}

/**
 * What is needed to draw a curve: {pyramid, above, below}. `pyramid` has the finite values. `above`
 * and `below` have the places of infinite values, or are null if there are none.
 */
function makeCurve(values) {
  const places = (end) => (values.includes(end) ? makePyramid(values.map((value) => (value === end ? 0 : NaN))) : null);
  const finite = values.map((value) => (Number.isFinite(value) ? value : NaN));
  return {pyramid: makePyramid(finite), above: places(Infinity), below: places(-Infinity)};
}

/** Number of values in each of `bins` equal parts of [least, greatest]. The last one includes its
 *  upper end. */
function histogram(values, bins) {
  let least = Infinity;
  let greatest = -Infinity;
  let total = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    ++total;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const counts = new Array(bins).fill(0);
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    const place = greatest > least ? Math.floor((value - least) / (greatest - least) * bins) : 0;
    ++counts[Math.min(place, bins - 1)];
  }
  return {least, greatest, total, counts};
}

/**
 * Indices of the `count` lowest values, each at least `gap` frame numbers from those before. The
 * lowest comes first; equal values are sorted by frame. `sign` -1 finds the highest. NaN is
 * ignored.
 */
function worstFrames(frames, values, count, gap, sign = 1) {
  const taken = [];
  const free = new Uint8Array(values.length).fill(1);
  while (taken.length < count) {
    let worst = -1;
    for (let i = 0; i < values.length; ++i)
      if (free[i] && !Number.isNaN(values[i]) && (worst < 0 || sign * values[i] < sign * values[worst])) worst = i;
    if (worst < 0) break;
    taken.push(worst);
    const end = lowerBound(frames, frames[worst] + gap);
    for (let i = lowerBound(frames, frames[worst] - gap + 1); i < end; ++i) free[i] = 0;
  }
  return taken;
}

/** Round numbers inside [low, high], about `count` of them. */
function ticks(low, high, count) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const result = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) result.push(i * step);
  return result;
}

/** h:mm:ss.cc, or m:ss.cc below an hour. */
function clockText(seconds, digits = 2) {
  const units = Math.round(seconds * 10 ** digits);
  const whole = Math.floor(units / 10 ** digits);
  const two = (number) => String(number).padStart(2, '0');
  const rest = two(whole % 60) + (digits ? '.' + String(units % 10 ** digits).padStart(digits, '0') : '');
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/** Metrics of one family share a panel: psnr_y, psnr_cb and psnr_cr; the scales of vif. */
function familyOf(metric) {
  return metric.replace(/_(y|cb|cr|u|v|uv|scale[0-9])(?=_|$)/, '');
}
