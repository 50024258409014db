import { randomBytes } from 'node:crypto';

const BYTES = 24;
export const SESSION_ID = /^[A-Za-z0-9_-]{32}$/;

/** 192 random bits in base64url: whoever has it may read and pay, so it is never derived from anything. */
export function newSessionId(): string {
  return randomBytes(BYTES).toString('base64url');
}
