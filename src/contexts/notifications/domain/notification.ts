import { formatAmount } from '#shared/kernel/amount.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { EventKind, NotificationRule } from './notification-rule.js';

/** The other events of the group are only counted. */
export const MAX_EXAMPLES_PER_GROUP = 10;

export interface NotificationMoney {
  readonly uniqueAssetId: string;
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: bigint;
}

export interface Notification {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly kind: EventKind;
  /** New status, or reason of the event. */
  readonly state: string;
  readonly occurredAt: Date;
  /** Payment request, refund or webhook, or the network of a float. */
  readonly id: string;
  readonly money?: NotificationMoney;
  /** The merchant's order id, or the host of a webhook. */
  readonly reference?: string | undefined;
}

export interface NotificationExample {
  readonly at: string;
  readonly id: string;
  /** Amount as a decimal string in whole units. */
  readonly amount?: string;
  readonly reference?: string | undefined;
}

export interface NotificationGroup {
  readonly ruleId: string;
  readonly kind: EventKind;
  readonly state: string;
  readonly uniqueAssetId: string;
  readonly network: string | null;
  readonly currency: string | null;
  readonly decimals: number | null;
  readonly events: number;
  readonly amount: bigint;
  readonly examples: readonly NotificationExample[];
}

export type RuleToNotify = Pick<
  NotificationRule,
  'id' | 'organizationId' | 'accountId' | 'kinds' | 'createdAt'
>;

/** A rule does not match events from before its creation. */
export function groupNotifications(
  notices: readonly Notification[],
  rules: readonly RuleToNotify[],
): NotificationGroup[] {
  const groups = new Map<string, NotificationGroup>();
  for (const notice of notices) {
    for (const rule of rules.filter((each) => matchesRule(each, notice))) {
      const group = createGroup(rule.id, notice);
      const key = [rule.id, group.kind, group.state, group.uniqueAssetId].join(' ');
      const before = groups.get(key);
      groups.set(key, before === undefined ? group : mergeGroups(before, group));
    }
  }
  return [...groups.values()];
}

function matchesRule(
  rule: RuleToNotify,
  { organizationId, accountId, kind, occurredAt }: Notification,
): boolean {
  return (
    rule.organizationId === organizationId &&
    rule.accountId === accountId &&
    rule.kinds.includes(kind) &&
    occurredAt >= rule.createdAt
  );
}

function createGroup(
  ruleId: string,
  { kind, state, money, id, occurredAt, reference }: Notification,
): NotificationGroup {
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

function mergeGroups(one: NotificationGroup, other: NotificationGroup): NotificationGroup {
  return {
    ...one,
    events: one.events + other.events,
    amount: one.amount + other.amount,
    examples: [...one.examples, ...other.examples].slice(0, MAX_EXAMPLES_PER_GROUP),
  };
}
