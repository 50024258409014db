// Measures what docs/performance.md publishes, in some 15 minutes on two cores, and writes its table and picture: `npm run figures`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runJest } from './run-jest.mjs';
import { ROOT } from './runtime.mjs';

/** Measurements, with the tests of each that publish figures. */
const MEASUREMENTS = [
  ['create', 'CPU time'],
  ['read', ''],
  ['polls', 'reaches|within 50 ms'],
  ['transactions', 'takes little longer'],
  ['webhook-deliveries', 'at a fraction|at half load|job queue'],
  ['ledger', 'loop of the same'],
  ['watcher', 'without a database'],
  ['bitcoin-reading', ''],
  ['rpc-calls', 'without payments'],
  ['confirmations', 'within seconds'],
  ['processes', ''],
  ['payment-bytes', 'fixed number'],
];
const PAGE = join(ROOT, 'docs', 'performance.md');
const PICTURE = join(ROOT, 'docs', 'pictures', 'performance.svg');
const [BEGIN, END] = ['<!-- npm run figures: begin -->', '<!-- npm run figures: end -->'];

prepare();
const folder = mkdtempSync(join(tmpdir(), 'figures-'));
const file = join(folder, 'figures.jsonl');
writeFileSync(file, '');
const begun = Date.now();
let failed = 0;
for (const [name, only] of MEASUREMENTS) {
  const kind = name === 'payment-bytes' ? 'evidence' : 'bench';
  const args = [
    '--selectProjects',
    kind,
    '--testNamePattern',
    only,
    '--',
    `test/evidence/${name}.${kind}.ts`,
  ];
  if ((await runJest(args, { EVIDENCE: 'figures', FIGURES: file })) !== 0) failed += 1;
}
const figures = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });
writeFileSync(PAGE, pageWith(table(figures)));
writeFileSync(PICTURE, picture(figures.filter(({ ratios }) => ratios !== undefined)));
process.stdout.write(
  `${figures.length} figures in ${Math.round((Date.now() - begun) / 60_000)} minutes are in docs/performance.md.\n`,
);
if (failed > 0) process.stderr.write(`${failed} measurements failed; their rows are missing.\n`);
process.exit(failed === 0 ? 0 : 1);

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function pageWith(rows) {
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
  return `${page.slice(0, before)}\n\n${rows}\n${page.slice(after)}`;
}

function table(rows) {
  const cells = rows.map(({ work, result, limit = '–', ratios, spread, measurement }) => [
    work,
    result,
    limit,
    ratios === undefined ? '–' : median(ratios).toFixed(2),
    shownSpread(ratios ?? spread),
    `\`${measurement}\``,
  ]);
  const heads = ['work', 'result', 'limit or peer in the same run', 'share', 'spread', 'measurement'];
  const widths = heads.map((head, n) => Math.max(head.length, ...cells.map((line) => line[n].length)));
  const line = (texts) => `| ${texts.map((text, n) => text.padEnd(widths[n])).join(' | ')} |\n`;
  const machine = `${cpus().length} cores of ${cpus()[0].model}, Node.js ${process.versions.node}`;
  const when = new Date().toISOString().slice(0, 10);
  return (
    line(heads) +
    line(widths.map((width) => '-'.repeat(width))) +
    cells.map(line).join('') +
    `\nMeasured on ${when}, on ${machine}. Load generator, service and database shared the cores.\n`
  );
}

function shownSpread(values) {
  if (values === undefined) return '–';
  const digits = Math.max(...values) < 10 ? 2 : 0;
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}

/** One bar for each row, as long as the share of its limit. */
function picture(rows) {
  const [width, height, left, full] = [720, 30 * rows.length + 40, 380, 280];
  const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const bars = rows.map(({ work, ratios }, n) => {
    const [y, share] = [30 * n + 10, Math.min(1, median(ratios))];
    return (
      `  <text x="${left - 10}" y="${y + 15}" text-anchor="end">${escape(work)}</text>\n` +
      `  <rect class="limit" x="${left}" y="${y}" width="${full}" height="20"/>\n` +
      `  <rect class="ours" x="${left}" y="${y}" width="${Math.round(share * full)}" height="20"/>\n` +
      `  <text x="${left + full + 8}" y="${y + 15}">${median(ratios).toFixed(2)}</text>\n`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">\n` +
    '  <title>Share of the physical limit that each operation reaches</title>\n' +
    '  <style>text { fill: #333 } .limit { fill: #ddd } .ours { fill: #2a6fdb }\n' +
    '    @media (prefers-color-scheme: dark) { text { fill: #ddd } .limit { fill: #444 } }</style>\n' +
    bars.join('') +
    `  <text x="${left}" y="${height - 10}" font-size="11">1.00 is a minimal program that does the same work, measured in the same run</text>\n` +
    '</svg>\n'
  );
}
