import { describe, expect, it } from '@jest/globals';
import { newPairingCode, normalizePairingCode } from './pairing-code.js';

describe('A pairing code', () => {
  it('has eight unambiguous characters', () => {
    const codes = Array.from({ length: 500 }, newPairingCode);

    expect(codes.filter((code) => !/^[2-9A-HJKMNP-Z]{8}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(500);
  });

  it('is accepted in lower case and in groups', () => {
    expect(['abcd-2345', ' ABCD 2345 ', 'AbCd2345'].map(normalizePairingCode)).toEqual([
      ...['ABCD2345', 'ABCD2345', 'ABCD2345'],
    ]);
  });
});
