import { pageOf, pageVerdict } from '../accounts/lists.js';
import { pathAccountVerdict } from '../accounts/path-account.js';
import type { Settled } from '../chain/chain.js';
import { open, together, type Heard, type Rule } from '../exchange/heard.js';
import { decimal, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { isUuid, objectOf, textOf, timeOf, type Json } from '../known/values.js';
import type { Asset } from '../requests/payment-request.js';
import { isAtRest } from '../requests/status.js';

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
  const token = asset.fact.token?.toLowerCase() ?? null;
  return all.filter(
    ({ fact }) =>
      (fact.token?.toLowerCase() ?? null) === token &&
      known.addresses.get(fact.forwarder.toLowerCase())?.accountId === accountId,
  );
}

/** Judges a settlement as it was shown, and against what was shown of it before. */
function takeSettlement(data: unknown, heard: Heard, known: Known): string {
  const { findings, settlements } = known;
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
  findings.expect(
    isShaped,
    'the fields of a settlement',
    about,
    'id, status, asset, currency, network, times',
    data,
  );
  findings.expect(
    record.account_id === accountId,
    'a settlement is shown on its own account',
    about,
    accountId,
    record.account_id,
  );
  if (asset === undefined) return id;
  const amount = units(record.amount, asset.fact.decimals);
  const fee = units(record.fee_amount, asset.fact.decimals);
  findings.expect(amount !== null && fee !== null, 'the amounts of a settlement', about, 'decimal amounts', [
    record.amount,
    record.fee_amount,
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
  const is = named.includes(textOf(record.settlement_address).toLowerCase());
  known.findings.expect(
    is,
    'a settlement pays to an address of the terms',
    about,
    named,
    record.settlement_address,
  );
}

function judgeChange(before: Json, now: Json, about: string, asset: Asset, { findings }: Known): void {
  // What was delivered in a final block that the chain left is at its addresses again.
  const hash = textOf(before.transaction_hash).toLowerCase();
  const isGone =
    now.status === 'failed' && asset.chain.settledIn(hash).some(({ block }) => asset.chain.isReversed(block));
  const isFinal = before.status === 'completed' && !isGone;
  for (const name of isFinal ? [...FIXED, ...SUMS, 'status'] : FIXED) {
    findings.expect(
      before[name] === now[name],
      'a settlement keeps what was settled',
      about,
      `${name} ${String(before[name])}`,
      String(now[name]),
    );
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
  const { findings } = known;
  const hash = textOf(record.transaction_hash).toLowerCase();
  const address = textOf(record.settlement_address).toLowerCase();
  const paid = payoutsOf(accountId, asset, known, asset.chain.settledIn(hash));
  const isOpen = known.mayHide({ accountId });
  if (paid.length === 0) {
    const isThere = asset.chain.settledIn(hash).length > 0;
    findings.expect(
      isThere && isOpen,
      'a completed settlement is on the chain',
      about,
      'Settled events of its transaction',
      record,
    );
    return;
  }
  const isFinal = paid.some(({ block }) => asset.chain.firstFinal(block) !== undefined);
  findings.expect(isFinal, 'a settlement is completed by a final block', about, 'a final block', record);
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
        transfer.from.toLowerCase() === fact.forwarder.toLowerCase() &&
        transfer.to.toLowerCase() === address,
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
  findings.expect(isWhole || isPart || isOpen, 'a settlement is what forwarders paid', about, expected, [
    record.amount,
    record.fee_amount,
  ]);
}

/** A completed settlement did not change last before the first of its blocks was final. */
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
  known.findings.expect(
    moments.length === 0 || changed === null || changed >= first,
    'a settlement is completed by a final block',
    about,
    `at ${new Date(first).toISOString()} or later`,
    record.updated_at,
  );
}

const list: Rule = {
  verdict: (heard, known) => together(pathAccountVerdict(heard, known), pageVerdict(heard, 1, false), open()),
  done: (heard, data, known) => {
    const page = pageOf(data, heard, known);
    if (page === undefined) return;
    const ids = page.items.map((item) => takeSettlement(item, heard, known));
    const account = heard.params.account!;
    known.findings.expect(
      new Set(ids).size === ids.length,
      'a list shows nothing twice',
      `settlements of ${account}`,
      'distinct ids',
      ids,
    );
    if (!isAtRest(known, heard.exchange.sentAt)) return;
    const seen = known.settlements.restSeen.get(account) ?? new Set();
    for (const id of ids) seen.add(id);
    known.settlements.restSeen.set(account, seen);
    known.settlements.restTotals.set(account, page.total);
  },
};

/** Addresses that are shown are those of the terms. */
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
      known.findings.expect(
        is,
        'settlement addresses shown are those of the terms',
        `account ${account?.id}`,
        named,
        shown,
      );
    }
  },
};

export const settlementRules: readonly (readonly [string, Rule])[] = [
  ['list settlements', list],
  ['list settlement addresses', addresses],
];
