import { debug, error, info, warn } from './log-levels.js';

export const CONTEXT_LOG_EVENTS = {
  // Identity, mail and notifications
  'credentials.use_not_stored': warn(
    'The times of last use of credentials could not be stored yet.',
    'credentials reason',
  ),
  'pairings.count_not_restored': warn('A successful pairing counts as failed for a minute.', 'reason'),
  'exchanges.not_pruned': warn('Old counts of token exchanges could not be removed.', 'reason'),
  'mail.printed': info(
    'An email was written to the log because SMTP_URL is not set.',
    'recipient subject body',
  ),
  'mail.delayed': warn(
    'The mail server did not accept an email. It will be retried.',
    'reason retry_in_seconds',
  ),
  'mail.dropped': warn('A mail was dropped after the mail server rejected it.', 'reason'),
  'notifications.delayed': error(
    'The mails of a notification rule could not be queued.',
    'rule_id retry_in_seconds reason',
  ),
  'receipt_mail.dropped': warn(
    'A receipt mail was dropped because the address got too many in a day.',
    'payment_request_id',
  ),
  'receipt_mail.limited': warn(
    'A receipt mail waits because the organization reached RECEIPT_MAILS_PER_DAY.',
    'payment_request_id',
  ),
  'receipt_mail.delayed': warn(
    'A receipt mail could not be queued.',
    'payment_request_id retry_in_seconds reason',
  ),

  // Networks and outbound transactions
  'network.ready': info('A network passed its checks and accepts payment requests.', 'network'),
  'network.mismatched': error(
    'A network does not match its configuration and accepts no new payment requests.',
    'network problems',
  ),
  'network.unchecked': warn(
    'A network accepts no payment requests until an endpoint can be checked.',
    'network reason',
  ),
  'rpc.wrong_chain': error('An endpoint serves another chain and is not used.', 'network endpoint reason'),
  'network.gas_price_unknown': debug('The gas price could not be read.', 'network reason'),
  'outbound.not_signed': error(
    'An outbound transaction contradicts its order and was not signed.',
    'transaction_id network sender nonce reason',
  ),
  'outbound.step_failed': warn(
    'A step of an outbound transaction failed. It is retried.',
    'transaction_id network sender nonce reason',
  ),
  'outbound.nonce_used': error(
    'Another transaction used the nonce of an outbound transaction.',
    'transaction_id network sender nonce state attempts response',
  ),
  'outbound.cancelled': warn(
    'An outbound transaction was cancelled.',
    'transaction_id network sender nonce state attempts response',
  ),
  'outbound.reverted': error(
    'An outbound transaction was reverted.',
    'transaction_id network sender nonce state attempts response',
  ),
  'outbound.progressed': info(
    'An outbound transaction changed state.',
    'transaction_id network sender nonce state attempts response',
  ),
  'outbound.waiting': warn(
    'An outbound transaction has waited for long. See next_step.',
    'transaction_id network sender nonce purpose state age_seconds situation next_step response',
  ),
  'sender.balance': info('The balance of a sending key was read.', 'network address balance'),
  'sender.balance_low': warn('A sending key needs native coin for gas.', 'network address balance'),
  'sender.held': error(
    'A key is held because the chain shows transactions of it that are not stored.',
    'network key address reason',
  ),

  // Watching and payments
  'chain.reorganized': warn('A chain was reorganized.', 'network depth ancestor'),
  'chain.endpoints_disagree': error(
    'RPC endpoints disagree about final blocks. No more blocks become final until they agree.',
    'network reason',
  ),
  'chain.finality_delayed': warn(
    'Finality waits for the confirmation read of a block.',
    'network block reason',
  ),
  'chain.confirmation_read_differed': warn(
    'The confirmation read of final blocks found other transfers than the first read. It counts.',
    'network missed invented',
  ),
  'chain.balances_unknown': error(
    'Internal transfers cannot be searched because no endpoint has the balances of a block.',
    'network block reason',
  ),
  'chain.balance_too_low': error(
    'A deposit address holds less native coin than the books say.',
    'network address missing',
  ),
  'chain.payouts_disappeared': error(
    'Final payouts disappeared from the chain. Their settlements failed.',
    'network transactions',
  ),
  'chain_audit.finding': error('The books differ from the chain.', 'network finding about reason'),
  'chain_audit.restarted': warn('A chain audit restarted at a newer final block.', 'network block reason'),
  'payment.reversed': error(
    'Credited transfers disappeared from the chain. They are reversed, and their addresses are held.',
    'network payment_request_id transfers',
  ),
  'payment_request.parked': error(
    'A payment request could not be evaluated. See: operator requests list-parked.',
    'payment_request_id reason',
  ),
  'asset.not_configured': error(
    'Open payment requests are in an asset that is not configured. Payments to them are not seen.',
    'unique_asset_id open_requests',
  ),
  'wallet.addresses_unused': warn(
    'The newest addresses of a wallet are unpaid. The merchant should raise its gap limit.',
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
    'A payment by signature is held.',
    'authorization_id network payment_request_id reason',
  ),

  // Settlement and refunds
  'settlement.progressed': info(
    'A settlement changed state.',
    'batch_id network payouts state transaction_hash',
  ),
  'settlement.no_effect': error(
    'A settlement had no effect. Its addresses are settled again.',
    'batch_id network payouts state transaction_hash',
  ),
  'settlement.waiting': warn('A settlement waits.', 'batch_id network payouts reason'),
  'settlement.no_gas_key': info('This process does not run settlements on a network.', 'network reason'),
  'settlement.token_unreadable': error(
    'A token returns no balances. Its payouts are not settled.',
    'network address unique_asset_id reason detail',
  ),
  'settlement.payout_set_aside': warn(
    'A payout is set aside because its simulation differs from the plan.',
    'network address unique_asset_id reason detail',
  ),
  'settlement.terms_paused': error(
    'Payouts failed on the chain. Their settlement terms are paused.',
    'network settlement_address unique_asset_id reason times failed_at retry_at',
  ),
  'settlement.fee_refused': warn(
    'A fee recipient rejects its share. The settlement address receives it.',
    'network fee_recipient settlement_address unique_asset_id address',
  ),
  'settlement.fee_lost': warn(
    'A fee recipient accepted its share in simulation but rejected it on the chain.',
    'batch_id network payouts address unique_asset_id lost',
  ),
  'settlement.reversed': error(
    'A completed settlement disappeared from the chain. Its funds are at the deposit addresses again.',
    'settlement_id network transaction_hash',
  ),
  'refund_float.no_address': warn(
    'A refund float has no address because its key is missing.',
    'network organization_id reason',
  ),
  'refund_float.payout_completed': info(
    'A payout of a refund float is final.',
    'payout_id kind network organization_id float reason',
  ),
  'refund_float.payout_failed': error(
    'A payout of a refund float failed.',
    'payout_id kind network organization_id float reason',
  ),
  'refund_float.payout_contradicted': error(
    'A payout of a refund float differs from its order.',
    'payout_id kind network organization_id float reason',
  ),
  'refund_float.payout_held': warn(
    'A payout of a refund float is held.',
    'payout_id kind network organization_id float reason',
  ),
  'refund_float.balance_unknown': error(
    'The balances of refund floats could not be compared.',
    'network holding float organization_id reason',
  ),
  'refund_float.balance_too_low': error(
    'A refund float holds less than the books say. Its key may be stolen.',
    'network holding float organization_id missing',
  ),
  'merchant_refund.completed': info(
    'A refund from a merchant’s own wallet is final.',
    'refund_id network organization_id transaction_hash',
  ),
  'merchant_refund.not_found': warn(
    'A refund from a merchant’s own wallet is not on the chain.',
    'refund_id network organization_id transaction_hash reason',
  ),

  // Rates and books
  'rates.source_failed': warn('A rate source failed.', 'source reason'),
  'rates.source_recovered': info('A rate source works again.', 'source'),
  'rates.pair_unknown': debug('A rate source does not know a pair.', 'source pair reason'),
  'rates.refresh_failed': warn('A rate could not be refreshed.', 'pair reason'),
  'rates.disputed': error('A rate is rejected because sources differ too much.', 'pair prices'),
  'ledger.rate_missing': warn('No source has a rate, so the books lack it.', 'symbol currency'),
  'ledger.statements_not_stored': error(
    'Statements of closed months were not stored. The next close stores them.',
    'organization_id err',
  ),

  // Webhooks and subscriptions
  'webhook.failing': warn('All deliveries to a webhook have failed for at least 5 days.', 'webhook_id'),
  'webhook.recovered': warn('A failing webhook works again.', 'webhook_id'),
  'webhook.secret_unavailable': error(
    'The secret of a webhook cannot be decrypted. Is its key in WEBHOOK_SECRET_KEYS?',
    'webhook_id',
  ),
  'webhook.attempt_failed': error('A delivery could not be attempted.', 'delivery_id reason'),
  'webhook.attempts_not_stored': warn(
    'Delivery attempts could not be stored before the process stopped. They are repeated.',
    'attempts',
  ),
  'subscription.failed': error(
    'A due subscription could not be processed. It is retried in five minutes.',
    'subscription_id reason',
  ),
  'charge.refused': warn(
    'The payment request of a charge was refused.',
    'payment_request_id code reason retry_at',
  ),
  'charge.failed': error(
    'The payment request of a charge could not be created.',
    'payment_request_id reason',
  ),
};
