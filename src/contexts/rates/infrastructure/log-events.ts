import { debug, error, info, warn } from '#shared/platform/logging/log-event.js';

export const RATES_LOG_EVENTS = {
  'rates.source_failed': warn('A source of exchange rates does not respond correctly.', 'source reason'),
  'rates.source_recovered': info('A source of exchange rates has recovered.', 'source'),
  'rates.pair_unknown': debug(
    'A source of exchange rates does not support a currency pair.',
    'source pair reason',
  ),
  'rates.refresh_failed': warn('An exchange rate could not be refreshed.', 'pair reason'),
  'rates.disputed': error(
    'An exchange rate was rejected because the prices from the sources differ too much.',
    'pair prices',
  ),
};
