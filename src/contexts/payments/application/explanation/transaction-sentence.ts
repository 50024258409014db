import type { FoundTransaction } from '#contexts/networks/contract/transaction-lookup.js';
import type { RequestExplanation } from './explanation-view.js';
import { formatCount, formatReadProgress, formatMoney } from './sentence-formatting.js';
import type {
  QueriedNetwork,
  NodeAnswer,
  RecordedPayment,
  TransactionExplanation,
  UnrecordedPayment,
} from './transaction-view.js';

export function toNodeAnswer(found: FoundTransaction | 'unknown'): NodeAnswer {
  if (found === 'unknown') return { kind: 'unknown' };
  const { blockNumber, succeeded } = found;
  if (blockNumber === null) return { kind: 'pending' };
  return { kind: succeeded ? 'included' : 'reverted', blockNumber };
}

export function findRecordedPayments(
  hash: string,
  requests: readonly RequestExplanation[],
): RecordedPayment[] {
  return requests.flatMap((of) =>
    of.transfers
      .filter(({ transactionHash, reversedAt }) => transactionHash === hash && reversedAt === undefined)
      .map((transfer) => ({ transfer, of })),
  );
}

export function explainRecordedTransaction(
  hash: string,
  payments: readonly RecordedPayment[],
): TransactionExplanation {
  const networks = [
    ...new Map(
      payments
        .flatMap(({ transfer, of }) =>
          of.request.networks.filter(({ network }) => network === transfer.network),
        )
        .map((reading) => [reading.network, reading]),
    ).values(),
  ];
  const [first] = payments;
  const summary =
    payments.length === 1
      ? `This transaction paid payment request ${first!.of.request.id}: ${first!.transfer.summary}`
      : `This transaction made ${formatCount(payments.length, 'transfer')} to your addresses; each is listed with its request.`;
  return { hash, code: 'received', summary, payments, unrecorded: [], networks };
}

export function explainUnrecordedTransaction(
  hash: string,
  payments: readonly UnrecordedPayment[],
  networks: readonly QueriedNetwork[],
): TransactionExplanation {
  const found = { hash, payments: [], unrecorded: payments, networks };
  const [astray] = payments.filter(({ network, shownOn }) => !shownOn.includes(network));
  const [foreign] = payments.filter(({ asset }) => asset === undefined);
  const [missed] = payments.filter((payment) => payment !== astray && payment !== foreign);
  if (missed !== undefined) return { ...found, ...explainMissedPayment(missed, networks) };
  if (astray !== undefined) return { ...found, ...explainWrongNetwork(astray) };
  if (foreign !== undefined) return { ...found, ...explainUnsupportedToken(foreign) };
  return { ...found, ...explainTransactionState(networks) };
}

type CodeAndSummary = Pick<TransactionExplanation, 'code' | 'summary'>;

function explainMissedPayment(
  payment: UnrecordedPayment,
  networks: readonly QueriedNetwork[],
): CodeAndSummary {
  const reading = networks.find(({ network }) => network === payment.network);
  const block = reading?.node !== undefined && 'blockNumber' in reading.node ? reading.node.blockNumber : 0;
  const what = `${describePayment(payment)} is in block ${block} of ${payment.network}`;
  const read = formatReadProgress(reading === undefined ? [] : [reading]);
  if (reading?.read === undefined || reading.read.toBlock < block) {
    return {
      code: 'not_read_yet',
      summary: `${what}, and ${read}; it will be found when that block is read.`,
    };
  }
  const cause =
    'Its block is read again when it is final; if the transfer is still missing then, ask the operator';
  return { code: 'not_recorded', summary: `${what}, and ${read}, but it was not recorded. ${cause}.` };
}

function explainWrongNetwork(payment: UnrecordedPayment): CodeAndSummary {
  const shown = `that address was shown for ${payment.shownOn.join(', ')} (payment request ${payment.paymentRequestId})`;
  const summary = `${describePayment(payment)} was sent on ${payment.network}, but ${shown}; it does not count.`;
  return { code: 'other_network', summary };
}

function explainUnsupportedToken(payment: UnrecordedPayment): CodeAndSummary {
  const why = `this service does not collect that token, so it does not count for payment request ${payment.paymentRequestId}`;
  const summary = `${describePayment(payment)} on ${payment.network} arrived, but ${why}.`;
  return { code: 'token_not_supported', summary };
}

function describePayment({ asset, amount, token, to }: UnrecordedPayment): string {
  const money =
    asset === undefined
      ? `${amount} smallest units of ${token === 'native' ? 'the native coin' : `token ${token}`}`
      : formatMoney(amount, asset);
  return `${money} to ${to}`;
}

/** The text is the same for every caller, so that it reveals nothing about other tenants. */
function explainTransactionState(networks: readonly QueriedNetwork[]): CodeAndSummary {
  const having = (kind: NodeAnswer['kind']) => networks.filter(({ node }) => node?.kind === kind);
  const names = (of: readonly QueriedNetwork[]) => of.map(({ network }) => network).join(', ');
  const [included] = having('included');
  if (included !== undefined) {
    const paid = `it is in a block of ${included.network}, and did not pay any of your addresses`;
    const hint = 'Native coin sent by a contract is found without its transaction: check the payment request';
    const summary = `No transfer from this transaction to your addresses was found: ${paid}. ${hint}.`;
    return { code: 'to_nobody_here', summary };
  }
  const [pending] = having('pending');
  if (pending !== undefined) {
    const summary = `This transaction is pending on ${pending.network} and not in a block yet.`;
    return { code: 'pending', summary };
  }
  const [reverted] = having('reverted');
  if (reverted !== undefined) {
    const summary = `This transaction failed on ${reverted.network} and moved nothing; the payer still has the money.`;
    return { code: 'reverted', summary };
  }
  const [silent, unknown] = [having('no_answer'), having('unknown')];
  const asked = [
    ...(unknown.length === 0 ? [] : [`no node of ${names(unknown)} knows it`]),
    ...(silent.length === 0 ? [] : [`no node of ${names(silent)} answered in time`]),
    formatReadProgress(networks),
  ];
  const summary = `No transfer from this transaction to your addresses was found; ${asked.join('; ')}.`;
  return { code: 'not_ours', summary };
}
