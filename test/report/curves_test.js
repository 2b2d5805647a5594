'use strict';
// Compares the functions of curves.js with plain versions. Returns the failures. Runs in node and
// in a page.
function curvesTest() {
  const failures = [];
  const expect = (what, actual, expected) => {
    const [a, b] = [actual, expected].map((value) => JSON.stringify(value, (key, x) => (Number.isNaN(x) ? 'NaN' : x)));
    if (a !== b) failures.push(`${what}: ${a} is not ${b}`);
  };
  let state = 1;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;

  const plainExtremes = (values, begin, end) => {
    const part = Array.from(values.slice(begin, end)).filter((value) => !Number.isNaN(value));
    return part.length ? [Math.min(...part), Math.max(...part)] : [NaN, NaN];
  };
  for (const size of [0, 1, 15, 16, 17, 255, 256, 257, 4096, 5000]) {
    const values = Float64Array.from({length: size}, () => (random() < 0.1 ? NaN : random() * 100 - 50));
    const pyramid = makePyramid(values);
    expect(`extremes of all ${size}`, extremes(pyramid, 0, size), plainExtremes(values, 0, size));
    for (let i = 0; i < 60; ++i) {
      const [begin, end] = [Math.floor(random() * (size + 1)), Math.floor(random() * (size + 1))].sort((a, b) => a - b);
      expect(`extremes of ${begin} to ${end} of ${size}`, extremes(pyramid, begin, end), plainExtremes(values, begin, end));
    }
  }
  expect('extremes of nothing but NaN', extremes(makePyramid(new Float64Array(40).fill(NaN)), 0, 40), [NaN, NaN]);

  // Each pixel column has the smallest and the largest value of the frames in it, and no frame is
  // missing.
  for (const step of [1, 3]) {
    const frames = Float64Array.from({length: 5000}, (_, i) => i * step);
    const values = frames.map((frame) => Math.sin(frame / 50) + (frame === 2500 * step ? -9 : 0));
    for (const [from, to, columns] of [[-0.5, 5000 * step - 0.5, 700], [1000, 1400, 90], [2499, 2502, 10]]) {
      const found = decimate(frames, makePyramid(values), from, to, columns);
      const plain = [];
      for (let column = 0; column < columns; ++column) {
        const width = (to - from) / columns;
        const part = Array.from(frames.keys()).filter((i) => frames[i] >= from + column * width && frames[i] < from + (column + 1) * width);
        if (part.length) plain.push({column, low: Math.min(...part.map((i) => values[i])), high: Math.max(...part.map((i) => values[i]))});
      }
      expect(`decimated ${from} to ${to}`, found, plain);
    }
  }

  expect('lower bound', [-1, 0, 1, 2, 9].map((limit) => lowerBound([0, 2, 2, 5], limit)), [0, 0, 1, 1, 4]);
  expect('nearest', [-3, 0, 0.9, 1.1, 4, 99].map((wanted) => nearest([0, 2, 5], wanted)), [0, 0, 0, 1, 2, 2]);
  expect('nearest of none', nearest([], 1), -1);

  const counted = histogram([0, 0.1, 0.5, 0.99, 1, NaN], 10);
  expect('histogram', counted, {least: 0, greatest: 1, total: 5, counts: [1, 1, 0, 0, 0, 1, 0, 0, 0, 2]});
  expect('histogram of equal values', histogram([3, 3], 4).counts, [2, 0, 0, 0]);
  expect('histogram of none', histogram([NaN], 4).total, 0);

  // worstFrames() has the same cases as spaced_worst_frames() (test/cli/report_page_test.cpp),
  // which makes the list for pages without scripts.
  const frames = [0, 1, 2, 3, 4, 5, 6, 7];
  const scores = [5, 1, 0, 2, 9, 3, 3, 0];
  expect('worst', worstFrames(frames, scores, 20, 1), [2, 7, 1, 3, 5, 6, 0, 4]);
  expect('worst, two apart', worstFrames(frames, scores, 20, 2), [2, 7, 5, 0]);
  expect('worst, three apart', worstFrames(frames, scores, 20, 3), [2, 7]);
  expect('worst, one', worstFrames(frames, scores, 1, 1), [2]);
  expect('highest', worstFrames(frames, scores, 2, 1, -1), [4, 0]);
  expect('worst by frame numbers', worstFrames([0, 10, 20, 30], [1, 0, 2, 3], 20, 11), [1, 3]);
  expect('worst without scores', worstFrames([0, 1, 2, 3], [NaN, 1, -Infinity, Infinity], 20, 1), [2, 1, 3]);
  expect('highest, three apart', worstFrames(frames, scores, 20, 3, -1), [4, 0, 7]);

  const curve = makeCurve(Float64Array.from([1, Infinity, NaN, 3, -Infinity, Infinity]));
  expect('extremes of what is finite', extremes(curve.pyramid, 0, 6), [1, 3]);
  const marks = (places) => decimate(Float64Array.from([0, 1, 2, 3, 4, 5]), places, -0.5, 5.5, 6).map(({column}) => column);
  expect('marks of infinite values', [marks(curve.above), marks(curve.below)], [[1, 5], [4]]);
  const finite = makeCurve(Float64Array.from([1, 2]));
  expect('no marks', [finite.above, finite.below], [null, null]);

  expect('ticks', ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  expect('ticks of a part', ticks(31, 47, 4), [35, 40, 45]);
  expect('ticks of a point', ticks(5, 5, 4), [5]);
  expect('clock', [0, 59.999, 61.5, 3661.25].map((seconds) => clockText(seconds)), ['0:00.00', '1:00.00', '1:01.50', '1:01:01.25']);
  expect('clock without parts of seconds', clockText(3600, 0), '1:00:00');
  expect('families', ['psnr_y', 'psnr_cb', 'integer_vif_scale2', 'integer_vif_scale0_egl_1', 'vmaf', 'integer_adm2'].map(familyOf),
    ['psnr', 'psnr', 'integer_vif', 'integer_vif_egl_1', 'vmaf', 'integer_adm2']);
  return failures;
}

if (typeof require !== 'undefined') {
  // node curves_test.js CURVES
  const vm = require('vm');
  vm.runInThisContext(require('fs').readFileSync(process.argv[2], 'utf8'));
  const failures = curvesTest();
  for (const failure of failures) console.log(failure);
  process.exitCode = failures.length ? 1 : 0;
}
