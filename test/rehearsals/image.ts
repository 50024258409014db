// Builds the image by the Dockerfile, and runs it by the commands, mounts and rights of the chart: `npm run rehearse -- image`.
// An argument names an archive of the base image (`docker save`); without one a stand-in is made of Debian's packages.
import { readFileSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import { chartPod } from './image/chart-pods.js';
import { ChartPrograms } from './image/chart-programs.js';
import { ContainerTools } from './image/container-tools.js';
import { collectOnePayment } from './one-payment.js';
import { startProductionWorld } from './production-world.js';
import { Rehearsal } from './rehearsal.js';

const IMAGE = 'localhost/payment-collection-service:rehearsal';
/** A program that prints its own rights, and where it can write. */
const RIGHTS = `
  const { accessSync, constants, mkdtempSync, readFileSync } = require('node:fs');
  const status = Object.fromEntries(readFileSync('/proc/self/status', 'utf8').split('\\n').map((line) => line.split(/:\\s+/)));
  const writes = (folder) => { try { mkdtempSync(folder + '/x'); return 'written'; } catch ({ code }) { return code; } };
  console.log(JSON.stringify({
    user: process.getuid(), group: process.getgid(),
    capabilities: status.CapEff + status.CapPrm + status.CapBnd, newPrivileges: status.NoNewPrivs, seccomp: status.Seccomp,
    tmp: writes('/tmp'), others: ['/', '/service', '/service/dist', '/home/node', '/run', '/run/secrets', '/var/tmp'].map(writes),
  }));`;

interface Rights {
  readonly user: number;
  readonly group: number;
  readonly capabilities: string;
  readonly newPrivileges: string;
  readonly seccomp: string;
  readonly tmp: string;
  readonly others: readonly string[];
}

await Rehearsal.run(async (rehearsal) => {
  const tools = new ContainerTools();
  provideBase(rehearsal, tools, process.argv[2]);
  tools.build(IMAGE);
  const { User: user, Cmd: command } = JSON.parse(
    tools.podman('image', 'inspect', IMAGE, '--format', '{{json .Config}}'),
  ) as { User: string; Cmd: string[] };
  rehearsal.demand(user === 'node', `the image is run by the user node, not by ${user}`);
  rehearsal.step(`The Dockerfile is built; the image runs \`${command.join(' ')}\` as the user ${user}.`);

  const programs = new ChartPrograms(tools, IMAGE, rehearsal.folder);
  rehearsal.atEnd(() => tools.podman('rm', '--all', '--force'));
  const world = await startProductionWorld(rehearsal, { apis: 1, programs });
  const { api, worker } = await collectOnePayment(rehearsal, world);

  const origins = {
    api: `http://127.0.0.1:${world.httpPorts[0]}`,
    worker: `http://127.0.0.1:${programs.metricsPorts['worker']}`,
  };
  for (const part of ['api', 'worker'] as const) {
    const rights = JSON.parse(tools.podman('exec', part, 'node', '-e', RIGHTS)) as Rights;
    const { runAsUser, runAsGroup } = chartPod(part).securityContext;
    rehearsal.demand(
      rights.user === runAsUser && rights.group === runAsGroup && rights.user > 0,
      `${part} runs as the chart’s user`,
    );
    rehearsal.demand(/^0+$/.test(rights.capabilities), `${part} has no capability: ${rights.capabilities}`);
    rehearsal.demand(rights.newPrivileges === '1' && rights.seccomp === '2', `${part} gains no right`);
    rehearsal.demand(rights.tmp === 'written', `${part} writes to /tmp: ${rights.tmp}`);
    const refusals = new Set(rights.others);
    rehearsal.demand(refusals.size === 1 && refusals.has('EROFS'), `nowhere else: ${rights.others.join()}`);
    const [{ livenessProbe, readinessProbe }] = chartPod(part).containers;
    for (const probe of [livenessProbe, readinessProbe]) {
      if (probe === undefined) continue;
      const { status } = await fetch(origins[part] + probe.httpGet.path);
      rehearsal.demand(status === 200, `${part} answers the probe ${probe.httpGet.path}: ${status}`);
    }
    rehearsal.step(
      `${part}: user ${rights.user}, no capability, seccomp, every write outside /tmp is EROFS; its probes answer 200.`,
    );
  }
  const health = tools.podman('healthcheck', 'run', 'api');
  rehearsal.step(`The image’s own health check passes in the API’s container${health.trim()}.`);

  const grace = chartPod('api').terminationGracePeriodSeconds * 1_000;
  const ended = [api, worker].map((one) => one.end('SIGTERM', grace));
  await eventually(async () => (await fetch(`${origins.api}/health/ready`)).status === 503);
  rehearsal.demand((await fetch(`${origins.api}/health/live`)).ok, 'a draining API is alive');
  await Promise.all(ended);
  const codes = await Promise.all([api.exit, worker.exit]);
  rehearsal.demand(
    codes.every(({ code }) => code === 0 || code === 143),
    `both end by themselves within ${grace / 1_000} s: ${JSON.stringify(codes)}`,
  );
  rehearsal.step(
    'After SIGTERM the API is not ready, alive and drains; both end within the grace of the chart.',
  );
});

function provideBase(rehearsal: Rehearsal, tools: ContainerTools, archive: string | undefined): void {
  const [, base] = /^FROM (\S+) AS build$/m.exec(readFileSync('Dockerfile', 'utf8'))!;
  const name = `docker.io/library/${base}`;
  if (archive !== undefined) {
    tools.load(archive);
    rehearsal.demand(tools.has(name), `${archive} holds ${name}`);
    rehearsal.step(`The base image ${name} is that of ${archive}.`);
    return;
  }
  if (!tools.has(name)) tools.makeStandIn(name);
  rehearsal.step(
    `No registry of images is asked: a STAND-IN of Debian's packages and this repository's Node has the name ${name}.`,
  );
}
