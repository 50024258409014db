import { debug, error, info, warn } from '#shared/platform/logging/log-event.js';

export const NETWORKS_LOG_EVENTS = {
  'network.ready': info('A network passed its checks and accepts payment requests.', 'network'),
  'network.mismatched': error(
    'A network does not match its configuration. It accepts no new payment requests.',
    'network problems',
  ),
  'network.unchecked': warn(
    'None of a network’s endpoints has been checked successfully yet. Until one has, the network accepts ' +
      'no new payment requests.',
    'network reason',
  ),
  'rpc.wrong_chain': error(
    'An RPC endpoint serves a different chain. The process does not use it.',
    'network endpoint reason',
  ),
  'network.gas_price_unknown': debug('The gas price of a network could not be read.', 'network reason'),
  'outbound.not_signed': error(
    'An outbound transaction does not match the recorded instruction to send it, so it was not signed.',
    'transaction_id network sender nonce reason',
  ),
  'outbound.step_failed': warn(
    'A step of an outbound transaction failed. The worker will retry it.',
    'transaction_id network sender nonce reason',
  ),
  'outbound.nonce_used': error(
    'The nonce of an outbound transaction was used by a transaction that is not in the database.',
    'transaction_id network sender nonce state attempts response',
  ),
  'outbound.cancelled': warn(
    'An outbound transaction was cancelled.',
    'transaction_id network sender nonce state attempts response',
  ),
  'outbound.reverted': error(
    'An outbound transaction was mined but reverted.',
    'transaction_id network sender nonce state attempts response',
  ),
  'outbound.progressed': info(
    'An outbound transaction changed state.',
    'transaction_id network sender nonce state attempts response',
  ),
  'outbound.waiting': warn(
    'An outbound transaction is not final yet. See next_step.',
    'transaction_id network sender nonce purpose state age_seconds situation next_step response',
  ),
  'sender.balance': info('The worker has read the balance of a sending key.', 'network address balance'),
  'sender.balance_low': warn(
    'The native coin balance of a sending key is too low to pay for gas.',
    'network address balance',
  ),
  'sender.held': error(
    'The service sends no transactions with a key because the chain has transactions from it that are ' +
      'not in the database. Run: operator sender reconcile.',
    'network key address reason',
  ),
};
