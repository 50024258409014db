import { info, warn } from '#shared/platform/logging/log-event.js';

export const IDENTITY_LOG_EVENTS = {
  'credentials.use_not_stored': warn(
    'The last-used times of some credentials could not be stored. The process will retry.',
    'credentials reason',
  ),
  'pairings.count_not_restored': warn(
    'A device was paired, but for a minute the attempt still counts toward the limit on failed pairings.',
    'reason',
  ),
  'exchanges.not_pruned': warn(
    'Expired rate-limit counters for token exchanges could not be deleted.',
    'reason',
  ),
  'mail.printed': info(
    'An email was written to the log instead of being sent because SMTP_URL is not set.',
    'recipient subject body',
  ),
  'mail.delayed': warn(
    'The mail server did not accept an email. The worker will retry it.',
    'reason retry_in_seconds',
  ),
  'mail.dropped': warn(
    'The worker dropped an email that the mail server did not accept. It will not be retried.',
    'reason',
  ),
};
