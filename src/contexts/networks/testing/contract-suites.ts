import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { toDisplayAddress, canonicalAddress } from '../contract/address-spelling.js';
import { type ChainTransfer, ChainUnavailable, type OwnAddressLookup } from '../contract/chain-reader.js';
import type { Chain } from '../contract/chains.js';
import {
  type AddressDerivationInput,
  type DepositTerms,
  recipientKey,
} from '../contract/deposit-addresses.js';

type Parts = 'reader' | 'secondEndpoint' | 'lookup' | 'depositAddresses' | 'payoutAddresses';

/** A chain with a transfer in block `number`, three blocks below the head. */
export interface SuiteWorld extends Pick<Chain, Parts> {
  readonly terms: DepositTerms;
  readonly number: number;
  readonly transfer: ChainTransfer;
  /** Hashes of a block and a transaction that do not exist, in the spelling of the chain type. */
  readonly unknownBlock: string;
  readonly unknownTransaction: string;
}

/**
 * Tests that a chain type fulfils the contracts of the networks context.
 * @param open called before each test, because an endpoint that lacked a block is not queried again for a while
 * @param isNumbered true if the chain type numbers its deposit addresses
 */
export function describeChainType(type: string, open: () => Promise<SuiteWorld>, isNumbered = false): void {
  let world: SuiteWorld;
  /** Matches only the recipient of the test transfer, because a block may also contain the miner's reward. */
  let ours: OwnAddressLookup;
  beforeEach(async () => {
    world = await open();
    const { to, toTag } = world.transfer;
    const own = recipientKey({ address: to, tag: toTag });
    ours = (recipients) =>
      Promise.resolve(new Set(recipients.map(recipientKey).filter((key) => key === own)));
  });

  describe(`The chain reader of ${type}`, () => {
    it('reads linked blocks up to its head, each with its transfers', async () => {
      const { reader, number, transfer } = world;
      const { head, finalNumber } = await reader.head();

      const blocks = await reader.blocks(number - 1, head.number, finalNumber, ours);

      expect(blocks.at(-1)!.header).toEqual(head);
      blocks.slice(1).forEach(({ header }, i) => {
        expect([header.number, header.parentHash]).toEqual([number + i, blocks[i]!.header.hash]);
      });
      expect(blocks[1]!.transfers).toEqual([transfer]);
      expect(finalNumber).toBeLessThan(head.number);
      expect(finalNumber).toBeGreaterThanOrEqual(number);
    });

    it('has no block above its head, and the same block by its number', async () => {
      const { reader } = world;
      const { head } = await reader.head();

      expect(await reader.blockHeader(head.number)).toEqual(head);
      expect(await reader.blockHeader(head.number + 1)).toBeNull();
    });
  });

  describe(`The second endpoint of ${type}`, () => {
    it('agrees with the reader on contents, finality and the endpoint, if there is one', async () => {
      const { reader, secondEndpoint, number, transfer } = world;
      const [block] = await reader.blocks(number, number, null);

      const { last, contents } = await secondEndpoint.contentsOfBlockRange(number - 1, number, ours);

      expect(last).toEqual(block!.header);
      expect(contents).toEqual([{ number, hash: last.hash, transfers: [transfer], payouts: [] }]);
      expect(secondEndpoint.fingerprint()).toBe(block!.readBy ?? null);
      expect(await secondEndpoint.finalNumber()).toBe((await reader.head()).finalNumber);
    });
  });

  describe.each(['reader', 'secondEndpoint'] as const)(`A proof of ${type} by its %s`, (which) => {
    it('confirms a transfer in its block, and no other one', async () => {
      const { number, transfer } = world;
      const { hash } = (await world[which].blockHeader(number))!;
      const others = [
        { amount: transfer.amount + 1n },
        { from: transfer.to },
        { index: transfer.index + 1 },
      ].map((change) => ({ ...transfer, ...change }));

      expect(await world[which].containsTransfers(hash, [transfer, ...others])).toEqual([
        ...[true, false, false, false],
      ]);
      expect(await world[which].succeededTransactions(hash, [transfer.transactionHash])).toEqual(
        new Set([transfer.transactionHash]),
      );
    });

    it('fails for a block that the endpoint does not know', async () => {
      const { unknownBlock, unknownTransaction, transfer } = world;
      const unknown = { ...transfer, transactionHash: unknownTransaction };

      await expect(world[which].containsTransfers(unknownBlock, [unknown])).rejects.toBeInstanceOf(
        ChainUnavailable,
      );
    });
  });

  describe(`The transaction lookup of ${type}`, () => {
    it('finds a transaction with its transfers, and reports an unknown one', async () => {
      const { lookup, reader, number, transfer } = world;
      const { hash: blockHash } = (await reader.blockHeader(number))!;

      expect(await lookup.find(transfer.transactionHash)).toEqual({
        ...{ blockNumber: number, blockHash, succeeded: true, transfers: [transfer] },
      });
      expect(await lookup.find(world.unknownTransaction)).toBe('unknown');
    });

    it('spells a hash as transfers have it, and rejects other text', () => {
      const { lookup, transfer } = world;
      const read = (text: string) => lookup.parseHash('transactionHash', text);

      expect(read(transfer.transactionHash)).toBe(transfer.transactionHash);
      expect(() => read('no hash')).toThrow('transactionHash: must be');
    });
  });

  describe(`The deposit addresses of ${type}`, () => {
    const source = (number = 0): AddressDerivationInput => ({
      requestId: newId(),
      ...(isNumbered && { number }),
    });
    const derive = (of: AddressDerivationInput, changes: object = {}) =>
      world.depositAddresses.derive({ ...world.terms, ...changes }, of);

    it('differs by its source, and has a derivation that is JSON', () => {
      const sources = [0, 1, 2].map(source);
      const keys = () => sources.map((of) => recipientKey(derive(of)));
      const { address, derivation } = derive(source());

      expect(keys()).toEqual(keys());
      expect(new Set(keys()).size).toBe(3);
      expect(canonicalAddress(toDisplayAddress(address))).toBe(address);
      expect(canonicalAddress(world.transfer.to)).toBe(world.transfer.to);
      expect(JSON.parse(JSON.stringify(derivation))).toEqual(derivation);
    });

    it('derives an address again only from its own stored derivation', () => {
      const { depositAddresses, terms } = world;
      const of = source(7);
      const derived = derive(of);
      const again = (derivation: object) =>
        depositAddresses.rederive(terms, of, derivation as typeof derived.derivation);

      expect(recipientKey(again(derived.derivation)!)).toBe(recipientKey(derived));
      expect(again({ factory: '0x00', account: 'rOTHER', descriptor: 'other' })).toBeNull();
    });

    if (isNumbered)
      it('depends only on terms and number, and requires a number', () => {
        const { depositAddresses, terms } = world;
        const sources = [newId(), newId()].map((requestId) => ({ requestId, number: 3 }));

        expect(new Set(sources.map((of) => derive(of).address)).size).toBe(1);
        expect(() => derive({ requestId: newId() })).toThrow('number');
        expect(depositAddresses.sequenceName(terms)).toMatch(/./);
      });
    else
      it('commits to the terms, and ignores a number', () => {
        const { depositAddresses, terms } = world;
        const requestId = newId();
        const changes = [
          {},
          { settlementAddress: terms.feeRecipient },
          { feeBasisPoints: terms.feeBasisPoints + 1 },
          { feeBasisPoints: 0 },
        ];

        expect(new Set(changes.map((each) => JSON.stringify(derive({ requestId }, each)))).size).toBe(4);
        expect(depositAddresses.sequenceName(terms)).toBeNull();
        expect(derive({ requestId, number: 5 })).toEqual(derive({ requestId }));
      });
  });

  describe(`The payout addresses of ${type}`, () => {
    it('accepts the addresses of terms, and no other text', () => {
      const { payoutAddresses, terms } = world;
      const read = (text: string) => payoutAddresses.parseSettlementAddress('settlement_address', text);

      expect(read(terms.settlementAddress)).toBe(terms.settlementAddress);
      expect(() => read('not an address')).toThrow('settlement_address: must');
      expect(() => payoutAddresses.parse('address', 'not an address')).toThrow('address: must be');
      expect(payoutAddresses.supportsFee()).toBe(terms.feeBasisPoints > 0);
    });

    it('has a recipient for terms without a fee, which no text can name', () => {
      const { depositAddresses, payoutAddresses, terms } = world;
      const feeRecipient = payoutAddresses.placeholderFeeRecipient();
      const free = { ...terms, feeRecipient, feeBasisPoints: 0 };

      expect(() => payoutAddresses.parse('fee_recipient', feeRecipient)).toThrow('must be');
      expect(depositAddresses.derive(free, { requestId: newId(), number: 0 }).address).toMatch(/./);
    });
  });
}
