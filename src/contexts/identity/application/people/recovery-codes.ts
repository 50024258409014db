import { createHash, randomBytes } from 'node:crypto';

const RECOVERY_CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 120 bits. From 112 bits on, a plain hash is enough (OWASP ASVS 5, 6.5.2). */
const RECOVERY_CODE_LENGTH = 24;
const RECOVERY_CODE_PATTERN = new RegExp(`^[${RECOVERY_CODE_LETTERS}]{${RECOVERY_CODE_LENGTH}}$`);
const RECOVERY_CODE_COUNT = 10;

export function newRecoveryCodes(): { codes: string[]; digests: Buffer[] } {
  const bare = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    // Masking keeps five random bits of each byte, so all letters are equally likely.
    Array.from(randomBytes(RECOVERY_CODE_LENGTH), (byte) => RECOVERY_CODE_LETTERS[byte & 31]).join(''),
  );
  return {
    codes: bare.map((code) => code.match(/.{4}/g)!.join('-')),
    digests: bare.map(digestOfNormalizedCode),
  };
}

/** Normalizes case, spacing and look-alike letters. @returns null if malformed */
export function recoveryCodeDigest(typed: string): Buffer | null {
  const bare = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return RECOVERY_CODE_PATTERN.test(bare) ? digestOfNormalizedCode(bare) : null;
}

function digestOfNormalizedCode(bare: string): Buffer {
  return createHash('sha256').update(bare).digest();
}
