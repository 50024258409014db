import type { INestApplicationContext } from '@nestjs/common';
import { CheckNetworkReadiness } from '#contexts/networks/application/check-network-readiness.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import {
  GAS_KEY_NAME,
  OutboundTransactionSender,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import type { BatchProgress } from '#contexts/settlement/application/settling/advance-batch.js';
import {
  PlanSettlementRun,
  type SettlementRunPlan,
} from '#contexts/settlement/application/settling/plan-settlement-run.js';
import {
  RunSettlement,
  type SettlementRun,
} from '#contexts/settlement/application/settling/run-settlement.js';
import {
  ShowNetworkSettlement,
  type NetworkSettlementView,
} from '#contexts/settlement/application/settling/show-network-settlement.js';
import type { Batch } from '#contexts/settlement/domain/settling/batch.js';
import type { WaitingFundsTotal } from '#contexts/settlement/domain/settling/due-money.js';
import type { PlanDifference, FailingTerms } from '#contexts/settlement/domain/settling/set-aside.js';
import { SetAsidePayouts } from '#contexts/settlement/infrastructure/settling/persistence/set-aside-payouts.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { selectFields } from '../command-result.js';
import type { ServiceCommand } from '../command.js';

const GWEI_DECIMALS = 9;

/** A worker does the same at startup, before it reads the chain. */
async function verifyConfiguredChain(context: INestApplicationContext, network: string): Promise<void> {
  const { networks } = context.get(NetworksSettings);
  const configuration = networks.find((each) => each.network === network);
  if (configuration !== undefined) await context.get(CheckNetworkReadiness).check(configuration, false);
}

export const settlementCommands: ServiceCommand[] = [
  {
    words: 'settlement run',
    about: 'Settle one batch of due payouts on a network now.',
    changes: {
      what: 'the payouts that are sent (unless --dry-run)',
      irreversible: 'A settlement on a chain cannot be reversed, and costs gas.',
      audited: 'around it',
      onlyReads: (args) => args.flag('dry-run'),
      async preview(context, args) {
        const network = args.text('network');
        await verifyConfiguredChain(context, network);
        const sender = context.get(OutboundTransactionSender).addressOf(network, GAS_KEY_NAME);
        const { batches } = await context.get(PlanSettlementRun).plan(network, sender);
        const [oldest] = batches;
        if (oldest === undefined) return null;
        return {
          effect: `One batch with ${oldest.payouts.length} payouts will be sent on ${network} by ${toDisplayAddress(sender)}.`,
          confirmedBy: network,
        };
      },
    },
    example: 'base --dry-run',
    arguments: { network: 'name of the network in NETWORKS_FILE' },
    options: { 'dry-run': { about: 'only show which payouts would be sent, and why others would not' } },
    async run(context, args) {
      const network = args.text('network');
      await verifyConfiguredChain(context, network);
      if (args.flag('dry-run')) {
        const sender = context.get(OutboundTransactionSender).addressOf(network, GAS_KEY_NAME);
        const plan = await context.get(PlanSettlementRun).plan(network, sender);
        const [view] = await context.get(ShowNetworkSettlement).show(network);
        const note = plan.batches.length === 0 ? 'Nothing would be sent.' : 'Nothing was sent.';
        return { data: { from: toDisplayAddress(sender), ...presentPlan(plan, view!.waiting) }, note };
      }
      const run = await context.get(RunSettlement).run(network);
      const note =
        run.sent === null ? 'Nothing was sent, because nothing is due or a batch is in flight.' : undefined;
      return { data: presentRun(run), note };
    },
  },
  {
    words: 'settlement status',
    about: 'Show the amounts waiting at deposit addresses, the payouts set aside, and the last batches.',
    example: '--network base',
    options: { network: { value: 'name', about: 'show only this network' } },
    async run(context, args) {
      const views = await context.get(ShowNetworkSettlement).show(args.optional('network'));
      return { data: views.map(presentSettling) };
    },
  },
  {
    words: 'settlement retry',
    about: 'Retry the payouts set aside on a network now.',
    changes: {
      what: 'when payouts set aside are retried',
      undo: 'no undo needed: a payout that fails again is set aside again.',
      audited: 'with it',
    },
    example: 'base',
    arguments: { network: 'name of the network in NETWORKS_FILE' },
    async run(context, args) {
      const network = args.text('network');
      const retried = await context.get(SetAsidePayouts).endAllPauses(network);
      return { data: { network, retried } };
    },
  },
];

const formatGwei = (price: bigint) => formatAmount(price, GWEI_DECIMALS);

function presentSettling({ policy, gasPrice, ...view }: NetworkSettlementView) {
  return {
    network: view.network,
    every_seconds: policy.everySeconds,
    max_gas_share_percent: policy.maxGasSharePercent,
    after_hours: policy.afterHours,
    paused: policy.isPaused,
    gas_price_gwei: gasPrice === null ? null : formatGwei(gasPrice),
    problem: view.problem,
    waiting: view.waiting.map(presentWaitingSum),
    last_batches: view.batches.map(presentBatch),
    set_aside: view.setAside.map((payout) => ({
      ...presentDifference(payout),
      ...selectFields(payout, 'times', 'since', 'retryAt'),
    })),
    failing_terms: view.failingTerms.map(presentTerms),
  };
}

function presentPlan(
  { terms, batches, differences, awaitingComparison }: SettlementRunPlan,
  waiting: readonly WaitingFundsTotal[],
) {
  const { gasPrice, nativeCoin } = terms;
  const gas = batches.reduce((sum, { call }) => sum + call.gas, 0n);
  return {
    would_pay_out: presentPayouts(batches.flatMap(({ payouts }) => payouts)),
    batches: batches.map(({ payouts, call }) => ({ payouts: payouts.length, gas_limit: Number(call.gas) })),
    gas_price_gwei: formatGwei(gasPrice),
    highest_cost: formatAmount(gas * gasPrice, nativeCoin?.decimals ?? 2 * GWEI_DECIMALS),
    left_out: waiting.filter(({ standing }) => standing !== 'due').map(presentWaitingSum),
    awaiting_a_look_for_internal_transfers: awaitingComparison.length,
    not_as_planned: differences.map(presentDifference),
  };
}

function presentPayouts(payouts: SettlementRunPlan['batches'][number]['payouts']) {
  return [...Map.groupBy(payouts, ({ asset }) => asset)].map(([asset, its]) => {
    const total = (amountOf: (payout: (typeof its)[number]) => bigint) =>
      formatAmount(
        its.reduce((sum, payout) => sum + amountOf(payout), 0n),
        asset.decimals,
      );
    return {
      unique_asset_id: asset.uniqueAssetId,
      currency: asset.symbol,
      addresses: its.length,
      to_settlement: total(({ toSettlement }) => toSettlement),
      to_fee: total(({ toFee }) => toFee),
    };
  });
}

function presentRun({ plan, setAside, refusedFees, sent }: SettlementRun) {
  return {
    sent: sent && presentAdvancedBatch(sent),
    set_aside: setAside.map(presentDifference),
    refused_fees: refusedFees.map(({ depositAddress, asset, terms }) => ({
      address: toDisplayAddress(depositAddress),
      unique_asset_id: asset.uniqueAssetId,
      fee_recipient: toDisplayAddress(terms.feeRecipient),
    })),
    awaiting_a_look_for_internal_transfers: plan.awaitingComparison.length,
  };
}

function presentAdvancedBatch({ batch, state, refused, failing }: BatchProgress) {
  return { ...presentBatch({ ...batch, state }), refused, failing_terms: failing.map(presentTerms) };
}

function presentTerms(terms: FailingTerms) {
  return {
    settlement_address: toDisplayAddress(terms.settlementAddress),
    ...selectFields(terms, 'uniqueAssetId', 'says', 'times', 'failedAt', 'retryAt'),
  };
}

function presentBatch(batch: Batch) {
  return {
    ...selectFields(batch, 'id', 'state'),
    payouts: batch.payoutCount,
    ...selectFields(batch, 'transactionHash', 'createdAt', 'updatedAt'),
  };
}

function presentWaitingSum(sum: WaitingFundsTotal) {
  return {
    ...selectFields(sum, 'uniqueAssetId', 'standing'),
    amount: formatAmount(sum.amount, sum.decimals),
    ...selectFields(sum, 'currency', 'addresses', 'oldest'),
  };
}

function presentDifference(difference: PlanDifference) {
  return {
    address: toDisplayAddress(difference.address),
    ...selectFields(difference, 'uniqueAssetId', 'reason', 'says'),
  };
}
