export class PaymentsSettings {
  constructor(
    /** How long a payer has, in seconds. */
    readonly paymentWindowSeconds: number,
    /** Pause between two looks at a network's head, in milliseconds. */
    readonly watchIntervalMs: number,
    readonly naspip: NaspipSettings,
  ) {}
}

/** Who signs payment tokens. */
export interface NaspipSettings {
  /** `kis` of the protocol: 5 to 20 characters. */
  readonly issuer: string;
  readonly keyId: string;
  /** PASERK `k4.secret.…` */
  readonly secretKey: string;
  /** `kep` of the protocol: until when wallets accept the key. */
  readonly keyExpiresAt: Date;
}
