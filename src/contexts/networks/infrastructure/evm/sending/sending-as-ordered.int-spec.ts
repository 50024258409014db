import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hex } from 'viem';
import { newId } from '#shared/kernel/ids.js';
import { floatKeyOf } from '#contexts/networks/contract/sender.js';
import { nativeAsset } from '#contexts/networks/testing/sample-configuration.js';
import { SENDING_NETWORK, TARGET } from '#contexts/networks/testing/sending-process.js';
import { GWEI, RICH, SendingWorld } from '#contexts/networks/testing/sending-world.js';

const PAYER: Address = `0x${'0c'.repeat(20)}`;
const THIEF: Address = `0x${'0d'.repeat(20)}`;
const AMOUNT = 7n;

let world: SendingWorld;
let gasKey: Hex;
beforeAll(async () => {
  world = await SendingWorld.open();
  gasKey = (await world.key()).privateKey;
});
afterAll(() => world.close(['sendings-are-of-keys-that-may']));

const balance = async (address: string) =>
  BigInt(await world.chain.rpc('eth_getBalance', [address, 'latest']));

/** A float with coin, of which a refund is ordered. */
async function ordered() {
  const process = world.process(gasKey, { assets: [nativeAsset()] });
  const [organizationId, id] = [newId<string>(), newId<string>()];
  const key = floatKeyOf(organizationId);
  const from = process.sender.addressOf(SENDING_NETWORK, key);
  await world.chain.rpc('anvil_setBalance', [from, RICH]);
  const { uniqueAssetId } = process.catalogue.assets()[0]!;
  const refund = { purpose: 'refund', network: SENDING_NETWORK, to: PAYER, amount: AMOUNT } as const;
  world.ordered.set(id, { ...refund, organizationId, from, uniqueAssetId });
  const order = { id, network: SENDING_NETWORK, key, purpose: 'refund' } as const;
  const call = { to: PAYER as string, data: '0x', value: AMOUNT, gasLimit: 21_000n };
  return { ...process, id, from, key, order: { ...order, call } };
}

/** A thief of the database writes this; the service reserves it by `send`. */
const written = (row: {
  id: string;
  sender: string;
  key: string;
  to: string;
  purpose: string;
  value: bigint;
}) =>
  world.platform.database.query(
    `INSERT INTO networks.sendings (id, network, sender, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose, key)
     VALUES ($1, $2, $3, 0, $4, '', $5, 21000, 2::numeric ^ 100, $6, $7)`,
    [row.id, SENDING_NETWORK, row.sender, row.to, row.value.toString(), row.purpose, row.key],
  );

describe('A transfer from a float', () => {
  it('is reserved, signed and mined as it was ordered', async () => {
    const { sender, goUntilMined, id, order } = await ordered();
    const before = await balance(PAYER);

    await sender.send(order);
    await goUntilMined(id);

    expect((await balance(PAYER)) - before).toBe(AMOUNT);
  });

  it('of another call than was ordered reserves no nonce', async () => {
    const { sender, id, order } = await ordered();

    const stolen = { ...order, call: { ...order.call, to: THIEF } };
    await expect(sender.send(stolen)).rejects.toThrow('is not the transfer of 7');

    expect(await sender.fate(id)).toBeNull();
  });

  it.each([
    ['to somebody else', THIEF],
    ['that nobody ordered', PAYER],
  ] as const)('%s, put into the database, is never signed', async (what, to) => {
    const { step, state, situation, id, from, key } = await ordered();
    const stored = what === 'that nobody ordered' ? newId<string>() : id;
    await written({ id: stored, sender: from, key, to, purpose: 'refund', value: AMOUNT });

    await expect(step(stored)).rejects.toThrow(/is not the transfer|does not say that it is to be sent/);

    expect([await state(stored), await world.attempts(stored), await balance(THIEF)]).toEqual([
      'reserved',
      [],
      0n,
    ]);
    expect(await situation(stored)).toBe('not_as_ordered');
  });
});

describe('The gas key', () => {
  it('signs nothing that was put into the database to take its coin', async () => {
    const { step, sender } = world.process(gasKey);
    const id = newId<string>();
    const from = sender.addressOf(SENDING_NETWORK, 'gas');
    await written({ id, sender: from, key: 'gas', to: THIEF, purpose: 'settlement', value: 1n });

    await expect(step(id)).rejects.toThrow('must be 0');

    expect(await world.attempts(id)).toEqual([]);
  });

  it('offers no more than the network’s ceiling where the database names a higher one', async () => {
    const { privateKey, address } = await world.key();
    const { step } = world.process(privateKey, { fees: { ceiling_gwei: '1' } });
    const id = newId<string>();
    const call = { to: TARGET.toLowerCase(), purpose: 'settlement', value: 0n };
    await written({ id, sender: address.toLowerCase(), key: 'gas', ...call });

    await step(id);

    expect(await world.attempts(id)).toMatchObject([{ maxFee: GWEI }]);
  });
});
