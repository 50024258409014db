import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { AllotRefundFloat } from '#contexts/settlement/application/refunds/floats/allot-refund-float.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { SetRefundLimitBasis } from '#contexts/settlement/application/refunds/set-refund-limit-basis.js';
import { SetRefundLimit } from '#contexts/settlement/application/refunds/set-refund-limit.js';
import type { RefundLimit } from '#contexts/settlement/domain/refunds/refund-limits.js';
import { RefundLimits } from '#contexts/settlement/infrastructure/refunds/persistence/refund-limits.js';
import { RefundQueries } from '#contexts/settlement/infrastructure/refunds/persistence/refund-queries.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { selectFields } from '../command-result.js';
import { type CommandArguments, ORGANIZATION_OPTION, type ServiceCommand } from '../command.js';
import { findOrganizationName } from '../merchants/organization-commands.js';
import { formatPreviewAmount, presentAllotment } from './float-commands.js';

export const refundCommands: ServiceCommand[] = [
  {
    words: 'float allot',
    about:
      'Set the total that an account may refund from the float for payments to its own settlement address.',
    changes: {
      what: 'the allotment of an account',
      undo: 'allot another amount; refunds already approved stay approved.',
      audited: 'with it',
    },
    example:
      '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90 nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 500',
    arguments: {
      organization: 'id of the organization',
      account: 'id of the account',
      'unique-asset-id': 'id of the asset',
      amount: 'decimal amount: the total since the beginning, not an increment',
    },
    async run(context, args) {
      const allotment = await context.get(AllotRefundFloat).allot({
        ...accountAndAssetOf(args, 'unique-asset-id'),
        amount: args.amount('amount'),
      });
      const asset = context.get(NetworkCatalogue).asset(allotment.uniqueAssetId)!;
      return { data: presentAllotment({ ...allotment, asset }) };
    },
  },
  {
    words: 'float basis',
    about: 'Set what limits an account’s refunds of payments to its own settlement address.',
    changes: {
      what: 'what limits refunds by accounts',
      undo: 'set the other basis; refunds already approved stay approved.',
      audited: 'with it',
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f received',
    arguments: {
      organization: 'id of the organization',
      basis:
        'topped_up: the allotment of the account; received: the amount that the payment request received',
    },
    async run(context, args) {
      const organizationId = args.id<OrganizationId>('organization');
      const name = await findOrganizationName(context, organizationId);
      const basis = await context
        .get(SetRefundLimitBasis)
        .set({ organizationId, basis: args.text('basis'), actor: args.actor });
      return { data: { organization_id: organizationId, organization: name, refund_basis: basis } };
    },
  },
  {
    words: 'refund-limits set',
    about:
      'Set how much of an asset an account may refund in 24 hours, and the amount that needs no approval.',
    changes: {
      what: 'the refund limits of an account',
      undo: 'set other limits; refunds already approved stay approved.',
      audited: 'with it',
    },
    example:
      '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --account 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --asset nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 --per-day 1000',
    options: {
      organization: ORGANIZATION_OPTION,
      account: { value: 'id', about: 'id of the account', required: true },
      asset: { value: 'unique-asset-id', about: 'id of the asset', required: true },
      'per-day': { value: 'amount', about: 'maximum in 24 hours (default: only limited by the float)' },
      'automatic-below': {
        value: 'amount',
        about: 'claimed refunds below this amount are approved automatically (default: 0, none)',
      },
    },
    async run(context, args) {
      const limit = await context.get(SetRefundLimit).set({
        ...accountAndAssetOf(args, 'asset'),
        perDay: args.optionalAmount('per-day'),
        automaticBelow: args.optionalAmount('automatic-below'),
      });
      return { data: presentLimit(limit, context.get(NetworkCatalogue)) };
    },
  },
  {
    words: 'refund-limits list',
    about: 'List the refund limits of an organization’s accounts.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization: ORGANIZATION_OPTION },
    async run(context, args) {
      const limits = await context.get(RefundLimits).list(args.id<OrganizationId>('organization'));
      const catalogue = context.get(NetworkCatalogue);
      return { data: limits.map((limit) => presentLimit(limit, catalogue)) };
    },
  },
  {
    words: 'refund cancel',
    about: 'Cancel a refund that is pending, or approved without a reserved nonce.',
    changes: {
      what: 'a refund',
      irreversible: 'A cancelled refund is never paid. You can create another refund of the payment request.',
      audited: 'with it',
      async preview(context, args) {
        const name = await findOrganizationName(context, args.id('organization'));
        const refund = await context.get(RefundQueries).find(accountScopeOf(args), args.id('refund'));
        return {
          effect: `The refund of ${formatPreviewAmount(refund)} by "${name}" will be cancelled.`,
          confirmedBy: name,
        };
      },
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    arguments: { organization: 'id of the organization', refund: 'id of the refund' },
    async run(context, args) {
      const { id, status, failure } = await context
        .get(CancelRefund)
        .cancel(accountScopeOf(args), args.id('refund'), { failure: 'The operator cancelled the refund.' });
      return { data: { id, status, failure } };
    },
  },
];

function accountAndAssetOf(args: CommandArguments, asset: 'asset' | 'unique-asset-id') {
  return {
    organizationId: args.id<OrganizationId>('organization'),
    accountId: args.id<AccountId>('account'),
    uniqueAssetId: args.text(asset),
    actor: args.actor,
  };
}

function accountScopeOf(args: CommandArguments): TenantScope {
  return { organizationId: args.id<OrganizationId>('organization'), accountId: null };
}

function presentLimit(limit: RefundLimit, catalogue: NetworkCatalogue) {
  const decimals = catalogue.asset(limit.uniqueAssetId)?.decimals ?? 0;
  return {
    ...selectFields(limit, 'accountId', 'uniqueAssetId'),
    per_day: limit.perDay === null ? null : formatAmount(limit.perDay, decimals),
    automatic_below: formatAmount(limit.automaticBelow, decimals),
    ...selectFields(limit, 'setBy', 'updatedAt'),
  };
}
