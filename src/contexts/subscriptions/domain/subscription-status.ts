import type { SubscriptionStatus } from '../contract/subscription-events.js';

export const SUBSCRIPTION_TRANSITIONS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  pending: ['active', 'expired', 'revoked'],
  active: ['past_due', 'completed', 'revoked'],
  past_due: ['active', 'revoked'],
  completed: [],
  expired: [],
  revoked: [],
};

export const SUBSCRIPTION_STATUSES = Object.keys(SUBSCRIPTION_TRANSITIONS) as SubscriptionStatus[];
