import type { OpenBusiness } from '../../contract/account-business.js';

export function deletionObstaclesOf(
  {
    openPaymentRequests,
    activePaymentLinks,
    activeWebhooks,
    openSubscriptions,
    openRefunds,
    openFloatWithdrawals,
    unsettledAssets,
  }: OpenBusiness,
  accounts: number,
): string[] {
  return [
    ...describeCount(openPaymentRequests, 'open payment request', 'wait until they end'),
    ...describeCount(activePaymentLinks, 'active payment link', 'deactivate them'),
    ...describeCount(activeWebhooks, 'active webhook', 'deactivate or delete them'),
    ...describeCount(openSubscriptions, 'open subscription', 'revoke them'),
    ...describeCount(openRefunds, 'open refund', 'cancel the pending refunds and wait for the others'),
    ...describeCount(
      openFloatWithdrawals,
      'open refund float withdrawal',
      'wait until they end, or ask the operator to cancel them',
    ),
    ...(unsettledAssets.length === 0 ? [] : [`unsettled funds in ${unsettledAssets.join(', ')}`]),
    ...(accounts > 1 ? [] : ['the organization has no other account']),
  ];
}

function describeCount(count: number, what: string, cure: string): string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'} (${cure})`];
}
