import { describe, expect, it } from '@jest/globals';
import { deletionObstaclesOf, describeObstacle } from './deletion-rule.js';

const NOTHING = {
  openPaymentRequests: 0,
  activePaymentLinks: 0,
  activeWebhooks: 0,
  openSubscriptions: 0,
  openRefunds: 0,
  openFloatWithdrawals: 0,
  unsettledAssets: [],
};

describe('The list of obstacles to the deletion of an account', () => {
  it('is empty if nothing is open and another account exists', () => {
    expect(deletionObstaclesOf(NOTHING, 2)).toEqual([]);
  });

  it.each([
    [{ openPaymentRequests: 2 }, '2 open payment requests (wait until they end)'],
    [{ activePaymentLinks: 1 }, '1 active payment link (deactivate it)'],
    [{ activeWebhooks: 3 }, '3 active webhooks (deactivate or delete them)'],
    [{ openSubscriptions: 2 }, '2 open subscriptions (revoke them)'],
    [{ openRefunds: 2 }, '2 open refunds (cancel the pending refunds and wait for the others)'],
    [
      { openFloatWithdrawals: 1 },
      '1 open refund float withdrawal (wait until it ends, or ask the operator to cancel it)',
    ],
    [{ unsettledAssets: ['a', 'b'] }, 'unsettled funds in a, b'],
  ])('names each open item: %j', (open, obstacle) => {
    expect(deletionObstaclesOf({ ...NOTHING, ...open }, 2).map(describeObstacle)).toEqual([obstacle]);
  });

  it('says that the organization has no other account', () => {
    expect(deletionObstaclesOf(NOTHING, 1).map(describeObstacle)).toEqual([
      'the organization has no other account',
    ]);
  });
});
