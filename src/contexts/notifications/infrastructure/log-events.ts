import { error } from '#shared/platform/logging/log-event.js';

export const NOTIFICATIONS_LOG_EVENTS = {
  'notifications.delayed': error(
    'The emails of a notification rule could not be queued. The worker will retry.',
    'rule_id retry_in_seconds reason',
  ),
};
