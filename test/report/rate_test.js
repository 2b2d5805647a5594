'use strict';
// Checks rate.js. The expected values come from scipy 1.17.1's PchipInterpolator and from the
// Python package bjontegaard 1.3.0 (method='pchip'). Returns the failures. Runs in node.
function rateTest() {
  const failures = [];
  const expect = (what, actual, expected) => {
    if (!(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected))) && !(Number.isNaN(actual) && Number.isNaN(expected)))
      failures.push(`${what}: ${actual} is not ${expected}`);
  };
  const same = (what, actual, expected) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected)) failures.push(`${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
  };
  const points = (rates, scores) => rates.map((rate, i) => ({rate, score: scores[i]}));

  const curve = makePchip([0, 1, 2.5, 4, 7], [0, 2, 2.2, 5, 4]);
  const expected = [[0.3, 0.8190343362831858], [1.7, 2.099514196438326], [3.3, 3.783154567901234], [5.5, 4.875], [7, 4]];
  for (const [x, y] of expected) expect(`at ${x}`, pchipAt(curve, x), y);
  expect('integral', pchipIntegral(curve, 0.3, 5.5), 17.13589852605703);
  const falling = makePchip([0, 1, 3], [5, 1, 0.9]); // the slope at its end would turn
  expect('falling', pchipAt(falling, 0.5), 2.3492628205128208);
  expect('flat end', pchipAt(falling, 2), 0.9223076923076924);
  expect('steep end', pchipAt(makePchip([0, 1, 2], [0, 1, -9]), 0.5), 0.875);
  const rising = makePchip([0, 1, 3], [0, 1, 9]);
  expect('rising', pchipAt(rising, 0.5), 0.3125);
  expect('rising later', pchipAt(rising, 2), 3.875);

  const anchor = points([300e3, 700e3, 1200e3, 2500e3, 4500e3, 8000e3], [41.2, 63.8, 75.1, 86.9, 92.4, 95.6]);
  const test = points([280e3, 600e3, 1100e3, 2300e3, 4300e3, 7600e3], [47.9, 68.2, 79.9, 89.0, 93.7, 96.1]);
  expect('BD-rate', bdRate(anchor, test), -27.574960833040908);
  expect('BD-rate the other way', bdRate(test, anchor), 38.07379485080187);
  expect('BD-quality', bdQuality(anchor, test), 4.961709686214151);
  expect('BD-rate in any order', bdRate([...anchor].reverse(), test), -27.574960833040908);
  const banding = points([4e5, 9e5, 2e6, 5e6], [3.1, 1.9, 1.05, 0.62]);
  const less = points([5e5, 1.5e6, 6e6], [2.2, 1.2, 0.55]);
  expect('BD-quality of falling scores', bdQuality(banding, less), -0.15868011579224284);
  expect('BD-rate of falling scores', bdRate(banding, less), -17.10863527666522);
  expect('of two points', bdRate(points([1e6, 2e6], [30, 34]), points([1.2e6, 3e6], [31, 36.5])), -0.09974609314936655);
  expect('of one point', bdRate(anchor, points([1e6], [70])), NaN);
  expect('without common scores', bdRate(anchor, points([1e6, 2e6], [10, 20])), NaN);
  expect('without common rates', bdQuality(anchor, points([9e6, 1e7], [10, 20])), NaN);
  expect('of scores that turn', bdRate(anchor, points([1e6, 2e6, 3e6], [70, 60, 80])), NaN);
  expect('of equal rates', bdRate(anchor, points([1e6, 1e6], [70, 80])), NaN);

  const rates = (list) => list.map(({rate}) => rate);
  const all = points([1, 10, 100, 1000, 10000], [0, 40, 50, 90, 80]);
  same('hull', rates(rateHull(all, false)), [1, 10, 1000]);
  same('hull of falling scores', rates(rateHull(points([1, 10, 100, 1000], [9, 4, 3.5, 1]), true)), [1, 10, 1000]);
  same('hull of equal rates', rates(rateHull(points([10, 10, 100], [3, 5, 6]), false)), [10, 100]);
  same('and the better one', rateHull(points([10, 10, 100], [3, 5, 6]), false)[0].score, 5);
  same('hull of a line', rates(rateHull(points([1, 10, 100], [1, 2, 3]), false)), [1, 10, 100]);
  return failures;
}

if (typeof require !== 'undefined') {
  // node rate_test.js RATE
  const vm = require('vm');
  vm.runInThisContext(require('fs').readFileSync(process.argv[2], 'utf8'));
  const failures = rateTest();
  for (const failure of failures) console.log(failure);
  process.exitCode = failures.length ? 1 : 0;
}
