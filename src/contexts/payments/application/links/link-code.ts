import { randomBytes } from 'node:crypto';

const BYTES = 16;
export const LINK_CODE = /^[A-Za-z0-9_-]{12,64}$/;

/** 128 random bits in base64url, case-sensitive: links are made public one by one and are not to be found by trying. */
export function newLinkCode(): string {
  return randomBytes(BYTES).toString('base64url');
}
