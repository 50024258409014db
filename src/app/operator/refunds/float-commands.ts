import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { CancelFloatWithdrawal } from '#contexts/settlement/application/refunds/floats/cancel-float-withdrawal.js';
import { OpenOrganizationFloat } from '#contexts/settlement/application/refunds/floats/open-organization-float.js';
import { ReplaceRefundFloat } from '#contexts/settlement/application/refunds/floats/replace-refund-float.js';
import {
  ShowRefundFloats,
  type RefundFloatView,
} from '#contexts/settlement/application/refunds/floats/show-refund-floats.js';
import { WithdrawRefundFloat } from '#contexts/settlement/application/refunds/floats/withdraw-refund-float.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { selectFields } from '../command-result.js';
import type { ServiceCommand } from '../command.js';
import { findOrganizationName } from '../merchants/organization-commands.js';

export const floatCommands: ServiceCommand[] = [
  {
    words: 'float status',
    about: 'Show refund floats with their balances, reserved amounts and payouts.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization: { value: 'id', about: 'show only this organization' } },
    async run(context, args) {
      const owner = args.optionalId<OrganizationId>('organization') ?? null;
      const floats = await context.get(ShowRefundFloats).show(owner);
      return {
        data: floats.map(presentFloat),
        note: floats.length === 0 ? 'There are no refund floats.' : undefined,
      };
    },
  },
  {
    words: 'float open',
    about: 'Show the address at which an organization tops up its refund float. Requires the float key.',
    changes: {
      what: 'the address of a refund float',
      undo: 'change the float key, then run float replace.',
      audited: 'with it',
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f base',
    arguments: { organization: 'id of the organization', network: 'name of the network in NETWORKS_FILE' },
    async run(context, args) {
      const { network, address } = await context
        .get(OpenOrganizationFloat)
        .open(args.id<OrganizationId>('organization'), args.text('network'));
      return { data: { network, address: toDisplayAddress(address!) } };
    },
  },
  {
    words: 'float replace',
    about: 'Move a refund float to the address of the current float key. The actor is recorded.',
    changes: {
      what: 'the address that pays refunds',
      irreversible: 'The balance of the replaced float stays at its address and needs its own key.',
      audited: 'with it',
      async preview(context, args) {
        const name = await findOrganizationName(context, args.id('organization'));
        return {
          effect: `Refunds by "${name}" on ${args.text('network')} will be paid from the address of the current float key.`,
          confirmedBy: name,
        };
      },
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f base',
    arguments: { organization: 'id of the organization', network: 'name of the network in NETWORKS_FILE' },
    async run(context, args) {
      const { network, address } = await context.get(ReplaceRefundFloat).replace({
        organizationId: args.id<OrganizationId>('organization'),
        network: args.text('network'),
        actor: args.actor,
      });
      return {
        data: { network, address: toDisplayAddress(address!) },
        note: 'The balance of the replaced float stays at its address and needs its own key.',
      };
    },
  },
  {
    words: 'float withdraw',
    about: 'Withdraw from a refund float to the organization’s settlement address. The actor is recorded.',
    changes: {
      what: 'the balance of a refund float',
      irreversible: 'A transfer on a chain cannot be reversed.',
      audited: 'around it',
      async preview(context, args) {
        const name = await findOrganizationName(context, args.id('organization'));
        const asset = context.get(NetworkCatalogue).asset(args.text('unique-asset-id'));
        const sum = `${args.amount('amount')} ${asset?.symbol ?? args.text('unique-asset-id')}`;
        return {
          effect: `${sum} from the refund float of "${name}" on ${args.text('network')} will be paid to its settlement address.`,
          confirmedBy: name,
        };
      },
    },
    example:
      '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f base nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 250.00',
    arguments: {
      organization: 'id of the organization',
      network: 'name of the network in NETWORKS_FILE',
      'unique-asset-id': 'id of the asset',
      amount: 'decimal amount, or all',
    },
    async run(context, args) {
      const { id, asset, amount, floatAddress, to } = await context.get(WithdrawRefundFloat).withdraw({
        organizationId: args.id<OrganizationId>('organization'),
        network: args.text('network'),
        uniqueAssetId: args.text('unique-asset-id'),
        amount: args.amount('amount'),
        actor: args.actor,
      });
      return {
        data: {
          id,
          network: asset.network,
          currency: asset.symbol,
          amount: formatAmount(amount, asset.decimals),
          from: toDisplayAddress(floatAddress),
          to: toDisplayAddress(to),
        },
        note: 'A worker sends the withdrawal. float status shows its progress.',
      };
    },
  },
  {
    words: 'float cancel',
    about: 'Cancel a withdrawal from a refund float before a nonce is reserved for it.',
    changes: {
      what: 'a withdrawal from a refund float',
      irreversible: 'A cancelled withdrawal is never paid. You can order another one.',
      audited: 'with it',
      async preview(context, args) {
        const withdrawal = await context.get(CancelFloatWithdrawal).find(args.id('payout'));
        const name = await findOrganizationName(context, withdrawal.organizationId);
        return {
          effect: `The withdrawal of ${formatPreviewAmount(withdrawal)} from the refund float of "${name}" will be cancelled.`,
          confirmedBy: name,
        };
      },
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    arguments: { payout: 'id of the withdrawal, from float status' },
    async run(context, args) {
      const { id } = await context.get(CancelFloatWithdrawal).cancel(args.id('payout'), args.actor);
      return { data: { id, status: 'failed' } };
    },
  },
];

export function formatPreviewAmount({
  amount,
  asset,
}: {
  amount: bigint;
  asset: Pick<Asset, 'decimals' | 'symbol'>;
}): string {
  return `${formatAmount(amount, asset.decimals)} ${asset.symbol}`;
}

function presentFloat({ float, holdings, payouts, basis, allotments }: RefundFloatView) {
  return {
    ...selectFields(float, 'organizationId', 'network'),
    address: float.address === null ? null : toDisplayAddress(float.address),
    replaced_at: float.replacedAt,
    refund_basis: basis,
    allotments: allotments.map(presentAllotment),
    holdings: holdings.map(presentHolding),
    payouts: payouts.map((payout) => ({
      ...selectFields(payout, 'id', 'kind', 'status', 'currency'),
      amount: formatAmount(payout.amount, payout.decimals),
      to: toDisplayAddress(payout.to),
      ...selectFields(payout, 'held', 'failure', 'transactionHash', 'orderedBy', 'createdAt'),
    })),
  };
}

function presentHolding(holding: RefundFloatView['holdings'][number]) {
  const shown = (units: bigint) => formatAmount(units, holding.asset?.decimals ?? 0);
  return {
    currency: holding.asset?.symbol ?? holding.holding,
    available: shown(holding.available),
    reserved: shown(holding.reserved),
    topped_up: shown(holding.toppedUp),
    refunded: shown(holding.refunded),
    withdrawn: shown(holding.withdrawn),
    gas: shown(holding.gas),
    missing: shown(holding.missing),
    balance: holding.balance === null ? null : shown(holding.balance),
    block: holding.blockNumber,
  };
}

export function presentAllotment({
  accountId,
  asset,
  allotted,
  used,
}: RefundFloatView['allotments'][number]) {
  return {
    account_id: accountId,
    currency: asset.symbol,
    allotted: formatAmount(allotted, asset.decimals),
    used: formatAmount(used, asset.decimals),
    left: formatAmount(allotted - used, asset.decimals),
  };
}
