const {report, spectra} = JSON.parse(document.getElementById('report').textContent);
const page = document.getElementById('page');
const setup = report.setup, run = setup.generator, sagas = report.sagas, cpu = report.cpu, ended = sagas.committed + sagas.compensated;
const ms = value => value === null || value === undefined ? '–' : digits(value) + ' ms';
const duration = millis => millis < 1000 ? +millis.toPrecision(3) + ' ms' : +(millis / 1000).toPrecision(3) + ' s';
const figure = (of, key) => of.count ? of[key] : null;
const mebibytes = bytes => bytes === null || bytes === undefined ? '–' : whole(bytes / 1048576) + ' MiB';
const clock = seconds => seconds < 120 ? +seconds.toPrecision(4) + ' s' : `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;

const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = isDark => { document.documentElement.dataset.theme = isDark ? 'dark' : 'light'; };
theme(dark.matches);
dark.addEventListener('change', event => theme(event.matches));

document.title = `${report.title}: ${whole(report.throughput)} sagas/s`;
page.replaceChildren();

/* Title, verdict, warnings. */
const toggle = html('button', {type: 'button', text: 'Light / dark'});
toggle.addEventListener('click', () => theme(document.documentElement.dataset.theme === 'light'));
page.append(html('header', {},
  html('div', {},
    html('div', {class: 'over', text: 'alpha-benchmark'}),
    html('h1', {text: report.title}),
    html('p', {class: 'under', text: report.summary})),
  html('div', {class: 'right'},
    html('span', report.verified ? {class: 'badge good', text: '✓ verified'} : {class: 'badge bad', text: '✗ not verified'}), toggle)));
for (const check of report.verification.filter(check => !check.ok)) page.append(html('div', {class: 'note bad', text: check.text}));
if (report.generator.bottleneck) page.append(html('div', {class: 'note warn', text: report.generator.text}));
for (const warning of report.warnings) page.append(html('div', {class: 'note warn', text: warning}));
for (const threshold of report.thresholds.filter(threshold => !threshold.met)) {
  page.append(html('div', {class: 'note bad', text: `Threshold missed: ${threshold.expression}, found ${digits(threshold.found)}.`}));
}

/* The figures that people ask for. */
const tile = (name, value, unit, more) => html('div', {class: 'card tile'},
  html('div', {class: 'name', text: name}),
  html('div', {class: 'value', text: value}, html('span', {class: 'unit', text: unit})),
  html('div', {class: 'more', text: more}));
page.append(html('div', {class: 'tiles'},
  tile('Throughput', whole(report.throughput), 'sagas/s', `${whole(ended)} ended in ${clock(report.seconds)}`),
  tile('Saga, p50', digits(figure(report.sagaMillis, 'p50')), 'ms', `begin to end; p99 ${ms(figure(report.sagaMillis, 'p99'))}`),
  tile('Acknowledgement, p50', digits(figure(report.ackMillis, 'p50')), 'ms', `each stored first; p99 ${ms(figure(report.ackMillis, 'p99'))}`),
  tile('CPU per saga', digits(cpu.coordinatorMillisPerSaga ?? cpu.alphaMillisPerSaga), 'ms',
    cpu.alphaMillisPerSaga === null ? 'alpha did not tell' : cpu.coordinatorMillisPerSaga === null ? 'alpha only, without its store' : `alpha ${digits(cpu.alphaMillisPerSaga)} + store ${digits(cpu.storeMillisPerSaga)}`)));

const grid = html('div', {class: 'grid'});
page.append(grid);

function card(title, what, options) {
  const head = html('div', {class: 'head'}, html('h2', {text: title}));
  const element = html('section', {class: ['card', ...Object.keys(options || {})].join(' ')}, head, what ? html('p', {class: 'what', text: what}) : null);
  element.head = head;
  grid.append(element);
  return element;
}
const legend = (into, entries) => into.append(html('ul', {class: 'legend'}, ...entries.map(([name, color, area]) =>
  html('li', {}, html('i', {class: area ? 'area' : 'stroke', style: {color}}), name))));

/* Over time. The last second is left out unless it is a whole one. */
const full = report.series.filter(point => point.second + 1 <= report.seconds + 0.05);
const series = full.length ? full : report.series, length = series.length ? series[series.length - 1].second + 1 : 1;
const over = key => series.map(point => [point.second + 0.5, point[key]]);
const steps = value => series.flatMap(point => [[point.second, value(point)], [point.second + 1, value(point)]]);
const timeAxis = {min: 0, max: length, format: at => `second ${Math.min(length, Math.floor(at) + 1)}`,
  ticks: linearTicks(length, 8).filter(tick => Number.isInteger(tick) && tick <= length).map(tick => ({at: tick, text: tick + ' s'}))};
const pace = setup.plan.pace, asked = pace.rate > 0 && pace.rate === pace.rateFrom ? pace.rate : null;
const throughput = card('Throughput', 'Sagas that ended in each second.', {wide: true});
const errors = series.some(point => point.errors > 0);
chart(throughput, {label: 'Sagas per second over time', height: 230,
  series: [{name: 'ended', color: 'var(--saga)', points: steps(point => point.ended), format: whole, width: 1.5}, ...(errors ? [{name: 'errors', color: 'var(--bad)', points: steps(point => point.errors), format: whole, width: 1.5}] : [])],
  bands: [[steps(() => 0), steps(point => point.ended), 'var(--saga)']],
  marks: [{y: report.throughput}, ...(asked ? [{y: asked}] : [])],
  x: timeAxis, y: {format: short, unit: '/s'}});
legend(throughput, [['ended', 'var(--saga)', true], [`${whole(report.throughput)} per second over all${asked ? `, ${whole(asked)} asked` : ''}`, 'var(--target)'], ...(errors ? [['errors', 'var(--bad)']] : [])]);

/* A chart of times with a button that changes its axis. */
function timesChart(into, options) {
  const button = html('button', {type: 'button'});
  const name = () => { button.textContent = options.y.log ? 'Linear axis' : 'Logarithmic axis'; };
  name();
  into.head.append(button);
  const draw = chart(into, options);
  button.addEventListener('click', () => { options.y.log = !options.y.log; name(); draw(); });
}
const latency = card('Latency over time', 'From p50 to p99 of what ended in each second.');
timesChart(latency, {label: 'Latency percentiles over time', height: 270,
  series: [
    {name: 'saga p99', color: 'var(--saga)', points: over('sagaP99Millis')},
    {name: 'saga p50', color: 'var(--saga)', points: over('sagaP50Millis'), width: 1.2},
    {name: 'ack p99', color: 'var(--ack)', points: over('ackP99Millis')},
    {name: 'ack p50', color: 'var(--ack)', points: over('ackP50Millis'), width: 1.2}],
  bands: [[over('sagaP50Millis'), over('sagaP99Millis'), 'var(--saga)'], [over('ackP50Millis'), over('ackP99Millis'), 'var(--ack)']],
  x: timeAxis, y: {log: true, format: ms, tick: duration}});
legend(latency, [['saga, begin to end', 'var(--saga)', true], ['acknowledgement of an input', 'var(--ack)', true]]);

/* The percentile spectrum: as far right as there are values, each step a tenth of what is left. */
const distance = percent => -Math.log10(1 - Math.min(percent, 99.99999) / 100);
const spectrumOf = points => (points || []).map(([percent, value]) => [distance(percent), value]);
const open = spectra.sagaUncorrected !== null && spectra.sagaUncorrected !== undefined;
const lines = [
  {name: open ? 'saga, corrected' : 'saga', color: 'var(--saga)', points: spectrumOf(spectra.saga)},
  ...(open ? [{name: 'saga, uncorrected', color: 'var(--uncorrected)', points: spectrumOf(spectra.sagaUncorrected), dash: '5 4'}] : []),
  {name: 'ack', color: 'var(--ack)', points: spectrumOf(spectra.ack)}];
const spectrum = card('Percentile spectrum', open
  ? 'Corrected counts from when a saga should have begun at the asked rate, uncorrected from when it did.'
  : 'How long the slowest take: every step to the right leaves a tenth.');
timesChart(spectrum, {label: 'Latency by percentile', height: 270, series: lines,
  x: {min: 0, max: Math.max(1, ...lines.flatMap(each => each.points.map(point => point[0]))),
    format: at => +(100 * (1 - Math.pow(10, -at))).toFixed(5) + ' %',
    ticks: [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999].map(percent => ({at: distance(percent), text: percent + '%'}))},
  y: {log: true, format: ms, tick: duration}});
legend(spectrum, lines.map(each => [each.name, each.color]));

function table(into, heads, rows) {
  into.append(html('div', {class: 'scroll'}, html('table', {},
    html('thead', {}, html('tr', {}, ...heads.map(head => html('th', {text: head})))),
    html('tbody', {}, ...rows.map(row => html('tr', row.sum ? {class: 'sum'} : {}, ...row.cells.map((cell, i) => i === 0 && row.color
      ? html('td', {}, html('span', {class: 'dot', style: {background: row.color}}), cell) : html('td', {text: cell}))))))));
}

/* Latency in figures. */
const latencies = card('Latency', 'In milliseconds, of the whole run; percentiles of one histogram over all agents.');
const latencyRow = (name, of, color) => ({color, cells: [name, ...['mean', 'p50', 'p90', 'p99', 'p999', 'max'].map(key => digits(figure(of, key)))]});
table(latencies, ['', 'mean', 'p50', 'p90', 'p99', 'p99.9', 'max'], [
  latencyRow(open ? 'saga, corrected' : 'saga', report.sagaMillis, 'var(--saga)'),
  ...(report.sagaUncorrectedMillis ? [latencyRow('saga, uncorrected', report.sagaUncorrectedMillis, 'var(--uncorrected)')] : []),
  latencyRow('ack', report.ackMillis, 'var(--ack)')]);

/* How the sagas ended. */
const outcomes = [['committed', 'var(--ack)'], ['compensated', 'var(--saga)'], ['suspended', 'var(--store)'], ['unknown', 'var(--alpha)'], ['failed', 'var(--bad)']]
  .filter(([name]) => sagas[name] > 0 || name === 'committed');
latencies.append(html('div', {class: 'bar', title: `${whole(sagas.started)} sagas`},
  ...outcomes.map(([name, color]) => html('span', {style: {background: color, flexGrow: sagas[name]}}))));
legend(latencies, outcomes.map(([name, color]) => [`${name} ${whole(sagas[name])}`, color, true]));

/* Processor time. */
const processors = card('Processor time', `Of the measured sagas; the machine of the generator has ${run.cores} cores.`, {tall: true});
table(processors, ['', 'ms per saga', 'cores in use', 'seconds', 'resident memory'], [
  ...cpu.processes.map(process => ({color: `var(--${process.role})`,
    cells: [process.role, digits(process.millisPerSaga), digits(process.cores), digits(process.seconds), mebibytes(process.residentBytes)]})),
  {sum: true, cells: ['coordinator', digits(cpu.coordinatorMillisPerSaga), '', '', '']}]);
const roles = cpu.processes.map(process => process.role).filter(role => series.some(point => Number.isFinite(point[role + 'Cores'])));
if (roles.length && series.length > 2) {
  const upTo = i => steps(point => roles.slice(0, i + 1).reduce((sum, role) => sum + (point[role + 'Cores'] || 0), 0));
  chart(processors, {label: 'Cores in use over time', height: 150,
    series: roles.map((role, i) => ({name: role, color: `var(--${role})`, points: upTo(i), width: 1.5,
      shown: steps(point => point[role + 'Cores'])})),
    bands: roles.map((role, i) => [i ? upTo(i - 1) : steps(() => 0), upTo(i), `var(--${role})`]),
    x: timeAxis, y: {format: digits, tick: tick => +tick.toPrecision(3), unit: ' cores'}});
  legend(processors, roles.map(role => [role, `var(--${role})`, true]));
}

/* What was checked. */
const checks = card('Verification', 'What the generator counted, against what alpha stored and what the simulated services saw.');
checks.append(html('ul', {class: 'checks'}, ...report.verification.map(check => html('li', check.ok ? {text: check.text} : {class: 'no', text: check.text})),
  ...report.thresholds.map(threshold => html('li', {class: threshold.met ? 'yes' : 'no', text: `${threshold.expression}: found ${digits(threshold.found)}`})),
  html('li', {class: report.generator.bottleneck ? 'no' : 'yes', text: report.generator.text})));

/* Agents. */
if (report.agents.length) {
  const agents = card('Agents', 'Each machine that made load; the figures above are of all of them together.', {wide: true});
  table(agents, ['agent', 'sagas', 'failed', 'sagas/s', 'saga p50', 'saga p99', 'ack p50', 'ack p99', 'CPU ms per saga'], report.agents.map(agent => ({cells: [agent.name, whole(agent.sagas.started),
    whole(agent.sagas.failed), whole(agent.throughput), ms(agent.sagaMillis.p50), ms(agent.sagaMillis.p99), ms(agent.ackMillis.p50), ms(agent.ackMillis.p99), digits(agent.cpuMillisPerSaga)]})));
}

/* Nodes. */
if (report.nodes.length) {
  const nodes = card('Alphas', 'What each took of the processor time above, by the sagas of all.', {wide: true});
  table(nodes, ['node', 'CPU ms per saga', 'cores in use', 'memory'], report.nodes.map(node =>
    ({cells: [node.address, digits(node.cpuMillisPerSaga), digits(node.cores), mebibytes(node.residentBytes)]})));
}

/* What was run, and on what. */
function facts(into, entries) {
  into.append(html('dl', {class: 'facts'}, ...entries.filter(([, value]) => value !== null && value !== undefined && value !== '')
    .flatMap(([name, value, code]) => [html('dt', {text: name}), code ? html('dd', {}, html('code', {text: value})) : html('dd', {text: String(value)})])));
}
const machine = card('Generator');
facts(machine, [['Date', setup.begun?.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')], ['Processor', [run.cpu, run.cores + ' cores'].filter(Boolean).join(', ')], ['Memory', +(run.memoryBytes / 1073741824).toPrecision(3) + ' GiB'], ['Kernel', run.kernel], ['Load before', run.loadAverage.map(load => load.toFixed(2)).join(' ')],
  ['alpha-benchmark', run.version], ['JVM', run.jvm], ['JVM options', run.jvmOptions.join(' '), true]]);
for (const alpha of setup.alphas) {
  const node = card(`Alpha at ${alpha.address}`);
  facts(node, [['Version', alpha.version], ['Repository', alpha.repository], ['Durability', alpha.durability], ['Settings of the store', alpha.settings, true],
    ['JVM', alpha.jvm], ['JVM options', alpha.jvmOptions.join(' '), true], ['Cores', alpha.cores], ['Not known', alpha.unknown]]);
}
const command = card('Command and plan', null, {wide: true});
command.append(html('code', {class: 'command', text: setup.command}));
const words = name => name.replace(/([A-Z])/g, ' $1').toLowerCase();
const plain = value => String(value).replace(/^PT([\d.]+)S$/, '$1 s').replace(/^PT(\d+)M$/, '$1 min');
const said = value => value !== 0 && value !== false && value !== 'PT0S';
facts(command, Object.entries(setup.plan).map(([name, value]) => [words(name), value !== null && typeof value === 'object' && !Array.isArray(value)
  ? Object.entries(value).filter(([, part]) => said(part)).map(([key, part]) => part === true ? words(key) : `${words(key)} ${plain(part)}`).join(', ') : [].concat(value).join(', ')]));

page.append(html('footer', {text: 'Made by alpha-benchmark. Throughput is ended sagas by the time from the first begin to the last end, warm-up excluded.'}));
document.documentElement.dataset.drawn = document.querySelectorAll('svg').length;
