import { randomBytes } from 'node:crypto';
import type { DeploymentCell } from '#shared/kernel/deployment-cell.js';

/** Codes created before cell marks existed have 22 characters. */
const PAGE_CODE_FORMAT = /^[A-Za-z0-9_-]{22,23}$/;
const CODE_BYTES = 16;

/** 128 random bits after the cell's mark. Anyone with the code may view, pay and revoke the subscription. */
export function newPageCode(cell: DeploymentCell): string {
  return cell.addCellMark(randomBytes(CODE_BYTES).toString('base64url'));
}

/** Replaces a malformed code by a value that matches no page, so that both lookups take equally long. */
export function normalizePageCode(spelled: string): string {
  return PAGE_CODE_FORMAT.test(spelled) ? spelled : '';
}

export class SubscriptionSettings {
  /** @param checkoutHost origin without a trailing slash @param isSandbox true if the sandbox wallet can pay */
  constructor(
    readonly checkoutHost: string,
    readonly isSandbox: boolean,
  ) {}

  pageUrl(code: string): string {
    return `${this.checkoutHost}/subscription/${code}`;
  }
}
