import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cell } from '#shared/kernel/cell.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { RefundState } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';

/** The form of every claim; no other text opens a refund. Claims made before there were marks have 22 characters. */
const CLAIM = /^[A-Za-z0-9_-]{22,23}$/;

const CLAIM_BYTES = 16;
/** 128 zero bits, never issued. It is looked up in place of a malformed claim, which therefore takes as long as an unknown one. */
const UNUSED_CLAIM = 'A'.repeat(22);

/** The cell's mark and 128 random bits in base64url. It is shown once, and only its digest is stored. */
export function newClaim(cell: Cell): string {
  return cell.code(randomBytes(CLAIM_BYTES).toString('base64url'));
}

export function claimDigest(claim: string): Buffer {
  return createHash('sha256')
    .update(CLAIM.test(claim) ? claim : UNUSED_CLAIM)
    .digest();
}

/** Reads the refund for the payer who has the claim. */
@Injectable()
export class ReadClaimedRefund {
  constructor(
    private readonly refunds: Refunds,
    private readonly cell: Cell,
  ) {}

  /** @param claim the caller's own spelling; it may be anything @throws not_found, the same for all that opens nothing */
  async read(claim: string): Promise<RefundState> {
    if (this.cell.isElsewhere(claim)) throw notFound('refund');
    const refund = await this.refunds.findClaimed(claimDigest(claim));
    if (refund === null) throw notFound('refund');
    return refund.snapshot;
  }
}
