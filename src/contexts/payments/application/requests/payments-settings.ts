import type { ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

export interface StatusReadRate {
  readonly perSecond: number;
  /** Number of reads allowed immediately after a pause. */
  readonly burst: number;
}

export interface NaspipKey extends ScheduledKey {
  /** PASERK `k4.secret.` string. */
  readonly secretKey: string;
  /** Published expiry of the key (`kep`). Wallets reject tokens that expire later. */
  readonly endsAt: Date;
}

export interface NaspipKeys {
  /** Issuer name of all keys (`kis`), 5 to 20 characters. */
  readonly issuer: string;
  readonly keys: SigningKeyRing<NaspipKey>;
}

export class PaymentsSettings {
  constructor(
    /** Length of the payment window after creation, in seconds (docs/reference/payments.md, "Window and deadline"). */
    readonly paymentWindowSeconds: number,
    readonly naspip: NaspipKeys,
    /** Rate limit for status reads, per credential and payment request. */
    readonly statusReads: StatusReadRate = { perSecond: 1, burst: 5 },
  ) {}
}
