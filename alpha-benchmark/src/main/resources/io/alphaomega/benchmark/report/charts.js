'use strict';
/* Charts: plain SVG, drawn to the width they have. A series is {name, color, points: [[x, y], …]}; y may be null; shown has
 * the points that the pointer tells, where they are others. */
const SVG = 'http://www.w3.org/2000/svg';

function svg(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (parent) parent.appendChild(element);
  return element;
}

function html(name, options, ...children) {
  const element = document.createElement(name);
  for (const key in options || {}) {
    if (key === 'text') element.textContent = options[key];
    else if (key === 'style') Object.assign(element.style, options[key]);
    else element.setAttribute(key, options[key]);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/* Three significant digits at most: 0.0421, 4.21, 42.1, 4,213. */
function digits(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const places = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', {maximumFractionDigits: places, minimumFractionDigits: places});
}
const whole = value => value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-US');
const short = value => value >= 1e6 ? +(value / 1e6).toPrecision(3) + 'M' : value >= 1e4 ? +(value / 1e3).toPrecision(3) + 'k' : value.toLocaleString('en-US');

/* Round steps from 0 to max and a little beyond. */
function linearTicks(max, about) {
  const raw = Math.max(max, 1e-9) / about, power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 2.5, 5, 10].map(f => f * power).find(s => s >= raw * 0.999);
  const ticks = [];
  for (let i = 0; i * step < max + step * 0.999; i++) ticks.push(+(i * step).toPrecision(12));
  return ticks;
}

/* 1, 2, 5 per decade, or the decades alone if that is too many. */
function logTicks(min, max, most) {
  for (const factors of [[1, 2, 5], [1, 3], [1]]) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(min)) - 1; power <= Math.ceil(Math.log10(max)); power++) {
      for (const factor of factors) ticks.push(+(factor * Math.pow(10, power)).toPrecision(3));
    }
    const low = ticks.filter(tick => tick <= min).pop(), high = ticks.find(tick => tick >= max);
    const inside = ticks.filter(tick => tick >= low && tick <= high);
    if (inside.length <= most || factors.length === 1) return inside;
  }
}

/*
 * options: series, height, x {min, max, ticks, format}, y {log, format, tick (where the axis is shorter), unit, max},
 * bands [[lower points, upper points, color], …], marks [{y}], label for those who cannot see it.
 */
function chart(host, options) {
  const holder = html('div', {class: 'chart'});
  host.appendChild(holder);
  let width = 0;
  const draw = () => {
    holder.replaceChildren();
    drawChart(holder, options, width);
  };
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (now !== width && now > 0) { width = now; draw(); }
  }).observe(holder);
  width = Math.max(260, Math.round(holder.clientWidth));
  draw();
  return draw;
}

function drawChart(holder, options, width) {
  const height = options.height || 250, room = {top: 12, right: 14, bottom: 28, left: 52};
  const values = options.series.flatMap(series => series.points.map(point => point[1])).filter(Number.isFinite)
    .concat((options.marks || []).map(mark => mark.y));
  const log = options.y.log;
  const positive = values.filter(value => value > 0);
  const ticks = log ? logTicks(Math.min(...positive, 1e9), Math.max(...positive, 1e-3), 9) : linearTicks(Math.max(...values, options.y.max || 0), 5);
  const low = ticks[0], high = ticks[ticks.length - 1];
  const x = value => room.left + (value - options.x.min) / (options.x.max - options.x.min || 1) * (width - room.left - room.right);
  const share = value => log ? Math.log(Math.max(value, low) / low) / Math.log(high / low || 1) : (value - low) / (high - low || 1);
  const y = value => height - room.bottom - share(value) * (height - room.top - room.bottom);

  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': options.label}, holder);
  for (const tick of ticks) {
    svg('line', {x1: room.left, x2: width - room.right, y1: y(tick), y2: y(tick), class: tick === low ? 'axis-line' : 'grid-line'}, root);
    svg('text', {x: room.left - 8, y: y(tick) + 4, 'text-anchor': 'end'}, root).textContent = (options.y.tick || options.y.format)(tick);
  }
  let last = -Infinity;
  for (const tick of options.x.ticks) {
    const at = x(tick.at);
    if (at - last < 46 || at > width - 4) continue;
    last = at;
    svg('line', {x1: at, x2: at, y1: height - room.bottom, y2: height - room.bottom + 4, class: 'axis-line'}, root);
    const anchor = at > width - 30 ? 'end' : 'middle';
    svg('text', {x: anchor === 'end' ? width : at, y: height - 8, 'text-anchor': anchor}, root).textContent = tick.text;
  }
  for (const [lower, upper, color] of options.bands || []) svg('path', {d: band(lower, upper, x, y), fill: color, 'fill-opacity': .13}, root);
  for (const mark of options.marks || []) {
    svg('line', {x1: room.left, x2: width - room.right, y1: y(mark.y), y2: y(mark.y), stroke: 'var(--target)', 'stroke-dasharray': '5 4'}, root);
  }
  for (const series of options.series) {
    svg('path', {d: line(series.points, x, y), fill: 'none', stroke: series.color, 'stroke-width': series.width || 2, 'stroke-linejoin': 'round',
      'stroke-linecap': 'round', 'stroke-dasharray': series.dash || 'none', class: 'series'}, root);
    if (series.points.length === 1) svg('circle', {cx: x(series.points[0][0]), cy: y(series.points[0][1]), r: 3, fill: series.color}, root);
  }
  hover(holder, root, options, {x, y, width, height, room});
}

function line(points, x, y) {
  let path = '', pen = 'M';
  for (const [at, value] of points) {
    if (!Number.isFinite(value)) { pen = 'M'; continue; }
    path += `${pen}${x(at).toFixed(1)},${y(value).toFixed(1)}`;
    pen = 'L';
  }
  return path;
}

function band(lower, upper, x, y) {
  const top = upper.filter(point => Number.isFinite(point[1])), bottom = lower.filter(point => Number.isFinite(point[1])).reverse();
  if (!top.length || !bottom.length) return '';
  return line(top, x, y) + line(bottom, x, y).replace('M', 'L') + 'Z';
}

/* The values at the pointer, of every series. */
function hover(holder, root, options, {x, width, height, room}) {
  const xs = [...new Set(options.series.flatMap(series => series.points.map(point => point[0])))].sort((a, b) => a - b);
  if (!xs.length) return;
  const pointer = svg('line', {y1: room.top, y2: height - room.bottom, class: 'pointer', visibility: 'hidden'}, root);
  const tip = html('div', {class: 'tip', hidden: ''});
  holder.appendChild(tip);
  root.addEventListener('pointerleave', () => { tip.hidden = true; pointer.setAttribute('visibility', 'hidden'); });
  root.addEventListener('pointermove', event => {
    const at = event.clientX - root.getBoundingClientRect().left;
    const nearest = xs.reduce((best, value) => Math.abs(x(value) - at) < Math.abs(x(best) - at) ? value : best);
    pointer.setAttribute('x1', x(nearest));
    pointer.setAttribute('x2', x(nearest));
    pointer.setAttribute('visibility', 'visible');
    tip.replaceChildren(html('b', {text: options.x.format(nearest)}));
    for (const series of options.series) {
      const value = valueAt(series.shown || series.points, nearest);
      if (Number.isFinite(value)) tip.append(html('div', {}, html('span', {text: series.name}), html('b', {text: (series.format || options.y.format)(value) + (options.y.unit || '')})));
    }
    tip.hidden = false;
    tip.style.top = room.top + 'px';
    tip.style.left = Math.min(Math.max(0, x(nearest) + 12), Math.max(0, width - tip.offsetWidth)) + 'px';
    if (x(nearest) + 12 + tip.offsetWidth > width) tip.style.left = Math.max(0, x(nearest) - 12 - tip.offsetWidth) + 'px';
  });
}

/* The series' value at x, or the one before it, so that series of other points can be read together. */
function valueAt(points, x) {
  let found = null;
  for (const point of points) {
    if (point[0] > x + 1e-9) break;
    found = point[1];
  }
  return found;
}
