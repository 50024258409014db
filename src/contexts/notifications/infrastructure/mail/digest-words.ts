import { formatAmount } from '#shared/kernel/amount.js';
import type { NotificationGroup } from '../../domain/notification.js';

/** Singular and plural, by kind and state. `#` is the number of events. */
const GROUP_TITLES: Readonly<Record<string, readonly [one: string, several: string]>> = {
  'completed completed': ['1 payment completed', '# payments completed'],
  'completed overpaid': ['1 payment overpaid', '# payments overpaid'],
  'completed accepted': [
    '1 payment completed, underpaid within your tolerance',
    '# payments completed, underpaid within your tolerance',
  ],
  'underpaid underpaid': ['1 payment underpaid', '# payments underpaid'],
  'deposit late': ['1 late payment', '# late payments'],
  'deposit after_outcome': ['1 payment received after the outcome', '# payments received after the outcome'],
  'deposit other_asset': ['1 payment in another asset', '# payments in another asset'],
  'refund pending': ['1 refund awaiting an address or approval', '# refunds awaiting an address or approval'],
  'refund processing': ['1 refund in progress', '# refunds in progress'],
  'refund completed': ['1 refund paid', '# refunds paid'],
  'refund failed': ['1 refund failed or cancelled', '# refunds failed or cancelled'],
  'failing_webhook ': ['1 webhook failing', '# webhooks failing'],
  'low_float ': ['1 refund float low', '# refund floats low'],
};

export function titleOfGroup({
  kind,
  state,
  events,
}: Pick<NotificationGroup, 'kind' | 'state' | 'events'>): string {
  const [one, several] = GROUP_TITLES[`${kind} ${state}`] ?? [
    `1 event: ${kind} ${state}`,
    `# events: ${kind} ${state}`,
  ];
  return events === 1 ? one : several.replace('#', events.toLocaleString('en'));
}

/** Undefined for floats, whose amounts are balances and cannot be added. */
export function formatSum({ kind, amount, currency, decimals }: NotificationGroup): string | undefined {
  if (kind === 'low_float' || currency === null || decimals === null) return undefined;
  return `${formatAmount(amount, decimals)} ${currency}`;
}

export function dashboardPathOf(kind: NotificationGroup['kind'], id: string): string {
  if (kind === 'refund') return `/refunds/${id}`;
  if (kind === 'failing_webhook') return `/webhooks/${id}`;
  return kind === 'low_float' ? '/refunds' : `/payments/${id}`;
}

const KINDS_BY_URGENCY: readonly NotificationGroup['kind'][] = [
  'failing_webhook',
  'low_float',
  'underpaid',
  'deposit',
  'refund',
  'completed',
];

export function urgencyRankOf({ kind }: NotificationGroup): number {
  return KINDS_BY_URGENCY.indexOf(kind);
}
