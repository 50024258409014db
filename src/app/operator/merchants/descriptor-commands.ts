import { open } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import type { MerchantWallet } from '#contexts/networks/contract/payout-address-rules.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { GAP_LIMIT } from '#contexts/payments/domain/requests/address-numbers.js';
import { MerchantWalletAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/merchant-wallet-addresses.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import { SettlementTermsRecords } from '#contexts/point-of-sale/infrastructure/persistence/settlement-terms-records.js';
import type { SettlementTermsRecord } from '#contexts/point-of-sale/domain/settlement-terms.js';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { type CommandArguments, ORGANIZATION_OPTION, type ServiceCommand, UsageError } from '../command.js';
import { findOrganizationName } from './organization-commands.js';

const SHOWN_ADDRESSES = 3;
const LABELS_PER_BATCH = 1_000;

const OWNER_OPTIONS = {
  organization: ORGANIZATION_OPTION,
  account: { value: 'id', about: 'only for this account (default: the whole organization)' },
  network: { value: 'name', about: 'name of the network', required: true },
} as const;

export const walletDescriptorCommands: ServiceCommand[] = [
  {
    words: 'descriptor set',
    about: 'Set the merchant’s wallet that payers pay directly on a network, for new payment requests.',
    changes: {
      what: 'the wallet that receives payments',
      irreversible:
        'Addresses already shown to payers stay valid, and no other organization can use these keys.',
      audited: 'with it',
      async preview(context, args) {
        const name = await findOrganizationName(context, args.id('organization'));
        const account = args.optionalId<AccountId>('account');
        const whom = account === undefined ? `"${name}"` : `the account ${account} of "${name}"`;
        const network = args.text('network');
        const { addresses } = await describeDescriptor(context, network, readDescriptor(context, args));
        return {
          effect:
            `New payments to ${whom} on ${network} will go to ${addresses.join(', ')} and the addresses after ` +
            'them. Compare these with the receiving addresses in the merchant’s wallet.',
          confirmedBy: name,
        };
      },
    },
    example:
      "--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network bitcoin --descriptor 'wpkh([d34db33f/84h/0h/0h]xpub…/0/*)#checksum'",
    options: {
      ...OWNER_OPTIONS,
      descriptor: { value: 'text', about: 'output descriptor with checksum', required: true },
    },
    async run(context, args) {
      const network = args.text('network');
      const terms = await context.get(SetSettlementTerms).set({
        organizationId: args.id<OrganizationId>('organization'),
        accountId: args.optionalId<AccountId>('account'),
        network,
        settlementAddress: readDescriptor(context, args),
        field: 'descriptor',
        actor: args.actor,
      });
      const { addresses, nextNumber } = await describeDescriptor(context, network, terms.settlementAddress);
      return {
        data: { id: terms.id, descriptor: terms.settlementAddress, next_number: nextNumber, addresses },
      };
    },
  },
  {
    words: 'descriptor show',
    about: 'Show the merchant’s wallet on a network, its next addresses, and the last address paid.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network bitcoin',
    options: OWNER_OPTIONS,
    async run(context, args) {
      const network = args.text('network');
      const terms = await findCurrentTerms(context, args);
      const { addresses, nextNumber, use } = await describeDescriptor(
        context,
        network,
        terms.settlementAddress,
      );
      const lastPaid =
        use === undefined
          ? null
          : await context.get(MerchantWalletAddresses).findLastPaidNumber(use.numberingId);
      const unused = nextNumber - 1 - (lastPaid ?? -1);
      return {
        data: {
          id: terms.id,
          set_for: terms.accountId === null ? 'organization' : 'account',
          descriptor: terms.settlementAddress,
          next_number: nextNumber,
          last_paid: lastPaid,
          unused,
          next_addresses: addresses,
        },
        note: unused < GAP_LIMIT ? undefined : noteOnGap(unused),
      };
    },
  },
  {
    words: 'descriptor labels',
    about:
      'Write a label for each used address of the wallet to a new file, for import into a wallet (BIP-329).',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network bitcoin --file labels.jsonl',
    options: {
      ...OWNER_OPTIONS,
      file: { value: 'path', about: 'file to create, readable only by its owner', required: true },
    },
    async run(context, args) {
      const { settlementAddress } = await findCurrentTerms(context, args);
      const { wallet, use } = await describeDescriptor(context, args.text('network'), settlementAddress);
      const file = args.text('file');
      const labels = await writeLabels(context, file, wallet, use?.numberingId);
      return { data: { file, labels } };
    },
  },
];

function readDescriptor(context: INestApplicationContext, args: CommandArguments): string {
  const network = args.text('network');
  if (context.get(NetworkCatalogue).network(network)?.deliversDirectly !== true) {
    throw new UsageError(
      `network must be one on which payers pay directly to the merchant’s wallet, such as bitcoin; ${network} is not.`,
    );
  }
  return context
    .get(Chains)
    .of(network)
    .payoutAddresses.parseSettlementAddress('descriptor', args.text('descriptor'));
}

async function describeDescriptor(
  context: INestApplicationContext,
  network: string,
  settlementAddress: string,
) {
  const chain = context.get(Chains).find(network);
  const wallet = chain?.wallets?.walletOfSettlementAddress(settlementAddress);
  if (chain === undefined || wallet === undefined)
    throw stateConflict(`The settlement terms on ${network} have no wallet.`);
  const terms = { settlementAddress, feeRecipient: '', feeBasisPoints: 0 };
  const numbering = chain.depositAddresses.sequenceName(terms)!;
  const use = await context.get(MerchantWalletAddresses).findUsage({ network, numbering });
  const nextNumber = use?.nextNumber ?? 0;
  const addresses = Array.from({ length: SHOWN_ADDRESSES }, (_, i) => wallet.addressAt(nextNumber + i));
  return { wallet, use, nextNumber, addresses };
}

/** Falls back to the organization's terms. @throws not_found */
async function findCurrentTerms(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<SettlementTermsRecord> {
  const account = args.optionalId<AccountId>('account') ?? null;
  const current = await context
    .get(SettlementTermsRecords)
    .listCurrent(args.id<OrganizationId>('organization'));
  const ofNetwork = current.filter(({ network }) => network === args.text('network'));
  const terms =
    ofNetwork.find(({ accountId }) => accountId === account) ??
    ofNetwork.find(({ accountId }) => accountId === null);
  if (terms === undefined) throw notFound('settlement terms on this network');
  return terms;
}

function noteOnGap(unused: number): string {
  return (
    `The newest ${unused} addresses are unpaid. A wallet with a gap limit of ${GAP_LIMIT} does not show payments to later ` +
    'addresses. Ask the merchant to raise the gap limit.'
  );
}

/** In batches, to limit memory. @throws state_conflict if the file exists */
async function writeLabels(
  context: INestApplicationContext,
  path: string,
  wallet: MerchantWallet,
  numberingId: number | undefined,
): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw stateConflict(`Cannot create ${path}: ${(error as Error).message}.`);
  });
  try {
    let next = 0;
    for (;;) {
      const some =
        numberingId === undefined
          ? []
          : await context
              .get(MerchantWalletAddresses)
              .listWithReferences(numberingId, next, LABELS_PER_BATCH);
      const last = some.at(-1);
      if (last === undefined) return next;
      await file.write(some.map(({ number, name }) => wallet.labelExportLine(number, name)).join(''));
      next = last.number + 1;
    }
  } finally {
    await file.close();
  }
}
