import type { NaspipSigningKey } from '../../../../shared/naspip/naspip-signer.js';

export interface StatusReadRate {
  readonly perSecond: number;
  /** How many may come at once after a pause. */
  readonly burst: number;
}

export class PaymentsSettings {
  constructor(
    /** How long a payer has, from creation, in seconds (docs/api/payments.md, "Window and deadline"). */
    readonly paymentWindowSeconds: number,
    /** Pause between two looks at a network's head, in milliseconds. */
    readonly watchIntervalMs: number,
    /** Who signs payment tokens. */
    readonly naspip: NaspipSigningKey,
    /** How often one credential may read one payment request. */
    readonly statusReads: StatusReadRate = { perSecond: 1, burst: 5 },
  ) {}
}
