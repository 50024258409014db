import { createHash, randomBytes } from 'node:crypto';

/** What a claim looks like; anything else is of no refund. */
export const CLAIM = /^[A-Za-z0-9_-]{22}$/;

const CLAIM_BYTES = 16;
/** 128 zero bits, never issued. Looked up in place of a malformed claim, which so takes as long as an unknown one. */
const UNUSED_CLAIM = 'A'.repeat(22);

/** 128 random bits in base64url. It is shown once, and only its digest is stored. */
export function newClaim(): string {
  return randomBytes(CLAIM_BYTES).toString('base64url');
}

export function claimDigest(claim: string): Buffer {
  return createHash('sha256')
    .update(CLAIM.test(claim) ? claim : UNUSED_CLAIM)
    .digest();
}
