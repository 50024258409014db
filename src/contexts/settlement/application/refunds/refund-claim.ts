import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { RefundSnapshot } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';

/** Codes created before cell marks existed have 22 characters. */
const CLAIM_FORMAT = /^[A-Za-z0-9_-]{22,23}$/;

const CLAIM_BYTES = 16;
/** Never issued. Replaces a malformed code, so that its lookup takes as long as that of an unknown code. */
const UNUSED_CLAIM = 'A'.repeat(22);

/** 128 random bits after the cell's mark. The code is displayed once; only its digest is stored. */
export function newClaimCode(cell: DeploymentCell): string {
  return cell.addCellMark(randomBytes(CLAIM_BYTES).toString('base64url'));
}

export function claimCodeDigest(claim: string): Buffer {
  return createHash('sha256')
    .update(CLAIM_FORMAT.test(claim) ? claim : UNUSED_CLAIM)
    .digest();
}

@Injectable()
export class FindRefundByClaimCode {
  constructor(
    private readonly refunds: Refunds,
    private readonly cell: DeploymentCell,
  ) {}

  /** @throws not_found, the same for every code that opens no refund */
  async find(claim: string): Promise<RefundSnapshot> {
    if (this.cell.isCodeOfOtherCell(claim)) throw notFound('refund');
    const refund = await this.refunds.findByClaimDigest(claimCodeDigest(claim));
    if (refund === null) throw notFound('refund');
    return refund.snapshot;
  }
}

export const DEFAULT_MISSING_FLOAT_KEY_DAYS = 7;

export class RefundSettings {
  /** @param checkoutHost origin without a trailing slash @param isSandbox true if the sandbox wallet can pay */
  constructor(
    readonly checkoutHost: string,
    readonly keyMissingDays: number,
    readonly isSandbox: boolean,
  ) {}

  claimUrl(claim: string): string {
    return `${this.checkoutHost}/refund/${claim}`;
  }
}
