import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commands } from '#app/operator/commands.js';

const read = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');
const FOLDER = 'docs/operating/runbook';
const pages = ['docs/operating/runbook.md', ...readdirSync(FOLDER).map((name) => join(FOLDER, name))];
const runbook = pages.map(read).join('\n');

/** Lines of the pages that quote the service: headings, and words behind `Log:`. */
function quotes(): string[] {
  const headings = [...runbook.matchAll(/^##+ .*$/gm)].map(([heading]) => heading);
  const logged = [...runbook.matchAll(/Log: `[^`]+`/g)].map(([line]) => line);
  return [...headings, ...logged];
}

/** Literal pieces of what is quoted: `…` stands for what differs. */
function quotedPieces(): string[] {
  return quotes()
    .flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, quoted]) => quoted!))
    .flatMap((quoted) => quoted.split('…'))
    .map((piece) => piece.trim())
    .filter((piece) => piece.length >= 6);
}

function sources(): string {
  const files = readdirSync(join(process.cwd(), 'src'), { recursive: true, encoding: 'utf8' });
  const all = files.filter((file) => /\.tsx?$/.test(file) && !/spec\.tsx?$/.test(file));
  // Long sentences are written as several strings joined by +.
  return all.map((file) => read(join('src', file)).replaceAll(/['"`]\s*\+\s*['"`]/g, '')).join('\n');
}

describe('The runbook', () => {
  it('quotes messages of the service', () => {
    const code = sources();
    const pieces = quotedPieces();

    expect(pieces.length).toBeGreaterThan(80);
    expect(pieces.filter((piece) => !code.includes(piece))).toEqual([]);
  });

  it('names existing operator commands', () => {
    const known = new Set(commands.map(({ words }) => words));
    const named = [...runbook.matchAll(/(?:npm run operator -- |`operator )([a-z-]+(?: [a-z-]+)?)/g)].map(
      ([, words]) => words!,
    );

    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((words) => !known.has(words) && !known.has(words.split(' ')[0]!))).toEqual(['help']);
  });
});
