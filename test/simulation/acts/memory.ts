import type { Call, Credential, Merchant } from './world.js';
import { Shelf } from './shelf.js';

/** An address that was shown for a payment request. A request keeps those of assets that were selected before. */
export interface Selection {
  readonly uniqueAssetId: string;
  readonly address: string;
  /** In the smallest unit of the asset. */
  readonly amount: bigint;
}

export interface KnownRequest {
  readonly id: string;
  readonly posId: string;
  readonly accountId: string;
  /** `charge`: of a subscription. `typed`: a payer typed the amount at a till. */
  readonly way: 'direct' | 'checkout' | 'link' | 'typed' | 'charge';
  readonly createdAt: number;
  readonly sessionId?: string;
  readonly referenceId?: string;
  readonly token?: string;
  /** The assets that may be selected, and that had a price when it was created. */
  readonly options: readonly string[];
  /** The newest selection is the last. */
  selections: readonly Selection[];
  expiresAt: number;
  /** The status that was read last. */
  status: string;
  /** Payers have sent so many transfers to its addresses, in any asset. */
  payments: number;
}

export interface KnownConfig {
  readonly merchant: object;
  readonly payment_options: readonly string[];
  readonly return_url?: string;
  readonly frame_origins?: readonly string[];
  readonly checkout_first?: string;
  readonly open_amount?: boolean;
  readonly till?: { readonly coin_code: string; readonly tip_percentages?: readonly number[] };
}

export interface KnownPointOfSale {
  readonly id: string;
  readonly accountId: string;
  readonly type: 'online' | 'physical';
  name: string;
  /** It is sent as it is answered. */
  config: KnownConfig;
  /** The printed code of a physical one. */
  readonly code?: string;
}

export interface KnownLink {
  readonly id: string;
  readonly posId: string;
  readonly code: string;
  active: boolean;
  /** The cookies of payers who have opened it. */
  readonly cookies: string[];
}

/** A phone that is paired with a physical point of sale. */
export interface KnownDevice {
  /** The key id. */
  readonly id: string;
  readonly posId: string;
  readonly credential: Credential;
  isRevoked: boolean;
}

export interface KnownWebhook {
  readonly id: string;
  readonly accountId: string;
  readonly eventType: string;
  url: string;
  /** Absent where the answer with it was lost. */
  secret?: string;
  isActive: boolean;
}

export interface KnownRefund {
  readonly id: string;
  readonly requestId: string;
  status: string;
  /** Where the payer of a claim names an address. */
  readonly claimUrl?: string;
}

export interface KnownSubscription {
  readonly id: string;
  readonly posId: string;
  readonly accountId: string;
  status: string;
  walletExternalId?: string;
  walletId?: string;
}

/** A creation that can be sent again. */
export interface KnownCreation {
  /** The idempotency key. */
  readonly id: string;
  readonly call: Call;
  readonly at: number;
}

/** A payment by signature that can be sent again. */
export interface KnownSignature {
  /** The authorization's nonce. */
  readonly id: string;
  readonly call: Call;
}

/** The people and the software of a merchant remember this, and payers with them. It is bounded. */
export interface Memory {
  readonly requests: Shelf<KnownRequest>;
  readonly pointsOfSale: Shelf<KnownPointOfSale>;
  readonly links: Shelf<KnownLink>;
  readonly devices: Shelf<KnownDevice>;
  readonly webhooks: Shelf<KnownWebhook>;
  readonly refunds: Shelf<KnownRefund>;
  readonly subscriptions: Shelf<KnownSubscription>;
  readonly creations: Shelf<KnownCreation>;
  readonly signatures: Shelf<KnownSignature>;
  /** Hashes of payers' transactions, the newest last. */
  readonly transactions: Shelf<{ readonly id: string }>;
  /** The dashboard's cookies of the owner, while signed in. */
  ownerCookies?: string;
}

const NAME = 'memory';

export function memoryOf(merchant: Merchant): Memory {
  const kept = merchant.memory.get(NAME) as Memory | undefined;
  if (kept !== undefined) return kept;
  const memory: Memory = {
    requests: new Shelf(40),
    pointsOfSale: new Shelf(12),
    links: new Shelf(8),
    devices: new Shelf(6),
    webhooks: new Shelf(8),
    refunds: new Shelf(16),
    subscriptions: new Shelf(12),
    creations: new Shelf(12),
    signatures: new Shelf(6),
    transactions: new Shelf(12),
  };
  merchant.memory.set(NAME, memory);
  return memory;
}

/** The address that is paid where nothing else is wanted. */
export function selectionOf(request: KnownRequest): Selection | undefined {
  return request.selections.at(-1);
}

export function isOpen(request: KnownRequest, now: number): boolean {
  return now < request.expiresAt && ['pending', 'created', 'processing'].includes(request.status);
}
