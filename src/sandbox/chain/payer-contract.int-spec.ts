import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hex } from 'viem';
import { PayerWallet, tokenOf } from '../payer/payer-wallet.js';
import { freePort } from '../processes/free-port.js';
import { startAnvil, type Anvil } from './anvil.js';
import { chainRpc } from './chain-rpc.js';
import { NATIVE_COIN, payerContractAddress } from './payer-contract.js';
import { prepareChain, sandboxNetwork, sandboxPayer } from './sandbox-chain.js';

interface Receipt {
  status: Hex;
  to: Address;
  logs: { topics: Hex[]; data: Hex }[];
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

let chain: Anvil;
let wallet: PayerWallet;
let usdc: Address;
let dai: Address;
let addresses = 0;

beforeAll(async () => {
  chain = await startAnvil({ port: await freePort(), chainId: 31_337 });
  await prepareChain(chain.url);
  wallet = new PayerWallet(chain.url, sandboxPayer);
  const { assets } = sandboxNetwork(chain.url);
  [usdc, dai] = [tokenOf(assets[0]!.unique_asset_id), tokenOf(assets[2]!.unique_asset_id)];
});
afterAll(() => chain.kill());

/** One that nobody has paid to. */
function newAddress(): Address {
  addresses += 1;
  return `0x${addresses.toString(16).padStart(40, 'b')}`;
}

const receiptOf = async (hash: Hex): Promise<Receipt> => {
  await wallet.mined(hash).catch(() => undefined);
  return chainRpc<Receipt>(chain.url, 'eth_getTransactionReceipt', [hash]);
};
const native = (address: Address) =>
  chainRpc<string>(chain.url, 'eth_getBalance', [address, 'latest']).then(BigInt);
const held = (token: Address, address: Address) =>
  chainRpc<string>(chain.url, 'eth_call', [
    { to: token, data: `0x70a08231${address.slice(2).padStart(64, '0')}` },
    'latest',
  ]).then(BigInt);
const topic = (address: Address) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

describe('The sandbox wallet on the chain', () => {
  it('sends the native coin as a transaction’s own value', async () => {
    const payee = newAddress();
    const before = await wallet.balance(NATIVE_COIN);

    const receipt = await receiptOf(await wallet.send(NATIVE_COIN, payee, 7n));

    expect(receipt).toMatchObject({ status: '0x1', to: payee, logs: [] });
    expect(await native(payee)).toBe(7n);
    expect(before - (await wallet.balance(NATIVE_COIN))).toBeGreaterThan(7n);
  });
});

describe('The payer contract', () => {
  it('pays several, in native coin and tokens, within one transaction', async () => {
    const [one, two] = [newAddress(), newAddress()];

    const hash = await wallet.sendFromContract([
      { token: NATIVE_COIN, to: one, amount: 5n },
      { token: NATIVE_COIN, to: two, amount: 6n },
      { token: usdc, to: one, amount: 70n },
      { token: usdc, to: one, amount: 71n },
      { token: dai, to: two, amount: 8n },
    ]);

    const { status, to, logs } = await receiptOf(hash);
    const sent = logs.filter(({ topics }) => topics[0] === TRANSFER && topics[2] === topic(one));
    expect([status, to]).toEqual(['0x1', payerContractAddress().toLowerCase()]);
    expect([await native(one), await native(two)]).toEqual([5n, 6n]);
    expect([await held(usdc, one), await held(dai, two)]).toEqual([141n, 8n]);
    expect(sent.map(({ topics, data }) => [topics[1], BigInt(data)])).toEqual([
      [topic(payerContractAddress()), 70n],
      [topic(payerContractAddress()), 71n],
    ]);
    expect(await native(payerContractAddress())).toBe(0n);
  });

  it('pays out of what it holds', async () => {
    const payee = newAddress();
    await wallet.mined(await wallet.send(usdc, payerContractAddress(), 12n));
    await wallet.mined(await wallet.send(NATIVE_COIN, payerContractAddress(), 3n));

    await wallet.mined(await wallet.sendFromContract([{ token: usdc, to: payee, amount: 12n }], 'pay'));
    await wallet.mined(await wallet.sendFromContract([{ token: NATIVE_COIN, to: payee, amount: 3n }], 'pay'));

    expect([await held(usdc, payee), await native(payee)]).toEqual([12n, 3n]);
    expect([await held(usdc, payerContractAddress()), await native(payerContractAddress())]).toEqual([
      0n,
      0n,
    ]);
  });

  it.each([
    ['payAndRevert', '0x0'],
    ['tryPayAndRevert', '0x1'],
  ] as const)('leaves nothing behind after %s, whose transaction has status %s', async (call, status) => {
    const payee = newAddress();

    const hash = await wallet.sendFromContract([{ token: NATIVE_COIN, to: payee, amount: 9n }], call);

    expect(await receiptOf(hash)).toMatchObject({ status, logs: [] });
    expect([await native(payee), await native(payerContractAddress())]).toEqual([0n, 0n]);
  });

  it('pays all or none', async () => {
    const payee = newAddress();
    const payments = [
      { token: NATIVE_COIN, to: payee, amount: 1n },
      // The token's contract takes no native coin.
      { token: NATIVE_COIN, to: usdc, amount: 1n },
    ];

    const hash = await wallet.sendFromContract(payments);

    await expect(wallet.mined(hash)).rejects.toThrow('was reverted');
    expect(await native(payee)).toBe(0n);
  });
});
