import { chownSync, copyFileSync, chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#sandbox/processes/free-port.js';
import { spawnChild, type RunningChild } from '#sandbox/processes/child-process.js';
import type { Programs } from '../production-programs.js';
import { chartPod, wordsOfPod, type ChartPod } from './chart-pods.js';
import type { ContainerTools } from './container-tools.js';

/** A container gets its own of these. */
const NOT_PASSED_ON = ['PATH', 'NODE_ENV'];
/** Values of the chart that hold in each place; all others are those of an installation. */
const OF_THE_CHART = ['DRAIN_SECONDS', 'HTTP_HOST', 'METRICS_HOST'];
/** The limits that podman sets by itself are above those that a machine without CAP_SYS_RESOURCE may set. */
const LIMITS = ['--ulimit', 'nofile=16384:16384', '--ulimit', 'nproc=8192:8192'];
/** The image's health check is kept and asked by hand: podman would ask it by a timer of systemd. */
const ASKED_BY_HAND = ['--health-interval', 'disable'];

/** The service's programs in containers, by the commands, mounts and rights of the chart's pods. */
export class ChartPrograms implements Programs {
  /** Where each started container serves metrics. */
  readonly metricsPorts: Record<string, number> = {};

  constructor(
    private readonly tools: ContainerTools,
    private readonly image: string,
    private readonly folder: string,
  ) {}

  /** The commands of the chart's jobs run as their pods do; all others as in a worker's pod, as NOTES.txt advises. */
  async run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    const part = ['migrate', 'verify'].find((name) => name === words[0]) ?? 'worker';
    const command = ['node', 'dist/cli.js', ...words];
    const { flags, environment } = this.prepared(chartPod(part), env);
    return this.tools.output(['run', '--rm', ...flags, this.image, ...command], environment);
  }

  async start(
    program: 'main' | 'worker',
    env: Readonly<Record<string, string>>,
    logFile: string,
  ): Promise<RunningChild> {
    const part = program === 'main' ? 'api' : 'worker';
    const pod = chartPod(part);
    const metricsPort = await freePort();
    this.metricsPorts[part] = metricsPort;
    const { flags, environment } = this.prepared(pod, { ...env, METRICS_PORT: String(metricsPort) });
    const words = [
      'run',
      '--rm',
      '--name',
      part,
      '--stop-timeout',
      String(pod.terminationGracePeriodSeconds),
    ];
    return spawnChild({
      command: 'podman',
      args: [...this.tools.podmanWords, ...words, ...flags, this.image, ...pod.containers[0].command],
      env: { ...(process.env as Record<string, string>), ...environment },
      logFile,
      deathSignal: 'SIGINT',
    });
  }

  private prepared(pod: ChartPod, env: Readonly<Record<string, string>>) {
    const secrets = mkdtempSync(join(this.folder, 'secrets-'));
    chmodSync(secrets, 0o755);
    const environment: Record<string, string> = {};
    for (const { name, value } of pod.containers[0].env)
      if (OF_THE_CHART.includes(name)) environment[name] = value!;
    const volumes: string[] = [];
    for (const [name, value] of Object.entries(env)) {
      if (NOT_PASSED_ON.includes(name)) continue;
      const path = pod.containers[0].env.find((one) => one.name === name)?.value;
      if (path?.startsWith('/run/secrets/') === true) {
        hand(value, join(secrets, path.slice('/run/secrets/'.length)), pod.securityContext.fsGroup);
        environment[name] = path;
        // A file that the chart does not mount there is no business of the part: `verify` has no key that moves money.
      } else if (!name.endsWith('_FILE')) environment[name] = value;
    }
    // The authority of the rehearsal; settings and addresses name its file as it is on this machine.
    const authority = env['NODE_EXTRA_CA_CERTS'];
    if (authority !== undefined) volumes.push('--volume', `${authority}:${authority}:ro`);
    const names = Object.keys(environment).flatMap((name) => ['--env', name]);
    const flags = [
      '--network',
      'host',
      ...ASKED_BY_HAND,
      ...LIMITS,
      ...wordsOfPod(pod, secrets),
      ...volumes,
      ...names,
    ];
    return { flags, environment };
  }
}

/** The copy has the owner, group and mode of a projected Secret with fsGroup and 0440. */
function hand(from: string, to: string, group: number): void {
  copyFileSync(from, to);
  chownSync(to, 0, group);
  chmodSync(to, 0o440);
}
