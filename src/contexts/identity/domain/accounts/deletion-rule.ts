import type { DeletionBlockerCounts } from '../../contract/merchant-account-deletion-blockers.js';

/** English texts for one and for several objects, which pages translate. */
const COUNTED = {
  openPaymentRequests:
    '{count} open payment request (wait until it ends)|{count} open payment requests (wait until they end)',
  activePaymentLinks:
    '{count} active payment link (deactivate it)|{count} active payment links (deactivate them)',
  activeWebhooks:
    '{count} active webhook (deactivate or delete it)|{count} active webhooks (deactivate or delete them)',
  openSubscriptions: '{count} open subscription (revoke it)|{count} open subscriptions (revoke them)',
  openRefunds:
    '{count} open refund (cancel it, or wait until it is paid)|{count} open refunds (cancel the pending refunds and wait for the others)',
  openFloatWithdrawals:
    '{count} open refund float withdrawal (wait until it ends, or ask the operator to cancel it)|{count} open refund float withdrawals (wait until they end, or ask the operator to cancel them)',
} as const satisfies Partial<Record<keyof DeletionBlockerCounts, string>>;

export type DeletionObstacle =
  | { readonly text: (typeof COUNTED)[keyof typeof COUNTED]; readonly count: number }
  | { readonly text: 'unsettled funds in {assets}'; readonly assets: string }
  | { readonly text: 'the organization has no other account' };

export function deletionObstaclesOf(open: DeletionBlockerCounts, accounts: number): DeletionObstacle[] {
  const counted = Object.entries(COUNTED) as [keyof typeof COUNTED, (typeof COUNTED)[keyof typeof COUNTED]][];
  return [
    ...counted.map(([kind, text]) => ({ text, count: open[kind] })).filter(({ count }) => count > 0),
    ...(open.unsettledAssets.length === 0
      ? []
      : [{ text: 'unsettled funds in {assets}', assets: open.unsettledAssets.join(', ') } as const]),
    ...(accounts > 1 ? [] : [{ text: 'the organization has no other account' } as const]),
  ];
}

/** Returns the obstacle in English, for API callers. */
export function describeObstacle(obstacle: DeletionObstacle): string {
  if ('assets' in obstacle) return obstacle.text.replace('{assets}', () => obstacle.assets);
  if (!('count' in obstacle)) return obstacle.text;
  const [one, several] = obstacle.text.split('|') as [string, string];
  return (obstacle.count === 1 ? one : several).replace('{count}', String(obstacle.count));
}
