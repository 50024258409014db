import { type Json, decimal, units, isUuid, objectOf, textOf, timeOf, lower } from '../known/values.js';
import { open, together, type Heard, type Rule, type Rules } from '../exchange/heard.js';
import { pageOf, pageVerdict } from '../exchange/lists.js';
import { pathAccountVerdict } from '../accounts/accounts.js';
import type { Settled } from '../chain/chain.js';
import type { Known } from '../known/known.js';
import type { Asset } from '../requests/payment-request.js';
import { isAtRest } from '../requests/status.js';

export interface SettlementRecord {
  readonly id: string;
  readonly accountId: string;
  record: Json;
}

export class SettlementBook {
  readonly byId = new Map<string, SettlementRecord>();
  readonly restTotals = new Map<string, number>();
  readonly restSeen = new Map<string, Set<string>>();

  /** Addresses that the operator has released, in lower case. */
  readonly released = new Set<string>();

  rest(): void {
    this.restTotals.clear();
    this.restSeen.clear();
  }
}

const STATUSES = ['pending', 'processing', 'completed', 'failed'];
const FIXED = ['account_id', 'network', 'unique_asset_id', 'currency', 'settlement_address', 'created_at'];
const SUMS = ['amount', 'fee_amount', 'payment_count', 'transaction_hash'];

/** Payouts of an account's forwarders in an asset: all of them, or one transaction's. */
export function payoutsOf(
  accountId: string,
  asset: Asset,
  known: Known,
  all: readonly Settled[] = asset.chain.allSettled,
): readonly Settled[] {
  return all.filter(
    ({ fact }) => fact.token === asset.token && known.addresses.get(fact.forwarder)?.accountId === accountId,
  );
}

function takeSettlement(data: unknown, heard: Heard, known: Known): string {
  const { settlements } = known;
  const record = objectOf(data);
  const id = textOf(record.id);
  const about = `settlement ${id}`;
  const accountId = heard.params.account!;
  const asset = known.asset(record.unique_asset_id);
  const isShaped =
    isUuid(id) &&
    STATUSES.includes(textOf(record.status)) &&
    timeOf(record.created_at) !== null &&
    timeOf(record.updated_at) !== null &&
    asset !== undefined &&
    record.currency === asset.fact.symbol &&
    record.network === asset.network;
  known.expect(isShaped, 'the fields of a settlement', about, [
    'id, status, asset, currency, network, times',
    data,
  ]);
  known.equal('a settlement is shown on its own account', about, [accountId, record.account_id]);
  if (asset === undefined) return id;
  const amount = units(record.amount, asset.fact.decimals);
  const fee = units(record.fee_amount, asset.fact.decimals);
  known.expect(amount !== null && fee !== null, 'the amounts of a settlement', about, [
    'decimal amounts',
    [record.amount, record.fee_amount],
  ]);
  judgeAddress(record, accountId, asset, about, known);
  const before = settlements.byId.get(id);
  const wasCompleted = before?.record.status === 'completed';
  if (before === undefined) settlements.byId.set(id, { id, accountId, record });
  else {
    judgeChange(before.record, record, about, asset, known);
    before.record = record;
  }
  if (record.status === 'completed' && !wasCompleted && amount !== null && fee !== null)
    judgeCompleted(record, amount, fee, asset, accountId, about, known);
  return id;
}

function judgeAddress(record: Json, accountId: string, asset: Asset, about: string, known: Known): void {
  const account = known.accounts.get(accountId);
  if (account === undefined) return;
  const terms = (known.terms.get(account.organizationId) ?? []).filter(
    (fact) =>
      fact.network === asset.network && (fact.accountId === undefined || fact.accountId === accountId),
  );
  const named = terms.map(({ settlementAddress }) => settlementAddress.toLowerCase());
  const is = named.includes(lower(record.settlement_address));
  known.expect(is, 'a settlement pays to an address of the terms', about, [named, record.settlement_address]);
}

function judgeChange(before: Json, now: Json, about: string, asset: Asset, { findings }: Known): void {
  // What was delivered in a final block that the chain left is at its addresses again.
  const hash = lower(before.transaction_hash);
  const isGone =
    now.status === 'failed' && asset.chain.settledIn(hash).some(({ block }) => asset.chain.isReversed(block));
  const isFinal = before.status === 'completed' && !isGone;
  for (const name of isFinal ? [...FIXED, ...SUMS, 'status'] : FIXED) {
    findings.expect(before[name] === now[name], 'a settlement keeps what was settled', about, [
      `${name} ${String(before[name])}`,
      String(now[name]),
    ]);
  }
}

/** A completed settlement is what its transaction's `Settled` events say, in a final block. */
function judgeCompleted(
  record: Json,
  amount: bigint,
  fee: bigint,
  asset: Asset,
  accountId: string,
  about: string,
  known: Known,
): void {
  const hash = lower(record.transaction_hash);
  const address = lower(record.settlement_address);
  const paid = payoutsOf(accountId, asset, known, asset.chain.settledIn(hash));
  const isOpen = known.mayHide({ accountId });
  if (paid.length === 0) {
    const isThere = asset.chain.settledIn(hash).length > 0;
    known.expect(isThere && isOpen, 'a completed settlement is on the chain', about, [
      'Settled events of its transaction',
      record,
    ]);
    return;
  }
  const isFinal = paid.some(({ block }) => asset.chain.firstFinal(block) !== undefined);
  known.expect(isFinal, 'a settlement is completed by a final block', about, ['a final block', record]);
  judgeMoment(record, paid, asset, about, known);
  // The same transaction may stand in a block that was left and in the one that took its place.
  const [{ block: first }] = paid as [Settled];
  const once = paid.filter(
    ({ block }) => block === (paid.find((each) => each.block.to === Infinity)?.block ?? first),
  );
  const toAddress = once.filter(({ block, fact }) =>
    block.fact.transfers.some(
      (transfer) =>
        transfer.transactionHash === fact.transactionHash &&
        transfer.from === fact.forwarder &&
        transfer.to === address,
    ),
  );
  const sum = (of: 'toSettlement' | 'toFee'): bigint =>
    toAddress.reduce((total, { fact }) => total + BigInt(fact[of]), 0n);
  const net = sum('toSettlement');
  const fees = sum('toFee');
  const { decimals } = asset.fact;
  const isWhole = fee === fees && (amount === net || amount === net + fees);
  const isPart = toAddress.length !== Number(record.payment_count) && amount <= net + fees && fee <= fees;
  const expected = `${decimal(net, decimals)} and the fee ${decimal(fees, decimals)}`;
  known.expect(isWhole || isPart || isOpen, 'a settlement is what forwarders paid', about, [
    expected,
    [record.amount, record.fee_amount],
  ]);
}

function judgeMoment(
  record: Json,
  paid: readonly Settled[],
  { chain }: Asset,
  about: string,
  known: Known,
): void {
  const moments = paid
    .flatMap(({ block }) => chain.firstFinal(block) ?? [])
    .map((view) => chain.views[view]!.at);
  const first = Math.min(...moments);
  const changed = timeOf(record.updated_at);
  known.expect(
    moments.length === 0 || changed === null || changed >= first,
    'a settlement is completed by a final block',
    about,
    [`at ${new Date(first).toISOString()} or later`, record.updated_at],
  );
}

const list: Rule = {
  verdict: (heard, known) => together(pathAccountVerdict(heard, known), pageVerdict(heard, 1, false), open()),
  done: (heard, data, known) => {
    const page = pageOf(data, heard, known);
    if (page === undefined) return;
    const ids = page.items.map((item) => takeSettlement(item, heard, known));
    const account = heard.params.account!;
    known.expect(
      new Set(ids).size === ids.length,
      'a list shows nothing twice',
      `settlements of ${account}`,
      ['distinct ids', ids],
    );
    if (!isAtRest(known, heard.exchange.sentAt)) return;
    const seen = known.settlements.restSeen.get(account) ?? new Set();
    for (const id of ids) seen.add(id);
    known.settlements.restSeen.set(account, seen);
    known.settlements.restTotals.set(account, page.total);
  },
};

const addresses: Rule = {
  verdict: (heard, known) => together(pathAccountVerdict(heard, known), open('validation_failed')),
  done: (heard, data, known) => {
    const account = known.accounts.get(heard.params.account!);
    const terms = known.terms.get(account?.organizationId ?? '') ?? [];
    const named = terms
      .filter(({ accountId }) => accountId === undefined || accountId === account?.id)
      .flatMap(({ settlementAddress, feeRecipient }) => [settlementAddress, feeRecipient ?? ''])
      .map((each) => each.toLowerCase());
    for (const [shown] of JSON.stringify(data ?? null).matchAll(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g)) {
      const is = named.includes(shown.toLowerCase());
      known.expect(is, 'settlement addresses shown are those of the terms', `account ${account?.id}`, [
        named,
        shown,
      ]);
    }
  },
};

export const settlementRules: Rules = { 'list settlements': list, 'list settlement addresses': addresses };
