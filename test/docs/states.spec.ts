import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { STATUS_TRANSITIONS } from '#contexts/payments/domain/requests/status.js';

const page = readFileSync(join(process.cwd(), 'docs/reference/payments.md'), 'utf8');

/** Allowed, and done by nothing: the page says so below its table. */
const NEVER_DONE = 'pending --> failed';

describe('The diagram of payment states in the documentation', () => {
  it('shows the state transitions of the domain, and no other', () => {
    const drawn = [...page.matchAll(/^ +([a-z]+) --> ([a-z]+)/gm)].map(([, from, to]) => `${from} --> ${to}`);
    const allowed = Object.entries(STATUS_TRANSITIONS)
      .flatMap(([from, targets]) => targets.map((to) => `${from} --> ${to}`))
      .filter((edge) => edge !== NEVER_DONE);

    expect(drawn.sort()).toEqual(allowed.sort());
  });
});
