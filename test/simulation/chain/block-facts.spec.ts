import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Hex, encodeFunctionData, toHex } from 'viem';
import { gasLimits } from '#contexts/networks/domain/settlement-plan/settlement-gas.js';
import { FACTORY_ABI } from '#contexts/networks/infrastructure/evm/settling/settle-call.js';
import type { Payment } from '../acts/world.js';
import { settledIn, transfersOf } from './block-facts.js';
import { type FurnishedChain, furnishChain } from './furnished-chain.js';
import { requireSuccess, messageOf, nextBlock, runCall } from './node/calls.js';
import { pay } from './payments.js';
import { signTransaction } from './signed-transaction.js';

const TO = `0x${'22'.repeat(20)}`;
const SERVICE = `0x${'32'.repeat(20)}`;
let furnished: FurnishedChain;
const mine = () => furnished.chain.mine({ time: furnished.chain.head.time + 12 });

beforeAll(async () => {
  furnished = await furnishChain({ chainId: 31_337, time: 1_700_000_000 });
});

async function moved(payment: Partial<Payment>) {
  pay(furnished, { to: TO, token: null, amount: 7n, ...payment });
  const transfers = transfersOf(await mine());
  return transfers.filter(({ to }) => to === TO).map(({ way, amount, index }) => [way, amount, index]);
}

describe('The transfers of a block', () => {
  it.each<[string, Partial<Payment>, unknown[]]>([
    ['the value of a transaction', {}, [['call', '7', 0]]],
    ['coin that a contract sends on', { way: 'inner' }, [['inner', '7', 0]]],
    [
      'two halves in one transaction',
      { way: 'twice' },
      [
        ['inner', '3', 0],
        ['inner', '4', 1],
      ],
    ],
  ])('have %s', async (_, payment, expected) => {
    expect(await moved(payment)).toEqual(expected);
  });

  it('have the logs of tokens, also of one that is no asset', async () => {
    const [usdc, worthless] = [furnished.tokens[0]!, furnished.tokens.at(-1)!];

    expect(worthless.peg).toBeNull();
    expect(await moved({ token: usdc.address })).toEqual([['log', '7', 0]]);
    expect(await moved({ token: worthless.address, way: 'twice' })).toEqual([
      ['log', '3', 2],
      ['log', '4', 3],
    ]);
  });
});

describe('The settlements of a block', () => {
  it('are the events of the factory, beside the transfers that they made', async () => {
    const { chain, factory, payers, tokens } = furnished;
    const terms = { settlement: TO, feeRecipient: SERVICE, feeBasisPoints: 100, homeChainId: 31_337n };
    const salt = toHex(1, { size: 32 });
    const call = (functionName: string, args: unknown[]): Hex =>
      encodeFunctionData({ abi: FACTORY_ABI, functionName, args });
    const asked = { to: factory, data: call('addressOf', [terms, salt]) };
    const around = nextBlock(chain, chain.head);
    const message = messageOf(asked, around.gasLimit, 0n);
    const word = requireSuccess(await runCall(chain, message, around, chain.head.state));
    const forwarder = `0x${word.slice(26)}`;
    const token = tokens[0]!.address;
    pay(furnished, { to: forwarder, token, amount: 1_000n });
    await mine();
    const groups = [{ terms, token, undeployed: true, salts: [salt] }];
    const unsigned = { to: factory, value: 0n, gasLimit: 3_000_000n, maxFee: 10n ** 11n, maxTip: 1n };
    const data = call('settle', [groups, gasLimits(90_000n)]);
    const { hash } = chain.take(
      signTransaction(
        {
          ...unsigned,
          chainId: 31_337,
          data,
          nonce: chain.pool.nextNonce(chain.head.state, payers[5]!.address),
        },
        payers[5]!,
      ),
    );
    const block = await mine();

    expect(settledIn(block, factory)).toEqual([
      { forwarder, token, toSettlement: '990', toFee: '10', transactionHash: hash },
    ]);
    expect(transfersOf(block).map(({ from, to, amount }) => [from, to, amount])).toEqual(
      expect.arrayContaining([
        [forwarder, TO, '990'],
        [forwarder, SERVICE, '10'],
      ]),
    );
  });
});
