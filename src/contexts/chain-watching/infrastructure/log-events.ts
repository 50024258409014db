import { error, warn } from '#shared/platform/logging/log-event.js';

export const CHAIN_WATCHING_LOG_EVENTS = {
  'chain.reorganized': warn('A chain was reorganized.', 'network depth ancestor'),
  'chain.endpoints_disagree': error(
    'RPC endpoints disagree about final blocks. No more blocks become final until they agree.',
    'network reason',
  ),
  'chain.finality_delayed': warn(
    'A block is not treated as final yet because its confirmation read is missing.',
    'network block reason',
  ),
  'chain.confirmation_read_differed': warn(
    'Final blocks were read a second time as a check, and other transfers were found than at first. The service ' +
      'uses the second result.',
    'network missed invented',
  ),
  'chain.balances_unknown': error(
    'Internal transfers in a block cannot be detected because no endpoint returns the balances at that block.',
    'network block reason',
  ),
  'chain.balance_too_low': error(
    'A deposit address holds less native coin than the books show.',
    'network address missing',
  ),
  'chain.payouts_disappeared': error(
    'Final payouts disappeared from the chain. Their settlements are marked as failed.',
    'network transactions',
  ),
  'chain_audit.finding': error(
    'A chain audit found a difference between the books and the chain.',
    'network finding about reason',
  ),
  'chain_audit.restarted': warn(
    'A chain audit could no longer read balances at its block, so it restarted at a newer final block.',
    'network block reason',
  ),
  'payment.reversed': error(
    'Credited transfers disappeared from the chain. The service has reversed them and excluded their ' +
      'addresses from settlement.',
    'network payment_request_id transfers',
  ),
  'payment_request.parked': error(
    'A payment request could not be evaluated. To list all such requests, run: operator requests list-parked.',
    'payment_request_id reason',
  ),
};
