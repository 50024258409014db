import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hex } from 'viem';
import { newId } from '#shared/kernel/ids.js';
import { floatKeyName } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { deployTestToken, sendToToken } from '../testing/chain-contracts.js';
import { nativeAsset, sampleAsset } from '#contexts/networks/testing/sample-configuration.js';
import { SENDING_NETWORK, CALLABLE_CONTRACT } from '#contexts/networks/testing/outbound-process.js';
import { Payer, signedBy } from '../testing/signed-authorizations.js';
import {
  SECONDS_UNTIL_BUMP,
  GWEI,
  RICH_BALANCE_WEI,
  SendingWorld,
} from '#contexts/networks/testing/outbound-world.js';

const PAYER: Address = `0x${'0c'.repeat(20)}`;
const THIEF: Address = `0x${'0d'.repeat(20)}`;
const AMOUNT = 7n;

let world: SendingWorld;
let gasKey: Hex;
beforeAll(async () => {
  world = await SendingWorld.open();
  gasKey = (await world.key()).privateKey;
});
afterEach(() => world.holdBlocks(false));
afterAll(() => world.close(['sendings-are-of-keys-that-may', 'authorizations-are-sent-as-stored']));

const balance = async (address: string) =>
  BigInt(await world.chain.rpc('eth_getBalance', [address, 'latest']));

/** Funds a float and orders a transfer from it. */
async function ordered(purpose: 'refund' | 'float_withdrawal' = 'refund') {
  const process = world.process(gasKey, { assets: [nativeAsset()] });
  const [organizationId, id] = [newId<string>(), newId<string>()];
  const key = floatKeyName(organizationId);
  const from = process.sender.addressOf(SENDING_NETWORK, key);
  await world.chain.rpc('anvil_setBalance', [from, RICH_BALANCE_WEI]);
  const { uniqueAssetId } = process.catalogue.assets()[0]!;
  const transfer = {
    purpose,
    network: SENDING_NETWORK,
    to: PAYER,
    amount: AMOUNT,
    isRevoked: false,
  } as const;
  world.ordered.set(id, { ...transfer, organizationId, from, uniqueAssetId });
  const order = { id, network: SENDING_NETWORK, key, purpose } as const;
  const call = { to: PAYER as string, data: '0x', value: AMOUNT, gasLimit: 21_000n };
  return { ...process, id, from, key, order: { ...order, call } };
}

/** Stores a row as an attacker with write access to the database would. The service reserves it by `send`. */
const written = (row: {
  id: string;
  sender: string;
  key: string;
  to: string;
  purpose: string;
  value: bigint;
  data?: string;
  gasLimit?: bigint;
}) =>
  world.platform.database.query(
    `INSERT INTO networks.sendings (id, network, sender, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose, key)
     VALUES ($1, $2, $3, 0, $4, $8, $5, $9, 2::numeric ^ 100, $6, $7)`,
    [
      ...[row.id, SENDING_NETWORK, row.sender, row.to, row.value.toString(), row.purpose, row.key],
      ...[Buffer.from((row.data ?? '0x').slice(2), 'hex'), (row.gasLimit ?? 21_000n).toString()],
    ],
  );

describe('A transfer from a refund float', () => {
  it.each(['before it was signed', 'once it was signed for too little'])(
    'uses up its nonce without effect when it is revoked %s',
    async (when) => {
      const { sender, go, goUntilMined, id, order, from } = await ordered('float_withdrawal');
      const before = await balance(PAYER);
      await world.holdBlocks();
      await sender.send(order);
      if (when !== 'before it was signed') {
        await go(id);
        await world.mineAt(20n * GWEI, 3);
        await world.platform.advance(SECONDS_UNTIL_BUMP);
      }
      world.ordered.set(id, { ...world.ordered.get(id)!, isRevoked: true });

      await go(id);
      await world.holdBlocks(false);
      await world.mineAt(GWEI);
      await goUntilMined(id);
      await world.chain.mine(4);
      await go(id);

      expect([await world.count(from as Address), (await balance(PAYER)) - before]).toEqual([1, 0n]);
      expect(await sender.status(id)).toMatchObject({ state: 'cancelled', succeeded: false });
      expect((await world.attempts(id)).length).toBe(when === 'before it was signed' ? 1 : 2);
    },
  );

  it.each([
    ['to somebody else', THIEF],
    ['without an order', PAYER],
  ] as const)('is never signed when it is inserted into the database %s', async (what, to) => {
    const { step, state, situation, id, from, key } = await ordered();
    const stored = what === 'without an order' ? newId<string>() : id;
    await written({ id: stored, sender: from, key, to, purpose: 'refund', value: AMOUNT });

    await expect(step(stored)).rejects.toThrow(/is not the requested transfer|has no instruction to send/);

    expect([await state(stored), await world.attempts(stored), await balance(THIEF)]).toEqual([
      'reserved',
      [],
      0n,
    ]);
    expect(await situation(stored)).toBe('not_as_ordered');
  });
});

/** Signs a payer's transfer to PAYER and orders it. */
async function ordering() {
  const { url } = world.chain;
  const token = (await deployTestToken(url, 6)).toLowerCase() as Address;
  const payer = new Payer();
  await sendToToken(url, token, 'mint', [payer.address, AMOUNT]);
  const { privateKey, address } = await world.key();
  const process = world.process(privateKey, { assets: [sampleAsset({ token })] });
  const domain = (await process.authorized.eip712Domain(token))!;
  const signed = await signedBy(payer, domain, SENDING_NETWORK, { to: PAYER, value: AMOUNT });
  const id = newId<string>();
  world.authorizations.set(id, signed);
  const { call } = await process.authorized.plan(signed);
  const order = { id, network: SENDING_NETWORK, key: 'gas', purpose: 'authorized_transfer', call } as const;
  return { ...process, id, signed, order, address: address.toLowerCase(), token };
}

describe('A transfer that its payer signed', () => {
  it('is sent by the gas key as it was signed, and the money arrives', async () => {
    const { sender, goUntilMined, id, order, signed, authorized } = await ordering();

    await sender.send(order);
    await goUntilMined(id);

    expect(await sender.status(id)).toMatchObject({ succeeded: true });
    expect(await authorized.isUsed(signed)).toBe(true);
  });

  it.each(['another call', 'another gas limit', 'another id'])(
    'burns no gas if the database was changed: it has %s',
    async (what) => {
      const { step, id, order, address, token, signed, authorized } = await ordering();
      const stored = what === 'another id' ? newId<string>() : id;
      const other = { ...signed, authorization: { ...signed.authorization, value: AMOUNT + 1n } };
      const { data } = what === 'another call' ? authorized.encode(other) : order.call;
      const gasLimit = what === 'another gas limit' ? 16_000_000n : order.call.gasLimit;
      const row = { id: stored, sender: address, key: 'gas', to: token, purpose: 'authorized_transfer' };
      await written({ ...row, value: 0n, data, gasLimit });

      await expect(step(stored)).rejects.toThrow(/that its payer signed|has no instruction to send/);

      expect(await world.attempts(stored)).toEqual([]);
    },
  );

  it('is taken up after a restore, whoever ordered it', async () => {
    const { sender, goUntilMined, reserve, id, order, reconciled, sendings, address } = await ordering();
    await goUntilMined(await reserve('0x00'));
    await sender.send(order);
    await goUntilMined(id);
    await world.chain.mine(3);

    await world.forget(id);

    expect(await reconciled()).toEqual(['1 adopted']);
    expect(await sendings.findByNonce(SENDING_NETWORK, address, 1)).toMatchObject({
      purpose: 'authorized_transfer',
    });
  });
});

describe('The gas key', () => {
  it('offers no more than the network’s ceiling if the database names a higher one', async () => {
    const { privateKey, address } = await world.key();
    const { step } = world.process(privateKey, { fees: { ceiling_gwei: '1' } });
    const id = newId<string>();
    const call = { to: CALLABLE_CONTRACT.toLowerCase(), purpose: 'settlement', value: 0n };
    await written({ id, sender: address.toLowerCase(), key: 'gas', ...call });

    await step(id);

    expect(await world.attempts(id)).toMatchObject([{ maxFee: GWEI }]);
  });
});
