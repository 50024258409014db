import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hex } from 'viem';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import { evmAddress } from '#sandbox/tron/tron-address.js';
import type { TronTransaction } from '#sandbox/tron/tron-transaction.js';
import { startTestTron, type TestTron } from '#test/support/tron-network.js';

const STEPS = 250;
const HOLDERS = ['a1', 'a2', 'a3'].map((byte): Hex => `0x${byte.repeat(20)}`);
const MOST_REPLACED = 6;

const random = new SeededRandom(Number(process.env['SEED'] ?? process.env['RUN_SEED'] ?? 1));

let tron: TestTron;
let initialSun: number;

beforeAll(async () => {
  tron = await startTestTron();
  const { chain } = tron.facade;
  // The contracts are solid, so that no reorganization removes them.
  for (let i = 0; i < 20; i += 1) await chain.mine();
  initialSun = await chain.anvil.balance(tron.wallet.address);
});
afterAll(() => tron.stop());

interface Payment {
  readonly transaction: TronTransaction;
  readonly to: Hex;
  readonly amount: bigint;
}

/** Compares the chain with the payments that it says it includes. */
async function expectConsistency(payments: readonly Payment[]): Promise<void> {
  const { facade, wallet, token } = tron;
  const { chain } = facade;
  const included = payments.flatMap((payment) => {
    const inclusion = chain.inclusion(payment.transaction.id);
    return inclusion === undefined ? [] : [{ ...payment, inclusion }];
  });
  for (const to of HOLDERS) {
    const own = included.filter((payment) => payment.to === to && payment.inclusion.result === 'SUCCESS');
    const sum = own.reduce((all, { amount }) => all + amount, 0n);
    expect(await wallet.read(token, TOKEN_ABI, 'balanceOf', [to])).toBe(sum);
  }
  const fees = included.reduce((sum, { inclusion }) => sum + inclusion.fee, 0);
  expect(await chain.anvil.balance(wallet.address)).toBe(initialSun - fees);
  const filter = { fromBlock: '0x0', toBlock: 'latest', address: evmAddress(token) };
  const logs = await chainRpc<{ transactionHash: Hex; topics: Hex[] }[]>(
    `${facade.url}/jsonrpc`,
    'eth_getLogs',
    [filter],
  );
  const paid = logs.filter(({ topics }) => HOLDERS.some((to) => topics[2]?.endsWith(to.slice(2))));
  expect(paid.map(({ transactionHash }) => transactionHash.slice(2)).sort()).toEqual(
    included.map(({ transaction }) => transaction.id).sort(),
  );
}

describe('A random history of the TRON network of the sandbox', () => {
  it(`keeps balances, fees, logs and inclusions consistent over ${STEPS} steps`, async () => {
    const { facade, wallet, token } = tron;
    const { chain } = facade;
    const payments: Payment[] = [];
    const first = chain.newest.number;
    for (let step = 0; step < STEPS; step += 1) {
      const act = random.wholeNumber(0, 9);
      if (act < 4) {
        const [to, amount] = [HOLDERS[random.wholeNumber(0, 2)]!, BigInt(random.wholeNumber(1, 1_000))];
        const id = await wallet.call(token, TOKEN_ABI, 'transfer', [to, amount]);
        payments.push({ transaction: chain.pendingTransaction(id)!, to, amount });
      } else if (act < 8) await chain.mine();
      else if (act === 8 && payments.length > 0) {
        // Accepted again only if it is in no block and still refers to one.
        const { transaction } = payments[random.wholeNumber(0, payments.length - 1)]!;
        const wasThere = chain.inclusion(transaction.id) ?? chain.pendingTransaction(transaction.id);
        const { code } = await chain.broadcast(transaction);
        if (wasThere !== undefined) expect(code).toBe('DUP_TRANSACTION_ERROR');
      } else {
        const most = Math.min(MOST_REPLACED, chain.newest.number - first);
        if (most > 0) await chain.reorganize(random.wholeNumber(1, most), random.chance(0.5));
      }
      if (step % 5 === 0) await expectConsistency(payments);
    }
    await chain.mine();
    await expectConsistency(payments);
    expect(payments.some(({ transaction }) => chain.inclusion(transaction.id) !== undefined)).toBe(true);
  });
});
