import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { AdvancedBatch } from '#contexts/settlement/application/settling/advance-batch.js';
import type { RunPlan } from '#contexts/settlement/application/settling/plan-run.js';
import type { SettlementRun } from '#contexts/settlement/application/settling/run-settlement.js';
import type { SettlingView } from '#contexts/settlement/application/settling/show-settling.js';
import type { Batch } from '#contexts/settlement/domain/settling/batch.js';
import type { WaitingSum } from '#contexts/settlement/domain/settling/due-money.js';
import type { Difference, FailingTerms } from '#contexts/settlement/domain/settling/set-aside.js';
import { formatAmount } from '#shared/kernel/amount.js';

const GWEI_DECIMALS = 9;

export function presentSettling(view: SettlingView) {
  const { network, policy, gasPrice, problem, waiting, batches, setAside, failingTerms } = view;
  return {
    network,
    every_seconds: policy.everySeconds,
    max_gas_share_percent: policy.maxGasSharePercent,
    after_hours: policy.afterHours,
    paused: policy.isPaused,
    gas_price_gwei: gasPrice === null ? null : formatAmount(gasPrice, GWEI_DECIMALS),
    problem,
    waiting: waiting.map(presentSum),
    last_batches: batches.map(presentBatch),
    set_aside: setAside.map(({ since, times, retryAt, ...difference }) => ({
      ...presentDifference(difference),
      times,
      since: since.toISOString(),
      retry_at: retryAt.toISOString(),
    })),
    failing_terms: failingTerms.map(presentTerms),
  };
}

/** @param waiting all that waits on the network */
export function presentPlan(
  { terms, batches, differences, awaitingLook }: RunPlan,
  waiting: readonly WaitingSum[],
) {
  const { gasPrice, nativeCoin } = terms;
  const gas = batches.reduce((sum, { call }) => sum + call.gas, 0n);
  return {
    would_pay_out: sumsOf(batches.flatMap(({ payouts }) => payouts)),
    batches: batches.map(({ payouts, call }) => ({ payouts: payouts.length, gas_limit: Number(call.gas) })),
    gas_price_gwei: formatAmount(gasPrice, GWEI_DECIMALS),
    highest_cost: formatAmount(gas * gasPrice, nativeCoin?.decimals ?? 2 * GWEI_DECIMALS),
    left_out: waiting.filter(({ standing }) => standing !== 'due').map(presentSum),
    awaiting_a_look_for_internal_transfers: awaitingLook.length,
    not_as_planned: differences.map(presentDifference),
  };
}

export function presentRun({ plan, setAside, refusedFees, sent }: SettlementRun) {
  return {
    sent: sent && presentSent(sent),
    set_aside: setAside.map(presentDifference),
    refused_fees: refusedFees.map(({ depositAddress, asset, terms }) => ({
      address: addressForPeople(depositAddress),
      unique_asset_id: asset.uniqueAssetId,
      fee_recipient: addressForPeople(terms.feeRecipient),
    })),
    awaiting_a_look_for_internal_transfers: plan.awaitingLook.length,
  };
}

function presentSent({ batch, state, refused, failing }: AdvancedBatch) {
  return { ...presentBatch({ ...batch, state }), refused, failing_terms: failing.map(presentTerms) };
}

function presentTerms({ settlementAddress, uniqueAssetId, says, times, failedAt, retryAt }: FailingTerms) {
  const terms = {
    settlement_address: addressForPeople(settlementAddress),
    unique_asset_id: uniqueAssetId,
    says,
    times,
  };
  return { ...terms, failed_at: failedAt.toISOString(), retry_at: retryAt?.toISOString() ?? null };
}

function presentBatch({ id, state, payoutCount, transactionHash, createdAt, updatedAt }: Batch) {
  return {
    id,
    state,
    payouts: payoutCount,
    transaction_hash: transactionHash,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function presentSum({ uniqueAssetId, currency, decimals, standing, addresses, amount, oldest }: WaitingSum) {
  const sum = { amount: formatAmount(amount, decimals), currency, addresses, oldest: oldest.toISOString() };
  return { unique_asset_id: uniqueAssetId, standing, ...sum };
}

function presentDifference({ address, uniqueAssetId, reason, says }: Difference) {
  return { address: addressForPeople(address), unique_asset_id: uniqueAssetId, reason, says };
}

function sumsOf(payouts: RunPlan['batches'][number]['payouts']) {
  return [...Map.groupBy(payouts, ({ asset }) => asset)].map(([asset, of]) => {
    const total = (amounts: bigint[]) =>
      formatAmount(
        amounts.reduce((sum, amount) => sum + amount, 0n),
        asset.decimals,
      );
    return {
      unique_asset_id: asset.uniqueAssetId,
      currency: asset.symbol,
      addresses: of.length,
      to_settlement: total(of.map(({ toSettlement }) => toSettlement)),
      to_fee: total(of.map(({ toFee }) => toFee)),
    };
  });
}
