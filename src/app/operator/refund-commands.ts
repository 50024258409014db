import { addressForPeople } from '../../contexts/networks/contract/address-spelling.js';
import { OpenOrganizationFloat } from '../../contexts/settlement/application/refunds/open-organization-float.js';
import { ReplaceRefundFloat } from '../../contexts/settlement/application/refunds/replace-refund-float.js';
import { SetRefundLimit } from '../../contexts/settlement/application/refunds/set-refund-limit.js';
import {
  type ShownFloat,
  ShowRefundFloats,
} from '../../contexts/settlement/application/refunds/show-refund-floats.js';
import { WithdrawRefundFloat } from '../../contexts/settlement/application/refunds/withdraw-refund-float.js';
import { type RefundLimit, RefundLimits } from '../../contexts/settlement/domain/refunds/refund-limits.js';
import { NetworkCatalogue } from '../../contexts/networks/contract/network-catalogue.js';
import { formatAmount } from '../../shared/kernel/amount.js';
import type { AccountId, OrganizationId } from '../../shared/kernel/ids.js';
import type { Command } from './command.js';

const organization = { value: 'id', about: 'whose floats or limits', required: true } as const;

export const refundCommands: Command[] = [
  {
    words: 'float status',
    about: 'Show refund floats: what they hold, what is reserved, and what they pay.',
    options: { organization: { value: 'id', about: 'those of one organization alone' } },
    async run(context, args) {
      const owner = args.optionalId<OrganizationId>('organization') ?? null;
      const floats = await context.get(ShowRefundFloats, { strict: false }).execute(owner);
      return { data: floats.map(presentFloat), ...(floats.length === 0 && { note: 'There is no float.' }) };
    },
  },
  {
    words: 'float open',
    about: 'Say the address of an organization’s refund float, to be topped up; wants the key of floats.',
    arguments: ['organization', 'network'],
    async run(context, args) {
      const { network, address } = await context
        .get(OpenOrganizationFloat, { strict: false })
        .execute(args.id<OrganizationId>('organization'), args.text('network'));
      return { data: { network, address: addressForPeople(address!) } };
    },
  },
  {
    words: 'float replace',
    about: 'Pay refunds from another address, by the key that is set now; who ordered it is kept.',
    arguments: ['organization', 'network'],
    async run(context, args) {
      const { network, address } = await context.get(ReplaceRefundFloat, { strict: false }).execute({
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
    arguments: ['organization', 'network', 'unique-asset-id', 'amount'],
    async run(context, args) {
      const { id, asset, amount, floatAddress, to } = await context
        .get(WithdrawRefundFloat, { strict: false })
        .execute({
          organizationId: args.id<OrganizationId>('organization'),
          network: args.text('network'),
          uniqueAssetId: args.text('unique-asset-id'),
          amount: args.text('amount'),
          actor: args.actor,
        });
      return {
        data: {
          ...{ id, network: asset.network, currency: asset.symbol },
          amount: formatAmount(amount, asset.decimals),
          ...{ from: addressForPeople(floatAddress), to: addressForPeople(to) },
        },
        note: 'A worker pays it; float status shows what becomes of it.',
      };
    },
  },
  {
    words: 'refund-limits set',
    about: 'Say what an account may refund of an asset within 24 hours, and what needs no approval.',
    options: {
      organization,
      account: { value: 'id', about: 'account', required: true },
      asset: { value: 'unique-asset-id', about: 'asset', required: true },
      'per-day': { value: 'amount', about: 'most within 24 hours; no limit but the float unless set' },
      'automatic-below': {
        value: 'amount',
        about: 'claimed refunds below it are approved at once; 0 unless set: none is',
      },
    },
    async run(context, args) {
      const limit = await context.get(SetRefundLimit, { strict: false }).execute({
        organizationId: args.id<OrganizationId>('organization'),
        accountId: args.id<AccountId>('account'),
        uniqueAssetId: args.text('asset'),
        perDay: args.optional('per-day'),
        automaticBelow: args.optional('automatic-below'),
        actor: args.actor,
      });
      return { data: presentLimit(limit, context.get(NetworkCatalogue, { strict: false })) };
    },
  },
  {
    words: 'refund-limits list',
    about: 'List the limits of an organization’s accounts.',
    options: { organization },
    async run(context, args) {
      const limits = await context
        .get(RefundLimits, { strict: false })
        .list(args.id<OrganizationId>('organization'));
      const catalogue = context.get(NetworkCatalogue, { strict: false });
      return { data: limits.map((limit) => presentLimit(limit, catalogue)) };
    },
  },
];

function presentFloat({ float, holdings, payouts }: ShownFloat) {
  return {
    organization_id: float.organizationId,
    network: float.network,
    address: float.address === null ? null : addressForPeople(float.address),
    replaced_at: float.replacedAt?.toISOString() ?? null,
    holdings: holdings.map((holding) => {
      // Of what is not catalogued, smallest units.
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
    }),
    payouts: payouts.map((payout) => ({
      ...{ id: payout.id, kind: payout.kind, status: payout.status, currency: payout.currency },
      amount: formatAmount(payout.amount, payout.decimals),
      to: addressForPeople(payout.to),
      ...{ held: payout.held, failure: payout.failure, transaction_hash: payout.transactionHash },
      ...{ ordered_by: payout.orderedBy, created_at: payout.createdAt.toISOString() },
    })),
  };
}

function presentLimit(limit: RefundLimit, catalogue: NetworkCatalogue) {
  const decimals = catalogue.asset(limit.uniqueAssetId)?.decimals ?? 0;
  return {
    account_id: limit.accountId,
    unique_asset_id: limit.uniqueAssetId,
    per_day: limit.perDay === null ? null : formatAmount(limit.perDay, decimals),
    automatic_below: formatAmount(limit.automaticBelow, decimals),
    set_by: limit.setBy,
    updated_at: limit.updatedAt.toISOString(),
  };
}
