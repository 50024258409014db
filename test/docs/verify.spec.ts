import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tamperings } from '#app/testing/tamperings.js';

const page = readFileSync(join(process.cwd(), 'docs/concepts/verify.md'), 'utf8');

describe('The page about the command "verify"', () => {
  it('lists the tested kinds of tampering', () => {
    const rows = [...page.matchAll(/^- ([^`]+): (`.+`)$/gm)].map(([, name, invariants]) => [
      name,
      invariants!.replaceAll('`', '').split(', '),
    ]);

    expect(rows).toEqual(tamperings.map(({ name, reportedBy }) => [name, [...reportedBy].sort()]));
  });
});
