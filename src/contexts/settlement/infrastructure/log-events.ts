import { error, info, warn } from '#shared/platform/logging/log-event.js';

export const SETTLEMENT_LOG_EVENTS = {
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
};
