import { beforeAll, describe, expect, it } from '@jest/globals';
import { furnishChain } from './furnished-chain.js';
import { signTransaction } from './signed-transaction.js';
import { type RecordedChain, recordChain } from './recorded-chain.js';
import { repeatOnAnvil } from './repeat-on-anvil.js';

const TIME = 1_924_992_000;

let recorded: RecordedChain;
beforeAll(async () => {
  const { chain, payers } = await furnishChain({ chainId: 31_337, time: TIME });
  const { chainId } = chain;
  // The first tips more, and the second offers more: by itself, anvil puts the second before the first.
  for (const [at, offer] of [
    { maxTip: 3n, maxFee: 10n ** 10n },
    { maxTip: 1n, maxFee: 10n ** 11n },
  ].entries()) {
    const payer = payers[at]!;
    const nonce = chain.pool.nextNonce(chain.head.state, payer.address);
    const call = { to: payer.address, value: 1n, data: '0x' as const, gasLimit: 21_000n };
    chain.take(signTransaction({ chainId, nonce, ...offer, ...call }, payer));
  }
  await chain.mine({ time: chain.head.time + 12 });
  recorded = recordChain(chain);
});

describe('A repetition of simulated blocks on anvil', () => {
  it('has the same receipts and balances', async () => {
    const counts = recorded.blocks.map(({ transactions }) => transactions.length);

    expect(await repeatOnAnvil(recorded)).toBe(counts.reduce((sum, count) => sum + count));
  });

  it('rejects a different receipt', async () => {
    const [first, ...others] = recorded.blocks as [RecordedChain['blocks'][number]];
    const [{ raw, receipt }, ...transactions] = first.transactions as [{ raw: string; receipt: object }];
    const changed = {
      ...first,
      transactions: [{ raw, receipt: { ...receipt, gasUsed: '0x1' } }, ...transactions],
    };

    await expect(repeatOnAnvil({ ...recorded, blocks: [changed, ...others] })).rejects.toThrow(
      '"gasUsed":"0x1"',
    );
  });

  it('rejects a different balance', async () => {
    const [{ address, nonce }, ...others] = recorded.left as [RecordedChain['left'][number]];
    const left = [{ address, nonce, balance: '0x7' }, ...others];

    await expect(repeatOnAnvil({ ...recorded, left })).rejects.toThrow('"balance":"0x7"');
  });
});
