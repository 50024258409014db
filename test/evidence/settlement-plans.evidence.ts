import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { concatHex, type Hex, pad } from 'viem';
import {
  type SettlementBatch,
  SettlementPlanMismatch,
} from '#contexts/networks/contract/settlement-planning.js';
import { DETERMINISTIC_DEPLOYER, FORMER_FACTORIES } from '#chains/forwarders/forwarder-artifacts.js';
import { ForwarderDerivation } from '#chains/forwarders/forwarder-derivation.js';
import { TEST_CHAIN_ID } from '../support/chain.js';
import { type AssetName, type DueOf, PlannedSettlements } from './planned-settlements.js';

const LONG = process.env['EVIDENCE'] === 'long';
const ASSETS: readonly AssetName[] = LONG ? ['USDT', 'DAI', 'ETH'] : ['USDT', 'ETH'];
const COUNTS = LONG ? [1, 20, 100] : [1, 20];

/** Contracts in EVM code. What they refuse, they burn all gas for. */
const CODE = {
  /** GASPRICE, ISZERO, PUSH1 6, JUMPI, INVALID, JUMPDEST, STOP. */
  takesAtNoPrice: '0x3a15600657fe5b00',
  /** The same of BASEFEE. */
  takesAtNoBaseFee: '0x4815600657fe5b00',
  /** STOP, and PUSH1 0, PUSH1 0, REVERT. */
  takes: '0x00',
  refuses: '0x60006000fd',
  burns: '0xfe',
  /** Answers how much it was asked with: PUSH2 0x400, CALLDATASIZE, MUL, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
  oracle: '0x610400360260005260206000f3',
} as const;
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000f';

let world: PlannedSettlements;
beforeAll(async () => {
  world = await PlannedSettlements.open();
});
afterAll(() => world?.close());

describe('A settlement plan', () => {
  describe.each(ASSETS)('in %s', (asset) => {
    it.each(COUNTS)(
      'pays exactly the planned amounts to %d addresses, on the first settlement and on a later one',
      async (count) => {
        const due = world.due(asset, count);
        for (const turn of ['first', 'repeat']) {
          await world.payAll(due);

          const [batch, ...others] = await world.plan(due);
          const { sent, gasUsed, events } = await world.send(batch!);

          expect([turn, others]).toEqual([turn, []]);
          expect(sent).toEqual(world.expected(due));
          expect(events).toBe(count);
          expect(gasUsed).toBeLessThanOrEqual(batch!.call.gas);
          process.stdout.write(`${asset} × ${count}, ${turn}: ${gasUsed / BigInt(count)} gas each\n`);
        }
      },
    );
  });

  it('is split into transactions that fit into a small block', async () => {
    const due = [...world.due('USDT', 12), ...world.due('ETH', 3), ...world.due('USDT', 5, 250)];
    await world.payAll(due);

    const batches = await world.withBlocksOf(5_000_000n, () => world.plan(due));

    expect(batches.length).toBeGreaterThan(1);
    expect(batches.filter(({ call }) => call.gas > 2_500_000n)).toEqual([]);
    expect(batches.flatMap(({ payouts }) => payouts)).toHaveLength(20);
    for (const batch of batches) expect((await world.send(batch)).events).toBe(batch.payouts.length);
  });

  it('rejects payouts whose gas limit exceeds that of a block', async () => {
    const due = world.due('USDT', 2);
    await world.payAll(due);

    const tooSmall = world.withBlocksOf(1_200_000n, () => world.plan(due));

    await expect(tooSmall).rejects.toMatchObject({
      differences: [{ kind: 'too_costly' }, { kind: 'too_costly' }],
    });
  });

  it('splits a batch in halves if its payouts cost more than the first one was simulated to cost', async () => {
    const due = world.due('USDT', 24);
    await world.payAll(due);

    const batches = await world.withBlocksOf(5_000_000n, () => world.planWithFirstCostDividedBy(due, 10n));

    expect(batches.map(({ payouts }) => payouts.length)).toEqual([12, 12]);
    for (const batch of batches) expect((await world.send(batch)).events).toBe(12);
  });

  it('falls back to a trace if the node lacks eth_simulateV1, and fails without either', async () => {
    const due = world.due('USDT', 2);
    await world.payAll(due);

    const traced = await world.planWithout(due, ['eth_simulateV1']);
    await expect(world.planWithout(due, ['eth_simulateV1', 'debug_traceCall'])).rejects.toThrow(
      'the endpoint could not simulate the transaction: eth_simulateV1 (',
    );

    expect(traced).toHaveLength(1);
    expect((await world.send(traced[0]!)).sent).toEqual(world.expected(due));
  });

  it('uses another endpoint if the first one does not respond', async () => {
    const due = world.due('USDT', 1);
    await world.payAll(due);

    expect(await world.planBeside('http://127.0.0.1:9', due)).toHaveLength(1);
  });

  it('reports the revert reason of a call that does not fail because of its gas', async () => {
    const due = world.due('USDT', 2);
    await world.payAll(due);

    const reverted = world.withFactoryCode('0x600160005260206000fd', () =>
      world.planWithCreationOf(due, 60_000n),
    );

    await expect(reverted).rejects.toMatchObject({
      differences: [{ kind: 'failed' }, { kind: 'failed' }],
      message: expect.stringMatching(/the whole call is reverted \(0x0{63}1\)/),
    });
  });

  it('rejects payouts if the assumed cost of creation is too low, and settles them with the true cost', async () => {
    const due = world.due('USDT', 2);
    await world.payAll(due);

    const understated = world.planWithCreationOf(due, 30_000n);

    await expect(understated).rejects.toThrow(SettlementPlanMismatch);
    await expect(understated).rejects.toMatchObject({
      differences: [{ kind: 'failed' }, { kind: 'failed' }],
    });
    const [batch] = await world.plan(due);
    expect((await world.send(batch!)).sent).toEqual(world.expected(due));
  });

  it('names each address that holds another amount, holds nothing, is listed twice or has other terms', async () => {
    const [more, nothing, good] = world.due('USDT', 3) as [Due, Due, Due];
    const foreign = { ...good, terms: { ...good.terms, settlementAddress: `0x${'77'.repeat(20)}` } };
    await world.payAll([more, more, good]);
    const kinds = (due: readonly Due[]) =>
      world.plan(due).then(
        () => [],
        (error: SettlementPlanMismatch) =>
          error.differences.map(({ kind, depositAddress }) => [kind, depositAddress]),
      );

    expect(await kinds([more, nothing, good])).toEqual([
      ['other_amounts', more.depositAddress],
      ['not_paid_out', nothing.depositAddress],
    ]);
    expect(await kinds([good, good])).toEqual([['listed_twice', good.depositAddress]]);
    expect(await kinds([foreign])).toEqual([['not_derived', good.depositAddress]]);
    expect(await kinds([good])).toEqual([]);
  });
});

describe('A settlement plan with contracts as recipients', () => {
  let contracts = 0;
  const contract = async (code: Hex) => {
    contracts += 1;
    const address = `0xc0de${contracts.toString(16).padStart(36, '0')}`;
    await world.node.rpc('anvil_setCode', [address, code]);
    return address;
  };
  const paid = async (...due: Parameters<PlannedSettlements['due']>) => {
    const payouts = world.due(...due);
    await world.payAll(payouts);
    return payouts;
  };
  const sizes = (batches: readonly SettlementBatch[]) => batches.map(({ payouts }) => payouts.length);

  it.each(['takesAtNoPrice', 'takesAtNoBaseFee'] as const)(
    'rejects a payout whose settlement address %s, although a free call would succeed',
    async (code) => {
      const settlementAddress = await contract(CODE[code]);
      const due = await paid('ETH', 1, 0, { settlementAddress });

      await expect(world.plan(due)).rejects.toMatchObject({ differences: [{ kind: 'failed' }] });
      await expect(world.planWithout(due, ['eth_simulateV1'])).rejects.toMatchObject({
        differences: [{ kind: 'failed' }],
      });
    },
  );

  it('puts one asset in a batch, and groups payouts of native coin by the contracts that they call', async () => {
    const [one, other] = [await contract(CODE.takes), await contract(CODE.takes)];
    const due = [
      ...(await paid('ETH', 2)),
      ...(await paid('ETH', 2, 50)),
      ...(await paid('ETH', 2, 0, { settlementAddress: one })),
      ...(await paid('ETH', 1, 50, { settlementAddress: one, feeRecipient: other })),
      ...(await paid('ETH', 1, 0, { settlementAddress: other })),
      ...(await paid('USDT', 2, 0, { settlementAddress: one })),
      ...(await paid('USDT', 1)),
      ...(await paid('DAI', 1)),
    ];

    const batches = await world.plan(due);

    expect(sizes(batches)).toEqual([4, 2, 1, 1, 3, 1]);
    for (const batch of batches) expect((await world.send(batch)).events).toBe(batch.payouts.length);
  });

  it('pays the fee to the settlement address if the fee recipient rejects it', async () => {
    const feeRecipient = await contract(CODE.refuses);
    const due = await paid('ETH', 2, 100, { feeRecipient });

    const [batch] = await world.plan(due);

    const planned = batch!.payouts.map(({ toSettlement, toFee, isFeeRefused }) => [
      ...[toSettlement, toFee, isFeeRefused],
    ]);
    expect(planned).toEqual(due.map(({ gross }) => [gross, 0n, true]));
    expect((await world.send(batch!)).sent).toEqual([due[0]!.gross + due[1]!.gross, 0n]);
  });

  it('reads from the receipt which payouts were settled, which failed, and how many were tried', async () => {
    const settlementAddress = await contract(CODE.takes);
    const bad = await paid('ETH', 3, 0, { settlementAddress });
    const [batch] = await world.plan(bad);
    await world.node.rpc('anvil_setCode', [settlementAddress, CODE.burns]);

    const { hash } = await world.send(batch!);

    const outcome = await world.planning().outcome(batch!.call, hash);
    expect(outcome).toMatchObject({ settled: [], tried: 1 });
    expect(outcome.failed).toMatchObject([
      { depositAddress: batch!.payouts[0]!.depositAddress, token: null },
    ]);
    await world.node.rpc('anvil_setCode', [settlementAddress, CODE.takes]);
    const [again] = await world.plan(bad);
    const sent = await world.send(again!);
    const settled = bad.map(({ depositAddress }) => ({ depositAddress, token: null }));
    expect(await world.planning().outcome(again!.call, sent.hash)).toMatchObject({ settled });
    await expect(world.planning().outcome(again!.call, `0x${'0'.repeat(64)}`)).rejects.toThrow(
      'it has no receipt',
    );
    await expect(world.outcomeBeside('http://127.0.0.1:9', again!, sent.hash)).rejects.toThrow(
      'is unavailable',
    );
  });

  it('puts addresses of a former factory into a separate batch to that factory', async () => {
    const code = readFileSync('test/fixtures/former-factory.txt', 'utf8').trim() as Hex;
    const [from] = await world.node.rpc<Hex[]>('eth_accounts');
    const deployment = { from, to: DETERMINISTIC_DEPLOYER, data: concatHex([pad('0x'), code]) };
    await world.node.rpc('eth_sendTransaction', [deployment]);
    const former: DueOf = { derivation: new ForwarderDerivation(FORMER_FACTORIES[0]!, TEST_CHAIN_ID) };
    const due = [...(await paid('USDT', 2)), ...(await paid('USDT', 3, 50, former))];

    const batches = await world.plan(due);

    expect(sizes(batches)).toEqual([2, 3]);
    expect(batches[1]!.call.to).toBe(FORMER_FACTORIES[0]);
    for (const batch of batches) {
      const { hash, sent } = await world.send(batch);
      expect(sent).toEqual(world.expected(batch.payouts));
      const { settled } = await world.planning().outcome(batch.call, hash);
      expect(settled).toHaveLength(batch.payouts.length);
    }
  });

  it('reads the data fee of a rollup, which is zero on other networks', async () => {
    expect(await world.planning().dataFeePerPayout()).toBe(0n);

    await world.node.rpc('anvil_setCode', [GAS_PRICE_ORACLE, CODE.oracle]);

    // 1,024 for each byte: a payout's own are the 32 of its salt.
    const fee = await world.planning().dataFeePerPayout();
    expect(fee).toBeGreaterThan(32n * 1_024n);
    expect(fee).toBeLessThan(100n * 1_024n);
    await world.node.rpc('anvil_setCode', [GAS_PRICE_ORACLE, '0x']);
  });
});

type Due = ReturnType<PlannedSettlements['due']>[number];
