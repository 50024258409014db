import { isTerminal } from '../domain/status.js';
import type { ExplainedTransfer, Reason, RequestToExplain, TransferCode } from './explanation-view.js';
import { amountOf, durationOf, timeOf } from './explanation-words.js';
import type { TransferView } from './payment-request-view.js';

/** What became of a transfer to an address of the request, and why. */
export function explainTransfer(request: RequestToExplain, transfer: TransferView): ExplainedTransfer {
  return { ...transfer, ...reasonFor(request, transfer) };
}

function reasonFor(request: RequestToExplain, transfer: TransferView): Reason<TransferCode> {
  const what = `${amountOf(transfer.amount, transfer)} in block ${transfer.blockNumber} of ${transfer.network}`;
  if (transfer.reversedAt !== undefined) {
    const gone = `disappeared from the chain although it was final, which was seen at ${timeOf(transfer.reversedAt)}`;
    return { code: 'reversed', summary: `${what} ${gone}; its booking was reversed.` };
  }
  return transfer.counted ? counted(transfer, what) : notCounted(request, transfer, what);
}

function counted(transfer: TransferView, what: string): Reason<TransferCode> {
  if (transfer.awaitsAgreement) {
    const wait = 'is so large that a second source must tell the same of it before it is final';
    return { code: 'awaiting_agreement', summary: `${what} counts, and ${wait}; ${depthOf(transfer)}.` };
  }
  return transfer.final
    ? { code: 'counted', summary: `${what} is final and part of what this request received.` }
    : { code: 'confirming', summary: `${what} counts, and ${depthOf(transfer)}.` };
}

/** The same reason as `depositReason` gives the ledger, and sooner: also before the transfer is final. */
function notCounted(request: RequestToExplain, transfer: TransferView, what: string): Reason<TransferCode> {
  const near = request.offered.filter(({ network }) => network === transfer.network);
  const shown = near.filter(
    ({ uniqueAssetId, address }) => uniqueAssetId === transfer.uniqueAssetId && address === transfer.to,
  );
  const judges = [shown, near, request.offered].find(({ length }) => length > 0) ?? [];
  const last = new Date(Math.max(...judges.map(({ countsUntil }) => countsUntil.getTime())));
  const next = `It does not count. ${bookingOf(request, transfer)}`;
  if (transfer.blockTime > last) {
    const late = `${durationOf((transfer.blockTime.getTime() - last.getTime()) / 1_000)} after the last moment that counts`;
    const when = `came at ${timeOf(transfer.blockTime)}, ${late} (${timeOf(last)})`;
    return { code: 'late', summary: `${what} ${when}. ${next}` };
  }
  if (shown.length === 0) {
    const offered = request.offered.map((asset) => `${amountOf(asset.amount, asset)} on ${asset.network}`);
    return {
      code: 'other_asset',
      summary: `${what} is not what was asked for: ${offered.join(', or ')}. ${next}`,
    };
  }
  const ended = isTerminal(request.status) ? 'had ended' : 'was being paid in another asset';
  return { code: 'after_outcome', summary: `${what} came in time, but when this request ${ended}. ${next}` };
}

function bookingOf({ status }: RequestToExplain, transfer: TransferView): string {
  if (transfer.depositedAt !== undefined)
    return `It was booked as a deposit at ${timeOf(transfer.depositedAt)}.`;
  const final = transfer.final ? '' : ` once it is final (it ${depthOf(transfer)})`;
  return isTerminal(status)
    ? `It becomes a deposit of the account${final || ' in a moment'}.`
    : 'It becomes a deposit of the account once this request has ended.';
}

function depthOf({ confirmations, requiredConfirmations }: TransferView): string {
  return `has ${confirmations} of ${requiredConfirmations} confirmations`;
}
