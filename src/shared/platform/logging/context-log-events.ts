import { debug, error, info, warn } from './platform-log-events.js';

export const CONTEXT_LOG_EVENTS = {
  // Identity, mail and notifications
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
  'notifications.delayed': error(
    'The emails of a notification rule could not be queued. The worker will retry.',
    'rule_id retry_in_seconds reason',
  ),
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

  // Networks and outbound transactions
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

  // Watching and payments
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

  // Settlement and refunds
  'settlement.progressed': info(
    'A settlement changed state.',
    'batch_id network payouts state transaction_hash',
  ),
  'settlement.no_effect': error(
    'A settlement had no effect. Its addresses will be settled again.',
    'batch_id network payouts state transaction_hash',
  ),
  'settlement.waiting': warn(
    'A settlement is waiting to be sent. See the `reason` field.',
    'batch_id network payouts reason',
  ),
  'settlement.no_gas_key': info(
    'This process does not send settlements on the network. See the `reason` field.',
    'network reason',
  ),
  'settlement.token_unreadable': error(
    'The balances of a token cannot be read. Payouts in this token are not settled.',
    'network address unique_asset_id reason detail',
  ),
  'settlement.payout_set_aside': warn(
    'A payout was set aside because its simulation did not give the expected result. It will be retried later.',
    'network address unique_asset_id reason detail',
  ),
  'settlement.terms_paused': error(
    'Payouts failed on the chain although their simulation had succeeded. Settlements of the asset to ' +
      'the settlement address are paused until retry_at.',
    'network settlement_address unique_asset_id reason times failed_at retry_at',
  ),
  'settlement.fee_refused': warn(
    'A fee recipient cannot receive its share of a payout. The settlement address receives the share instead.',
    'network fee_recipient settlement_address unique_asset_id address',
  ),
  'settlement.fee_lost': warn(
    'A fee recipient rejected its share of a payout on the chain although the simulation had succeeded.',
    'batch_id network payouts address unique_asset_id lost',
  ),
  'settlement.reversed': error(
    'A completed settlement disappeared from the chain. Its funds are at the deposit addresses again.',
    'settlement_id network transaction_hash',
  ),
  'refund_float.no_address': warn(
    'A refund float has no address because the float key is not set.',
    'network organization_id reason',
  ),
  'refund_float.payout_completed': info(
    'A payout from a refund float is final.',
    'payout_id kind network organization_id float reason',
  ),
  'refund_float.payout_failed': error(
    'A payout from a refund float failed.',
    'payout_id kind network organization_id float reason',
  ),
  'refund_float.payout_contradicted': error(
    'A payout from a refund float does not match the recorded instruction to pay it, so it was not sent.',
    'payout_id kind network organization_id float reason',
  ),
  'refund_float.payout_held': warn(
    'A payout from a refund float is waiting to be sent. See the `reason` field.',
    'payout_id kind network organization_id float reason',
  ),
  'refund_float.balance_unknown': error(
    'The balance of a refund float could not be compared with the chain.',
    'network holding float organization_id reason',
  ),
  'refund_float.balance_too_low': error(
    'A refund float holds less than the books show. Its key may be stolen.',
    'network holding float organization_id missing',
  ),
  'merchant_refund.completed': info(
    'A refund from a merchant’s own wallet is final.',
    'refund_id network organization_id transaction_hash',
  ),
  'merchant_refund.not_found': warn(
    'A refund from a merchant’s own wallet was not found on the chain.',
    'refund_id network organization_id transaction_hash reason',
  ),

  // Rates and books
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
  'ledger.rate_missing': warn(
    'No source provides an exchange rate that the ledger needs, so the rate is not recorded.',
    'symbol currency',
  ),
  'ledger.statements_not_stored': error(
    'The statements of closed months could not be stored. They will be stored the next time a month is closed.',
    'organization_id err',
  ),

  // Webhooks and subscriptions
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
