import { describe, expect, it } from '@jest/globals';
import { isKeyAcceptedAt, SigningKeyRing, type ScheduledSigningKey } from './signing-key-ring.js';

const NOON = new Date('2026-03-01T12:00:00Z');
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const key = (id: string, from: number, end?: number): ScheduledSigningKey => ({
  id,
  signsFrom: at(from),
  endsAt: end === undefined ? null : at(end),
});
const signer = (ring: SigningKeyRing, minutes: number, until = minutes) =>
  ring.signingKeyAt(at(minutes), at(until))?.id;

describe('A ring of signing keys', () => {
  it('signs with the previous key until the exact start of the new one', () => {
    const ring = new SigningKeyRing([key('old', -60), key('new', 10)]);

    expect([9.999, 10, 60].map((minutes) => signer(ring, minutes))).toEqual(['old', 'new', 'new']);
  });

  it('does not sign with a key that ends before the signed document', () => {
    const ring = new SigningKeyRing([key('long', -60, 100), key('short', 0, 20)]);

    expect([signer(ring, 10, 20), signer(ring, 10, 21), signer(ring, 10, 101)]).toEqual([
      'short',
      'long',
      undefined,
    ]);
  });

  it('signs documents older than all of its keys with the earliest one', () => {
    expect(signer(new SigningKeyRing([key('third', 10), key('second', 0)]), -5)).toBe('second');
  });

  it('signs with the first of keys that begin together', () => {
    expect(signer(new SigningKeyRing([key('one', 0), key('two', 0)]), 5)).toBe('one');
  });

  it('is replaced as a whole, and announces the prepared keys before they are used', () => {
    const ring = new SigningKeyRing([key('old', -60)]);
    const prepared = ring.deriveRing(({ id }) => ({ upper: id.toUpperCase() }));
    const announced: string[][] = [];
    prepared.follow((keys) => announced.push(keys.map(({ upper }) => upper)));

    ring.replace([key('old', -60), key('new', 0)]);

    expect(announced).toEqual([['OLD'], ['NEW', 'OLD']]);
    expect(prepared.signingKeyAt(NOON, NOON)?.upper).toBe('NEW');
  });

  it('accepts a key up to its end', () => {
    const ending = key('ending', -60, 5);

    expect([4, 5].map((minutes) => isKeyAcceptedAt(ending, at(minutes).getTime()))).toEqual([true, false]);
    expect(isKeyAcceptedAt(key('endless', 0), at(1e6).getTime())).toBe(true);
  });

  it('signs until the end of its last key or the first gap', () => {
    const until = (...keys: ScheduledSigningKey[]) => new SigningKeyRing(keys).signsUntil(NOON);

    expect(until(key('a', -60, 30))).toEqual(at(30));
    expect(until(key('a', -60, 30), key('b', 20, 90))).toEqual(at(90));
    expect(until(key('a', -60, 30), key('b', 31, 90))).toEqual(at(30));
    expect(until(key('a', -60, 30), key('b', 30))).toBeNull();
    expect(until(key('a', -60, -10))).toEqual(NOON);
  });

  it('returns the time at which a key stops signing', () => {
    const [old, present, last] = [key('old', -60, 5), key('present', 0, 50), key('last', 20)];
    const ring = new SigningKeyRing([old, present, last]);

    expect([old, present, last].map((one) => ring.signingEndOf(one))).toEqual([at(0), at(20), null]);
  });
});
