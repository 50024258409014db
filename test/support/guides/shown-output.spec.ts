import { describe, expect, it } from '@jest/globals';
import { ShownOutput } from './shown-output.js';

const [ONE, OTHER] = ['01a20a8f-565e-729a-a391-d2afebba074b', '01a20a96-0590-7796-a614-15ef61fe0e89'];
const difference = (shown: string, printed: string) => new ShownOutput().difference(shown, printed);

describe('What a guide shows of an output', () => {
  it.each([
    ['an id', `request ${ONE}`, `request ${OTHER}`],
    ['a time', 'until 2026-11-23T22:48:10.120Z', 'until 2027-01-01T00:00:00.000Z'],
    ['an address', `to 0x${'1'.repeat(40)}.`, `to 0x${'aB'.repeat(20)}.`],
    ['a hash', `by 0x${'1'.repeat(64)}`, `by 0x${'2'.repeat(64)}`],
    ['a port', 'at http://127.0.0.1:3000/docs', 'at http://127.0.0.1:41234/docs'],
    ['the front of a token', 'naspip;a.example;k-1;v4.public.eyJ…', 'naspip;a.example;k-1;v4.public.abc-D_e'],
    ['the end of a line', 'one \ntwo\n', 'one\ntwo'],
  ])('is met by another %s', (_, shown, printed) => {
    expect(difference(shown, printed)).toBeUndefined();
  });

  it.each([
    ['an amount', 'pays 12.5 USDC', 'pays 12 USDC'],
    ['a status', 'completed', 'underpaid'],
    ['an id that is none', `request ${ONE}`, 'request undefined'],
    ['an address that is a hash', `to 0x${'1'.repeat(40)}`, `to 0x${'1'.repeat(64)}`],
    ['a line more', 'one', 'one\ntwo'],
    ['a line less', 'one\ntwo', 'one'],
    ['anything where nothing is shown', '', 'a warning'],
    ['nothing where something is shown', 'one', ''],
    ['a point of a pattern', 'a.b', 'axb'],
  ])('is not met by another %s', (_, shown, printed) => {
    expect(difference(shown, printed)).toBeDefined();
  });

  it('is the same id where the guide shows the same, in whatever block', () => {
    const output = new ShownOutput();

    expect(output.difference(`created ${ONE}`, `created ${OTHER}`)).toBeUndefined();
    expect(output.difference(`read ${ONE}`, `read ${OTHER}`)).toBeUndefined();
    expect(output.difference(`read ${ONE}`, `read ${ONE}`)).toMatch(/which was .* before/);
  });

  it('is of two ids where the guide shows two', () => {
    const output = new ShownOutput();

    expect(output.difference(`${ONE} ${OTHER}`, `${ONE} ${ONE}`)).toMatch(/is both/);
  });
});
