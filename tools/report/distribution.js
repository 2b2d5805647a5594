// How often scores occur.

/**
 * Draws a histogram with the cumulative curve.
 * @param curve of curves.js. @param look {left, fill, colour, number, short} of the page.
 * @return what it shows, in words.
 */
function drawDistribution({context, width, height}, curve, {left, fill, colour, number, short}) {
  const {least, greatest, total, counts} = histogram(curve.values, 50);
  const infinite = curve.values.filter((value) => Math.abs(value) === Infinity).length;
  const missing = curve.values.length - total - infinite;
  const text = `${total} frames, ${total ? `${number(least)} to ${number(greatest)}` : `no ${infinite ? 'finite ' : ''}values`}`
    + `${infinite ? `, ${infinite} infinite` : ''}${missing ? `, ${missing} without a value` : ''}`;
  if (total === 0) return text;
  const right = 46;
  const bottom = height - 24;
  const plotWidth = Math.max(10, width - left - right);
  const most = Math.max(...counts);
  const y = (share) => bottom - share * (bottom - 10);
  context.textBaseline = 'middle';
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    context.strokeStyle = colour('line');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(left, Math.round(y(share)) + 0.5);
    context.lineTo(left + plotWidth, Math.round(y(share)) + 0.5);
    context.stroke();
    context.fillStyle = colour('dim');
    context.textAlign = 'right';
    if (Number.isInteger(most * share) || most > 50) context.fillText(String(Math.round(most * share)), left - 7, y(share));
    context.textAlign = 'left';
    context.fillText(`${share * 100} %`, left + plotWidth + 7, y(share));
  }
  const bar = plotWidth / counts.length;
  context.fillStyle = fill;
  context.globalAlpha = 0.55;
  counts.forEach((count, i) => context.fillRect(left + i * bar + 0.5, y(count / most), Math.max(1, bar - 1), bottom - y(count / most)));
  context.globalAlpha = 1;
  context.strokeStyle = colour('text');
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(left, bottom);
  let below = 0;
  counts.forEach((count, i) => {
    below += count;
    context.lineTo(left + (i + 1) * bar, y(below / total));
  });
  context.stroke();
  context.textBaseline = 'alphabetic';
  context.textAlign = 'center';
  context.fillStyle = colour('dim');
  const scale = greatest > least ? ticks(least, greatest, Math.floor(plotWidth / 80)) : [least];
  for (const value of scale)
    context.fillText(short(value), left + (greatest > least ? (value - least) / (greatest - least) : 0.5) * plotWidth, height - 6);
  return text;
}
