import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const page = readFileSync(join(process.cwd(), 'docs/concepts/flows.md'), 'utf8');

/** The files of each flow, by its heading. */
const flows = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    name: section.slice(0, section.indexOf('\n')),
    files: [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file!),
  }));

describe('The page of flows', () => {
  it('lists three flows', () => {
    expect(flows).toHaveLength(3);
  });

  it.each(flows)('names files that exist, each once: $name', ({ files }) => {
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(files).toEqual([...new Set(files)]);
    expect(files.length).toBeGreaterThan(10);
  });
});
