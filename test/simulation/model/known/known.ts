import type { CredentialFact, TermsFact, BlockFact } from '../../facts/fact.js';
import { Chain } from '../chain/chain.js';
import type { Asset, PaymentRequest } from '../requests/payment-request.js';
import { Webhooks } from '../webhooks/webhook.js';
import { SettlementBook } from '../settlement/settlements.js';
import { Refunds } from '../refunds/refund.js';
import { Subscriptions } from '../subscriptions/subscription.js';
import { type Compared, Findings } from './findings.js';
import { Timeline } from './since.js';
import type { Json } from './values.js';
import type { Heard } from '../exchange/heard.js';
import { KEY_KEPT_MS, scopeOf } from '../exchange/idempotency.js';

/** So much may be missing of a payment, in basis points and in units of its price. */
export interface Tolerance {
  readonly points: number;
  readonly most: unknown;
}

export interface Account {
  readonly id: string;
  readonly organizationId: string;
  /** Spans of a deletion that was answered or may have happened. */
  deleted?: { readonly from: number; readonly isCertain: boolean };
  readonly tolerance: Timeline<Tolerance>;
  /** It was shown before its creation was answered. */
  isFound: boolean;
  fields: Json;
}

export interface PointOfSale {
  readonly id: string;
  organizationId: string;
  accountId: string | null;
  readonly type: Timeline<string>;
  readonly options: Timeline<ReadonlySet<string>>;
  readonly requests: PaymentRequest[];
  /** When creations that were not answered may have been carried out: each may have ended the window of a request made meanwhile. */
  unanswered: { readonly from: number; readonly to: number }[];
  /** The rest at which all of its requests were listed. */
  listedAt: number;
  fields: Json;
}

export interface PaymentLink {
  readonly code: string;
  readonly id: string;
  readonly posId: string;
  readonly fields: Json;
  readonly active: Timeline<boolean>;
  readonly requests: PaymentRequest[];
  readonly payers: Map<string, PaymentRequest>;
}

export class Known {
  readonly hiddenMoney = new HiddenMoney();
  readonly findings = new Findings(({ rule, about, expected, found }) =>
    this.hiddenMoney.explains(rule, found, expected, this.addressesOf(about)),
  );
  now = 0;
  isResting = false;
  restedAt = -Infinity;
  readonly chains = new Map<string, Chain>();
  readonly assets = new Map<string, Asset>();
  readonly organizations = new Map<string, Set<string>>();
  readonly accounts = new Map<string, Account>();
  readonly credentials = new Map<string, Timeline<CredentialFact>>();
  readonly terms = new Map<string, TermsFact[]>();
  readonly pointsOfSale = new Map<string, PointOfSale>();
  readonly requests = new Map<string, PaymentRequest>();
  readonly sessions = new Map<string, PaymentRequest>();
  readonly addresses = new Map<string, PaymentRequest>();
  readonly checkoutPaths = new Map<string, PaymentRequest>();
  readonly webhooks = new Webhooks();
  /** True once an exchange was lost or ran under faults. */
  isFaulty = false;
  readonly settlements = new SettlementBook();
  readonly refunds = new Refunds();
  readonly subscriptions = new Subscriptions();
  readonly books = new Books();
  readonly links = new Map<string, PaymentLink>();
  readonly linkIds = new Map<string, PaymentLink>();
  readonly tills = new Map<string, string>();
  /** Transactions of payers' signatures in lower case, by their nonces. */
  readonly signatures = new Map<string, string>();
  /** When each code for a phone was shown, and the answer that used it. */
  readonly pairings = new Map<string, { readonly at: number; usedAt?: number }>();
  readonly unanswered = new Unanswered();
  /** Points of sale on which the service makes requests by itself: for charges, links and tills. */
  readonly makers = { pointsOfSale: new Set<string>() };

  expect(is: boolean, rule: string, about: string, compared: Compared): boolean {
    return this.findings.expect(is, rule, about, compared);
  }

  equal(rule: string, about: string, compared: Compared): boolean {
    return this.findings.equal(rule, about, compared);
  }

  differ(rule: string, about: string, compared: Compared): void {
    this.findings.differ(rule, about, compared);
  }

  /** @param about words of a difference that end with the id of a payment request */
  private addressesOf(about: string): string[] {
    const id = about.slice(about.lastIndexOf(' ') + 1);
    return [...this.addresses].flatMap(([address, request]) => (request.id === id ? [address] : []));
  }

  asset(uniqueAssetId: unknown): Asset | undefined {
    return typeof uniqueAssetId === 'string' ? this.assets.get(uniqueAssetId.toLowerCase()) : undefined;
  }

  account(id: string, organizationId: string): Account {
    let account = this.accounts.get(id);
    if (account === undefined) {
      account = { id, organizationId, tolerance: new Timeline(), isFound: false, fields: {} };
      this.accounts.set(id, account);
      const all = this.organizations.get(organizationId) ?? new Set();
      this.organizations.set(organizationId, all.add(id));
    }
    return account;
  }

  /** Every set of terms that may be in force for an account at some moment of a span; undefined among them for none. */
  termsWithin(account: Account, network: string, from: number, to: number): (TermsFact | undefined)[] {
    const all = (this.terms.get(account.organizationId) ?? []).filter((fact) => fact.network === network);
    const own = all.filter((fact) => fact.accountId === account.id);
    const shared = all.filter((fact) => fact.accountId === undefined);
    const found = within(own, from, to);
    if (!found.includes(undefined)) return found;
    return [...found.filter((fact) => fact !== undefined), ...within(shared, from, to)];
  }

  /** Everything of a POS was read: creations that were not answered before were not carried out. */
  forget(posId: string, before: number): void {
    const kinds = ['direct', 'checkout', 'payer'];
    this.unanswered.drop(({ kind, parent, at }) => kinds.includes(kind) && parent === posId && at < before);
  }

  mayHide(of: { readonly organizationId: string } | { readonly accountId: string }): boolean {
    for (const pos of this.pointsOfSale.values()) {
      const isOf =
        'accountId' in of ? pos.accountId === of.accountId : pos.organizationId === of.organizationId;
      if (!isOf || (this.isResting && pos.listedAt >= this.restedAt)) continue;
      if (this.makers.pointsOfSale.has(pos.id)) return true;
      if (this.unanswered.some(({ parent }) => parent === pos.id)) return true;
    }
    return this.unanswered.some(({ kind, parent }) => kind === 'payer' && parent === '');
  }
}

/** A fact of the operator may be written down this much after what it did could be seen. */
const NOTED_WITHIN = 2000;

function within(facts: readonly TermsFact[], from: number, to: number): (TermsFact | undefined)[] {
  const found: (TermsFact | undefined)[] = facts.filter(
    (fact) => fact.at >= from && fact.at <= to + NOTED_WITHIN,
  );
  const before = facts.filter((fact) => fact.at < from);
  found.push(before[before.length - 1]);
  return found;
}

/** A block that was mined so long before a node began to lie may not have been read yet. */
const UNREAD_MS = 2 * 3_600_000;

/** A difference by one of these rules is allowed where it says that less was seen than came. */
const LESS: Readonly<Record<string, (found: string, expected: string) => boolean>> = {
  'status allowed by the chain': (found) => found.startsWith('expired'),
  'received_amount allowed by the chain': isLess,
  'deposits are what came and did not count': () => true,
  'each confirmed request has its payment_in': (found) => found.startsWith('none'),
};

/** Addresses whose money a lying node may have hidden when its block was read first (reading 41). */
export class HiddenMoney {
  private lying = 0;
  private readonly addresses = new Set<string>();
  private recent: BlockFact[] = [];

  lies(isOver: boolean): void {
    this.lying += isOver ? -1 : 1;
    if (!isOver) this.recent.forEach((block) => this.hide(block));
  }

  block(fact: BlockFact): void {
    this.recent = [...this.recent.filter(({ at }) => at > fact.at - UNREAD_MS), fact];
    if (this.lying > 0) this.hide(fact);
  }

  explains(rule: string, found: string, expected: string, addresses: readonly string[]): boolean {
    return LESS[rule]?.(found, expected) === true && addresses.some((address) => this.addresses.has(address));
  }

  private hide({ transfers }: BlockFact): void {
    for (const { to } of transfers) this.addresses.add(to);
  }
}

function isLess(found: string, expected: string): boolean {
  return Number(found) <= Math.max(...expected.split(' or ').map(Number));
}

/** A creation that may have been carried out though nobody was told. */
export interface UnansweredCreation {
  readonly kind: string;
  readonly parent: string;
  readonly organizationId: string | null;
  readonly body: Json;
  /** Under one key, all deliveries together make one object at most. */
  readonly key: string | undefined;
  readonly sentAt: number;
  readonly at: number;
}

/** Creations without an answer. Each explains one object that shows up later. */
export class Unanswered {
  private all: UnansweredCreation[] = [];
  private readonly used = new Map<string, UnansweredCreation>();

  add(kind: string, parent: string, heard: Heard): void {
    const { body, exchange } = heard;
    const { sentAt, at } = exchange;
    const organizationId = heard.organization;
    this.all.push({ kind, parent, organizationId, body, key: scopeOf(exchange), sentAt, at });
  }

  some(matches: (creation: UnansweredCreation) => boolean): boolean {
    return this.find(matches) !== undefined;
  }

  /** The earliest of some. */
  find(matches: (creation: UnansweredCreation) => boolean): UnansweredCreation | undefined {
    return this.all.find(matches);
  }

  /**
   * The one that explains an object; it is used up.
   * @param madeAt of several the last one that was sent by then is taken; without a time, or if there is none, the earliest
   */
  explain(
    id: string,
    matches: (creation: UnansweredCreation) => boolean,
    madeAt: number | null = null,
  ): UnansweredCreation | undefined {
    const until = (creation: UnansweredCreation) => madeAt !== null && creation.sentAt <= madeAt;
    const found = this.all.findLast((each) => until(each) && matches(each)) ?? this.find(matches);
    if (found === undefined) return undefined;
    this.drop((each) => each === found);
    this.used.set(id, found);
    return found;
  }

  /** The creation of an object was answered: nothing else came of its key, and what had explained the object explains another. */
  answered(id: string, { exchange }: Heard): void {
    const key = scopeOf(exchange);
    const isSame = (creation: UnansweredCreation) => key !== undefined && creation.key === key;
    this.drop((creation) => isSame(creation) && creation.sentAt > exchange.at - KEY_KEPT_MS);
    const used = this.used.get(id);
    if (used !== undefined && !isSame(used)) this.all.push(used);
    this.used.delete(id);
  }

  drop(matches: (creation: UnansweredCreation) => boolean): void {
    this.all = this.all.filter((creation) => !matches(creation));
  }
}

export interface Booked {
  readonly id: string;
  readonly record: Json;
  readonly organizationId: string;
}

/** The order of the records that one scope sees: each keeps its place, counted from the oldest. */
export class Scope {
  readonly ranks = new Map<number, string>();
  readonly places = new Map<string, number>();
  total = 0;
  totalAt = -Infinity;
  restTotal: number | undefined;
}

export class Books {
  readonly booked = new Map<string, Booked>();
  readonly scopes = new Map<string, Scope>();
  readonly paymentIns = new Map<string, Booked>();
  readonly deposits = new Map<string, bigint>();
  readonly settledBy = new Map<string, string>();
  readonly topUps = new Map<string, bigint>();
  readonly withdraws = new Map<string, Map<string, Json>>();
  readonly refunds = new Map<string, Map<string, Json>>();
  /** Adjustments by request and asset, in the smallest unit and below zero. */
  readonly adjustments = new Map<
    string,
    { readonly gross: bigint; readonly net: bigint; readonly at: number }[]
  >();

  rest(): void {
    for (const scope of this.scopes.values()) scope.restTotal = undefined;
  }

  scope(key: string): Scope {
    let scope = this.scopes.get(key);
    if (scope === undefined) this.scopes.set(key, (scope = new Scope()));
    return scope;
  }
}
