import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { CancelFloatWithdrawal } from '#contexts/settlement/application/refunds/floats/cancel-float-withdrawal.js';
import { OpenOrganizationFloat } from '#contexts/settlement/application/refunds/floats/open-organization-float.js';
import { ReplaceRefundFloat } from '#contexts/settlement/application/refunds/floats/replace-refund-float.js';
import {
  ShowRefundFloats,
  type ShownFloat,
} from '#contexts/settlement/application/refunds/floats/show-refund-floats.js';
import { WithdrawRefundFloat } from '#contexts/settlement/application/refunds/floats/withdraw-refund-float.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { columns } from '../answer.js';
import type { ServiceCommand } from '../command.js';
import { organizationName } from '../merchants/organization-commands.js';

export const floatCommands: ServiceCommand[] = [
  {
    words: 'float status',
    about: 'Show refund floats: what they hold, what is reserved, and what they pay.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization: { value: 'id', about: 'those of one organization alone' } },
    async run(context, args) {
      const owner = args.optionalId<OrganizationId>('organization') ?? null;
      const floats = await context.get(ShowRefundFloats).execute(owner);
      return {
        data: floats.map(presentFloat),
        note: floats.length === 0 ? 'There is no float.' : undefined,
      };
    },
  },
  {
    words: 'float open',
    about: 'Say the address of an organization’s refund float, to be topped up; wants the key of floats.',
    changes: {
      what: 'the address of a refund float',
      undo: 'float replace, once the key of floats was replaced.',
      audited: 'with it',
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f base',
    arguments: { organization: 'id of its organization', network: 'its name in NETWORKS_FILE' },
    async run(context, args) {
      const { network, address } = await context
        .get(OpenOrganizationFloat)
        .execute(args.id<OrganizationId>('organization'), args.text('network'));
      return { data: { network, address: addressForPeople(address!) } };
    },
  },
  {
    words: 'float replace',
    about: 'Pay refunds from another address, by the key that is set now; who ordered it is kept.',
    changes: {
      what: 'the address that refunds are paid from',
      irreversible: 'What the replaced float holds stays at its address, under its own key.',
      audited: 'with it',
      async preview(context, args) {
        const name = await organizationName(context, args.id('organization'));
        return {
          effect: `Refunds of "${name}" on ${args.text('network')} will be paid from another address, by the key that is set now.`,
          confirmedBy: name,
        };
      },
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f base',
    arguments: { organization: 'id of its organization', network: 'its name in NETWORKS_FILE' },
    async run(context, args) {
      const { network, address } = await context.get(ReplaceRefundFloat).execute({
        organizationId: args.id<OrganizationId>('organization'),
        network: args.text('network'),
        actor: args.actor,
      });
      return {
        data: { network, address: addressForPeople(address!) },
        note: 'What the replaced float holds stays at its address, under its own key.',
      };
    },
  },
  {
    words: 'float withdraw',
    about: 'Pay from a refund float to the organization’s settlement address; who ordered it is kept.',
    changes: {
      what: 'what a refund float holds',
      irreversible: 'A payment on a chain does not come back.',
      audited: 'around it',
      async preview(context, args) {
        const name = await organizationName(context, args.id('organization'));
        const asset = context.get(NetworkCatalogue).asset(args.text('unique-asset-id'));
        const sum = `${args.amount('amount')} ${asset?.symbol ?? args.text('unique-asset-id')}`;
        return {
          effect: `${sum} of the refund float of "${name}" on ${args.text('network')} will be paid to its settlement address.`,
          confirmedBy: name,
        };
      },
    },
    example:
      '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f base nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 250.00',
    arguments: {
      organization: 'id of its organization',
      network: 'its name in NETWORKS_FILE',
      'unique-asset-id': 'of the asset',
      amount: 'decimal, or all',
    },
    async run(context, args) {
      const { id, asset, amount, floatAddress, to } = await context.get(WithdrawRefundFloat).execute({
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
          from: addressForPeople(floatAddress),
          to: addressForPeople(to),
        },
        note: 'A worker pays it; float status shows what becomes of it.',
      };
    },
  },
  {
    words: 'float cancel',
    about: 'Fail a withdrawal from a refund float while no nonce is reserved to pay it.',
    changes: {
      what: 'a withdrawal',
      irreversible: 'A withdrawal that has failed is never paid: another one can be ordered.',
      audited: 'with it',
      async preview(context, args) {
        const withdrawal = await context.get(CancelFloatWithdrawal).find(args.id('payout'));
        const name = await organizationName(context, withdrawal.organizationId);
        return {
          effect: `The withdrawal of ${amountOf(withdrawal)} from the refund float of "${name}" will fail.`,
          confirmedBy: name,
        };
      },
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    arguments: { payout: 'id of the withdrawal, as float status shows it' },
    async run(context, args) {
      const { id } = await context.get(CancelFloatWithdrawal).execute(args.id('payout'), args.actor);
      return { data: { id, status: 'failed' } };
    },
  },
];

/** An amount of an asset, for a preview: `12.50 USDC`. */
export function amountOf({
  amount,
  asset,
}: {
  amount: bigint;
  asset: Pick<Asset, 'decimals' | 'symbol'>;
}): string {
  return `${formatAmount(amount, asset.decimals)} ${asset.symbol}`;
}

function presentFloat({ float, holdings, payouts, basis, allotments }: ShownFloat) {
  return {
    ...columns(float, 'organizationId', 'network'),
    address: float.address === null ? null : addressForPeople(float.address),
    replaced_at: float.replacedAt,
    refund_basis: basis,
    allotments: allotments.map(presentAllotment),
    holdings: holdings.map(presentHolding),
    payouts: payouts.map((payout) => ({
      ...columns(payout, 'id', 'kind', 'status', 'currency'),
      amount: formatAmount(payout.amount, payout.decimals),
      to: addressForPeople(payout.to),
      ...columns(payout, 'held', 'failure', 'transactionHash', 'orderedBy', 'createdAt'),
    })),
  };
}

function presentHolding(holding: ShownFloat['holdings'][number]) {
  // The smallest units of what is not catalogued are shown.
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

export function presentAllotment({ accountId, asset, allotted, used }: ShownFloat['allotments'][number]) {
  return {
    account_id: accountId,
    currency: asset.symbol,
    allotted: formatAmount(allotted, asset.decimals),
    used: formatAmount(used, asset.decimals),
    left: formatAmount(allotted - used, asset.decimals),
  };
}
