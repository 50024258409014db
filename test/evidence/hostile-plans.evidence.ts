import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { concatHex, type Hex, pad } from 'viem';
import type { SettlementBatch } from '#contexts/networks/contract/settlement-planning.js';
import {
  DETERMINISTIC_DEPLOYER,
  FORMER_FACTORIES,
} from '#contexts/networks/infrastructure/evm/forwarders/forwarder-artifacts.js';
import { ForwarderDerivation } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-derivation.js';
import { TEST_CHAIN_ID } from '../support/chain.js';
import { type DueOf, PlannedSettlements } from './planned-settlements.js';

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

describe('A plan beside contracts that do as they please', () => {
  let world: PlannedSettlements;
  let contracts = 0;

  beforeAll(async () => {
    world = await PlannedSettlements.open();
  });
  afterAll(() => world?.close());

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
    'shows that a settlement address %s alone, which a free call would not',
    async (code) => {
      const settlementAddress = await contract(CODE[code]);
      const due = await paid('ETH', 1, 0, { settlementAddress });

      await expect(world.plan(due)).rejects.toMatchObject({ differences: [{ kind: 'failed' }] });
      await expect(world.planWithout(due, ['eth_simulateV1'])).rejects.toMatchObject({
        differences: [{ kind: 'failed' }],
      });
    },
  );

  it('has one asset in a batch, and of native coin the payouts that call the same contracts', async () => {
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

  it('leaves the share of a fee recipient that refuses it to the settlement address', async () => {
    const feeRecipient = await contract(CODE.refuses);
    const due = await paid('ETH', 2, 100, { feeRecipient });

    const [batch] = await world.plan(due);

    const planned = batch!.payouts.map(({ toSettlement, toFee, isFeeRefused }) => [
      ...[toSettlement, toFee, isFeeRefused],
    ]);
    expect(planned).toEqual(due.map(({ gross }) => [gross, 0n, true]));
    expect((await world.send(batch!)).sent).toEqual([due[0]!.gross + due[1]!.gross, 0n]);
  });

  it('learns by the receipt what was settled, what failed, and how many were tried', async () => {
    const settlementAddress = await contract(CODE.takes);
    const bad = await paid('ETH', 3, 0, { settlementAddress });
    const [batch] = await world.plan(bad);
    await world.node.rpc('anvil_setCode', [settlementAddress, CODE.burns]);

    const { hash } = await world.send(batch!);

    const outcome = await world.planning().outcome('sandbox', batch!.call, hash);
    expect(outcome).toMatchObject({ settled: [], tried: 1 });
    expect(outcome.failed).toMatchObject([
      { depositAddress: batch!.payouts[0]!.depositAddress, token: null },
    ]);
    await world.node.rpc('anvil_setCode', [settlementAddress, CODE.takes]);
    const [again] = await world.plan(bad);
    const sent = await world.send(again!);
    const settled = bad.map(({ depositAddress }) => ({ depositAddress, token: null }));
    expect(await world.planning().outcome('sandbox', again!.call, sent.hash)).toMatchObject({ settled });
    await expect(world.planning().outcome('sandbox', again!.call, `0x${'0'.repeat(64)}`)).rejects.toThrow(
      'it has no receipt',
    );
    await expect(world.outcomeBeside('http://127.0.0.1:9', again!, sent.hash)).rejects.toThrow(
      'is unavailable',
    );
  });

  it('has a batch of its own for the addresses of a former factory, which settles them', async () => {
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
      const { settled } = await world.planning().outcome('sandbox', batch.call, hash);
      expect(settled).toHaveLength(batch.payouts.length);
    }
  });

  it('knows what a rollup charges for the data of a payout, and that others charge nothing', async () => {
    expect(await world.planning().dataFee('sandbox')).toBe(0n);

    await world.node.rpc('anvil_setCode', [GAS_PRICE_ORACLE, CODE.oracle]);

    // 1,024 for each byte: a payout's own are the 32 of its salt.
    const fee = await world.planning().dataFee('sandbox');
    expect(fee).toBeGreaterThan(32n * 1_024n);
    expect(fee).toBeLessThan(100n * 1_024n);
    await world.node.rpc('anvil_setCode', [GAS_PRICE_ORACLE, '0x']);
  });
});
