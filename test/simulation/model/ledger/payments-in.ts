import type { Heard } from '../exchange/heard.js';
import { decimal, feeOf, units, textOf, timeOf, type Json, lower } from '../known/values.js';
import type { Known } from '../known/known.js';
import { isReversed, outlook, type Outcome } from '../requests/outlook.js';
import { isEnded, type Asset, type PaymentRequest } from '../requests/payment-request.js';
import { chainOf, isAtRest, isOpen, showStatus } from '../requests/status.js';

/** The basis points of the service fee that the terms of a request's address may name. */
export function feesOf(request: PaymentRequest, asset: Asset, known: Known): number[] {
  const account = known.accounts.get(request.accountId);
  if (account === undefined) return [];
  const isLater = request.isCheckout && request.options.size !== 1;
  const until = isLater ? Math.max(...request.expiry.map(({ to }) => to)) : request.made.to;
  const terms = known.termsWithin(account, asset.network, request.made.from, until);
  // Without a recipient it is open whether a fee is taken.
  return [
    ...new Set(
      terms.flatMap((fact) => [fact?.feeBasisPoints ?? 0, ...(fact?.feeRecipient === undefined ? [0] : [])]),
    ),
  ];
}

export function judgeArrival(record: Json, request: PaymentRequest, known: Known): Asset | undefined {
  const about = `transaction ${textOf(record.id)}`;
  const asset = known.asset(record.unique_asset_id);
  if (asset === undefined) {
    known.differ('the asset of a transaction', about, ['an asset of the catalogue', record.unique_asset_id]);
    return undefined;
  }
  const expected: Json = {
    unique_asset_id: asset.fact.uniqueAssetId,
    currency: asset.fact.symbol,
    network: asset.network,
    status: 'completed',
    from_type: 'wallet',
    to_type: 'vault',
  };
  for (const [name, value] of Object.entries(expected)) {
    known.equal(`the ${name} of a transaction`, about, [value, record[name]]);
  }
  if (!request.isStrange) {
    known.equal('the reference_id of a transaction', about, [request.referenceId, record.reference_id]);
  }
  const to = lower(record.to);
  const isOwn = request.selections.length === 0 || request.selections.some(({ address }) => address === to);
  known.expect(isOwn, 'the destination of a transaction', about, [
    request.selections.map(({ address }) => address),
    record.to,
  ]);
  return asset;
}

/** Exactly one `payment_in` for each confirmed request, with the sums of its final transfers. */
export function takePaymentIn(record: Json, isNew: boolean, heard: Heard, known: Known): void {
  const { books } = known;
  const id = textOf(record.id);
  const about = `transaction ${id}`;
  const requestId = textOf(record.payment_request_id);
  const other = books.paymentIns.get(requestId);
  known.expect(
    other === undefined || other.id === id,
    'one payment_in for each request',
    `payment request ${requestId}`,
    [other?.id, id],
  );
  books.paymentIns.set(requestId, books.booked.get(id)!);
  const request = known.requests.get(requestId);
  if (request === undefined) {
    const isExplained = known.mayHide({
      organizationId: books.booked.get(textOf(record.id))!.organizationId,
    });
    known.expect(isExplained, 'a payment_in belongs to a request', about, [
      'a request that was created',
      requestId,
    ]);
    return;
  }
  judgeSettlement(record, request, heard, known);
  if (!isNew || isOpen(request) || request.selections.length === 0) return;
  const asset = judgeArrival(record, request, known);
  if (asset === undefined) return;
  const { decimals } = asset.fact;
  const [gross, net, expected] = [record.gross_amount, record.net_amount, record.expected_amount].map(
    (text) => units(text, decimals),
  );
  if (gross == null || net == null || expected == null) {
    known.differ('the amounts of a transaction', about, ['decimal amounts of the asset', record]);
    return;
  }
  const outcomes = outcomesOf(request, heard);
  const fitting = outcomes.filter((outcome) => outcome.selection.asset === asset && outcome.gross === gross);
  const sums = outcomes.map(
    ({ gross: sum, selection }) =>
      `${decimal(sum, selection.asset.fact.decimals)} ${selection.asset.fact.symbol}`,
  );
  known.expect(fitting.length > 0, 'gross is what was received in final blocks', about, [
    sums.join(' or ') || 'no payment_in',
    record.gross_amount,
  ]);
  const selection = request.selections.find((each) => each.asset === asset);
  const isRequested = selection === undefined || selection.amount === expected;
  known.expect(isRequested, 'expected is what was requested', about, [
    selection && decimal(selection.amount, decimals),
    record.expected_amount,
  ]);
  judgeNet(gross, net, request, asset, 0n, about, known);
  if (!isReversed(request)) judgeLast(record, fitting, about, known);
  showStatus(
    request,
    gross === expected ? 'completed' : gross > expected ? 'overpaid' : 'underpaid',
    heard.exchange,
    known,
    'ledger',
  );
}

function outcomesOf(request: PaymentRequest, heard: Heard): readonly Outcome[] {
  const chain = chainOf(request)!;
  const floor = request.shown.before(heard.exchange.sentAt);
  const { outcomes } = outlook(request, request.read.before(heard.exchange.sentAt), chain.head);
  return isEnded(floor) ? outcomes.filter(({ status }) => status === floor) : outcomes;
}

export function judgeNet(
  gross: bigint,
  net: bigint,
  request: PaymentRequest,
  asset: Asset,
  rounding: bigint,
  about: string,
  known: Known,
): void {
  const fees = feesOf(request, asset, known);
  if (fees.length === 0) return;
  const nets = fees.map((basisPoints) => gross - feeOf(gross, basisPoints));
  const fits = nets.some((each) => net >= each && net <= each + rounding);
  const { decimals } = asset.fact;
  known.expect(fits, 'net is gross less the fee', about, [
    nets.map((each) => decimal(each, decimals)).join(' or '),
    decimal(net, decimals),
  ]);
}

function judgeLast(record: Json, outcomes: readonly Outcome[], about: string, { findings }: Known): void {
  const last = outcomes.flatMap((outcome) => outcome.last);
  if (last.length === 0 || last.some(({ transfer }) => transfer.way === 'inner')) return;
  const is = last.some(
    ({ transfer }) =>
      transfer.from === lower(record.from) && transfer.transactionHash === lower(record.transaction_hash),
  );
  const expected = last.map(({ transfer }) => [transfer.from, transfer.transactionHash]);
  findings.expect(is, 'from and transaction_hash are the last counted transfer’s', about, [
    expected,
    [record.from, record.transaction_hash],
  ]);
}

function judgeSettlement(record: Json, request: PaymentRequest, { exchange }: Heard, known: Known): void {
  const asset = known.asset(record.unique_asset_id);
  if (asset === undefined || record.settlement_id !== undefined || !isAtRest(known, exchange.sentAt)) return;
  const { chain } = asset;
  const last = request.shown.latest();
  const settled = chain
    .settledOf(lower(record.to))
    .filter(({ block, fact }) => fact.token === asset.token && chain.isFinal(block, chain.head));
  const isAfter = settled.some(({ block }) => block.time > (timeOf(record.created_at) ?? Infinity));
  if (!isEnded(last) || !isAfter) return;
  known.differ('a settled payment names its settlement', `transaction ${textOf(record.id)}`, [
    'settlement_id',
    'none at rest',
  ]);
}
