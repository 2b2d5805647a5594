'use strict';
// Checks stream.js: node stream_test.js CURVES_JS STREAM_JS
const {readFileSync} = require('fs');
const text = process.argv.slice(2).map((path) => readFileSync(path, 'utf8')).join('\n');
const {makeStream, streamBars, shownCuts, frameText} = new Function(`${text}\nreturn {makeStream, streamBars, shownCuts, frameText};`)();
const assert = require('assert');

const stream = makeStream({bytes: [9000, 100, 250, 1500000, 80, 90], types: 'KPBIP?'});
assert.strictEqual(makeStream(undefined), null);

// With room, each frame has a bar, with its middle at the frame's number.
assert.deepStrictEqual(streamBars(stream, -0.5, 5.5, 12), [9000, 100, 250, 1500000, 80, 90].map((size, i) => ({at: 2 * i, width: 2, size, type: 'KPBIP?'[i]})));
assert.deepStrictEqual(streamBars(stream, 1.5, 2.5, 10), [{at: -10, width: 10, size: 100, type: 'P'}, {at: 0, width: 10, size: 250, type: 'B'}, {at: 10, width: 10, size: 1500000, type: 'I'}]);
// Without room, a bar shows the largest of the frames that share a pixel, wherever it is among
// them.
assert.deepStrictEqual(streamBars(stream, -0.5, 5.5, 2), [{at: 0, width: 1, size: 9000, type: 'K'}, {at: 1, width: 1, size: 1500000, type: 'I'}]);
assert.deepStrictEqual(streamBars(stream, -0.5, 5.5, 3).map(({size}) => size), [9000, 1500000, 90]);
assert.deepStrictEqual(streamBars(stream, 100, 200, 50), [], 'no frame is there');

assert.deepStrictEqual(shownCuts([3, 50, 90], [10, 60], 100), [50]);
assert.deepStrictEqual(shownCuts([3, 50, 90], [0, 100], 17), [], 'closer than 6 pixels');
assert.deepStrictEqual(shownCuts([3, 50, 90], [0, 100], 18), [3, 50, 90]);

assert.strictEqual(frameText(stream, 0), ', key frame of 9.0 kB');
assert.strictEqual(frameText(stream, 1), ', P frame of 100 B');
assert.strictEqual(frameText(stream, 3), ', I frame of 1.5 MB');
assert.strictEqual(frameText(stream, 5), ', unknown frame of 90 B');
assert.strictEqual(frameText(stream, 6), '');
assert.strictEqual(frameText(null, 0), '');
console.log('14 passed, 0 failed, 0 skipped');
