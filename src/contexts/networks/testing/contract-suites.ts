import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { addressForPeople, canonicalAddress } from '../contract/address-spelling.js';
import {
  type ChainReader,
  type ChainTransfer,
  ChainUnavailable,
  type SecondEndpoint,
} from '../contract/chain-reader.js';
import type { DepositAddresses, DepositTerms } from '../contract/deposit-addresses.js';
import type { PayoutAddresses } from '../contract/payout-addresses.js';
import type { TransactionLookup } from '../contract/transaction-lookup.js';

/** A network of some family with a chain on which `transfer` stands in block `number`, three blocks below the head. */
export interface SuiteWorld {
  readonly network: string;
  readonly reader: ChainReader;
  readonly secondEndpoint: SecondEndpoint;
  readonly lookup: TransactionLookup;
  readonly depositAddresses: DepositAddresses;
  readonly payoutAddresses: PayoutAddresses;
  readonly number: number;
  readonly transfer: ChainTransfer;
  readonly terms: DepositTerms;
  /** A hash of no block, and one of no transaction, as the family spells them. */
  readonly unknownBlock: string;
  readonly unknownTransaction: string;
}

/**
 * The promises of this context's contracts, whatever family a network is of.
 * @param open called before each test: an endpoint that lacked a block is not asked again for a while
 */
export function describeFamily(family: string, open: () => Promise<SuiteWorld>): void {
  let world: SuiteWorld;
  beforeEach(async () => {
    world = await open();
  });

  describe(`The chain reader of the family ${family}`, () => {
    it('reads linked blocks up to its head, each with what is in it', async () => {
      const { reader, network, number, transfer } = world;
      const { head, finalNumber } = await reader.head(network);

      const blocks = await reader.blocks(network, number - 1, head.number, finalNumber);

      expect(blocks.at(-1)!.header).toEqual(head);
      blocks.slice(1).forEach(({ header }, i) => {
        expect([header.number, header.parentHash]).toEqual([number + i, blocks[i]!.header.hash]);
      });
      expect(blocks[1]!.transfers).toEqual([transfer]);
      expect(finalNumber).toBeLessThan(head.number);
      expect(finalNumber).toBeGreaterThanOrEqual(number);
    });

    it('has no block above its head, and the same block by its number', async () => {
      const { reader, network, number } = world;
      const { head } = await reader.head(network);

      expect(await reader.block(network, head.number)).toEqual(head);
      expect(await reader.block(network, head.number + 1)).toBeNull();
      expect(await reader.blocks(network, number, number, null)).toHaveLength(1);
    });
  });

  describe(`The second endpoint of the family ${family}`, () => {
    it('has the contents that the reader has, with the last header', async () => {
      const { reader, secondEndpoint, network, number, transfer } = world;
      const header = await reader.block(network, number);

      const { last, contents } = await secondEndpoint.contents(network, number - 1, number);

      expect(last).toEqual(header);
      expect(contents).toEqual([{ number, hash: last.hash, transfers: [transfer], payouts: [] }]);
    });

    it('says what is final', async () => {
      const { reader, secondEndpoint, network } = world;

      expect(await secondEndpoint.finalNumber(network)).toBe((await reader.head(network)).finalNumber);
    });
  });

  describe.each(['reader', 'secondEndpoint'] as const)(
    `What the family ${family} proves by its %s`,
    (which) => {
      it('is that a transfer stands in its block, and no other one', async () => {
        const { network, number, transfer } = world;
        const { hash } = (await world[which].block(network, number))!;
        const others = [
          { amount: transfer.amount + 1n },
          { from: transfer.to },
          { index: transfer.index + 1 },
        ];

        const answers = await world[which].holds(network, hash, [
          transfer,
          ...others.map((change) => ({ ...transfer, ...change })),
        ]);

        expect(answers).toEqual([true, false, false, false]);
      });

      it('is which transactions of a block succeeded', async () => {
        const { network, number, transfer } = world;
        const { hash } = (await world[which].block(network, number))!;

        expect(await world[which].succeeded(network, hash, [transfer.transactionHash])).toEqual(
          new Set([transfer.transactionHash]),
        );
      });

      it('is nothing of a block that it does not know', async () => {
        const { network, unknownBlock, transfer } = world;
        const asked = world[which].holds(network, unknownBlock, [
          { ...transfer, transactionHash: world.unknownTransaction },
        ]);

        await expect(asked).rejects.toBeInstanceOf(ChainUnavailable);
      });
    },
  );

  describe(`The transaction lookup of the family ${family}`, () => {
    it('finds a transaction with its transfers', async () => {
      const { lookup, network, number, transfer } = world;

      expect(await lookup.find(network, transfer.transactionHash)).toEqual({
        blockNumber: number,
        succeeded: true,
        transfers: [transfer],
      });
    });

    it('spells a hash as transfers have it, and refuses what is none', () => {
      const { lookup, network, transfer } = world;

      expect(lookup.readHash(network, 'transactionHash', transfer.transactionHash)).toBe(
        transfer.transactionHash,
      );
      expect(() => lookup.readHash(network, 'transactionHash', 'no hash')).toThrow(
        'transactionHash: must be',
      );
    });

    it('does not know one that was never sent', async () => {
      expect(await world.lookup.find(world.network, world.unknownTransaction)).toBe('unknown');
    });
  });

  describe(`The deposit addresses of the family ${family}`, () => {
    it('are the same for one request and others for others', () => {
      const { depositAddresses, network, terms } = world;
      const ids = [newId(), newId(), newId()];
      const derive = () => ids.map((id) => depositAddresses.derive(network, terms, id));
      const keys = derive().map(({ address, tag = '' }) => `${address} ${tag}`);

      expect(derive()).toEqual(derive());
      expect(new Set(keys).size).toBe(3);
    });

    it('commit to where the money goes and to the share that is the fee', () => {
      const { depositAddresses, network, terms } = world;
      const id = newId();
      const derived = [
        terms,
        { ...terms, settlementAddress: terms.feeRecipient },
        { ...terms, feeBasisPoints: terms.feeBasisPoints + 1 },
        { ...terms, feeBasisPoints: 0 },
      ].map((each) => JSON.stringify(depositAddresses.derive(network, each, id)));

      expect(new Set(derived).size).toBe(4);
    });

    it('are spelled as transfers to them are told of, and have a derivation that is JSON', () => {
      const { depositAddresses, network, terms, transfer } = world;
      const { address, derivation } = depositAddresses.derive(network, terms, newId());

      expect(canonicalAddress(addressForPeople(address))).toBe(address);
      expect(canonicalAddress(transfer.to)).toBe(transfer.to);
      expect(JSON.parse(JSON.stringify(derivation))).toEqual(derivation);
    });

    it('are derived again by what was stored of them, and not by what the network never had', () => {
      const { depositAddresses, network, terms } = world;
      const id = newId();
      const { derivation, ...recipient } = depositAddresses.derive(network, terms, id);

      expect(depositAddresses.deriveAgain(network, terms, id, derivation)).toMatchObject(recipient);
      expect(
        depositAddresses.deriveAgain(network, terms, id, { factory: '0x00', account: 'rOTHER' }),
      ).toBeNull();
    });
  });

  describe(`The payout addresses of the family ${family}`, () => {
    it('are those that its terms name, and no free text', () => {
      const { payoutAddresses, network, terms } = world;

      expect(payoutAddresses.read(network, 'settlement_address', terms.settlementAddress)).toBe(
        terms.settlementAddress,
      );
      expect(() => payoutAddresses.read(network, 'settlement_address', 'not an address')).toThrow(
        'settlement_address: must be',
      );
    });

    it('are nobody where there is no fee, whom no free text can name, and terms of whom have an address', () => {
      const { depositAddresses, payoutAddresses, network, terms } = world;
      const nobody = payoutAddresses.nobody(network);
      const free = { ...terms, feeRecipient: nobody, feeBasisPoints: 0 };

      expect(() => payoutAddresses.read(network, 'fee_recipient', nobody)).toThrow('fee_recipient: must be');
      expect(depositAddresses.derive(network, free, newId()).address).toMatch(/./);
    });
  });
}
