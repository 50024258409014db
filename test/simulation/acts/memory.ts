import type { Call, Credential, Merchant, Account } from './world.js';

/**
 * Things by their ids, in the order in which they came. It holds `room` recent ones; of those that fall out it keeps one in
 * eight, so that something very old can still be met.
 */
export class Shelf<T extends { readonly id: string }> {
  private recent: T[] = [];
  private old: T[] = [];
  private fallen = 0;

  constructor(private readonly room: number) {}

  put(thing: T): T {
    for (const kept of [this.recent, this.old]) {
      const at = kept.findIndex(({ id }) => id === thing.id);
      if (at >= 0) return (kept[at] = thing);
    }
    this.recent.push(thing);
    if (this.recent.length > this.room) this.fall(this.recent.shift()!);
    return thing;
  }

  find(id: string): T | undefined {
    return this.recent.find((thing) => thing.id === id) ?? this.old.find((thing) => thing.id === id);
  }

  all(): readonly T[] {
    return [...this.old, ...this.recent];
  }

  take(id: string): void {
    this.recent = this.recent.filter((thing) => thing.id !== id);
    this.old = this.old.filter((thing) => thing.id !== id);
  }

  private fall(thing: T): void {
    this.fallen += 1;
    if (this.fallen % 8 !== 0) return;
    this.old.push(thing);
    if (this.old.length > this.room / 4) this.old.shift();
  }
}

export interface Selection {
  readonly uniqueAssetId: string;
  readonly address: string;
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
  readonly options: readonly string[];
  selections: readonly Selection[];
  expiresAt: number;
  status: string;
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
  config: KnownConfig;
  readonly code?: string;
}

export interface KnownLink {
  readonly id: string;
  readonly posId: string;
  readonly code: string;
  active: boolean;
  readonly cookies: string[];
}

export interface KnownDevice {
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

export interface KnownCreation {
  readonly id: string;
  readonly call: Call;
  readonly at: number;
}

export interface KnownSignature {
  readonly id: string;
  readonly call: Call;
}

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
  readonly transactions: Shelf<{ readonly id: string }>;
  ownerCookies?: string;
}

const MEMORY = 'memory';

export function memoryOf(merchant: Merchant): Memory {
  const kept = merchant.memory.get(MEMORY) as Memory | undefined;
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
  merchant.memory.set(MEMORY, memory);
  return memory;
}

export function selectionOf(request: KnownRequest): Selection | undefined {
  return request.selections.at(-1);
}

export function isOpen(request: KnownRequest, now: number): boolean {
  return now < request.expiresAt && ['pending', 'created', 'processing'].includes(request.status);
}

export interface KnownKey {
  readonly id: string;
  readonly credential: Credential;
  readonly name: string;
  readonly accountId?: string;
  roles: readonly ('read' | 'write')[];
  allowedIps: readonly string[];
  isEnabled: boolean;
  isGone: boolean;
  isBusy?: boolean;
  withdrawnAt?: number;
}

export interface KnownDesk {
  satDownAt: number;
  provenAt: number;
  /** When the owner was there last: a session ends after an hour without use. */
  seenAt: number;
  /** The time step of the last one-time code: each works once. */
  lastStep: number;
}

export interface MoneyMemory {
  readonly keys: Shelf<KnownKey>;
  readonly illReceivers: string[];
  readonly deliveries: Shelf<{ readonly id: string; readonly webhook: KnownWebhook }>;
  floatAddress?: string;
  floatWants?: { readonly uniqueAssetId: string; readonly amount: bigint };
  readonly spent: Shelf<{ readonly id: string }>;
  readonly named: Shelf<{ readonly id: string }>;
  readonly charges: Shelf<{ readonly id: string }>;
  readonly payerPages: Shelf<{ readonly id: string }>;
  readonly receipts: Shelf<{ readonly id: string }>;
  lastEvent?: string | undefined;
  readonly desk: KnownDesk;
  readonly people: Shelf<{ readonly id: string; readonly role: string }>;
}

const MONEY_MEMORY = 'money memory';

export function moneyMemoryOf(merchant: Merchant): MoneyMemory {
  const kept = merchant.memory.get(MONEY_MEMORY) as MoneyMemory | undefined;
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
  merchant.memory.set(MONEY_MEMORY, memory);
  return memory;
}

export function webhooksOf(merchant: Merchant, { accountId }: Account): KnownWebhook[] {
  return memoryOf(merchant)
    .webhooks.all()
    .filter((webhook) => webhook.accountId === accountId);
}
