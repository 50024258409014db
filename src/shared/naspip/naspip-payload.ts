/** `kid`, `kep` and `kis` are key id, key expiry and key issuer; the others are defined by RFC 7519. */
export const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'kid', 'kep', 'kis'] as const;

/**
 * Claims of a NASPIP token, named as in the protocol (github.com/fluxisus/naspip, "Data Structure"). Amounts are decimal
 * strings in units of the asset, never numbers. Proto3 does not distinguish absent from empty, so an empty value is absent
 * here. Times are ISO 8601, exactly as in the token.
 */
export type NaspipClaims = { [Name in (typeof CLAIMS)[number]]?: string };

export interface NaspipPayment {
  id: string;
  address: string;
  addressTag?: string;
  /** `n{network}_t{token}` */
  uniqueAssetId: string;
  /** True if the payer chooses an amount from `minAmount` to `maxAmount`; otherwise `amount` is due. */
  isOpen: boolean;
  amount?: string;
  minAmount?: string;
  maxAmount?: string;
  /** Unix milliseconds on the wire; 1970 if the token has none. */
  expiresAt: Date;
}

export interface NaspipMerchant {
  name?: string;
  description?: string;
  taxId?: string;
  /** URL or data URI. */
  image?: string;
  /** Merchant category code, ISO 18245. */
  mcc?: string;
}

export interface NaspipItem {
  description?: string;
  amount?: string;
  coinCode?: string;
  unitPrice?: string;
  /** 32-bit integer. */
  quantity?: number;
}

export interface NaspipOrder {
  total?: string;
  /** Currency or asset symbol such as `USD`, not a unique asset id. */
  coinCode?: string;
  description?: string;
  merchant?: NaspipMerchant;
  items?: NaspipItem[];
}

/** A payload that contains the payment. */
export interface NaspipInstruction {
  payment: NaspipPayment;
  order?: NaspipOrder;
}

/** A payload with a URL from which the wallet requests the payment. */
export interface NaspipUrl {
  url: string;
  /** Unique asset ids. The wallet sends one of them as `?payment_option=`. */
  paymentOptions?: string[];
  order?: NaspipOrder;
}

export type NaspipPayload = NaspipInstruction | NaspipUrl;
