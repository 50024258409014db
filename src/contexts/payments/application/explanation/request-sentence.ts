import type {
  ExplainedTransfer,
  Facts,
  OfferedAsset,
  Reason,
  RequestCode,
  RequestExplanation,
  RequestToExplain,
} from './explanation-view.js';
import { countOf, durationOf, readingsOf, spoken, timeOf } from './sentence-formatting.js';
import { explainTransfer } from './transfer-sentence.js';
import { isPending } from '#contexts/chain-watching/contract/incoming-transfer.js';
import type { OutcomeStatus } from '../../domain/requests/status.js';
import { DEPOSIT_REASONS } from '../../domain/requests/booking/deposit-reason-rule.js';

/** Explains in one sentence why a request is paid or not. */
export function explainRequest(request: RequestToExplain): RequestExplanation {
  const transfers = request.transfers.map((transfer) => explainTransfer(request, transfer));
  const facts = factsOf(request, transfers);
  return { request, facts, transfers, ...reasonFor(request, facts, transfers) };
}

function factsOf(request: RequestToExplain, transfers: readonly ExplainedTransfer[]): Facts {
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

type Explained = Reason<RequestCode>;

function reasonFor(
  request: RequestToExplain,
  facts: Facts,
  transfers: readonly ExplainedTransfer[],
): Explained {
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
      return { code: 'failed', summary: `This request has failed: ${cause}.${besides(transfers)}` };
    }
    case 'completed':
    case 'overpaid':
    case 'underpaid':
      return ended(request.status, request, facts, asked!, transfers);
    case 'expired':
      return firstNotCounted('This request expired unpaid.', transfers) ?? unpaid(request);
    default:
      return asked === undefined ? notSelected(request) : open(request, facts, asked, transfers);
  }
}

function ended(
  status: OutcomeStatus,
  { confirmedAt, receivedAmount, fulfilled }: RequestToExplain,
  { missingAmount = 0n, excessAmount = 0n }: Facts,
  asked: OfferedAsset,
  transfers: readonly ExplainedTransfer[],
): Explained {
  const received = `${spoken(receivedAmount, asked)} of ${spoken(asked.amount, asked)} received, final`;
  const at = confirmedAt === undefined ? '' : ` at ${timeOf(confirmedAt)}`;
  const [code, verdict] = {
    completed: ['completed', 'Paid'],
    overpaid: ['overpaid_by', `Overpaid by ${spoken(excessAmount, asked)}`],
    underpaid: [
      'underpaid_by',
      `Underpaid by ${spoken(missingAmount, asked)}${fulfilled ? ', and accepted' : ''}`,
    ],
  }[status] as [RequestCode, string];
  return { code, summary: `${verdict}: ${received}${at}.${besides(transfers)}` };
}

function unpaid(request: RequestToExplain): Explained {
  const { asked, expiresAt, networks } = request;
  const closed = `The payment window closed at ${timeOf(expiresAt)}`;
  if (asked === undefined) {
    return { code: 'expired_unpaid', summary: `${closed}, and the payer had not chosen an asset.` };
  }
  const where = `${spoken(asked.amount, asked)} to ${asked.address} on ${asked.network}`;
  const seen = `no payment of ${where} was detected; ${readingsOf(networks)}`;
  return { code: 'expired_unpaid', summary: `${closed}, and ${seen}.` };
}

function notSelected({ now, expiresAt }: RequestToExplain): Explained {
  const window = now <= expiresAt ? `has until ${timeOf(expiresAt)}` : `had until ${timeOf(expiresAt)}`;
  const summary = `The payer has not chosen an asset yet and ${window}; no address is assigned yet.`;
  return { code: 'asset_not_selected', summary };
}

function open(
  request: RequestToExplain,
  facts: Facts,
  asked: OfferedAsset,
  transfers: readonly ExplainedTransfer[],
): Explained {
  const due = spoken(asked.amount, asked);
  if (request.receivedAmount === 0n) {
    return firstNotCounted(`${due} has not been received.`, transfers) ?? unseen(request, asked, due);
  }
  if (facts.missingAmount !== undefined) {
    const missing = spoken(facts.missingAmount, asked);
    const got = `${spoken(request.receivedAmount, asked)} of ${due} was received, ${missing} is missing`;
    const summary = `${got}; ${whatCounts(request, asked)}.${besides(transfers)}`;
    return { code: 'short_by', summary };
  }
  return notFinal(request, facts, asked, transfers);
}

function unseen(request: RequestToExplain, asked: OfferedAsset, due: string): Explained {
  const where = `${due} to ${asked.address} on ${asked.network}`;
  const late = request.networks.filter(({ isBehind }) => isBehind);
  if (late.length > 0) {
    const delay = late
      .map(({ network, behindSeconds }) =>
        behindSeconds === undefined ? `${network} is not being read` : behind(network, behindSeconds),
      )
      .join(', ');
    const hope = 'Payments made in the meantime are found later and count by their block time.';
    const read = readingsOf(request.networks);
    return {
      code: 'network_behind',
      summary: `No payment of ${where} was detected yet, but ${delay}: ${read}. ${hope}`,
    };
  }
  const gone = request.status === 'processing' ? ` ${whatWentAway(request, asked)}.` : '';
  const counts = whatCounts(request, asked);
  const until = `${counts.charAt(0).toUpperCase()}${counts.slice(1)}.`;
  const summary = `No payment of ${where} was detected; ${readingsOf(request.networks)}.${gone} ${until}`;
  return { code: 'unseen', summary };
}

function followsPending({ networks }: RequestToExplain, asked: OfferedAsset): boolean {
  return networks.find(({ network }) => network === asked.network)?.followsPending === true;
}

function whatCounts(request: RequestToExplain, asked: OfferedAsset): string {
  const what = followsPending(request, asked) ? 'first seen' : 'in a block';
  return `transfers ${what} by ${timeOf(asked.countsUntil)} count`;
}

function whatWentAway(request: RequestToExplain, asked: OfferedAsset): string {
  return followsPending(request, asked)
    ? 'The transfer seen before was replaced by another transaction, expired, or was in a block that the chain replaced'
    : 'The transfer seen before was in a block that the chain replaced';
}

function notFinal(
  { receivedAmount, networks }: RequestToExplain,
  { confirmations = 0, requiredConfirmations = 0 }: Facts,
  asked: OfferedAsset,
  transfers: readonly ExplainedTransfer[],
): Explained {
  const received = `${spoken(receivedAmount, asked)} of ${spoken(asked.amount, asked)} was received`;
  const reading = networks.find(({ network }) => network === asked.network);
  if (reading?.read?.disagreesSince !== undefined) {
    const since = timeOf(reading.read.disagreesSince);
    const wait = `two sources of ${asked.network} have disagreed since ${since}`;
    return {
      code: 'awaiting_agreement',
      summary: `${received}, but ${wait}; nothing becomes final until they agree.`,
    };
  }
  const awaiting = transfers.filter(({ code }) => code === 'awaiting_agreement');
  if (awaiting.length > 0) {
    return { code: 'awaiting_agreement', summary: `${received}; ${waitOf(awaiting)}.` };
  }
  if (reading?.isBehind === true) {
    const delay = behind(asked.network, reading.behindSeconds ?? 0);
    return { code: 'network_behind', summary: `${received}, but ${delay}: ${readingsOf([reading])}.` };
  }
  const waiting = transfers.filter((transfer) => transfer.counted && isPending(transfer));
  if (waiting.length > 0) {
    const sum = spoken(
      waiting.reduce((all, { amount }) => all + amount, 0n),
      asked,
    );
    const part =
      waiting.length === 1 ? 'a transfer that is' : `${countOf(waiting.length, 'transfer')} that are`;
    return { code: 'confirming', summary: `${received}; ${sum} of it in ${part} not in a block yet.` };
  }
  const depth = `${confirmations} of ${countOf(requiredConfirmations, 'confirmation')}`;
  const summary =
    requiredConfirmations === 0
      ? `${received} and is final; the outcome follows shortly.`
      : `${received} and has ${depth}; it is final after the last one.`;
  return { code: 'confirming', summary };
}

function waitOf(awaiting: readonly ExplainedTransfer[]): string {
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

function behind(network: string, seconds: number): string {
  return `${network} is ${durationOf(seconds)} behind`;
}

/** Reasons why a transfer does not count, ordered by how close the transfer was to counting, closest first. */
const NOT_COUNTED = ['below_minimum', ...DEPOSIT_REASONS] as const;

function firstNotCounted(start: string, transfers: readonly ExplainedTransfer[]): Explained | undefined {
  for (const code of NOT_COUNTED) {
    const found = transfers.find((transfer) => transfer.code === code);
    if (found !== undefined) return { code, summary: `${start} ${found.summary}` };
  }
  return undefined;
}

function besides(transfers: readonly ExplainedTransfer[]): string {
  const others = transfers.filter(({ code }) => NOT_COUNTED.some((reason) => reason === code));
  if (others.length === 0) return '';
  return ` In addition, ${countOf(others.length, 'transfer')} arrived that ${others.length === 1 ? 'does' : 'do'} not count.`;
}
