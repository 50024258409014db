import { stateConflict, type DomainError } from '#shared/kernel/domain-error.js';
import type { SubscriptionStatus } from '../contract/subscription-events.js';

export function acceptedByAnother(): DomainError {
  return stateConflict('Another wallet has accepted this subscription. One wallet pays a subscription.');
}

export function notAccepted(): DomainError {
  return stateConflict('This wallet has not accepted the subscription, so it cannot revoke it.');
}

export function notOffered(status: SubscriptionStatus): DomainError {
  const ended = status === 'revoked' ? 'was revoked before any wallet accepted it' : 'has expired';
  return stateConflict(`This offer ${ended}. Ask the merchant for a new subscription.`);
}
