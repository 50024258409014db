// The sandbox's data taken from an earlier release to this one: `npm run rehearse -- upgrade <commit or tag>`.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { spawnChild } from '#sandbox/processes/child-process.js';
import { KillableSandbox } from '../faults/killable-sandbox.js';
import { ArchivedPostgres } from './archived-postgres.js';
import { Rehearsal } from './rehearsal.js';
import { RehearsedShop } from './rehearsed-shop.js';

const [earlier] = process.argv.slice(2);
if (earlier === undefined) throw new Error('Name the commit or tag of the earlier release.');
const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
const [baseline] = readdirSync('migrations').sort();
if (git('ls-tree', '--name-only', earlier, `migrations/${baseline}`) === '')
  throw new Error(
    `${earlier} lacks migrations/${baseline}. No migration leads from a schema before the baseline to this one: ` +
      'name a later commit.',
  );

await Rehearsal.run(async (rehearsal) => {
  chmodSync(rehearsal.folder, 0o755);
  const release = join(rehearsal.folder, 'release');
  git('clone', '--quiet', '--shared', '.', release);
  git('-C', release, 'checkout', '--quiet', git('rev-parse', earlier));
  const prepare = `import('./scripts/prepare.mjs').then(({ prepare }) => prepare())`;
  execFileSync(process.execPath, ['-e', prepare], { cwd: release, stdio: 'pipe' });
  rehearsal.step(`The earlier release is built: ${git('log', '-1', '--format=%h of %cs', earlier)}.`);

  const postgres = await ArchivedPostgres.start(rehearsal.folder);
  rehearsal.atEnd(() => postgres.remove());
  const settings = { DATABASE_URL: postgres.url, PAYMENT_WINDOW_SECONDS: '1800' };
  const sandbox = await KillableSandbox.start(settings, release);
  rehearsal.atEnd(() => sandbox.end());
  const shop = await RehearsedShop.open(rehearsal, sandbox);
  const first = [await shop.paid(), await shop.paid(), await shop.paid()];
  await shop.through(first);
  const open = [await shop.asked(), await shop.asked(), await shop.asked()];
  await postgres.baseBackup();
  rehearsal.step('Its sandbox has three settled payments and three open requests. A base backup is made.');

  const { exitCode, answer } = await sandbox.operator('migrate', '--yes');
  rehearsal.demand(exitCode === 0, answer);
  rehearsal.step(
    `This release's \`migrate\` runs beside the earlier processes: ${answer.trim().split('\n').length} lines.`,
  );
  await shop.pay(open[0]!);
  const between = await shop.paid();
  await shop.through([...first, open[0]!, between]);
  rehearsal.step('The earlier processes complete an open request and a new one on the new schema.');

  const worker = await spawnChild({
    command: process.execPath,
    args: [join(process.cwd(), 'dist', 'worker.js')],
    env: { PATH: process.env['PATH']!, ...sandbox.serviceEnvironment },
    logFile: join(rehearsal.folder, 'worker.log'),
    deathSignal: 'SIGKILL',
  });
  rehearsal.atEnd(() => worker.end('SIGTERM', 30_000));
  await shop.pay(open[1]!);
  const beside = await shop.paid();
  await shop.through([open[1]!, beside]);
  rehearsal.step('Workers of both releases run side by side: an open request and a new one are completed.');

  await worker.end('SIGTERM', 30_000);
  await sandbox.stop();
  await sandbox.start();
  await shop.pay(open[2]!);
  await shop.through([...first, ...open, between, beside, await shop.paid()]);
  rehearsal.step(
    'Every process is of this release: all payments are there once, the last ones completed by it.',
  );
  await shop.verify();
});
