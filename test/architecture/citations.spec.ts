import { existsSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = process.cwd();
const NOT_OURS = /^(?:node_modules|dist.*|coverage|\.git|\.joined|\.sandbox)$/;
/** Generated, or about citations. */
const NOT_READ = /package-lock\.json$|_pb\.ts$|test\/architecture\/citations\.spec\.ts$/;
const TEXT =
  /\.(?:md|tsx?|m?js|cjs|sql|sol|css|json|yml|yaml|php|py|example|proto)$|(?:^|\/)(?:Dockerfile|run)$/;

function filesBelow(folder: string): string[] {
  const inside = (entry: Dirent) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : filesBelow(path);
    return [relative(ROOT, path)];
  };
  return readdirSync(folder, { withFileTypes: true }).flatMap(inside);
}

const files = filesBelow(ROOT);
const texts = files.filter((file) => TEXT.test(file) && !NOT_READ.test(file));
const pages = texts.filter((file) => file.endsWith('.md'));
const contents = new Map(texts.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const contentOf = (file: string) => contents.get(file) ?? '';
const names = new Set(files.map((file) => basename(file)));

/** A comment that goes on over several lines, as one line. */
const unbroken = (text: string) => text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|#|--)?\s*/g, ' ');
const unbrokenContents = new Map([...contents].map(([file, text]) => [file, unbroken(text)]));

const headingsOf = (page: string) =>
  [...contentOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, text]) => text!.replaceAll('`', ''));

/** Markdown viewers name a heading's place like this. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Everything that the pattern finds and `isThere` denies, with the file that cites it. */
function missing(
  among: readonly string[],
  pattern: RegExp,
  isThere: (cited: RegExpMatchArray, file: string) => boolean,
): string[] {
  return among.flatMap((file) =>
    [...(unbrokenContents.get(file) ?? '').matchAll(pattern)]
      .filter((cited) => !isThere(cited, file))
      .map(([cited]) => `${file}: ${cited}`),
  );
}

/** A guide has its readers save programs in a folder of their own. */
function isSavedByReaders(page: string, name: string): boolean {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\s+/g, ' ');
  return page.startsWith('docs/guides/') && text.includes(`Save as \`${name}\`:`);
}

describe('A citation', () => {
  it('exists for each guide in the indexes', () => {
    const guides = pages
      .filter((page) => /^docs\/guides\/(?!README)/.test(page))
      .map((page) => basename(page));

    expect(guides.filter((name) => !contentOf('docs/guides/README.md').includes(name))).toEqual([]);
    for (const index of ['README.md', 'docs/reference/README.md'])
      expect(contentOf(index)).toContain('guides/');
  });

  it('resolves as a relative link, with its heading', () => {
    const broken = missing(pages, /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g, (link, page) => {
      const [, path = '', anchor] = link;
      const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
      if (!existsSync(join(ROOT, target))) return false;
      return anchor === undefined || headingsOf(target).map(anchorOf).includes(anchor);
    });

    expect(broken).toEqual([]);
  });

  it('resolves as a path below docs', () => {
    const broken = missing(texts, /(?<![\w/.:-])docs\/[\w./-]*\w/g, ([path], file) => {
      // A landed migration keeps its text.
      if (file.startsWith('migrations/') || existsSync(join(ROOT, path))) return true;
      // Decisions are cited by number.
      return /^docs\/decisions\/\d{4}$/.test(path) && files.some((file) => file.startsWith(`${path}-`));
    });

    expect(broken).toEqual([]);
  });

  it('resolves as a heading of a page', () => {
    const broken = missing(
      texts,
      /(?<![\w/.:-])((?:docs|solidity)\/[\w/-]+\.md), "([^"]+)"/g,
      ([, page, heading]) => headingsOf(page!).includes(heading!),
    );

    expect(broken).toEqual([]);
  });

  it('resolves as a source file', () => {
    const source = /`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|cjs|sql|sol|proto))`/g;
    const broken = missing(pages, source, ([, path], page) =>
      path!.includes('/')
        ? existsSync(join(ROOT, path!)) || existsSync(join(ROOT, dirname(page), path!))
        : names.has(path!) || isSavedByReaders(page, path!),
    );

    expect(broken).toEqual([]);
  });
});
