import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const FOLDER = join(process.cwd(), 'docs/reference');
const prose = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .map((page) => readFileSync(join(FOLDER, page), 'utf8'))
  .join('\n');

interface Document {
  paths: Record<string, Record<string, unknown>>;
}

const { paths } = JSON.parse(readFileSync(join(process.cwd(), 'openapi/openapi.json'), 'utf8')) as Document;

/** A path as the pages may write it: whole, or its end behind `…`. */
function spellings(path: string): string[] {
  const segments = path.split('/').slice(1);
  return [path, ...segments.map((_, position) => `…/${segments.slice(position).join('/')}`)];
}

describe('The documentation of the API', () => {
  it('describes every path', () => {
    const isDescribed = (path: string) => spellings(path).some((spelling) => prose.includes(`${spelling}\``));

    expect(Object.keys(paths).filter((path) => !isDescribed(path))).toEqual([]);
  });

  it('contains no unknown path', () => {
    const written = [...prose.matchAll(/(?<=[` ])(\/(?:v1|public)\/[^`?\s]+)(?=`)/g)].map(
      ([, path]) => path!,
    );

    expect(written.length).toBeGreaterThan(20);
    expect(written.filter((path) => !(path in paths) && !path.endsWith('/'))).toEqual([]);
  });
});
