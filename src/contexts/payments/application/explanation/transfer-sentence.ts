import { isEnded } from '../../domain/requests/status.js';
import { findDepositReason } from '../../domain/requests/booking/deposit-reason-rule.js';
import type {
  ExplainedTransfer,
  ExplanationReason,
  RequestToExplain,
  TransferExplanationCode,
} from './explanation-view.js';
import { formatDuration, formatMoney, formatTime } from './sentence-formatting.js';
import { receivedTime, isPendingTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import type { TransferView } from '../requests/payment-request-view.js';

export function explainTransfer(request: RequestToExplain, transfer: TransferView): ExplainedTransfer {
  return { ...transfer, ...explainTransferState(request, transfer) };
}

function explainTransferState(
  request: RequestToExplain,
  transfer: TransferView,
): ExplanationReason<TransferExplanationCode> {
  const where = isPendingTransfer(transfer)
    ? `not in a block of ${transfer.network} yet`
    : `in block ${transfer.blockNumber} of ${transfer.network}`;
  const what = `${formatMoney(transfer.amount, transfer)} ${where}`;
  if (transfer.reversedAt !== undefined) {
    const gone = `was final but disappeared from the chain, which was detected at ${formatTime(transfer.reversedAt)}`;
    return { code: 'reversed', summary: `${what} ${gone}; its ledger record was reversed.` };
  }
  return transfer.counted ? explainCounted(transfer, what) : explainNotCounted(request, transfer, what);
}

function explainCounted(transfer: TransferView, what: string): ExplanationReason<TransferExplanationCode> {
  if (transfer.awaitsCrossCheck) {
    const wait =
      transfer.kind === 'balance'
        ? 'was sent inside a contract call, so it is final only after a second balance check'
        : 'is so large that a second source must confirm it before it is final';
    return {
      code: 'awaiting_agreement',
      summary: `${what} counts, and ${wait}; ${describeConfirmations(transfer)}.`,
    };
  }
  if (isPendingTransfer(transfer)) return { code: 'confirming', summary: explainPending(transfer) };
  return transfer.final
    ? { code: 'counted', summary: `${what} is final and counts towards this request.` }
    : { code: 'confirming', summary: `${what} counts and ${describeConfirmations(transfer)}.` };
}

function explainPending({
  amount,
  network,
  seenAt,
  lapsesAt,
  missingSince,
  ...transfer
}: TransferView): string {
  const seen = seenAt === undefined ? '' : ` at ${formatTime(seenAt)}`;
  const until = lapsesAt === undefined ? '' : ` if it is mined by ${formatTime(lapsesAt)}`;
  const waits = `was seen${seen} and is not in a block of ${network} yet; it counts${until}`;
  const missing = `no node has reported it since`;
  const away = missingSince === undefined ? '' : `, and ${missing} ${formatTime(missingSince)}`;
  return `${formatMoney(amount, transfer)} ${waits}${away}.`;
}

/** Uses the same rule as the ledger, but already before the transfer is final. */
function explainNotCounted(
  request: RequestToExplain,
  transfer: TransferView,
  what: string,
): ExplanationReason<TransferExplanationCode> {
  const offers = request.offered.map(({ address, ...offered }) => ({
    ...offered,
    depositAddress: { address },
  }));
  const why = findDepositReason(transfer, offers);
  if (why.reason === 'after_outcome' && isBelowMinimum(request, transfer)) {
    const small = 'is part of a sum below the minimum of its asset';
    const until = isEnded(request.status)
      ? 'It does not count.'
      : 'It counts once the sum reaches the minimum.';
    return {
      code: 'below_minimum',
      summary: `${what} ${small}. ${until} ${describePosting(request, transfer)}`,
    };
  }
  const miss =
    why.reason === 'late'
      ? describeLateness(transfer, why.countsUntil)
      : NOT_COUNTED_DESCRIPTIONS[why.reason](request);
  return {
    code: why.reason,
    summary: `${what} ${miss}. It does not count. ${describePosting(request, transfer)}`,
  };
}

function isBelowMinimum({ status, receivedAmount }: RequestToExplain, transfer: TransferView): boolean {
  const isSmall = transfer.gatheredOn !== undefined || isPendingTransfer(transfer);
  return isSmall && receivedAmount === 0n && (!isEnded(status) || status === 'expired');
}

function describeLateness(transfer: TransferView, last: Date): string {
  const at = receivedTime(transfer);
  const late = `${formatDuration((at.getTime() - last.getTime()) / 1_000)} after the deadline`;
  return `was received at ${formatTime(at)}, ${late} (${formatTime(last)})`;
}

const NOT_COUNTED_DESCRIPTIONS = {
  other_asset({ offered }: RequestToExplain): string {
    const asked = offered.map((asset) => `${formatMoney(asset.amount, asset)} on ${asset.network}`);
    return `is not the requested asset: ${asked.join(', or ')}`;
  },
  after_outcome({ status }: RequestToExplain): string {
    const ended = isEnded(status) ? 'had already ended' : 'was being paid in another asset';
    return `was received in time, but this request ${ended}`;
  },
};

function describePosting({ status }: RequestToExplain, transfer: TransferView): string {
  if (transfer.depositedAt !== undefined)
    return `It was recorded as a deposit at ${formatTime(transfer.depositedAt)}${describeAggregation(transfer)}.`;
  if (transfer.gatheredOn !== undefined) {
    const ended = isEnded(status) ? '' : ' and this request has ended without it';
    return `It becomes a deposit of the account${describeAggregation(transfer)}, once that day is final${ended}.`;
  }
  const final = transfer.final ? '' : ` once it is final (it ${describeConfirmations(transfer)})`;
  return isEnded(status)
    ? `It becomes a deposit of the account${final || ' in a moment'}.`
    : 'It becomes a deposit of the account once this request has ended.';
}

function describeAggregation({ gatheredOn }: TransferView): string {
  if (gatheredOn === undefined) return '';
  return `, combined with other transfers below the minimum on ${gatheredOn} (UTC)`;
}

function describeConfirmations({ confirmations, requiredConfirmations }: TransferView): string {
  return `has ${confirmations} of ${requiredConfirmations} confirmations`;
}
