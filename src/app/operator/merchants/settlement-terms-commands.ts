import type { INestApplicationContext } from '@nestjs/common';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  type SettlementTermsRecord,
  SettlementTermsRecords,
} from '#contexts/point-of-sale/domain/settlement-terms.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { columns } from '../answer.js';
import { type CommandArguments, type ServiceCommand, UsageError } from '../command.js';
import { organizationName } from './organization-commands.js';

const organization = { value: 'id', about: 'whose money', required: true } as const;

export const settlementTermsCommands: ServiceCommand[] = [
  {
    words: 'settlement-terms set',
    about: 'Say where collected money of a network goes, for requests from now on.',
    changes: {
      what: 'where collected money goes, and its fee',
      irreversible: 'Addresses of requests that are created meanwhile keep these terms for good.',
      audited: 'with it',
      async preview(context, args) {
        refuseWallets(context, args);
        const name = await organizationName(context, args.id('organization'));
        const account = args.optionalId<AccountId>('account');
        const whose = account === undefined ? `"${name}"` : `the account ${account} of "${name}"`;
        const basisPoints = args.integer('fee-basis-points') ?? 0;
        const fee =
          basisPoints === 0
            ? 'without a fee'
            : `less ${basisPoints / 100} % that go to ${args.text('fee-recipient')}`;
        return {
          effect: `What ${whose} collects on ${args.text('network')} from now on will be paid to ${args.text('address')}, ${fee}.`,
          confirmedBy: name,
        };
      },
    },
    example:
      '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network base --address 0x52908400098527886E0F7030069857D2E4169EE7',
    options: {
      organization,
      account: { value: 'id', about: 'for this account alone, instead of the whole organization' },
      network: { value: 'name', about: 'network', required: true },
      address: { value: '0x…', about: 'settlement address', required: true },
      'fee-recipient': { value: '0x…', about: 'address the fee goes to; wanted where there is a fee' },
      'fee-basis-points': { value: 'n', about: 'share of all that is settled, 0 to 10000; 0 unless set' },
    },
    async run(context, args) {
      refuseWallets(context, args);
      const terms = await context.get(SetSettlementTerms).execute({
        organizationId: args.id<OrganizationId>('organization'),
        accountId: args.optionalId<AccountId>('account'),
        network: args.text('network'),
        settlementAddress: args.text('address'),
        feeRecipient: args.optional('fee-recipient'),
        feeBasisPoints: args.integer('fee-basis-points') ?? 0,
        actor: args.actor,
      });
      return { data: present(terms) };
    },
  },
  {
    words: 'settlement-terms list',
    about: 'List the terms in force of an organization and its accounts.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization },
    async run(context, args) {
      const owner = args.id<OrganizationId>('organization');
      const found = await context.get(SettlementTermsRecords).current(owner);
      return { data: found.map(present) };
    },
  },
  {
    words: 'settlement-terms history',
    about: 'List all terms that an organization and its accounts ever had, newest first.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network base',
    options: { organization, network: { value: 'name', about: 'those of this network alone' } },
    async run(context, args) {
      const owner = args.id<OrganizationId>('organization');
      const network = args.optional('network') ?? null;
      const found = await context.get(SettlementTermsRecords).history(owner, network);
      return { data: found.map(present) };
    },
  },
];

/** A wallet is named by `descriptor set`, which shows the addresses that a person has to compare. */
function refuseWallets(context: INestApplicationContext, args: CommandArguments): void {
  const network = args.text('network');
  if (context.get(NetworkCatalogue).network(network)?.deliversDirectly !== true) return;
  throw new UsageError(
    `On ${network} money goes straight to a wallet of the merchant: descriptor set names it.`,
  );
}

function present(terms: SettlementTermsRecord) {
  return {
    ...columns(terms, 'id', 'organizationId', 'accountId', 'network', 'settlementAddress'),
    ...columns(terms, 'feeRecipient', 'feeBasisPoints', 'setBy', 'createdAt'),
  };
}
