import type { INestApplicationContext } from '@nestjs/common';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { SettlementTermsRecords } from '#contexts/point-of-sale/infrastructure/persistence/settlement-terms-records.js';
import type { SettlementTermsRecord } from '#contexts/point-of-sale/domain/settlement-terms.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { selectFields } from '../command-result.js';
import { type CommandArguments, ORGANIZATION_OPTION, type ServiceCommand, UsageError } from '../command.js';
import { findOrganizationName } from './organization-commands.js';

export const settlementTermsCommands: ServiceCommand[] = [
  {
    words: 'settlement-terms set',
    about: 'Set the address that receives settlements on a network, for new payment requests.',
    changes: {
      what: 'the settlement address and the fee',
      irreversible: 'Deposit addresses created under these terms keep them permanently.',
      audited: 'with it',
      async preview(context, args) {
        rejectWalletNetworks(context, args);
        const name = await findOrganizationName(context, args.id('organization'));
        const account = args.optionalId<AccountId>('account');
        const whose = account === undefined ? `"${name}"` : `the account ${account} of "${name}"`;
        const basisPoints = args.integer('fee-basis-points') ?? 0;
        const fee =
          basisPoints === 0
            ? 'without a fee'
            : `minus a fee of ${basisPoints / 100} % to ${args.text('fee-recipient')}`;
        return {
          effect: `New payments to ${whose} on ${args.text('network')} will be settled to ${args.text('address')}, ${fee}.`,
          confirmedBy: name,
        };
      },
    },
    example:
      '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network base --address 0x52908400098527886E0F7030069857D2E4169EE7',
    options: {
      organization: ORGANIZATION_OPTION,
      account: { value: 'id', about: 'only for this account (default: the whole organization)' },
      network: { value: 'name', about: 'name of the network', required: true },
      address: { value: '0x…', about: 'settlement address', required: true },
      'fee-recipient': { value: '0x…', about: 'address that receives the fee; required with a fee' },
      'fee-basis-points': {
        value: 'n',
        about: 'fee in basis points of the settled amount, 0 to 10000 (default: 0)',
      },
    },
    async run(context, args) {
      rejectWalletNetworks(context, args);
      const terms = await context.get(SetSettlementTerms).set({
        organizationId: args.id<OrganizationId>('organization'),
        accountId: args.optionalId<AccountId>('account'),
        network: args.text('network'),
        settlementAddress: args.text('address'),
        feeRecipient: args.optional('fee-recipient'),
        feeBasisPoints: args.integer('fee-basis-points') ?? 0,
        actor: args.actor,
      });
      return { data: presentTermsRecord(terms) };
    },
  },
  {
    words: 'settlement-terms list',
    about: 'List the current settlement terms of an organization and its accounts.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization: ORGANIZATION_OPTION },
    async run(context, args) {
      const owner = args.id<OrganizationId>('organization');
      const found = await context.get(SettlementTermsRecords).listCurrent(owner);
      return { data: found.map(presentTermsRecord) };
    },
  },
  {
    words: 'settlement-terms history',
    about: 'List all settlement terms of an organization and its accounts, newest first.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network base',
    options: {
      organization: ORGANIZATION_OPTION,
      network: { value: 'name', about: 'show only terms on this network' },
    },
    async run(context, args) {
      const owner = args.id<OrganizationId>('organization');
      const network = args.optional('network') ?? null;
      const found = await context.get(SettlementTermsRecords).listHistory(owner, network);
      return { data: found.map(presentTermsRecord) };
    },
  },
];

/** There, `descriptor set` sets the terms, because it displays addresses to compare. */
function rejectWalletNetworks(context: INestApplicationContext, args: CommandArguments): void {
  const network = args.text('network');
  if (context.get(NetworkCatalogue).network(network)?.deliversDirectly !== true) return;
  throw new UsageError(`On ${network}, payers pay directly to the merchant’s wallet. Use descriptor set.`);
}

function presentTermsRecord(terms: SettlementTermsRecord) {
  return {
    ...selectFields(terms, 'id', 'organizationId', 'accountId', 'network', 'settlementAddress'),
    ...selectFields(terms, 'feeRecipient', 'feeBasisPoints', 'setBy', 'createdAt'),
  };
}
