import { describe, expect, it } from '@jest/globals';
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.js';

describe('Recovery codes', () => {
  it('are ten different ones of 24 letters, and known by their digests', () => {
    const { codes, digests } = newRecoveryCodes();

    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(codes.map(recoveryCodeDigest)).toEqual(digests);
  });

  it('may be typed in small letters, with spaces, and with letters that look like digits', () => {
    const code = '0123-4567-89AB-CDEF-0101-XYZW';

    expect(recoveryCodeDigest(' o123 4567 89ab cdef oiol xyzw ')).toEqual(recoveryCodeDigest(code));
  });

  it.each(['', '123456', '0123-4567', '0123-4567-89AB-CDEF-0101-XYZU'])('are never %j', (text) => {
    expect(recoveryCodeDigest(text)).toBeNull();
  });
});
