import type { ScheduledSigningKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

export interface StatusReadRateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface NaspipKey extends ScheduledSigningKey {
  readonly secretKey: string;
  /** Published expiry of the key (`kep`). Wallets reject tokens that expire later. */
  readonly endsAt: Date;
}

export interface NaspipKeys {
  readonly issuer: string;
  readonly keys: SigningKeyRing<NaspipKey>;
}

export class PaymentsSettings {
  constructor(
    /** Counted from the creation (docs/reference/payments.md, "Window and deadline"). */
    readonly paymentWindowSeconds: number,
    readonly naspip: NaspipKeys,
    /** Per credential and payment request. */
    readonly statusReadLimiter: StatusReadRateLimit = { perSecond: 1, burst: 5 },
  ) {}
}
