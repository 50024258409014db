import type { Moved } from '../chain/chain.js';
import { decimal, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { textOf, type Json } from '../known/values.js';
import { deadlineOf, isReversed, outlook } from '../requests/outlook.js';
import type { Asset, PaymentRequest } from '../requests/payment-request.js';
import { chainOf, isOpen } from '../requests/status.js';
import { takeTopUp } from './floats.js';
import { judgeArrival, judgeNet } from './payments-in.js';

/** Transfers of an asset to the addresses of a request. */
export function arrivals(request: PaymentRequest, asset: Asset): readonly Moved[] {
  const token = asset.fact.token?.toLowerCase() ?? null;
  const addresses = new Set(request.selections.map(({ address }) => address));
  return [...addresses].flatMap((address) =>
    asset.chain.movedTo(address).filter(({ transfer }) => (transfer.token?.toLowerCase() ?? null) === token),
  );
}

/** Money that arrives after the outcome, too late, or in another known asset. */
export function takeDeposit(record: Json, known: Known): void {
  const { findings, books } = known;
  const about = `transaction ${textOf(record.id)}`;
  if (record.payment_request_id === undefined) return takeTopUp(record, known);
  const request = known.requests.get(textOf(record.payment_request_id));
  if (request === undefined) {
    const isExplained = known.mayHide({
      organizationId: books.booked.get(textOf(record.id))!.organizationId,
    });
    findings.expect(
      isExplained,
      'a deposit is tied to the request it was sent to',
      about,
      'a request that was created',
      record,
    );
    return;
  }
  const asset = known.asset(record.unique_asset_id);
  const gross = asset === undefined ? null : units(record.gross_amount, asset.fact.decimals);
  const key = `${request.id} ${asset?.fact.uniqueAssetId}`;
  const sum = (books.deposits.get(key) ?? 0n) + (gross ?? 0n);
  // It counts at rest also where the request is read only later.
  books.deposits.set(key, sum);
  if (isOpen(request) || request.selections.length === 0) return;
  judgeArrival(record, request, known);
  if (asset === undefined) return;
  const { decimals } = asset.fact;
  const net = units(record.net_amount, decimals);
  if (gross === null || gross === 0n || net === null) {
    findings.differ('the amounts of a transaction', about, 'decimal amounts of the asset', record);
    return;
  }
  findings.expect(
    record.expected_amount === record.gross_amount,
    'where nothing was requested, expected is gross',
    about,
    record.gross_amount,
    record.expected_amount,
  );
  const final = arrivals(request, asset).filter(({ block }) => asset.chain.firstFinal(block) !== undefined);
  const isOne = final.some(({ amount, transfer }) => amount === gross || transfer.way === 'inner');
  const gathered = smallOnes(final, asset);
  const isGathered = gathered.length > 0 && gross <= gathered.reduce((sum, { amount }) => sum + amount, 0n);
  findings.expect(
    isOne || isGathered,
    'a deposit is a final transfer, or small ones of a day',
    about,
    final.map(({ amount }) => decimal(amount, decimals)),
    record.gross_amount,
  );
  judgeNet(gross, net, request, asset, isOne ? 0n : BigInt(gathered.length), about, known);
  if (isReversed(request)) return;
  const most = extras(request, asset, 'most');
  findings.expect(
    sum <= most,
    'deposits are what came and did not count',
    `payment request ${request.id}`,
    decimal(most, decimals),
    decimal(sum, decimals),
  );
}

function smallOnes(moved: readonly Moved[], asset: Asset): readonly Moved[] {
  const minimum = units(asset.fact.minimumAmount, asset.fact.decimals) ?? 0n;
  return moved.filter(({ amount }) => amount < minimum);
}

/** How long what is gathered, or found by balances, may take to be booked. */
const SLOWLY = 50 * 3_600_000;

/** @returns whether a final transfer must be booked by now */
export function isDue({ amount, block, transfer }: Moved, { fact }: Asset, now: number): boolean {
  const minimum = units(fact.minimumAmount, fact.decimals) ?? 0n;
  return (amount >= minimum && transfer.way !== 'inner') || block.time + SLOWLY < now;
}

/**
 * The sum of final transfers of an asset to a request that no `payment_in` counts: the most that may be booked as deposits, or the
 * least that must be at rest.
 */
export function extras(request: PaymentRequest, asset: Asset, kind: 'most' | 'least', now = 0): bigint {
  const chain = chainOf(request)!;
  const all = arrivals(request, asset);
  const sums: bigint[] = [];
  const total = (counts: (moved: Moved) => boolean): bigint =>
    all.filter(counts).reduce((sum, { amount }) => sum + amount, 0n);
  const isFinal = ({ block }: Moved): boolean =>
    kind === 'most' ? chain.firstFinal(block) !== undefined : chain.isFinal(block, chain.head);
  const mayCount = (moved: Moved): boolean => kind === 'most' || isDue(moved, asset, now);
  const look = outlook(request, kind === 'most' ? request.read.latest() : chain.head, chain.head);
  const isSelected = request.selections.some((each) => each.asset === asset);
  for (const outcome of look.outcomes) {
    if (outcome.selection.asset !== asset) {
      sums.push(total((moved) => isFinal(moved) && mayCount(moved)));
      continue;
    }
    const last = Math.max(...outcome.last.map(({ block }) => block.number));
    const deadlines = request.expiry.map(({ to }) => deadlineOf(outcome.selection, to));
    const deadline = kind === 'most' ? Math.min(...deadlines) : Math.max(...deadlines);
    const isCounted = ({ block }: Moved): boolean => block.number <= last && block.time <= deadline;
    sums.push(total((moved) => isFinal(moved) && mayCount(moved) && !isCounted(moved)));
  }
  if (kind === 'least' && sums.length === 0 && isSelected && !look.statuses.has('expired')) return 0n;
  if (
    kind === 'most' &&
    ![...look.statuses].some(
      (status) => status === 'completed' || status === 'overpaid' || status === 'underpaid',
    )
  ) {
    sums.push(total(isFinal));
  }
  if (sums.length === 0) sums.push(total((moved) => isFinal(moved) && mayCount(moved)));
  return sums.reduce((found, sum) => ((kind === 'most') === sum > found ? sum : found));
}
