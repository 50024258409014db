// Finds constructs of wording-rules.mjs in Markdown and in the OpenAPI document; the linter finds them in the source. With
// `--count` it prints a table of them by kind and ends well.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { faultsOfWording, WORDING_RULES } from './wording-rules.mjs';

const DOCUMENT = 'openapi/openapi.json';

/** @typedef {{ kind: string, place: string, text: string }} Piece */

/** Paragraphs, list items and cells, without code. @returns {Piece[]} */
function piecesOfMarkdown(file) {
  let isCode = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => {
      if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
      if (isCode || /^\s*(```|#)/.test(line)) return [];
      const cells = line.replace(/`[^`]*`/g, '`x`').split(' | ');
      const text = (cell) => cell.replace(/^[\s>|*-]*(?:\d+\. )?/, '');
      return cells.map((cell) => ({ kind: 'Markdown', place: `${file}:${at + 1}`, text: text(cell) }));
    });
}

/** @returns {Piece[]} */
function piecesOfDocument(node, path = '') {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' && ['summary', 'description'].includes(key)
      ? [{ kind: 'OpenAPI', place: `${DOCUMENT} ${path}/${key}`, text: value }]
      : piecesOfDocument(value, `${path}/${key}`),
  );
}

const markdown = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
const pieces = [
  ...markdown.flatMap(piecesOfMarkdown),
  ...piecesOfDocument(JSON.parse(readFileSync(DOCUMENT, 'utf8'))),
];
const faults = pieces.flatMap((piece) =>
  faultsOfWording(piece.text).map((fault) => ({ ...piece, ...fault })),
);
if (process.argv.includes('--count')) {
  for (const { name } of WORDING_RULES) {
    const count = (kind) => faults.filter((one) => one.rule.name === name && one.kind === kind).length;
    process.stdout.write(`| ${name} | ${count('OpenAPI')} | ${count('Markdown')} |\n`);
  }
  process.exit(0);
}
for (const { place, rule, found } of faults)
  process.stdout.write(`${place}: "${found}" (${rule.name}): write ${rule.write}\n`);
process.exit(faults.length === 0 ? 0 : 1);
