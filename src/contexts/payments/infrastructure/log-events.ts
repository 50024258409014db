import { error, info, warn } from '#shared/platform/logging/log-event.js';

export const PAYMENTS_LOG_EVENTS = {
  'receipt_mail.dropped': warn(
    'A receipt email was dropped because too many were sent to its address within a day.',
    'payment_request_id',
  ),
  'receipt_mail.limited': warn(
    'A receipt email is delayed because the organization has reached RECEIPT_MAILS_PER_DAY.',
    'payment_request_id',
  ),
  'receipt_mail.delayed': warn(
    'A receipt email could not be queued. The worker will retry.',
    'payment_request_id retry_in_seconds reason',
  ),
  'asset.not_configured': error(
    'Some open payment requests use an asset that is not configured. The service cannot detect payments to them.',
    'unique_asset_id open_requests',
  ),
  'wallet.addresses_unused': warn(
    'The newest addresses of a merchant’s wallet have received no payment. The merchant should raise the ' +
      'gap limit of the wallet.',
    'network organization_id unused next_number',
  ),
  'authorization.completed': info(
    'A payment by signature was executed.',
    'authorization_id network payment_request_id',
  ),
  'authorization.failed': warn(
    'A payment by signature failed.',
    'authorization_id network payment_request_id reason',
  ),
  'authorization.held': warn(
    'A payment by signature is waiting to be sent. See the `reason` field.',
    'authorization_id network payment_request_id reason',
  ),
  'signing_keys.expired': error(
    'A payment request was rejected because the NASPIP key expires before its payment window ends. Run: ' +
      'operator keys create naspip.',
    'key_id expires_at',
  ),
};
