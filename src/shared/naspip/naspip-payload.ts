/** `kid`, `kep` and `kis` are NASPIP's key id, key expiry and key issuer; RFC 7519 defines the other claims. */
export const NASPIP_CLAIM_NAMES = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'kid',
  'kep',
  'kis',
] as const;

/**
 * Named as in the protocol (github.com/fluxisus/naspip, "Data Structure"). Times are ISO 8601 strings. Empty claims
 * are omitted, because proto3 does not distinguish them.
 */
export type NaspipClaims = { [Name in (typeof NASPIP_CLAIM_NAMES)[number]]?: string };

export interface NaspipPayment {
  id: string;
  address: string;
  addressTag?: string;
  uniqueAssetId: string;
  isOpen: boolean;
  amount?: string;
  minAmount?: string;
  maxAmount?: string;
  expiresAt: Date;
}

export interface NaspipMerchant {
  name?: string;
  description?: string;
  taxId?: string;
  image?: string;
  /** Merchant category code, ISO 18245. */
  mcc?: string;
}

export interface NaspipItem {
  description?: string;
  amount?: string;
  coinCode?: string;
  unitPrice?: string;
  quantity?: number;
}

export interface NaspipOrder {
  total?: string;
  coinCode?: string;
  description?: string;
  merchant?: NaspipMerchant;
  items?: NaspipItem[];
}

export interface NaspipInstruction {
  payment: NaspipPayment;
  order?: NaspipOrder;
}

export interface NaspipUrlPayload {
  url: string;
  paymentOptions?: string[];
  order?: NaspipOrder;
}

export type NaspipPayload = NaspipInstruction | NaspipUrlPayload;
