import { randomBytes } from 'node:crypto';

/** What the code of a payer's page looks like; anything else is of none. */
export const PAGE_CODE = /^[A-Za-z0-9_-]{22}$/;

const CODE_BYTES = 16;

/** 128 random bits in base64url: knowing it is the permission to see, pay and revoke. */
export function newPageCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url');
}
