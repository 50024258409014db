import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const CONTEXTS = 'src/contexts';
const names = readdirSync(CONTEXTS);
const namesInSql = names.map((name) => name.replaceAll('-', '_')).join('|');

/** The files of a context that run in production, with their folder. */
function sourcesOf(context: string): { folder: string; text: string }[] {
  return readdirSync(join(CONTEXTS, context), { recursive: true, withFileTypes: true })
    .filter(
      (file) => file.isFile() && /(?<!spec)\.tsx?$/.test(file.name) && !/\/testing/.test(file.parentPath),
    )
    .map(({ parentPath, name }) => ({
      folder: parentPath,
      text: readFileSync(join(parentPath, name), 'utf8'),
    }));
}

/** The contexts that a context imports a contract or a module of, or whose published views its SQL reads. */
function knownBy(context: string): Set<string> {
  const known = new Set<string>();
  for (const { folder, text } of sourcesOf(context)) {
    for (const [, specifier] of text.matchAll(/from '([^']+)'/g)) {
      const path = specifier!.startsWith('#') ? `src/${specifier!.slice(1)}` : join(folder, specifier!);
      if (path.startsWith(`${CONTEXTS}/`)) known.add(path.split('/')[2]!);
    }
    const views = new RegExp(`\\b(${namesInSql})\\.public_`, 'g');
    for (const [, schema] of text.matchAll(views)) known.add(schema!.replaceAll('_', '-'));
  }
  known.delete(context);
  return known;
}

describe('The context map', () => {
  it('has an arrow for each import between contexts, and no other', () => {
    const diagram = /```mermaid\n([^`]*)```/.exec(readFileSync('docs/concepts/context-map.md', 'utf8'))![1]!;
    const drawn = [
      ...diagram.matchAll(/^ +([\w-]+)(?:\["[\w-]+"\])? (?:-->|-\. events \.->) ([\w-]+)/gm),
    ].map(([, one, other]) =>
      `${one} → ${other}`
        .replaceAll(/\bpos\b/g, 'point-of-sale')
        .replaceAll(/(?<!chain-)\bwatching\b/g, 'chain-watching'),
    );

    const known = names.flatMap((name) => [...knownBy(name)].map((other) => `${name} → ${other}`));

    expect([...new Set(drawn)].sort()).toEqual(known.sort());
  });

  it('lists the slices of each context that is divided into slices', () => {
    const section = /## Slices\n([^#]*)/.exec(readFileSync('docs/concepts/context-map.md', 'utf8'))![1]!;
    for (const [, context, list] of section.matchAll(/^- \*\*([\w-]+)\*\*\n((?: {2}.*\n)+)/gm)) {
      const listed = [...list!.matchAll(/^ {2}- `([\w-]+)`/gm)].map(([, slice]) => slice);
      const folders = ['domain', 'application', 'infrastructure'].flatMap((layer) =>
        readdirSync(join(CONTEXTS, context!, layer), { withFileTypes: true })
          .filter((entry) => entry.isDirectory() && entry.name !== 'persistence')
          .map(({ name }) => name),
      );

      expect(listed.sort()).toEqual([...new Set(folders)].sort());
    }
  });
});
