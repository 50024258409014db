import type { Chain, Moved } from '../chain/chain.js';
import { decimal, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { textOf } from '../known/values.js';
import type { Asset } from '../requests/payment-request.js';
import { chainOf } from '../requests/status.js';
import { receivedOf, refundedOf } from './refund-verdicts.js';
import { REFUND_RANK, type Refund, type RefundStatus } from './refund.js';

/** Judges a status of a refund that was shown or sent. */
export function showRefund(
  refund: Refund,
  status: RefundStatus,
  sentAt: number,
  at: number,
  known: Known,
): void {
  const { findings } = known;
  const about = `refund ${refund.id}`;
  const floor = refund.shown.before(sentAt);
  const isBack = REFUND_RANK[status] < REFUND_RANK[floor] || (REFUND_RANK[floor] === 2 && status !== floor);
  findings.expect(!isBack, 'a refund never goes back', about, floor, status);
  if (REFUND_RANK[status] > REFUND_RANK[refund.shown.latest()]) refund.shown.learn(at, status);
  if (status === 'completed') judgePaid(refund, known);
}

/** A completed refund is a transfer of its amount to exactly its address, in a final block. */
function judgePaid(refund: Refund, known: Known): void {
  const { findings, refunds } = known;
  const { asset, amount, address } = refund;
  if (asset === undefined || amount === null || address === null) return;
  const { chain } = asset;
  const token = asset.fact.token?.toLowerCase() ?? null;
  const paid = chain
    .movedTo(address)
    .filter(
      (moved) =>
        moved.amount === amount &&
        (moved.transfer.token?.toLowerCase() ?? null) === token &&
        (refund.transactionHash === undefined ||
          moved.transfer.transactionHash.toLowerCase() === refund.transactionHash) &&
        [undefined, refund].includes(refunds.paidBy.get(keyOf(moved))) &&
        chain.firstFinal(moved.block) !== undefined,
    );
  const [own] = paid;
  const about = `refund ${refund.id}`;
  const expected = `${decimal(amount, asset.fact.decimals)} to ${address} in a final block`;
  if (
    !findings.expect(
      own !== undefined,
      'a completed refund is on the chain',
      about,
      expected,
      refund.transactionHash,
    )
  )
    return;
  if (refund.transactionHash === undefined) return;
  refunds.paidBy.set(keyOf(own!), refund);
  const key = `${refund.organizationId} ${asset.network}`;
  const from = own!.transfer.from.toLowerCase();
  const float = refunds.floats.get(key);
  findings.expect(
    float === undefined || float === from,
    'refunds are paid from the organization’s float',
    about,
    float,
    from,
  );
  const isStolen = known.addresses.has(from);
  findings.expect(!isStolen, 'refunds are paid from the organization’s float', about, 'the float', from);
  refunds.floats.set(key, from);
}

function keyOf({ block, transfer }: Moved): string {
  return `${block.hash} ${transfer.transactionHash} ${transfer.index} ${transfer.way}`;
}

/** Judges the sum of a request's refunds. */
export function judgeTotal(refund: Refund, known: Known): void {
  const request = known.requests.get(refund.requestId);
  const { asset } = refund;
  if (request === undefined || asset === undefined || chainOf(request) === undefined) return;
  const received = receivedOf(request, asset);
  const refunded = refundedOf(request, asset, known);
  const { decimals, symbol } = asset.fact;
  known.findings.expect(
    refunded <= received,
    'never more is refunded than was received',
    `payment request ${request.id}`,
    `at most ${decimal(received, decimals)} ${symbol}`,
    decimal(refunded, decimals),
  );
}

/** A refund that was approved, or a withdraw that the operator ordered. */
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
    ({ record }) => record.type === 'withdraw' && textOf(record.from).toLowerCase() === float,
  );
  return [
    ...refunds.map(({ address, amount, asset }) => ({ to: address, amount, asset })),
    ...withdraws.map(({ record }) => {
      const asset = known.asset(record.unique_asset_id);
      const amount = asset === undefined ? null : units(record.gross_amount, asset.fact.decimals);
      return { to: textOf(record.to).toLowerCase(), amount, asset };
    }),
  ];
}

/** At rest a refund that names its address has failed only where somebody has cancelled it. */
export function judgeFailures(known: Known): void {
  for (const { id, isDirect, asset, shown } of known.refunds.byId.values()) {
    if (!isDirect || shown.latest() !== 'failed' || asset?.chain.isDeep !== false) continue;
    const isGivenUp = known.refunds.givenUp.has(id);
    known.findings.expect(
      isGivenUp,
      'a refund fails only where it is cancelled',
      `refund ${id}`,
      'paid',
      'failed',
    );
  }
}

/** Everything that the float paid was owed, each once. */
export function judgeFloats(known: Known): void {
  for (const [key, float] of known.refunds.floats) {
    const [organizationId, network] = key.split(' ') as [string, string];
    const chain = known.chains.get(network);
    if (chain === undefined || chain.head < 0) continue;
    const owed = owedBy(float, organizationId, chain, known);
    for (const { block, transfer, amount } of chain.movedFrom(float)) {
      if (!chain.isOn(block, chain.head)) continue;
      const token = transfer.token?.toLowerCase() ?? null;
      const index = owed.findIndex(
        (each) =>
          each.to === transfer.to.toLowerCase() &&
          each.amount === amount &&
          each.asset?.chain === chain &&
          (each.asset.fact.token?.toLowerCase() ?? null) === token,
      );
      if (index !== -1) owed.splice(index, 1);
      else
        known.findings.differ(
          'a float pays what it owes once, and nothing else',
          `float ${float}`,
          'a refund that was approved, or a withdraw',
          transfer,
        );
    }
  }
}
