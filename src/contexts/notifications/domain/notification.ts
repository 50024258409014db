import { formatAmount } from '#shared/kernel/amount.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { EventKind, NotificationRule } from './notification-rule.js';

/** A mail lists so many of the events that have everything else in common, and counts the others. */
export const MAX_EXAMPLES = 10;

export interface NotificationMoney {
  readonly uniqueAssetId: string;
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
  /** Smallest units. */
  readonly amount: bigint;
}

/** An event that a rule may mail. */
export interface Notification {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly kind: EventKind;
  /** The status or reason. */
  readonly state: string;
  readonly occurredAt: Date;
  /** The payment request, refund or webhook; the network of a float. */
  readonly id: string;
  readonly money?: NotificationMoney;
  /** The merchant's own id of the order, or the host of a webhook. */
  readonly reference?: string | undefined;
}

/** One event as a mail lists it. */
export interface Example {
  readonly at: string;
  readonly id: string;
  /** A decimal string in whole units. */
  readonly amount?: string;
  readonly reference?: string | undefined;
}

/** Events of one rule that have kind, state and asset in common, summed up. */
export interface Group {
  readonly ruleId: string;
  readonly kind: EventKind;
  readonly state: string;
  /** Empty where no money is in question. */
  readonly uniqueAssetId: string;
  readonly network: string | null;
  readonly currency: string | null;
  readonly decimals: number | null;
  readonly events: number;
  readonly amount: bigint;
  readonly examples: readonly Example[];
}

export type RuleToNotify = Pick<
  NotificationRule,
  'id' | 'organizationId' | 'accountId' | 'kinds' | 'createdAt'
>;

/** Sums notices up for the rules that mail them. A rule has nothing to do with what happened before it was made. */
export function groupsOf(notices: readonly Notification[], rules: readonly RuleToNotify[]): Group[] {
  const groups = new Map<string, Group>();
  for (const notice of notices) {
    for (const rule of rules.filter((each) => hears(each, notice))) {
      const group = alone(rule.id, notice);
      const key = [rule.id, group.kind, group.state, group.uniqueAssetId].join(' ');
      const before = groups.get(key);
      groups.set(key, before === undefined ? group : together(before, group));
    }
  }
  return [...groups.values()];
}

function hears(rule: RuleToNotify, { organizationId, accountId, kind, occurredAt }: Notification): boolean {
  return (
    rule.organizationId === organizationId &&
    rule.accountId === accountId &&
    rule.kinds.includes(kind) &&
    occurredAt >= rule.createdAt
  );
}

function alone(ruleId: string, { kind, state, money, id, occurredAt, reference }: Notification): Group {
  return {
    ...{ ruleId, kind, state },
    uniqueAssetId: money?.uniqueAssetId ?? '',
    network: money?.network ?? null,
    currency: money?.currency ?? null,
    decimals: money?.decimals ?? null,
    events: 1,
    amount: money?.amount ?? 0n,
    examples: [
      {
        at: occurredAt.toISOString(),
        id,
        ...(money && { amount: formatAmount(money.amount, money.decimals) }),
        ...(reference !== undefined && { reference }),
      },
    ],
  };
}

function together(one: Group, other: Group): Group {
  return {
    ...one,
    events: one.events + other.events,
    amount: one.amount + other.amount,
    examples: [...one.examples, ...other.examples].slice(0, MAX_EXAMPLES),
  };
}
