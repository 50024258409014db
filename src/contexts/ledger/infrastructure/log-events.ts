import { error, warn } from '#shared/platform/logging/log-event.js';

export const LEDGER_LOG_EVENTS = {
  'ledger.rate_missing': warn(
    'No source provides an exchange rate that the ledger needs, so the rate is not recorded.',
    'symbol currency',
  ),
  'ledger.statements_not_stored': error(
    'The statements of closed months could not be stored. They will be stored the next time a month is closed.',
    'organization_id err',
  ),
};
