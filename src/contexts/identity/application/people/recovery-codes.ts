import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base32: no letter is taken for a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 120 bits: from 112 on a plain hash protects what is stored (OWASP ASVS 5, 6.5.2). */
const LENGTH = 24;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);
const HOW_MANY = 10;

/** Ten codes in groups of four letters, and the digests that are stored. */
export function newRecoveryCodes(): { codes: string[]; digests: Buffer[] } {
  const bare = Array.from({ length: HOW_MANY }, () =>
    // Each letter takes five bits of its byte, so all are as likely.
    Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte & 31]).join(''),
  );
  return { codes: bare.map((code) => code.match(/.{4}/g)!.join('-')), digests: bare.map(digestOfBare) };
}

/** Reads a code in any spelling. @returns null for text that is no such code */
export function recoveryCodeDigest(typed: string): Buffer | null {
  const bare = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE.test(bare) ? digestOfBare(bare) : null;
}

function digestOfBare(bare: string): Buffer {
  return createHash('sha256').update(bare).digest();
}
