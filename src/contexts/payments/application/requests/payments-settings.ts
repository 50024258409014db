import type { ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

export interface StatusReadRate {
  readonly perSecond: number;
  /** The number of reads that may come at once after a pause. */
  readonly burst: number;
}

export interface NaspipKey extends ScheduledKey {
  /** PASERK `k4.secret.` string. */
  readonly secretKey: string;
  /** The published end (`kep`): wallets refuse tokens that expire later. */
  readonly endsAt: Date;
}

/** The issuer and the keys that sign payment tokens. */
export interface NaspipKeys {
  /** The issuer of all keys (`kis`): 5 to 20 characters. */
  readonly issuer: string;
  readonly keys: SigningKeyRing<NaspipKey>;
}

export class PaymentsSettings {
  constructor(
    /** The payer's window from creation, in seconds (docs/reference/payments.md, "Window and deadline"). */
    readonly paymentWindowSeconds: number,
    readonly naspip: NaspipKeys,
    /** How often one credential may read one payment request. */
    readonly statusReads: StatusReadRate = { perSecond: 1, burst: 5 },
  ) {}
}
