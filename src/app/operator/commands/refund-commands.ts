import type { INestApplicationContext } from '@nestjs/common';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { AllotRefundFloat } from '#contexts/settlement/application/refunds/floats/allot-refund-float.js';
import { OpenOrganizationFloat } from '#contexts/settlement/application/refunds/floats/open-organization-float.js';
import { ReplaceRefundFloat } from '#contexts/settlement/application/refunds/floats/replace-refund-float.js';
import { SetRefundBasis } from '#contexts/settlement/application/refunds/set-refund-basis.js';
import { SetRefundLimit } from '#contexts/settlement/application/refunds/set-refund-limit.js';
import { ShowRefundFloats } from '#contexts/settlement/application/refunds/floats/show-refund-floats.js';
import { WithdrawRefundFloat } from '#contexts/settlement/application/refunds/floats/withdraw-refund-float.js';
import { RefundLimits } from '#contexts/settlement/domain/refunds/refund-limits.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { Command, Foretold } from '../command.js';
import type { CommandArguments } from '../command-arguments.js';
import { organizationName } from './organization-name.js';
import { presentAllotment, presentFloat, presentLimit } from './present-refunds.js';

const organization = { value: 'id', about: 'whose floats or limits', required: true } as const;

export const refundCommands: Command[] = [
  {
    words: 'float status',
    about: 'Show refund floats: what they hold, what is reserved, and what they pay.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
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
    changes: {
      what: 'the address of a refund float',
      undo: 'float replace, once the key of floats was replaced.',
      audited: 'with it',
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f base',
    arguments: { organization: 'id of its organization', network: 'its name in NETWORKS_FILE' },
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
    changes: {
      what: 'the address that refunds are paid from',
      irreversible: 'What the replaced float holds stays at its address, under its own key.',
      audited: 'with it',
      foretell: foretellReplacement,
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f base',
    arguments: { organization: 'id of its organization', network: 'its name in NETWORKS_FILE' },
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
    changes: {
      what: 'what a refund float holds',
      irreversible: 'A payment on a chain does not come back.',
      audited: 'around it',
      foretell: foretellWithdrawal,
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
    words: 'float allot',
    about: 'Say how much of the float an account may refund in all of what is paid to the account itself.',
    changes: {
      what: 'what an account may take of a refund float',
      undo: 'allot another amount; refunds that were approved meanwhile stand.',
      audited: 'with it',
    },
    example:
      '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90 nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 500',
    arguments: {
      organization: 'id of its organization',
      account: 'id of the account',
      'unique-asset-id': 'of the asset',
      amount: 'decimal: in all, since the beginning',
    },
    async run(context, args) {
      const allotment = await context.get(AllotRefundFloat, { strict: false }).execute({
        ...accountAsset(args, 'unique-asset-id'),
        amount: args.text('amount'),
      });
      const asset = context.get(NetworkCatalogue, { strict: false }).asset(allotment.uniqueAssetId)!;
      return { data: presentAllotment({ ...allotment, asset }) };
    },
  },
  {
    words: 'float basis',
    about: 'Say what bounds refunds of what is paid to an account’s own settlement address.',
    changes: {
      what: 'what bounds such refunds',
      undo: 'set the other one; refunds that were approved meanwhile stand.',
      audited: 'with it',
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f received',
    arguments: {
      organization: 'id of its organization',
      basis: 'topped_up: what the account is allotted; received: what the payment request received',
    },
    async run(context, args) {
      const organizationId = args.id<OrganizationId>('organization');
      const name = await organizationName(context, organizationId);
      const basis = await context
        .get(SetRefundBasis, { strict: false })
        .execute({ organizationId, basis: args.text('basis'), actor: args.actor });
      return { data: { organization_id: organizationId, organization: name, refund_basis: basis } };
    },
  },
  {
    words: 'refund-limits set',
    about: 'Say what an account may refund of an asset within 24 hours, and what needs no approval.',
    changes: {
      what: 'what an account may refund',
      undo: 'set other limits; refunds that were approved meanwhile stand.',
      audited: 'with it',
    },
    example:
      '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --account 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --asset nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 --per-day 1000',
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
        ...accountAsset(args, 'asset'),
        perDay: args.optional('per-day'),
        automaticBelow: args.optional('automatic-below'),
      });
      return { data: presentLimit(limit, context.get(NetworkCatalogue, { strict: false })) };
    },
  },
  {
    words: 'refund-limits list',
    about: 'List the limits of an organization’s accounts.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
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

/** The account and asset for which something is set, and the operator who sets it. */
function accountAsset(args: CommandArguments, asset: 'asset' | 'unique-asset-id') {
  return {
    organizationId: args.id<OrganizationId>('organization'),
    accountId: args.id<AccountId>('account'),
    uniqueAssetId: args.text(asset),
    actor: args.actor,
  };
}

async function foretellReplacement(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<Foretold> {
  const name = await organizationName(context, args.id('organization'));
  return {
    says: `Refunds of "${name}" on ${args.text('network')} will be paid from another address, by the key that is set now.`,
    type: name,
  };
}

async function foretellWithdrawal(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<Foretold> {
  const name = await organizationName(context, args.id('organization'));
  const asset = context.get(NetworkCatalogue, { strict: false }).asset(args.text('unique-asset-id'));
  const sum = `${args.text('amount')} ${asset?.symbol ?? args.text('unique-asset-id')}`;
  return {
    says: `${sum} of the refund float of "${name}" on ${args.text('network')} will be paid to its settlement address.`,
    type: name,
  };
}
