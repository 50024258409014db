import { randomBytes } from 'node:crypto';
import type { Cell } from '#shared/kernel/cell.js';

/** Codes made before there were marks have 22 characters. */
const PAGE_CODE = /^[A-Za-z0-9_-]{22,23}$/;
const CODE_BYTES = 16;

/** A page code is the cell's mark and 128 random bits in base64url: knowing it is the permission to see, pay and revoke. */
export function newPageCode(cell: Cell): string {
  return cell.code(randomBytes(CODE_BYTES).toString('base64url'));
}

/** @returns the code to look for in the database: one that no page has where `spelled` is no code, so that both are answered equally late */
export function lookedForCode(spelled: string): string {
  return PAGE_CODE.test(spelled) ? spelled : '';
}

/** Where payers find the pages of their subscriptions. */
export class SubscriptionSettings {
  /** @param checkoutHost an origin, without a slash at the end */
  constructor(readonly checkoutHost: string) {}

  page(code: string): string {
    return `${this.checkoutHost}/subscription/${code}`;
  }
}
