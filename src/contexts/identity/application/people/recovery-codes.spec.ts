import { describe, expect, it } from '@jest/globals';
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.js';

describe('A set of recovery codes', () => {
  it('has ten different codes of 24 characters, recognized by their digests', () => {
    const { codes, digests } = newRecoveryCodes();

    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(codes.map(recoveryCodeDigest)).toEqual(digests);
  });

  it('accepts lower case, spaces and look-alike characters', () => {
    const code = '0123-4567-89AB-CDEF-0101-XYZW';

    expect(recoveryCodeDigest(' o123 4567 89ab cdef oiol xyzw ')).toEqual(recoveryCodeDigest(code));
  });

  it.each(['', '123456', '0123-4567', '0123-4567-89AB-CDEF-0101-XYZU'])('rejects %j', (text) => {
    expect(recoveryCodeDigest(text)).toBeNull();
  });
});
