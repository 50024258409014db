import type { Account, Credential, Merchant } from './world.js';
import { memoryOf, type KnownWebhook } from './memory.js';
import { Shelf } from './shelf.js';

/** A credential of the merchant, as it was created or changed last. */
export interface KnownKey {
  /** The dashboard names it by this. */
  readonly id: string;
  readonly credential: Credential;
  readonly name: string;
  /** Absent: organization scope. */
  readonly accountId?: string;
  roles: readonly ('read' | 'write')[];
  allowedIps: readonly string[];
  isEnabled: boolean;
  isGone: boolean;
  /** Somebody uses or changes it at this moment. */
  isBusy?: boolean;
  /** When the merchant's software was told not to use it any more. */
  withdrawnAt?: number;
}

/** The owner at the dashboard. */
export interface KnownDesk {
  /** When the owner signed in last, or tried to. */
  satDownAt: number;
  /** When a one-time code was accepted last: it counts for ten minutes. */
  provenAt: number;
  /** When the owner was there last: a session ends after an hour without use. */
  seenAt: number;
  /** The time step of the last one-time code: each works once. */
  lastStep: number;
}

/** Acts of money and people keep this beside the things that `memoryOf` has. */
export interface MoneyMemory {
  readonly keys: Shelf<KnownKey>;
  /** URLs of receivers that do not answer 200 now. */
  readonly illReceivers: string[];
  /** Deliveries that the log has shown as not acknowledged. */
  readonly deliveries: Shelf<{ readonly id: string; readonly webhook: KnownWebhook }>;
  /** The address that refunds are paid from, once it is known. */
  floatAddress?: string;
  /** The asset that the last refused refund lacked, and how much of it was wanted. */
  floatWants?: { readonly uniqueAssetId: string; readonly amount: bigint };
  /** Payment requests of which nothing was left to refund. */
  readonly spent: Shelf<{ readonly id: string }>;
  /** Refunds whose payer has named an address. */
  readonly named: Shelf<{ readonly id: string }>;
  /** Payment requests that wallets have paid for a subscription. */
  readonly charges: Shelf<{ readonly id: string }>;
  /** Codes of the payer's pages of subscriptions. */
  readonly payerPages: Shelf<{ readonly id: string }>;
  /** Receipts by their paths. */
  readonly receipts: Shelf<{ readonly id: string }>;
  /** The cursor behind the last event that was read. */
  lastEvent?: string | undefined;
  readonly desk: KnownDesk;
  /** People who have joined, with the roles that they were invited with. */
  readonly people: Shelf<{ readonly id: string; readonly role: string }>;
}

const NAME = 'money memory';

export function moneyMemoryOf(merchant: Merchant): MoneyMemory {
  const kept = merchant.memory.get(NAME) as MoneyMemory | undefined;
  if (kept !== undefined) return kept;
  const memory: MoneyMemory = {
    keys: new Shelf(12),
    illReceivers: [],
    deliveries: new Shelf(8),
    spent: new Shelf(40),
    named: new Shelf(16),
    charges: new Shelf(32),
    payerPages: new Shelf(8),
    receipts: new Shelf(8),
    desk: { satDownAt: -Infinity, provenAt: -Infinity, seenAt: -Infinity, lastStep: 0 },
    people: new Shelf(4),
  };
  merchant.memory.set(NAME, memory);
  return memory;
}

/** The webhooks of an account that the merchant knows of. */
export function webhooksOf(merchant: Merchant, { accountId }: Account): KnownWebhook[] {
  return memoryOf(merchant)
    .webhooks.all()
    .filter((webhook) => webhook.accountId === accountId);
}
