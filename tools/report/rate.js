// Comparisons of rate-quality curves: plain functions of points {rate, score}, without a page.

/**
 * A piecewise cubic through points with ascending xs. It turns only where the points do. Slopes:
 * F. N. Fritsch and J. Butland, "A method for constructing local monotone piecewise cubic
 * interpolants", SIAM J. Sci. Stat. Comput. 5 (1984), equation (5). At both ends: the three-point
 * formula, limited so that it keeps the shape (C. Moler, Numerical Computing with MATLAB, 3.4).
 */
function makePchip(xs, ys) {
  const last = xs.length - 1;
  const widths = xs.slice(1).map((x, i) => x - xs[i]);
  const secants = widths.map((width, i) => (ys[i + 1] - ys[i]) / width);
  const end = (i, next) => {
    if (last === 1) return secants[0];
    const slope = ((2 * widths[i] + widths[next]) * secants[i] - widths[i] * secants[next]) / (widths[i] + widths[next]);
    if (slope * secants[i] <= 0) return 0;
    return secants[i] * secants[next] <= 0 && Math.abs(slope) > 3 * Math.abs(secants[i]) ? 3 * secants[i] : slope;
  };
  const slopes = xs.map((_, i) => {
    if (i === 0) return end(0, 1);
    if (i === last) return end(last - 1, last - 2);
    if (secants[i - 1] * secants[i] <= 0) return 0;
    const before = 2 * widths[i] + widths[i - 1];
    const after = widths[i] + 2 * widths[i - 1];
    return (before + after) / (before / secants[i - 1] + after / secants[i]);
  });
  return {xs, ys, widths, secants, slopes};
}

/** Coefficients of the cubic of a segment, in powers of the distance from its start. */
function cubicOf({ys, widths, secants, slopes}, i) {
  const square = (3 * secants[i] - 2 * slopes[i] - slopes[i + 1]) / widths[i];
  const cube = (slopes[i] - 2 * secants[i] + slopes[i + 1]) / widths[i] ** 2;
  return [ys[i], slopes[i], square, cube];
}

function pchipAt(curve, x) {
  const i = Math.min(Math.max(curve.xs.findLastIndex((begin) => begin <= x), 0), curve.widths.length - 1);
  return cubicOf(curve, i).reduceRight((sum, factor) => sum * (x - curve.xs[i]) + factor, 0);
}

/** The integral of the curve between two places within its ends. */
function pchipIntegral(curve, from, to) {
  let sum = 0;
  curve.widths.forEach((width, i) => {
    const [a, b] = [from, to].map((place) => Math.min(Math.max(place - curve.xs[i], 0), width));
    cubicOf(curve, i).forEach((factor, power) => {
      sum += factor * (b ** (power + 1) - a ** (power + 1)) / (power + 1);
    });
  });
  return sum;
}

/** Whether points can be compared: two or more, whose scores only rise or only fall by bitrate. */
function isComparable(points) {
  const sorted = [...points].sort((a, b) => a.rate - b.rate);
  const steps = sorted.slice(1).map(({rate, score}, i) => (rate > sorted[i].rate ? Math.sign(score - sorted[i].score) : 0));
  return steps.length > 0 && steps[0] !== 0 && steps.every((step) => step === steps[0]);
}

/**
 * The mean of test - anchor over the range that both cover. `x` and `y` read a point's coordinates.
 * NaN if they cannot be compared.
 */
function meanDifference(anchor, test, x, y) {
  if (!isComparable(anchor) || !isComparable(test)) return NaN;
  const [first, second] = [anchor, test].map((points) => {
    const sorted = [...points].sort((a, b) => x(a) - x(b));
    return makePchip(sorted.map(x), sorted.map(y));
  });
  const from = Math.max(first.xs[0], second.xs[0]);
  const to = Math.min(first.xs.at(-1), second.xs.at(-1));
  return to > from ? (pchipIntegral(second, from, to) - pchipIntegral(first, from, to)) / (to - from) : NaN;
}

const logRate = ({rate}) => Math.log10(rate);
const scoreOf = ({score}) => score;

/** BD-rate (ITU-T HSTP-VID-WPOM): how much more bitrate `test` takes for a score, in percent. */
function bdRate(anchor, test) {
  return (10 ** meanDifference(anchor, test, scoreOf, logRate) - 1) * 100;
}

/** BD-quality: how much higher the score of `test` is at the same bitrate. */
function bdQuality(anchor, test) {
  return meanDifference(anchor, test, logRate, scoreOf);
}

/** The convex hull over logarithmic bitrates, by bitrate. Each point is better than the last one.
 *  */
function rateHull(points, isLowerBetter) {
  const height = ({score}) => (isLowerBetter ? -score : score);
  const hull = [];
  let best = -Infinity;
  for (const point of [...points].sort((a, b) => a.rate - b.rate || height(b) - height(a))) {
    if (height(point) <= best) continue;
    best = height(point);
    const isBelow = (a, b) => (height(b) - height(a)) * (logRate(point) - logRate(a)) < (height(point) - height(a)) * (logRate(b) - logRate(a));
    while (hull.length > 1 && isBelow(hull.at(-2), hull.at(-1))) hull.pop();
    hull.push(point);
  }
  return hull;
}
