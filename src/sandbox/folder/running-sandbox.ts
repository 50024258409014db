import { CannotStart, waitUntil } from '../processes/child-process.js';
import type { SandboxFile, SandboxFolder } from './sandbox-folder.js';
import { runningSandbox } from './sandbox-lock.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';

const UP_WITHIN = 120_000;

/**
 * The sandbox that runs on this folder, once its API answers: it may be starting at this moment.
 * @returns undefined when none runs @throws CannotStart when its API does not answer
 */
export async function findRunningSandbox(
  folder: SandboxFolder,
  output: TerminalOutput,
): Promise<SandboxFile | undefined> {
  if (runningSandbox(folder) === undefined) return undefined;
  const answers = async () => {
    const url = folder.read()?.api_url;
    if (url === undefined) return false;
    return fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  const isSettled = async () => runningSandbox(folder) === undefined || (await answers());
  const settled = await output.withProgress('Waiting for the sandbox', () =>
    waitUntil(isSettled, { timeoutMs: UP_WITHIN, everyMs: 200 }),
  );
  if (!settled) throw new CannotStart(`The sandbox runs, but its API does not answer; see ${folder.logs}.`);
  return runningSandbox(folder) === undefined ? undefined : folder.read();
}
