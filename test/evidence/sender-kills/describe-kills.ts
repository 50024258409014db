import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KillPoint, reached } from './kill-points.js';
import type { KillSubject, OpenSubject } from './kill-subjects.js';
import type { KillWorld } from './kill-world.js';

const LONG = process.env['EVIDENCE'] === 'long';
const TIMES = Number(process.env['TIMES'] ?? (LONG ? 20 : 1));
const PATIENT_MS = LONG ? 1_800_000 : 240_000;

/** Kills the worker at each of these points, 20 times in the long form. @param world opened before the tests */
export function describeKills(
  world: () => KillWorld,
  subject: KillSubject,
  points: readonly KillPoint[],
): void {
  describe(`Killing the worker while ${subject.name} is sent`, () => {
    let opened: OpenSubject;
    beforeAll(async () => {
      opened = await subject.open(world());
    });
    afterAll(() => opened?.close());

    it.each(points)(
      'right after it is $name leaves one transaction of it, and loses none',
      async (point) => {
        for (let time = 0; time < TIMES; time += 1) await killOnce(world(), opened, point, time);
        const breaches = await world().service.breaches();
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
}

async function killOnce(world: KillWorld, { sender, order }: OpenSubject, point: KillPoint, time: number) {
  const before = (await world.transactions(sender)).length;
  const armed = await point.arm(world);
  const ordered = await order();
  await reached(armed, () => ordered.sending());
  await world.killWorker();
  await armed.letGo();
  await ordered.again();
  await world.startWorker();

  const state = await world.carriedToItsEnd(() => ordered.sending());
  await ordered.ended();

  const mined = await world.transactions(sender);
  expect([point.name, time, state]).toEqual([point.name, time, 'final']);
  expect(mined.filter((transaction) => ordered.isMadeBy(transaction))).toHaveLength(1);
  expect(mined).toHaveLength(before + 1);
  expect(mined.map(({ nonce }) => nonce)).toEqual(mined.map((_, nonce) => nonce));
}
