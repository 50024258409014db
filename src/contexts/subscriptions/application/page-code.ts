import { randomBytes } from 'node:crypto';

const PAGE_CODE = /^[A-Za-z0-9_-]{22}$/;

const CODE_BYTES = 16;

/** 128 random bits in base64url: knowing it is the permission to see, pay and revoke. */
export function newPageCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url');
}

/** @returns what to look for in the database: of no page for what no code is spelled like, so that it is answered as late as others */
export function lookedForCode(spelled: string): string {
  return PAGE_CODE.test(spelled) ? spelled : '';
}
