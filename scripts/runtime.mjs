// The release of Node that the service, the sandbox, the build and the tests run on: the package `node` of package.json. The
// scripts of npm may start on an older one, and run everything else on this one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const RELEASE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies.node;
const FOLDER = join(ROOT, 'node_modules', 'node', 'bin');
const PACKAGED = join(FOLDER, process.platform === 'win32' ? 'node.exe' : 'node');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** True where this process runs on that release, so that no other has to be started. */
export const isRightNode = major(process.versions.node) === major(RELEASE);

/** @returns the path of that Node's binary; ends this process with a sentence where there is none */
export function runtime() {
  if (isRightNode) return process.execPath;
  if (existsSync(PACKAGED)) return PACKAGED;
  return stop(
    `Node ${major(RELEASE)} is missing: this is Node ${process.versions.node}, and ${PACKAGED} is not there. ` +
      `The package node@${RELEASE} brings it by its install script. Either run \`npm rebuild node --ignore-scripts=false\`, ` +
      `or install Node ${major(RELEASE)} yourself. Then run this again.`,
  );
}

/**
 * Runs Node on the same terminal until it ends. A signal is passed on, and then this process ends with the child's exit code.
 * The child of a killed process notices by `endWithParent`.
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

/** Ends this process when its parent is killed: a SIGKILL cannot be passed on, but it closes the channel between the two. */
export function endWithParent() {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

/** Ends this process with a sentence on standard error. */
export function stop(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}

function major(version) {
  return version.split('.')[0];
}
