import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { columnBytes } from './column-bytes.js';
import { InspectedProcess, Sources, timeByGroup, type Frame, type Profile } from './cpu-profile.js';
import { groupOf } from './create-groups.js';
import { explainCreation } from './create-statements.js';
import { CreateWorld, type Target } from './create-world.js';
import { costOfHold } from './hold-cost.js';
import { shown } from './measures.js';

/** The long form is `npm run evidence -- create-profile`. */
const LONG = process.env['EVIDENCE'] === 'long';
const POSTS = LONG ? 5_000 : 60;
const EXPLAINED = LONG ? 200 : 10;
/** How many functions are shown. */
const FUNCTIONS = 40;

let world: CreateWorld;
beforeAll(async () => {
  world = await CreateWorld.open({ NODE_OPTIONS: '--inspect=127.0.0.1:0' });
}, 120_000);
afterAll(() => world?.close());

/** Microseconds of processor time of one creation: shares of the profile, of what the process has used. */
interface Times {
  readonly groups: Map<string, number>;
  readonly functions: Map<string, number>;
}

async function profiled(
  target: Target,
  profile: (work: () => Promise<unknown>) => Promise<Profile>,
): Promise<Times> {
  await world.create(target, POSTS);
  let used = 0;
  const seen = await profile(async () => {
    const before = world.nodeCpu(target);
    await world.create(target, POSTS);
    used = ((world.nodeCpu(target) - before) * 1_000) / POSTS;
  });
  const sources = new Sources();
  const shares = (times: Map<string, number>) => {
    times.delete('waiting');
    const all = [...times.values()].reduce((sum, time) => sum + time, 0);
    return new Map([...times].map(([name, time]) => [name, (time / all) * used]));
  };
  const functionOf = (frame: Frame) => {
    const source = sources.of(frame);
    const group = groupOf(source);
    if (group === undefined || group === 'waiting') return group;
    return `${group}: ${frame.functionName || 'unnamed'} in ${source.split('/').at(-1)!}`;
  };
  return {
    groups: shares(timeByGroup(seen, (frame) => groupOf(sources.of(frame)))),
    functions: shares(timeByGroup(seen, functionOf)),
  };
}

const column = (time = 0) => time.toFixed(0).padStart(8);

describe('A creation in the service’s process', () => {
  it('is shown by group, beside a bare server', async () => {
    const inspected = await InspectedProcess.connect(world.service.log('api'));
    const ours = await profiled('api', (work) => inspected.profile(work));
    inspected.close();
    const bare = await profiled('bare', (work) => world.profileBare(work));

    const rows = (times: Map<string, number>, beside: Map<string, number>) =>
      [...times]
        .sort(([, a], [, b]) => b - a)
        .map(([name, time]) => `${column(time)}${column(beside.get(name))}  ${name}\n`);
    process.stdout.write(
      `Microseconds of Node for a creation, and for a bare one:\n${rows(ours.groups, bare.groups).join('')}` +
        'The costliest functions, each with what works for it:\n' +
        rows(ours.functions, bare.functions).slice(0, FUNCTIONS).join(''),
    );
    expect(ours.groups.get('signing the token')).toBeGreaterThan(0);
    expect([...ours.groups.keys()]).toEqual(expect.arrayContaining(['database driver', 'Nest', 'Express']));
  }, 600_000);
});

describe('A creation in PostgreSQL', () => {
  it('writes one row in each of four tables, and is shown by table', async () => {
    const { credential, creation } = await explainCreation(world, EXPLAINED);

    process.stdout.write(
      `Credential: ${credential.ms.toFixed(3)} ms, ${credential.blocks.toFixed(1)} blocks\n` +
        `Creation: ${creation.ms.toFixed(3)} ms, ${creation.blocks.toFixed(1)} blocks, ` +
        `${creation.walBytes.toFixed(0)} bytes of WAL in ${creation.walRecords.toFixed(1)} records\n` +
        creation.triggers.map(({ name, ms }) => `  ${ms.toFixed(3)} ms trigger ${name}\n`).join('') +
        creation.tables
          .map(({ name, ms, bytes }) => `  ${ms.toFixed(3)} ms, ${bytes.toFixed(0)} bytes ${name}\n`)
          .join(''),
    );
    for (const table of Object.keys(creation.rows)) {
      const columns = await columnBytes(world.service, table);
      process.stdout.write(
        `  ${table}: ${columns.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}\n`,
      );
    }
    expect(creation.rows).toEqual({
      'payments.deposit_addresses': 1,
      'payments.payment_requests': 1,
      'payments.status_history': 1,
      'platform.events': 1,
    });
    expect(credential.walBytes).toBe(0);
    // The four rows are some 2.2 kB; the rest is their index entries.
    expect(creation.walBytes).toBeLessThan(4_500);
  }, 300_000);

  it('holds the account, which is shown beside a statement that does nothing', async () => {
    const micros = await costOfHold(world, LONG ? 9 : 1, LONG ? 5_000 : 20);

    process.stdout.write(`Holding the account: ${shown(micros, 1)} microseconds\n`);
    const [{ held } = {}] = await world.service.query<{ held: number }>(
      "SELECT count(*)::integer AS held FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE locktype = 'advisory' AND d.datname = current_database()",
    );
    expect(held).toBe(0);
  }, 300_000);
});
