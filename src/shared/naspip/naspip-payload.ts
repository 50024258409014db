/** Key id, key expiry and key issuer are `kid`, `kep` and `kis`; the others are those of RFC 7519. */
export const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'kid', 'kep', 'kis'] as const;

/**
 * The claims of a NASPIP token, in the words of the protocol (github.com/fluxisus/naspip, "Data Structure"). Amounts
 * are decimal strings in units of the asset, never numbers. Absent and empty are the same on the wire (proto3), so
 * an empty value is absent here. Times are ISO 8601, exactly as the token has them.
 */
export type NaspipClaims = { [Name in (typeof CLAIMS)[number]]?: string };

export interface NaspipPayment {
  id: string;
  address: string;
  addressTag?: string;
  /** `n{network}_t{token}` */
  uniqueAssetId: string;
  /** True where the payer chooses an amount from `minAmount` to `maxAmount`; else `amount` is due. */
  isOpen: boolean;
  amount?: string;
  minAmount?: string;
  maxAmount?: string;
  /** Unix milliseconds on the wire; 1970 when the token names none. */
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
  /** A 32-bit integer. */
  quantity?: number;
}

export interface NaspipOrder {
  total?: string;
  /** A currency or asset symbol such as `USD`, not a unique asset id. */
  coinCode?: string;
  description?: string;
  merchant?: NaspipMerchant;
  items?: NaspipItem[];
}

/** A payload that names the payment itself. */
export interface NaspipInstruction {
  payment: NaspipPayment;
  order?: NaspipOrder;
}

/** A payload that names a URL, where the wallet asks for the payment. */
export interface NaspipUrl {
  url: string;
  /** Unique asset ids, one of which the wallet adds as `?payment_option=`. */
  paymentOptions?: string[];
  order?: NaspipOrder;
}

export type NaspipPayload = NaspipInstruction | NaspipUrl;
