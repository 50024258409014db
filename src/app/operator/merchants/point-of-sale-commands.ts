import { CreatePointOfSale } from '#contexts/point-of-sale/application/create-point-of-sale.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { PointsOfSaleRecords } from '#contexts/point-of-sale/infrastructure/persistence/points-of-sale-records.js';
import type { PointOfSale } from '#contexts/point-of-sale/domain/point-of-sale.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { selectFields } from '../command-result.js';
import { ORGANIZATION_OPTION, PAGE_OPTIONS, commandResultOfPage, type ServiceCommand } from '../command.js';

export const pointOfSaleCommands: ServiceCommand[] = [
  {
    words: 'pos create',
    about: 'Create a point of sale for an account.',
    changes: {
      what: 'the points of sale of an account',
      undo: 'cannot be deleted; an unused point of sale collects nothing.',
      audited: 'with it',
    },
    example:
      "--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --account 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --name 'Web shop' --payment-options nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    options: {
      organization: ORGANIZATION_OPTION,
      account: { value: 'id', about: 'id of the account', required: true },
      name: { value: 'name', about: 'name of the point of sale', required: true },
      'payment-options': {
        value: 'a,b',
        about: 'unique asset ids that the point of sale accepts',
        required: true,
      },
      type: { value: 'online|physical', about: 'type (default: online)' },
      'merchant-name': { value: 'name', about: 'name that payers see (default: the name)' },
      'merchant-description': { value: 'text', about: 'description that payers see' },
      'merchant-tax-id': { value: 'id', about: 'tax id that payers see' },
      'merchant-image': { value: 'url', about: 'https URL of the logo' },
      'merchant-mcc': { value: 'code', about: 'merchant category code (four digits)' },
      'return-url': { value: 'url', about: 'https URL to which the hosted checkout returns' },
      'frame-origins': { value: 'a,b', about: 'https origins that may embed the hosted checkout' },
      'checkout-first': {
        value: 'address|code',
        about: 'what the hosted checkout shows first (default: address)',
      },
    },
    async run(context, args) {
      const pointOfSale = await context.get(CreatePointOfSale).create({
        scope: { organizationId: args.id<OrganizationId>('organization'), accountId: null },
        account: args.id<AccountId>('account'),
        name: args.text('name'),
        type: args.optional('type') ?? 'online',
        merchant: {
          name: args.optional('merchant-name') ?? args.text('name'),
          description: args.optional('merchant-description'),
          taxId: args.optional('merchant-tax-id'),
          image: args.optional('merchant-image'),
          mcc: args.optional('merchant-mcc'),
        },
        paymentOptions: args.list('payment-options') ?? [],
        returnUrl: args.optional('return-url'),
        frameOrigins: args.list('frame-origins') ?? [],
        checkoutFirst: args.optional('checkout-first'),
        actor: args.actor,
      });
      return { data: presentPointOfSale(pointOfSale) };
    },
  },
  {
    words: 'pos list',
    about: 'List the points of sale of an organization, oldest first.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: {
      organization: ORGANIZATION_OPTION,
      account: { value: 'id', about: 'show only this account' },
      ...PAGE_OPTIONS,
    },
    async run(context, args) {
      const whole = { organizationId: args.id<OrganizationId>('organization'), accountId: null };
      const account = args.optionalId<AccountId>('account');
      const scope = await context.get(AccountDirectory, { strict: false }).narrowScopeIfGiven(whole, account);
      const records = context.get(PointsOfSaleRecords, { strict: false });
      return commandResultOfPage(args, (page) => records.list(scope, page), presentPointOfSale);
    },
  },
];

function presentPointOfSale(point: PointOfSale) {
  return {
    ...selectFields(point, 'id', 'organizationId', 'accountId', 'name', 'type'),
    merchant_name: point.merchant.name,
    ...selectFields(point, 'paymentOptions', 'returnUrl', 'frameOrigins', 'checkoutFirst', 'createdAt'),
  };
}
