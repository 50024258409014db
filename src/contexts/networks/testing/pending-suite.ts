import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChainReader, OwnAddressLookup } from '../contract/chain-reader.js';
import { recipientKey } from '../contract/deposit-addresses.js';
import type { PendingTransfer, PendingTransfers } from '../contract/pending-transfers.js';

/** A chain whose pending transfers are tracked but have not been queried yet. */
export interface PendingWorld {
  readonly reader: ChainReader;
  readonly pending: PendingTransfers;
  /** Two addresses: `own` belongs to the service, `foreign` does not. */
  readonly own: string;
  readonly foreign: string;
  /**
   * Sends a transaction with one transfer.
   * @param replaced transfer whose transaction it replaces in the mempool
   */
  pay(to: string, replaced?: PendingTransfer): Promise<void>;
  mine(): Promise<void>;
}

const ENOUGH = 100;

/**
 * Tests that a chain type fulfils the contract of `PendingTransfers`.
 * @param open called before each test
 */
export function describePendingTransfers(family: string, open: () => Promise<PendingWorld>): void {
  let world: PendingWorld;
  let ours: OwnAddressLookup;
  beforeEach(async () => {
    world = await open();
    ours = (recipients) =>
      Promise.resolve(new Set(recipients.map(recipientKey).filter((key) => key === world.own)));
  });
  const look = (limit = ENOUGH) => world.pending.pollMempools(ours, limit);
  /** @returns the last transfer paid to the own address, once it is detected */
  const seen = async (replaced?: PendingTransfer) => {
    await world.pay(world.own, replaced);
    return (await look()).transfers[0]!;
  };

  describe(`The pending transfers of the family ${family}`, () => {
    it('shows each transfer to an own address once', async () => {
      await world.pay(world.foreign);
      await world.pay(world.own);
      const first = await look();
      const again = await look();

      expect(first.transfers.map(({ to }) => to)).toEqual([world.own]);
      expect([first.isWhole, first.hasMore]).toEqual([true, false]);
      expect(again.transfers).toEqual([]);
      expect(again.has(first.transfers[0]!.transactionHash)).toBe(true);
    });

    it('shows transfers in the next scan if the owners could not be looked up', async () => {
      await world.pay(world.own);
      const failing = world.pending.pollMempools(() => Promise.reject(new Error('no answer')), ENOUGH);

      await expect(failing).rejects.toThrow('no answer');
      expect((await look()).transfers).toHaveLength(1);
    });

    it('matches the transfers of a later block, and no longer holds them', async () => {
      const { heldForMs: _, paysEnough: __, ...shown } = await seen();
      await world.mine();
      const { head } = await world.reader.head();
      const [block] = await world.reader.blocks(head.number, head.number, null, ours);

      expect(block!.transfers).toEqual([expect.objectContaining(shown)]);
      expect((await look()).has(shown.transactionHash)).toBe(false);
    });

    it('leaves the rest to the next scan if there are too many', async () => {
      for (let i = 0; i < 3; i += 1) await world.pay(world.own);
      const looks = [await look(2), await look(2)];

      expect(looks.map(({ transfers }) => transfers.length)).toEqual([2, 1]);
      expect(looks.map(({ hasMore }) => hasMore)).toEqual([true, false]);
    });

    it.each(['waits as well', 'is in a block'])(
      'is replaced by another transaction that %s',
      async (where) => {
        const [replaced, other] = [await seen(), await seen()];
        await world.pay(world.foreign, replaced);
        if (where === 'is in a block') await world.mine();

        expect((await look()).has(replaced.transactionHash)).toBe(false);
        expect(await world.pending.statuses([other, replaced])).toEqual(['waits', 'replaced']);
      },
    );

    it('conflicts only with transactions that spend the same', async () => {
      const [replaced, other] = [await seen(), await seen()];
      const replacing = await seen(replaced);
      const conflict = (one: PendingTransfer, another: PendingTransfer) =>
        [
          [one, another],
          [another, one],
        ].map(([a, b]) => world.pending.areConflicting(a!.evidence, b!.evidence));

      expect(conflict(replaced, replacing)).toEqual([true, true]);
      expect(conflict(other, replacing)).toEqual([false, false]);
      expect(world.pending.conflictingEvidenceParts(replacing.evidence)).toEqual(
        world.pending.conflictingEvidenceParts(replaced.evidence),
      );
    });
  });
}
