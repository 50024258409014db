import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import {
  type ChainReader,
  ChainUnavailable,
  type OwnAddresses,
  type SecondEndpoint,
} from '../contract/chain-reader.js';
import { recipientKey } from '../contract/deposit-addresses.js';
import type { PayoutAddresses } from '../contract/payout-addresses.js';
import type { TransactionLookup } from '../contract/transaction-lookup.js';
import { type AddressWorld, describeDepositAddresses } from './address-suite.js';

/** A network of some family with a chain on which `transfer` stands in block `number`, three blocks below the head. */
export interface SuiteWorld extends AddressWorld {
  readonly reader: ChainReader;
  readonly secondEndpoint: SecondEndpoint;
  readonly lookup: TransactionLookup;
  readonly payoutAddresses: PayoutAddresses;
  readonly number: number;
  /** A hash of no block, and one of no transaction, as the family spells them. */
  readonly unknownBlock: string;
  readonly unknownTransaction: string;
}

/**
 * The promises of this context's contracts, whatever family a network is of.
 * @param open called before each test: an endpoint that lacked a block is not asked again for a while
 * @param isNumbered its deposit addresses are
 */
export function describeFamily(family: string, open: () => Promise<SuiteWorld>, isNumbered = false): void {
  let world: SuiteWorld;
  /** The recipient of the transfer alone: a block may hold what its miner is paid. */
  let ours: OwnAddresses;
  beforeEach(async () => {
    world = await open();
    const { to, toTag } = world.transfer;
    const own = recipientKey({ address: to, tag: toTag });
    ours = (recipients) =>
      Promise.resolve(new Set(recipients.map(recipientKey).filter((key) => key === own)));
  });

  describe(`The chain reader of the family ${family}`, () => {
    it('reads linked blocks up to its head, each with what is in it', async () => {
      const { reader, network, number, transfer } = world;
      const { head, finalNumber } = await reader.head(network);

      const blocks = await reader.blocks(network, number - 1, head.number, finalNumber, ours);

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

      const { last, contents } = await secondEndpoint.contents(network, number - 1, number, ours);

      expect(last).toEqual(header);
      expect(contents).toEqual([{ number, hash: last.hash, transfers: [transfer], payouts: [] }]);
    });

    it('has the fingerprint that the blocks of the reader name, where there is one endpoint', async () => {
      const { reader, secondEndpoint, network, number } = world;
      const [block] = await reader.blocks(network, number, number, null);

      expect(secondEndpoint.fingerprint(network)).toBe(block!.readBy ?? null);
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
      const { lookup, reader, network, number, transfer } = world;
      const { hash: blockHash } = (await reader.block(network, number))!;

      expect(await lookup.find(network, transfer.transactionHash)).toEqual({
        blockNumber: number,
        blockHash,
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

  describeDepositAddresses(family, () => world, isNumbered);

  describe(`The payout addresses of the family ${family}`, () => {
    it('are those that its terms name, and no free text', () => {
      const { payoutAddresses, network, terms } = world;

      const read = (text: string) => payoutAddresses.readTerms(network, 'settlement_address', text);

      expect(read(terms.settlementAddress)).toBe(terms.settlementAddress);
      expect(() => read('not an address')).toThrow('settlement_address: must');
      expect(() => payoutAddresses.read(network, 'address', 'not an address')).toThrow('address: must be');
    });

    it('take a fee where terms have one', () => {
      const { payoutAddresses, network, terms } = world;

      expect(payoutAddresses.takesFee(network)).toBe(terms.feeBasisPoints > 0);
    });

    it('are nobody where there is no fee, whom no free text can name, and terms of whom have an address', () => {
      const { depositAddresses, payoutAddresses, network, terms } = world;
      const nobody = payoutAddresses.nobody(network);
      const free = { ...terms, feeRecipient: nobody, feeBasisPoints: 0 };

      expect(() => payoutAddresses.read(network, 'fee_recipient', nobody)).toThrow('fee_recipient: must be');
      expect(depositAddresses.derive(network, free, { requestId: newId(), number: 0 }).address).toMatch(/./);
    });
  });
}
