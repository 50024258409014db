import { error, warn } from '#shared/platform/logging/log-event.js';

export const SUBSCRIPTIONS_LOG_EVENTS = {
  'subscription.failed': error(
    'A due subscription could not be processed. The worker will retry it in five minutes.',
    'subscription_id reason',
  ),
  'charge.refused': warn(
    'The payment request for a subscription charge was rejected.',
    'payment_request_id code reason retry_at',
  ),
  'charge.failed': error(
    'The payment request for a subscription charge could not be created. The worker will retry.',
    'payment_request_id reason',
  ),
};
