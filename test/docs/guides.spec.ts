import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = process.cwd();
const FOLDER = join(ROOT, 'docs/guides');
const pages = readdirSync(FOLDER);
const read = (file: string) => readFileSync(file, 'utf8');
const withoutBlocks = (text: string) => text.replaceAll(/^ *```.*?^ *```$/gms, '');

/** A link spells a heading like this. */
function anchorsOf(file: string): string[] {
  return [...withoutBlocks(read(file)).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('The guides', () => {
  it.each(['docs/guides/README.md', 'README.md', 'docs/reference/README.md'])('are found from %s', (page) => {
    const expected =
      page === 'docs/guides/README.md' ? pages.filter((name) => name !== 'README.md') : ['guides/'];

    expect(expected.filter((name) => !read(join(ROOT, page)).includes(`${name}`))).toEqual([]);
  });

  it.each(pages)('%s leads to what there is', (name) => {
    const links = [...withoutBlocks(read(join(FOLDER, name))).matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, to]) => to!,
    );
    const broken = links.filter((link) => {
      if (link.startsWith('https:')) return false;
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? join(FOLDER, name) : join(dirname(join(FOLDER, name)), path);
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    });

    expect([links.length > 0, broken]).toEqual([true, []]);
  });
});
