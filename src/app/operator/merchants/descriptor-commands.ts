import { open } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { DepositAddresses } from '#contexts/networks/contract/deposit-addresses.js';
import { type MerchantWallet, MerchantWallets } from '#contexts/networks/contract/merchant-wallets.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PayoutAddresses } from '#contexts/networks/contract/payout-addresses.js';
import { GAP_LIMIT } from '#contexts/payments/domain/requests/address-numbers.js';
import { WalletAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/wallet-addresses.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import {
  type SettlementTermsRecord,
  SettlementTermsRecords,
} from '#contexts/point-of-sale/domain/settlement-terms.js';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { type CommandArguments, type ServiceCommand, UsageError } from '../command.js';
import { organizationName } from './organization-commands.js';

const SHOWN = 3;
const LABELS_AT_ONCE = 1_000;

const whose = {
  organization: { value: 'id', about: 'whose wallet', required: true },
  account: { value: 'id', about: 'the terms of this account alone, instead of the whole organization' },
  network: { value: 'name', about: 'network', required: true },
} as const;

export const descriptorCommands: ServiceCommand[] = [
  {
    words: 'descriptor set',
    about:
      'Have collected money of a network paid straight into a wallet of the merchant, for requests from now on.',
    changes: {
      what: 'the wallet that collected money goes to',
      irreversible: 'Addresses that payers were shown stay, and the keys stay this organization’s.',
      audited: 'with it',
      async preview(context, args) {
        const name = await organizationName(context, args.id('organization'));
        const account = args.optionalId<AccountId>('account');
        const whom = account === undefined ? `"${name}"` : `the account ${account} of "${name}"`;
        const network = args.text('network');
        const { addresses } = await describe(context, network, readDescriptor(context, args));
        return {
          effect:
            `What ${whom} collects on ${network} from now on goes to ${addresses.join(', ')} and the addresses after ` +
            'them. Compare these with what the merchant’s wallet shows under receiving addresses.',
          confirmedBy: name,
        };
      },
    },
    example:
      "--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network bitcoin --descriptor 'wpkh([d34db33f/84h/0h/0h]xpub…/0/*)#checksum'",
    options: {
      ...whose,
      descriptor: { value: 'text', about: 'output descriptor, with its checksum', required: true },
    },
    async run(context, args) {
      const network = args.text('network');
      const terms = await context.get(SetSettlementTerms).execute({
        organizationId: args.id<OrganizationId>('organization'),
        accountId: args.optionalId<AccountId>('account'),
        network,
        settlementAddress: readDescriptor(context, args),
        field: 'descriptor',
        actor: args.actor,
      });
      const { addresses, nextNumber } = await describe(context, network, terms.settlementAddress);
      return {
        data: { id: terms.id, descriptor: terms.settlementAddress, next_number: nextNumber, addresses },
      };
    },
  },
  {
    words: 'descriptor show',
    about: 'Show the wallet of a network’s terms, its next addresses, and how far its addresses were paid.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network bitcoin',
    options: whose,
    async run(context, args) {
      const network = args.text('network');
      const terms = await termsInForce(context, args);
      const { addresses, nextNumber, use } = await describe(context, network, terms.settlementAddress);
      const lastPaid =
        use === undefined ? null : await context.get(WalletAddresses).lastPaid(use.numberingId);
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
        note: unused < GAP_LIMIT ? undefined : gapNote(unused),
      };
    },
  },
  {
    words: 'descriptor labels',
    about:
      'Write what each address of the wallet was shown for, as wallets import it (BIP-329), to a new file.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --network bitcoin --file labels.jsonl',
    options: {
      ...whose,
      file: { value: 'path', about: 'file to write, which only its owner may read', required: true },
    },
    async run(context, args) {
      const { settlementAddress } = await termsInForce(context, args);
      const { wallet, use } = await describe(context, args.text('network'), settlementAddress);
      const file = args.text('file');
      const labels = await writeLabels(context, file, wallet, use?.numberingId);
      return { data: { file, labels } };
    },
  },
];

/** @throws validation_failed, before anything is asked or stored */
function readDescriptor(context: INestApplicationContext, args: CommandArguments): string {
  const network = args.text('network');
  if (context.get(NetworkCatalogue).network(network)?.deliversDirectly !== true) {
    throw new UsageError(`network must be one whose money goes straight to merchants; ${network} is none.`);
  }
  return context.get(PayoutAddresses).readTerms(network, 'descriptor', args.text('descriptor'));
}

async function describe(context: INestApplicationContext, network: string, settlementAddress: string) {
  const wallet = context.get(MerchantWallets).find(network, settlementAddress);
  if (wallet === null) throw stateConflict(`The terms on ${network} name no wallet.`);
  const terms = { settlementAddress, feeRecipient: '', feeBasisPoints: 0 };
  const numbering = context.get(DepositAddresses).numbering(network, terms)!;
  const use = await context.get(WalletAddresses).find({ network, numbering });
  const nextNumber = use?.nextNumber ?? 0;
  const addresses = Array.from({ length: SHOWN }, (_, i) => wallet.addressAt(nextNumber + i));
  return { wallet, use, nextNumber, addresses };
}

/** The account's own where one is named and has any. @throws not_found */
async function termsInForce(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<SettlementTermsRecord> {
  const account = args.optionalId<AccountId>('account') ?? null;
  const current = await context.get(SettlementTermsRecords).current(args.id<OrganizationId>('organization'));
  const ofNetwork = current.filter(({ network }) => network === args.text('network'));
  const terms =
    ofNetwork.find(({ accountId }) => accountId === account) ??
    ofNetwork.find(({ accountId }) => accountId === null);
  if (terms === undefined) throw notFound('settlement terms of that network');
  return terms;
}

function gapNote(unused: number): string {
  return (
    `Nobody has paid the newest ${unused} addresses. A wallet that looks ${GAP_LIMIT} addresses ahead misses what comes to ` +
    'later ones: have the merchant raise its gap limit.'
  );
}

/** Writes in pieces, however many there are. @returns the number of lines @throws state_conflict for a file that is there */
async function writeLabels(
  context: INestApplicationContext,
  path: string,
  wallet: MerchantWallet,
  numberingId: number | undefined,
): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw stateConflict(`${path} cannot be written: ${(error as Error).message}.`);
  });
  try {
    let next = 0;
    for (;;) {
      const some =
        numberingId === undefined
          ? []
          : await context.get(WalletAddresses).named(numberingId, next, LABELS_AT_ONCE);
      const last = some.at(-1);
      if (last === undefined) return next;
      await file.write(some.map(({ number, name }) => wallet.labelLine(number, name)).join(''));
      next = last.number + 1;
    }
  } finally {
    await file.close();
  }
}
