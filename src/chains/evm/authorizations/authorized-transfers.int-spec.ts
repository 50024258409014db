// These tests are in one file so that they share one node and its contracts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, type Hex, encodeFunctionData } from 'viem';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import { eventually } from '#test/support/eventually.js';
import type { SignedTransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import { describeAuthorizedTransfers } from '#contexts/networks/testing/authorization-suite.js';
import { firstAccount, sendToToken, testContract } from '../testing/chain-contracts.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { authorizedTransfers } from '#contexts/networks/testing/outbound-parts.js';
import {
  Payer,
  deployed,
  malleableSignatureOf,
  newNonce,
  signedBy,
  wrapSignature,
} from '../testing/signed-authorizations.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { contractArtifact } from '../../forwarders/forwarder-artifacts.js';
import type { EvmAuthorizedTransfers } from './evm-authorized-transfers.js';

const NETWORK = 'sandbox';
const TO: Address = `0x${'22'.repeat(20)}`;
const FACTORY: Address = `0x${'fa'.repeat(20)}`;

/** Behavior modes of the contract `AccountsToken`. In mode 0 it behaves correctly. */
const MODES = { AccountsToken: 0, OtherDomainToken: 1, StayingToken: 2, CredulousToken: 3 } as const;
type TokenName = keyof typeof MODES | 'TestToken' | 'Proxied' | 'AnyCallToken' | 'NoContract';

let chain: TestChain;
let transfers: EvmAuthorizedTransfers;
const tokens = {} as Record<TokenName, Address>;
const payer = new Payer();

beforeAll(async () => {
  chain = await startTestChain();
  const { url } = chain;
  tokens.TestToken = await deployed(url, contractArtifact('TestToken'), ['Test Dollar', 'TEST', 6]);
  for (const [name, mode] of Object.entries(MODES))
    tokens[name as keyof typeof MODES] = await deployed(url, testContract('AccountsToken'), [mode]);
  tokens.Proxied = await deployed(url, testContract('TokenProxy'), [tokens.AccountsToken]);
  tokens.AnyCallToken = await deployed(url, testContract('AnyCallToken'));
  tokens.NoContract = `0x${'99'.repeat(20)}`;
  for (const name of ['TestToken', 'AccountsToken', 'StayingToken', 'Proxied'] as const)
    await sendToToken(url, tokens[name], 'mint', [payer.address, 1_000n]);
  transfers = authorizedTransfers(settings());
});
afterAll(() => chain.stop());

function settings(changes: object = {}): NetworksSettings {
  const assets = Object.entries(tokens).map(([name, token], i) =>
    sampleAsset({ token, symbol: `T${i}`, name }),
  );
  const { networks, patience } = settingsFor(chain.url, {
    assets: [...assets, nativeAsset()],
    signature_factories: [FACTORY],
    ...changes,
  });
  return new NetworksSettings(networks, patience, { kind: 'private_key', privateKey: newNonce() });
}

const domainOf = async (token: TokenName) => (await transfers.eip712Domain(tokens[token]))!;
const signed = async (token: TokenName, changes: object = {}) =>
  signedBy(payer, await domainOf(token), NETWORK, { to: TO, ...changes });

async function mined({ to, data }: { readonly to: string; readonly data: string }): Promise<void> {
  const from = await firstAccount(chain.url);
  const hash = await chain.rpc('eth_sendTransaction', [{ from, to, data }]);
  await eventually(
    () => chain.rpc('eth_getTransactionReceipt', [hash]),
    (receipt) => receipt !== null,
  );
}

/** Gives a contract account 1,000 units of the token. The account accepts signatures by `payer`. */
async function fromWallet(name: string, args: unknown[] = [], token: TokenName = 'TestToken') {
  const wallet = await deployed(chain.url, testContract(name), args);
  await sendToToken(chain.url, tokens[token], 'mint', [wallet, 1_000n]);
  return signed(token, { from: wallet });
}

describeAuthorizedTransfers('evm', async () => {
  const { timestamp } = await chain.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
  const [holder, domain] = [new Payer(), await domainOf('TestToken')];
  await sendToToken(chain.url, tokens.TestToken, 'mint', [holder.address, 100n]);
  return {
    transfers,
    ...{ network: NETWORK, token: tokens.TestToken, other: 'ETH', payer: holder.address, to: TO },
    now: BigInt(timestamp),
    nonce: newNonce,
    sign: (authorization) => holder.sign(domain, authorization),
    send: mined,
  };
});

describe('The domain of a token', () => {
  it.each([
    ['TestToken', 'Test Dollar', '2', 'by its name and version'],
    ['AccountsToken', 'Accounts Dollar', '1', 'by EIP-5267'],
    ['Proxied', 'Accounts Dollar', '1', 'behind a proxy'],
  ] as const)('is read and proven: %s (case %#)', async (token, name, version, _) => {
    expect(await domainOf(token)).toEqual({
      ...{ name, version, chainId: 31_337 },
      verifyingContract: expect.stringMatching(new RegExp(`^${tokens[token]}$`, 'i')),
    });
  });

  it.each(['OtherDomainToken', 'CredulousToken', 'AnyCallToken', 'NoContract'] as const)(
    'is rejected if it is not proven: %s',
    async (token) => {
      const one = { ...(await signed('TestToken')), token: tokens[token] };

      expect(await transfers.eip712Domain(tokens[token])).toBeNull();
      await expect(transfers.plan(one)).rejects.toMatchObject({ reason: 'token' });
    },
  );
});

describe('A signature', () => {
  it('is planned as bytes if it is that of a contract', async () => {
    const one = await fromWallet('OwnedWallet', [payer.address]);

    const { call } = await transfers.plan(one);

    expect(call.data.slice(0, 10)).toBe('0xcf092995');
    expect(transfers.isExecutedBy(one, call)).toBe(true);
  });

  it('is unwrapped for a listed factory, and refused for another one', async () => {
    const one = await fromWallet('OwnedWallet', [payer.address]);
    const unwrapped = await transfers.plan(one);
    const given = { ...one, signature: wrapSignature(FACTORY, one.signature) };

    const { call } = await transfers.plan(given);

    expect(call).toEqual(unwrapped.call);
    expect(transfers.isExecutedBy(given, call)).toBe(true);
    const unlisted = { ...one, signature: wrapSignature(TO, one.signature) };
    await expect(transfers.plan(unlisted)).rejects.toMatchObject({ reason: 'signature' });
    expect(transfers.isExecutedBy(unlisted, call)).toBe(false);
  });

  it.each([
    ['of bytes that are none', async () => '0x'],
    [
      'with s in the upper half',
      async ({ signature }: SignedTransferAuthorization) => malleableSignatureOf(signature),
    ],
    [
      'with a last byte of 0 or 1',
      async ({ signature }: SignedTransferAuthorization) => `${signature.slice(0, -2)}01`,
    ],
    ['in the short form', async ({ signature }: SignedTransferAuthorization) => signature.slice(0, -2)],
    [
      'wrapped for what is not deployed',
      async ({ signature }: SignedTransferAuthorization) => wrapSignature(FACTORY, signature),
    ],
    ['that ends as a wrapped one', async () => `0x1234${'6492'.repeat(16)}`],
  ] as const)('is refused in a wrong form: %s', async (_, change) => {
    const one = await signed('TestToken');

    const refused = transfers.plan({ ...one, signature: await change(one) });

    await expect(refused).rejects.toMatchObject({ reason: 'signature' });
  });

  it('spends at most the balance if its contract accepts any signature', async () => {
    const one = await fromWallet('YesWallet');
    const nobodys = { ...one, signature: '0xabcd' };

    expect((await transfers.plan(nobodys)).call.data.slice(0, 10)).toBe('0xcf092995');
    const more = { ...nobodys, authorization: { ...one.authorization, value: 1_001n } };
    await expect(transfers.plan(more)).rejects.toMatchObject({ reason: 'balance' });
  });
});

describe('A token that keeps what it should move', () => {
  it.each([0n, 9n])('is refused if %d of 10 units arrive', async (moves) => {
    const { abi } = testContract('AccountsToken');
    const data = encodeFunctionData({ abi, functionName: 'setMoves', args: [moves] });
    await mined({ to: tokens.StayingToken, data });

    await expect(transfers.plan(await signed('StayingToken'))).rejects.toMatchObject({
      reason: 'token',
      message: expect.stringContaining(`delivers only ${moves} of 10 units`),
    });
  });
});
