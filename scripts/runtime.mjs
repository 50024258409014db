// The Node that the service, the sandbox, the build and the tests run on. The bootstrap scripts start on an older
// one too, and run everything else on this one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const NODE_VERSION = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies.node;
const FOLDER = join(ROOT, 'node_modules', 'node', 'bin');
const PACKAGED = join(FOLDER, process.platform === 'win32' ? 'node.exe' : 'node');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** No other process needs to be started where this one runs on it already. */
export const runsOnIt = major(process.versions.node) === major(NODE_VERSION);

/** @returns the path of its binary; ends this process with a sentence where there is none */
export function runtime() {
  if (runsOnIt) return process.execPath;
  if (existsSync(PACKAGED)) return PACKAGED;
  return stop(
    `Node ${major(NODE_VERSION)} is missing: this is Node ${process.versions.node}, and ${PACKAGED} is not there. ` +
      `The package node@${NODE_VERSION} brings it by its install script. Either let npm run that script (its setting ` +
      `ignore-scripts must be off), remove node_modules and run this again, or install Node ${major(NODE_VERSION)} yourself.`,
  );
}

/**
 * Runs Node on the same terminal until it ends. A signal is passed on, and this process ends with the other, by the same
 * exit code. When this process is killed the other notices by `endWithParent`.
 * @param args as on Node's command line
 * @returns its exit code, or 128 and the number of the signal that ended it
 */
export async function runNode(args, options = {}) {
  const child = spawn(runtime(), args, { ...options, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  let isSignalled = false;
  const pass = (signal) => {
    isSignalled = true;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  const [code, signal] = await once(child, 'exit');
  for (const each of SIGNALS) process.off(each, pass);
  const status = code ?? 128 + constants.signals[signal];
  if (isSignalled) process.exit(status);
  return status;
}

/** A SIGKILL cannot be passed on, but it closes the channel between the two. */
export function endWithParent() {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

export function stop(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}

function major(version) {
  return version.split('.')[0];
}
