import { error, warn } from '#shared/platform/logging/log-event.js';

export const WEBHOOKS_LOG_EVENTS = {
  'webhook.failing': warn('Every delivery to a webhook has failed for at least 5 days.', 'webhook_id'),
  'webhook.recovered': warn('A failing webhook has recovered.', 'webhook_id'),
  'webhook.secret_unavailable': error(
    'The secret of a webhook cannot be decrypted. Check that its key is in WEBHOOK_SECRET_KEYS.',
    'webhook_id',
  ),
  'webhook.attempt_failed': error(
    'A webhook delivery could not be attempted. The worker will retry it.',
    'delivery_id reason',
  ),
  'webhook.attempts_not_stored': warn(
    'The results of delivery attempts could not be stored before the process stopped. These deliveries ' +
      'will be repeated.',
    'attempts',
  ),
};
