import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { CancelOutboundTransaction } from '#contexts/networks/application/outbound/cancel-outbound-transaction.js';
import { SENDING_NETWORK } from '#contexts/networks/testing/outbound-process.js';
import { SendingWorld } from '#contexts/networks/testing/outbound-world.js';
import { Database } from '#shared/platform/database/database.js';
import { runCommand } from '../testing/run-command.js';

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
  await world.holdBlocks();
});
afterAll(() => world.close());

/** Creates a process with a gas key, and a function that runs commands in it. */
async function operator() {
  const { privateKey, address } = await world.key();
  const process = world.process(privateKey);
  const parts = new Map<unknown, object>([
    [Database, world.platform.database],
    [CancelOutboundTransaction, process.cancelSending],
  ]);
  const context = { get: (part: unknown) => parts.get(part) } as unknown as INestApplicationContext;
  const cancel = (...words: string[]) =>
    runCommand(context, ['sender', 'cancel', SENDING_NETWORK, ...words, '--json']);
  return { ...process, address, cancel };
}

const log = () =>
  world.platform.database.query<{ outcome: string; reason: string | null }>(
    `SELECT outcome, reason FROM platform.operator_actions WHERE command = 'sender cancel' ORDER BY position`,
  );

describe('The command "sender cancel"', () => {
  it('asks for confirmation and names the outbound transaction', async () => {
    const { reserve, cancel, address } = await operator();
    const id = await reserve('0x01');

    const { status, err } = await cancel(id);

    expect(status).toBe(2);
    expect(err).toContain(`The settlement ${id} on sandbox, nonce 0 of ${address}, will not be executed`);
    expect(await world.attempts(id)).toEqual([]);
  });

  it('stores an attempt at the allowed price and logs it', async () => {
    const { reserve, go, state, cancel, address } = await operator();
    const id = await reserve('0x01');
    await go(id);

    const { status, out } = await cancel(`${address}:0`, '--fee-ceiling', '9.5', '--yes');
    await world.chain.mine(4);
    await go(id);

    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ attempt: 2, max_fee_gwei: expect.any(String) });
    expect((await log()).map(({ outcome }) => outcome)).toEqual(['begun', 'done']);
    expect(['cancelled', 'final']).toContain(await state(id));
  });
});
