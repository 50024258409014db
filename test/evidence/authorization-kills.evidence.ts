import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '../support/drawn.js';
import { AUTHORIZATION, openAuthorizationDesk } from './sender-kills/authorization-subject.js';
import { describeKills } from './sender-kills/describe-kills.js';
import { SENDER_POINTS } from './sender-kills/kill-points.js';
import { KillWorld } from './sender-kills/kill-world.js';

/** The long form is `npm run evidence -- authorization-kills`. */
const LONG = process.env['EVIDENCE'] === 'long';
const TIMES = Number(process.env['TIMES'] ?? (LONG ? 20 : 1));

let world: KillWorld;
beforeAll(async () => {
  // What arrives is not settled, so that the gas key sends payments by signature alone.
  world = await KillWorld.open({ paused: true });
});
afterAll(() => world?.close());

describeKills(() => world, AUTHORIZATION, drawn([...AUTHORIZATION.points, ...SENDER_POINTS], 2));

describe('Killing the API between a signature and its storing', () => {
  it(
    'leaves one payment, once the same is posted to another process',
    async () => {
      const desk = await openAuthorizationDesk(world);
      const before = (await world.transactions(world.key.address)).length;
      for (let time = 0; time < TIMES; time += 1) {
        const api = await world.service.killableApi(world.service.databaseUrl);
        const payment = await desk.signed();
        const lock = await world.lock('payments.authorizations');
        const lost = payment.post(api.url).catch(() => 'killed');
        await world.waitsForLock('INSERT INTO payments.authorizations');
        // Every other time it dies with the lock held, else while the statement goes on.
        if (time % 2 === 0) api.kill();
        await lock.release();
        if (time % 2 === 1) api.kill();
        await lost;

        await payment.post();
        await payment.completed();
      }

      const mined = await world.transactions(world.key.address);
      expect(mined).toHaveLength(before + TIMES);
      expect(await world.service.breaches()).toEqual([]);
      process.stdout.write(`Killed ${TIMES} times between signature and storing: each was paid once.\n`);
    },
    LONG ? 1_800_000 : 240_000,
  );
});
