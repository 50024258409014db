import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '../support/drawn.js';
import { SENDER_POINTS, reached } from './sender-kills/kill-points.js';
import { type OpenSubject, PLAIN_CALL } from './sender-kills/kill-subjects.js';
import { REFUND } from './sender-kills/refund-subject.js';
import { SETTLEMENT } from './sender-kills/settlement-subject.js';
import { KillWorld } from './sender-kills/kill-world.js';

/** The long form is `npm run evidence -- sender-kills`. */
const LONG = process.env['EVIDENCE'] === 'long';
const TIMES = Number(process.env['TIMES'] ?? (LONG ? 20 : 1));
const PATIENT_MS = LONG ? 1_800_000 : 240_000;
/**
 * All of them in the long form; what is drawn is the sender's own, whoever has something sent. Calls that nobody ordered come
 * last: the invariants that they break are checked of the others.
 */
const SUBJECTS = drawn([SETTLEMENT, REFUND, PLAIN_CALL], 1);

let world: KillWorld;
beforeAll(async () => {
  world = await KillWorld.open();
});
afterAll(() => world?.close());

describe.each(SUBJECTS)('Killing the worker while $name is sent', (subject) => {
  const points = drawn([...subject.points, ...SENDER_POINTS], 2);
  let opened: OpenSubject;
  beforeAll(async () => {
    opened = await subject.open(world);
  });
  afterAll(() => opened?.close());

  it.each(points)(
    'right after it is $name leaves one transaction of it, and loses none',
    async (point) => {
      for (let time = 0; time < TIMES; time += 1) {
        const before = (await world.transactions(opened.sender)).length;
        const armed = await point.arm(world);
        const ordered = await opened.order();
        await reached(armed, () => ordered.sending());
        await world.killWorker();
        await armed.letGo();
        await ordered.again();
        await world.startWorker();

        const state = await world.carriedToItsEnd(() => ordered.sending());
        await ordered.ended();

        const mined = await world.transactions(opened.sender);
        expect([point.name, time, state]).toEqual([point.name, time, 'final']);
        expect(mined.filter((transaction) => ordered.isMadeBy(transaction))).toHaveLength(1);
        expect(mined).toHaveLength(before + 1);
        expect(mined.map(({ nonce }) => nonce)).toEqual(mined.map((_, nonce) => nonce));
      }
      const breaches = await world.service.breaches();
      expect(
        breaches.filter((breach) => !subject.madeUp.includes((breach as { name: string }).name)),
      ).toEqual([]);
      process.stdout.write(
        `Killed ${TIMES} times right after ${point.name}: ${subject.name} was mined once.\n`,
      );
    },
    PATIENT_MS,
  );
});
