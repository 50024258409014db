import type {
  ExplainedTransfer,
  ExplanationFacts,
  OfferedAsset,
  ExplanationReason,
  RequestExplanationCode,
  RequestExplanation,
  RequestToExplain,
} from './explanation-view.js';
import {
  formatCount,
  formatDuration,
  formatReadProgress,
  formatMoney,
  formatTime,
} from './sentence-formatting.js';
import { explainTransfer } from './transfer-sentence.js';
import { isPendingTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import type { OutcomeStatus } from '../../domain/requests/status.js';
import { DEPOSIT_REASONS } from '../../domain/requests/booking/deposit-reason-rule.js';

export function explainRequest(request: RequestToExplain): RequestExplanation {
  const transfers = request.transfers.map((transfer) => explainTransfer(request, transfer));
  const facts = collectFacts(request, transfers);
  return { request, facts, transfers, ...explainStatus(request, facts, transfers) };
}

function collectFacts(request: RequestToExplain, transfers: readonly ExplainedTransfer[]): ExplanationFacts {
  const { asked, receivedAmount, expiresAt } = request;
  const difference = asked === undefined ? 0n : receivedAmount - asked.amount;
  const [least] = transfers
    .filter(({ counted, final }) => counted && !final)
    .sort((a, b) => a.confirmations - b.confirmations);
  return {
    asked,
    receivedAmount,
    missingAmount: difference < 0n ? -difference : undefined,
    excessAmount: difference > 0n ? difference : undefined,
    confirmations: least?.confirmations,
    requiredConfirmations: least?.requiredConfirmations,
    expiresAt,
  };
}

type RequestReason = ExplanationReason<RequestExplanationCode>;

function explainStatus(
  request: RequestToExplain,
  facts: ExplanationFacts,
  transfers: readonly ExplainedTransfer[],
): RequestReason {
  const lost = transfers.find(({ code, bookedAs }) => code === 'reversed' && bookedAs === 'payment_in');
  if (lost !== undefined) {
    const held =
      'Its address is not settled until the operator has checked it; the payer may have to pay again.';
    return { code: 'reversed', summary: `This request was ${request.status}, but ${lost.summary} ${held}` };
  }
  const { asked } = request;
  switch (request.status) {
    case 'failed': {
      const cause = 'its asset or network was removed, or no address could be created';
      return {
        code: 'failed',
        summary: `This request has failed: ${cause}.${mentionNotCountedTransfers(transfers)}`,
      };
    }
    case 'completed':
    case 'overpaid':
    case 'underpaid':
      return explainEnded(request.status, request, facts, asked!, transfers);
    case 'expired':
      return explainFirstNotCounted('This request expired unpaid.', transfers) ?? explainExpired(request);
    default:
      return asked === undefined
        ? explainNoSelection(request)
        : explainOpen(request, facts, asked, transfers);
  }
}

function explainEnded(
  status: OutcomeStatus,
  { confirmedAt, receivedAmount, fulfilled }: RequestToExplain,
  { missingAmount = 0n, excessAmount = 0n }: ExplanationFacts,
  asked: OfferedAsset,
  transfers: readonly ExplainedTransfer[],
): RequestReason {
  const received = `${formatMoney(receivedAmount, asked)} of ${formatMoney(asked.amount, asked)} received, final`;
  const at = confirmedAt === undefined ? '' : ` at ${formatTime(confirmedAt)}`;
  const [code, verdict] = {
    completed: ['completed', 'Paid'],
    overpaid: ['overpaid_by', `Overpaid by ${formatMoney(excessAmount, asked)}`],
    underpaid: [
      'underpaid_by',
      `Underpaid by ${formatMoney(missingAmount, asked)}${fulfilled ? ', and accepted' : ''}`,
    ],
  }[status] as [RequestExplanationCode, string];
  return { code, summary: `${verdict}: ${received}${at}.${mentionNotCountedTransfers(transfers)}` };
}

function explainExpired(request: RequestToExplain): RequestReason {
  const { asked, expiresAt, networks } = request;
  const closed = `The payment window closed at ${formatTime(expiresAt)}`;
  if (asked === undefined) {
    return { code: 'expired_unpaid', summary: `${closed}, and the payer had not chosen an asset.` };
  }
  const where = `${formatMoney(asked.amount, asked)} to ${asked.address} on ${asked.network}`;
  const seen = `no payment of ${where} was detected; ${formatReadProgress(networks)}`;
  return { code: 'expired_unpaid', summary: `${closed}, and ${seen}.` };
}

function explainNoSelection({ now, expiresAt }: RequestToExplain): RequestReason {
  const window =
    now <= expiresAt ? `has until ${formatTime(expiresAt)}` : `had until ${formatTime(expiresAt)}`;
  const summary = `The payer has not chosen an asset yet and ${window}; no address is assigned yet.`;
  return { code: 'asset_not_selected', summary };
}

function explainOpen(
  request: RequestToExplain,
  facts: ExplanationFacts,
  asked: OfferedAsset,
  transfers: readonly ExplainedTransfer[],
): RequestReason {
  const due = formatMoney(asked.amount, asked);
  if (request.receivedAmount === 0n) {
    return (
      explainFirstNotCounted(`${due} has not been received.`, transfers) ??
      explainNothingReceived(request, asked, due)
    );
  }
  if (facts.missingAmount !== undefined) {
    const missing = formatMoney(facts.missingAmount, asked);
    const got = `${formatMoney(request.receivedAmount, asked)} of ${due} was received, ${missing} is missing`;
    const summary = `${got}; ${describeWhatCounts(request, asked)}.${mentionNotCountedTransfers(transfers)}`;
    return { code: 'short_by', summary };
  }
  return explainNotFinal(request, facts, asked, transfers);
}

function explainNothingReceived(request: RequestToExplain, asked: OfferedAsset, due: string): RequestReason {
  const where = `${due} to ${asked.address} on ${asked.network}`;
  const late = request.networks.filter(({ isBehind }) => isBehind);
  if (late.length > 0) {
    const delay = late
      .map(({ network, behindSeconds }) =>
        behindSeconds === undefined ? `${network} is not being read` : describeLag(network, behindSeconds),
      )
      .join(', ');
    const hope = 'Payments made in the meantime are found later and count by their block time.';
    const read = formatReadProgress(request.networks);
    return {
      code: 'network_behind',
      summary: `No payment of ${where} was detected yet, but ${delay}: ${read}. ${hope}`,
    };
  }
  const gone = request.status === 'processing' ? ` ${describeLostTransfer(request, asked)}.` : '';
  const counts = describeWhatCounts(request, asked);
  const until = `${counts.charAt(0).toUpperCase()}${counts.slice(1)}.`;
  const summary = `No payment of ${where} was detected; ${formatReadProgress(request.networks)}.${gone} ${until}`;
  return { code: 'unseen', summary };
}

function followsPending({ networks }: RequestToExplain, asked: OfferedAsset): boolean {
  return networks.find(({ network }) => network === asked.network)?.followsPending === true;
}

function describeWhatCounts(request: RequestToExplain, asked: OfferedAsset): string {
  const what = followsPending(request, asked) ? 'first seen' : 'in a block';
  return `transfers ${what} by ${formatTime(asked.countsUntil)} count`;
}

function describeLostTransfer(request: RequestToExplain, asked: OfferedAsset): string {
  return followsPending(request, asked)
    ? 'The transfer seen before was replaced by another transaction, expired, or was in a block that the chain replaced'
    : 'The transfer seen before was in a block that the chain replaced';
}

function explainNotFinal(
  { receivedAmount, networks }: RequestToExplain,
  { confirmations = 0, requiredConfirmations = 0 }: ExplanationFacts,
  asked: OfferedAsset,
  transfers: readonly ExplainedTransfer[],
): RequestReason {
  const received = `${formatMoney(receivedAmount, asked)} of ${formatMoney(asked.amount, asked)} was received`;
  const reading = networks.find(({ network }) => network === asked.network);
  if (reading?.read?.disagreesSince !== undefined) {
    const since = formatTime(reading.read.disagreesSince);
    const wait = `two sources of ${asked.network} have disagreed since ${since}`;
    return {
      code: 'awaiting_agreement',
      summary: `${received}, but ${wait}; nothing becomes final until they agree.`,
    };
  }
  const awaiting = transfers.filter(({ code }) => code === 'awaiting_agreement');
  if (awaiting.length > 0) {
    return { code: 'awaiting_agreement', summary: `${received}; ${describeCrossCheckWait(awaiting)}.` };
  }
  if (reading?.isBehind === true) {
    const delay = describeLag(asked.network, reading.behindSeconds ?? 0);
    return {
      code: 'network_behind',
      summary: `${received}, but ${delay}: ${formatReadProgress([reading])}.`,
    };
  }
  const waiting = transfers.filter((transfer) => transfer.counted && isPendingTransfer(transfer));
  if (waiting.length > 0) {
    const sum = formatMoney(
      waiting.reduce((all, { amount }) => all + amount, 0n),
      asked,
    );
    const part =
      waiting.length === 1 ? 'a transfer that is' : `${formatCount(waiting.length, 'transfer')} that are`;
    return { code: 'confirming', summary: `${received}; ${sum} of it in ${part} not in a block yet.` };
  }
  const depth = `${confirmations} of ${formatCount(requiredConfirmations, 'confirmation')}`;
  const summary =
    requiredConfirmations === 0
      ? `${received} and is final; the outcome follows shortly.`
      : `${received} and has ${depth}; it is final after the last one.`;
  return { code: 'confirming', summary };
}

function describeCrossCheckWait(awaiting: readonly ExplainedTransfer[]): string {
  const isInner = ({ kind }: ExplainedTransfer) => kind === 'balance';
  const waits = [
    ...(awaiting.every(isInner)
      ? []
      : ['an amount this large is final only after a second source confirms it']),
    ...(awaiting.some(isInner)
      ? ['a transfer inside a contract call is final only after a second balance check']
      : []),
  ];
  return waits.join(', and ');
}

function describeLag(network: string, seconds: number): string {
  return `${network} is ${formatDuration(seconds)} behind`;
}

/** Ordered by how close the transfer was to counting, closest first. */
const NOT_COUNTED_REASONS = ['below_minimum', ...DEPOSIT_REASONS] as const;

function explainFirstNotCounted(
  start: string,
  transfers: readonly ExplainedTransfer[],
): RequestReason | undefined {
  for (const code of NOT_COUNTED_REASONS) {
    const found = transfers.find((transfer) => transfer.code === code);
    if (found !== undefined) return { code, summary: `${start} ${found.summary}` };
  }
  return undefined;
}

function mentionNotCountedTransfers(transfers: readonly ExplainedTransfer[]): string {
  const others = transfers.filter(({ code }) => NOT_COUNTED_REASONS.some((reason) => reason === code));
  if (others.length === 0) return '';
  return ` In addition, ${formatCount(others.length, 'transfer')} arrived that ${others.length === 1 ? 'does' : 'do'} not count.`;
}
