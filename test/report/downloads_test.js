'use strict';
// Checks downloads.js: node downloads_test.js DOWNLOADS_JS
const {readFileSync} = require('fs');
const {scoresCsv, scoresJson} = new Function(`${readFileSync(process.argv[2], 'utf8')}\nreturn {scoresCsv, scoresJson};`)();
const assert = require('assert');

const encode = {
  distorted: {path: 'a/b.mp4', width: 16}, scored: {width: 16}, complete: false, reason: 'interrupted',
  frames: [0, 2, 5], metrics: {vmaf: [90.5, null, 80], xpsnr_y: ['Infinity', 11.5, '-Infinity']},
  aggregate: {axpsnr_y: 'Infinity', apsnr_y: 40}, pooled: {vmaf: {mean: 85.25, p5: 80.5}, xpsnr_y: {mean: 'Infinity', harmonic_mean: 24}},
};
const data = {version: '3', reference: {path: 'r'}, models: [{name: 'vmaf', label: 'vmaf_v0.6.1'}], warnings: ['odd'], ...encode};

assert.strictEqual(scoresCsv(encode), 'Frame,vmaf,xpsnr_y\n0,90.5,inf\n2,,11.5\n5,80,-inf\n');
assert.deepStrictEqual(JSON.parse(scoresJson(data, encode)), {
  version: '3',
  frames: [{frameNum: 0, metrics: {vmaf: 90.5, xpsnr_y: null}}, {frameNum: 2, metrics: {xpsnr_y: 11.5}}, {frameNum: 5, metrics: {vmaf: 80, xpsnr_y: null}}],
  pooled_metrics: {vmaf: {mean: 85.25, p5: 80.5}, xpsnr_y: {mean: null, harmonic_mean: 24}},
  aggregate_metrics: {axpsnr_y: null, apsnr_y: 40},
  details: {reference: {path: 'r'}, distorted: encode.distorted, scored: encode.scored, models: data.models, warnings: ['odd']},
  incomplete: {reason: 'interrupted', frames: 3},
});
const coded = {bytes: [900, 10, 20], types: 'KPB'};
assert.deepStrictEqual(JSON.parse(scoresJson(data, {...encode, coded_frames: coded})).details.coded_frames, coded);
console.log('3 passed, 0 failed, 0 skipped');
