import type { Moved } from '../chain/chain.js';
import { decimal, units, textOf, type Json, lower } from '../known/values.js';
import type { Known } from '../known/known.js';
import { deadlineOf, isReversed, outlook } from '../requests/outlook.js';
import type { Asset, PaymentRequest } from '../requests/payment-request.js';
import { chainOf, isOpen } from '../requests/status.js';
import { judgeArrival, judgeNet } from './payments-in.js';

export function arrivals(request: PaymentRequest, asset: Asset): readonly Moved[] {
  const addresses = new Set(request.selections.map(({ address }) => address));
  return [...addresses].flatMap((address) =>
    asset.chain.movedTo(address).filter(({ transfer }) => transfer.token === asset.token),
  );
}

/** Money that arrives after the outcome, too late, or in another known asset. */
export function takeDeposit(record: Json, known: Known): void {
  const { books } = known;
  const about = `transaction ${textOf(record.id)}`;
  if (record.payment_request_id === undefined) return takeTopUp(record, known);
  const request = known.requests.get(textOf(record.payment_request_id));
  if (request === undefined) {
    const isExplained = known.mayHide({
      organizationId: books.booked.get(textOf(record.id))!.organizationId,
    });
    known.expect(isExplained, 'a deposit is tied to the request it was sent to', about, [
      'a request that was created',
      record,
    ]);
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
    known.differ('the amounts of a transaction', about, ['decimal amounts of the asset', record]);
    return;
  }
  known.equal('where nothing was requested, expected is gross', about, [
    record.gross_amount,
    record.expected_amount,
  ]);
  const final = arrivals(request, asset).filter(({ block }) => asset.chain.firstFinal(block) !== undefined);
  const isOne = final.some(({ amount, transfer }) => amount === gross || transfer.way === 'inner');
  const gathered = smallOnes(final, asset);
  const isGathered = gathered.length > 0 && gross <= gathered.reduce((sum, { amount }) => sum + amount, 0n);
  known.expect(isOne || isGathered, 'a deposit is a final transfer, or small ones of a day', about, [
    final.map(({ amount }) => decimal(amount, decimals)),
    record.gross_amount,
  ]);
  judgeNet(gross, net, request, asset, isOne ? 0n : BigInt(gathered.length), about, known);
  if (isReversed(request)) return;
  const most = extras(request, asset, 'most');
  known.expect(sum <= most, 'deposits are what came and did not count', request.about, [
    decimal(most, decimals),
    decimal(sum, decimals),
  ]);
}

function smallOnes(moved: readonly Moved[], asset: Asset): readonly Moved[] {
  const minimum = units(asset.fact.minimumAmount, asset.fact.decimals) ?? 0n;
  return moved.filter(({ amount }) => amount < minimum);
}

/** How long what is gathered, or found by balances, may take to be booked. */
const SLOWLY = 50 * 3_600_000;

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

/** A final top-up is booked within so long. */
const BOOKED_WITHIN = 3_600_000;

/** Money that a merchant sent to the refund float: the only deposit of no request. */
export function takeTopUp(record: Json, known: Known): void {
  const { books } = known;
  const about = `transaction ${textOf(record.id)}`;
  const to = lower(record.to);
  const isOfRequest = known.addresses.has(to);
  known.expect(!isOfRequest, 'a deposit is tied to the request it was sent to', about, [
    known.addresses.get(to)?.id,
    record,
  ]);
  const asset = known.asset(record.unique_asset_id);
  const expected: Json = {
    unique_asset_id: asset?.fact.uniqueAssetId,
    currency: asset?.fact.symbol,
    network: asset?.network,
    status: 'completed',
    from_type: 'wallet',
    to_type: 'wallet',
  };
  for (const [name, value] of Object.entries(expected)) {
    const is = value !== undefined && record[name] === value;
    known.expect(is, `the ${name} of a transaction`, about, [value, record[name]]);
  }
  if (asset === undefined || isOfRequest) return;
  judgeFloat(record, to, about, known);
  const { decimals } = asset.fact;
  const gross = units(record.gross_amount, decimals);
  const isWhole = record.net_amount === record.gross_amount && record.expected_amount === record.gross_amount;
  if (gross === null || gross === 0n || !isWhole) {
    known.differ('the amounts of a transaction', about, ['one amount, without a fee', record]);
    return;
  }
  const came = asset.chain
    .movedTo(to)
    .filter((moved) => isOf(moved, asset) && asset.chain.firstFinal(moved.block) !== undefined)
    .reduce((sum, { amount }) => sum + amount, 0n);
  const key = `${to} ${asset.fact.uniqueAssetId}`;
  const sum = (books.topUps.get(key) ?? 0n) + gross;
  books.topUps.set(key, sum);
  known.expect(sum <= came, 'top-ups are what came to the float in final blocks', about, [
    decimal(came, decimals),
    decimal(sum, decimals),
  ]);
}

export function missingTopUps(organizationId: string, known: Known): void {
  for (const asset of known.assets.values()) {
    const { chain, fact } = asset;
    const float = known.refunds.floats.get(`${organizationId} ${asset.network}`);
    if (float === undefined || chain.head < 0 || chain.isDeep) continue;
    const came = chain
      .movedTo(float)
      .filter((moved) => isOf(moved, asset) && chain.isFinal(moved.block, chain.head))
      .filter(({ block }) => block.time + BOOKED_WITHIN < known.restedAt)
      .reduce((sum, { amount }) => sum + amount, 0n);
    const booked = known.books.topUps.get(`${float} ${fact.uniqueAssetId}`) ?? 0n;
    // A remainder below the minimum is no top-up until more comes.
    const minimum = units(fact.minimumAmount, fact.decimals) ?? 0n;
    const isAll = booked >= came || came - booked < minimum;
    known.expect(isAll, 'all that came to a float is booked', `float ${float}`, [
      decimal(came, fact.decimals),
      decimal(booked, fact.decimals),
    ]);
  }
}

/** A payout of the float to a settlement address, which the operator orders. */
export function takeFloatWithdraw(record: Json, known: Known): void {
  const about = `transaction ${textOf(record.id)}`;
  const from = lower(record.from);
  judgeFloat(record, from, about, known);
  const asset = known.asset(record.unique_asset_id);
  const amount = asset && units(record.gross_amount, asset.fact.decimals);
  if (asset === undefined || record.status !== 'completed') return;
  const is = asset.chain
    .movedFrom(from)
    .some(
      (moved) =>
        isOf(moved, asset) &&
        moved.amount === amount &&
        moved.transfer.to === lower(record.to) &&
        moved.transfer.transactionHash === lower(record.transaction_hash) &&
        asset.chain.firstFinal(moved.block) !== undefined,
    );
  known.expect(is, 'a completed withdraw of the float is on the chain', about, [
    'its transfer in a final block',
    record,
  ]);
}

function judgeFloat(record: Json, address: string, about: string, known: Known): void {
  const organizationId = known.books.booked.get(textOf(record.id))!.organizationId;
  const key = `${organizationId} ${textOf(record.network)}`;
  const float = known.refunds.floats.get(key) ?? address;
  const is = float === address && !known.addresses.has(address);
  known.expect(is, 'an organization has one float on a network', about, [float, address]);
  known.refunds.floats.set(key, float);
}

function isOf({ transfer }: Moved, asset: Asset): boolean {
  return transfer.token === asset.token;
}
