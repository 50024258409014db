import type { Chain, Moved } from '../chain/chain.js';
import { decimal, units, lower } from '../known/values.js';
import type { Known } from '../known/known.js';
import type { Asset, PaymentRequest } from '../requests/payment-request.js';
import { chainOf } from '../requests/status.js';
import { receivedOf, refundedOf } from './refund-verdicts.js';
import { REFUND_RANK, type Refund, type RefundStatus } from './refund.js';
import type { Heard } from '../exchange/heard.js';

export function showRefund(
  refund: Refund,
  status: RefundStatus,
  sentAt: number,
  at: number,
  known: Known,
): void {
  const floor = refund.shown.before(sentAt);
  const isBack = REFUND_RANK[status] < REFUND_RANK[floor] || (REFUND_RANK[floor] === 2 && status !== floor);
  known.expect(!isBack, 'a refund never goes back', refund.about, [floor, status]);
  if (REFUND_RANK[status] > REFUND_RANK[refund.shown.latest()]) refund.shown.learn(at, status);
  if (status === 'completed') judgePaid(refund, known);
}

function judgePaid(refund: Refund, known: Known): void {
  const { about } = refund;
  const { refunds } = known;
  const { asset, amount, address } = refund;
  if (asset === undefined || amount === null || address === null) return;
  const { chain } = asset;
  const paid = chain
    .movedTo(address)
    .filter(
      (moved) =>
        moved.amount === amount &&
        moved.transfer.token === asset.token &&
        (refund.transactionHash === undefined || moved.transfer.transactionHash === refund.transactionHash) &&
        [undefined, refund].includes(refunds.paidBy.get(keyOf(moved))) &&
        chain.firstFinal(moved.block) !== undefined,
    );
  const [own] = paid;
  const expected = `${decimal(amount, asset.fact.decimals)} to ${address} in a final block`;
  if (
    !known.expect(own !== undefined, 'a completed refund is on the chain', about, [
      expected,
      refund.transactionHash,
    ])
  )
    return;
  if (refund.transactionHash === undefined) return;
  refunds.paidBy.set(keyOf(own!), refund);
  const key = `${refund.organizationId} ${asset.network}`;
  const from = own!.transfer.from;
  const float = refunds.floats.get(key);
  known.expect(
    float === undefined || float === from,
    'refunds are paid from the organization’s float',
    about,
    [float, from],
  );
  const isStolen = known.addresses.has(from);
  known.expect(!isStolen, 'refunds are paid from the organization’s float', about, ['the float', from]);
  refunds.floats.set(key, from);
}

function keyOf({ block, transfer }: Moved): string {
  return `${block.hash} ${transfer.transactionHash} ${transfer.index} ${transfer.way}`;
}

export function judgeTotal(refund: Refund, known: Known): void {
  const request = known.requests.get(refund.requestId);
  const { asset } = refund;
  if (request === undefined || asset === undefined || chainOf(request) === undefined) return;
  const received = receivedOf(request, asset);
  const refunded = refundedOf(request, asset, known);
  const { decimals, symbol } = asset.fact;
  known.expect(refunded <= received, 'never more is refunded than was received', request.about, [
    `at most ${decimal(received, decimals)} ${symbol}`,
    decimal(refunded, decimals),
  ]);
}

interface Owed {
  readonly to: string | null;
  readonly amount: bigint | null;
  readonly asset: Asset | undefined;
}

function owedBy(float: string, organizationId: string, chain: Chain, known: Known): Owed[] {
  // A refund whose transfer was final and disappeared may be paid after it has failed.
  const isOwed = ({ shown }: Refund) => chain.isDeep || shown.latest() !== 'failed';
  const refunds = [...known.refunds.byId.values()].filter(
    (refund) =>
      refund.organizationId === organizationId && REFUND_RANK[refund.shown.latest()] > 0 && isOwed(refund),
  );
  const withdraws = [...known.books.booked.values()].filter(
    ({ record }) => record.type === 'withdraw' && lower(record.from) === float,
  );
  return [
    ...refunds.map(({ address, amount, asset }) => ({ to: address, amount, asset })),
    ...withdraws.map(({ record }) => {
      const asset = known.asset(record.unique_asset_id);
      const amount = asset === undefined ? null : units(record.gross_amount, asset.fact.decimals);
      return { to: lower(record.to), amount, asset };
    }),
  ];
}

/** At rest a refund that names its address has failed only where somebody has cancelled it. */
export function judgeFailures(known: Known): void {
  for (const { id, isDirect, asset, shown } of known.refunds.byId.values()) {
    if (!isDirect || shown.latest() !== 'failed' || asset?.chain.isDeep !== false) continue;
    const isGivenUp = known.refunds.givenUp.has(id);
    known.expect(isGivenUp, 'a refund fails only where it is cancelled', `refund ${id}`, ['paid', 'failed']);
  }
}

export function judgeFloats(known: Known): void {
  for (const [key, float] of known.refunds.floats) {
    const [organizationId, network] = key.split(' ') as [string, string];
    const chain = known.chains.get(network);
    if (chain === undefined || chain.head < 0) continue;
    const owed = owedBy(float, organizationId, chain, known);
    for (const { block, transfer, amount } of chain.movedFrom(float)) {
      if (!chain.isOn(block, chain.head)) continue;
      const token = transfer.token;
      const index = owed.findIndex(
        (each) =>
          each.to === transfer.to &&
          each.amount === amount &&
          each.asset?.chain === chain &&
          each.asset.token === token,
      );
      if (index !== -1) owed.splice(index, 1);
      else
        known.differ('a float pays what it owes once, and nothing else', `float ${float}`, [
          'a refund that was approved, or a withdraw',
          transfer,
        ]);
    }
  }
}

export function judgeAmount(
  refund: Refund,
  request: PaymentRequest | undefined,
  heard: Heard,
  known: Known,
): void {
  const { asset, amount } = refund;
  if (asset === undefined || amount === null) return;
  const { decimals } = asset.fact;
  const named = known.asset(heard.body.unique_asset_id) ?? asset;
  known.expect(asset === named, 'a refund is of the asset asked for', refund.about, [
    named.fact.uniqueAssetId,
    asset.fact.uniqueAssetId,
  ]);
  if (heard.body.amount !== undefined) {
    const asked = units(heard.body.amount, decimals);
    known.expect(asked === null || asked === amount, 'a refund is of the amount asked for', refund.about, [
      heard.body.amount,
      decimal(amount, decimals),
    ]);
    return;
  }
  if (request !== undefined) judgeDefault(refund, amount, request, asset, known);
}

function judgeDefault(
  { id, requestId }: Refund,
  amount: bigint,
  request: PaymentRequest,
  asset: Asset,
  { findings, books, refunds }: Known,
): void {
  const selection = request.selections.find((each) => each.asset === asset);
  if (selection === undefined) return;
  const { decimals } = asset.fact;
  const isOverpaid = request.shown.latest() === 'overpaid';
  const rule = isOverpaid
    ? 'the default of an overpaid request is the excess'
    : 'the default is all that was received';
  const judge = (is: boolean, expected: bigint) =>
    findings.expect(is, rule, `refund ${id}`, [decimal(expected, decimals), decimal(amount, decimals)]);
  // What came after the outcome may be refunded with the excess.
  const most = receivedOf(request, asset) - selection.amount;
  if (isOverpaid) judge(amount <= most, most);
  const gross = units(books.paymentIns.get(request.id)?.record.gross_amount, decimals);
  if (gross === null || refunds.of(requestId).length > 1) return;
  const least = isOverpaid ? gross - selection.amount : gross;
  judge(amount >= least, least);
}
