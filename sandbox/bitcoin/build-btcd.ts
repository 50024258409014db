import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../processes/child-process.js';

const MODULE = 'github.com/btcsuite/btcd';
const VERSION = 'v0.26.2';
/** The module's checksum (`h1:`) in the public checksum database. */
const CHECKSUM = 'h1:hPXzICjUZOsW2JwBLg9nHwGabc/D7pJDlna2vTB/SWI=';
/** The oldest Go version that compiles this btcd version. */
const LEAST_GO = '1.25';

/** Usual installation folders of Go, which may not be in PATH. */
const USUAL_FOLDERS = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin'];

const run = promisify(execFile);
const CACHE = join('payment-collection', `btcd-${VERSION}`);
const BUILDS_WITHIN_MS = 15 * 60_000;

/** Advice at the end of each error message. */
const WAYS =
  `Install Go ${LEAST_GO} or later (https://go.dev/dl), with which the sandbox builds btcd ${VERSION}, or name a ` +
  'regtest node of your own in SANDBOX_BITCOIN_RPC.';

/**
 * Builds btcd once per user; all sandboxes and tests share it.
 * @throws CannotStart
 */
export async function buildBtcd(environment: Readonly<Record<string, string>>): Promise<string> {
  const cache = join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), CACHE);
  const built = join(cache, 'btcd');
  if (await isExecutable(built)) return built;
  const go = await findGo(environment['PATH']);
  if (go === undefined) throw new CannotStart(`Go is not installed on this machine. ${WAYS}`);
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'building-'));
  try {
    await proveModule(go, environment);
    await goRun(go, ['install', `${MODULE}@${VERSION}`], { ...environment, GOBIN: folder });
    // Atomic, even if several processes build concurrently.
    await rename(join(folder, 'btcd'), built);
    return built;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the path of `go`; undefined if it is not installed */
async function findGo(path = ''): Promise<string | undefined> {
  for (const folder of [...path.split(delimiter).filter(Boolean), ...USUAL_FOLDERS]) {
    const go = join(folder, 'go');
    if (await isExecutable(go)) return go;
  }
  return undefined;
}

/** Compares the module's checksum. A private proxy may be configured without a checksum database. */
async function proveModule(go: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const answer = await goRun(go, ['mod', 'download', '-json', `${MODULE}@${VERSION}`], environment);
  const { Sum } = JSON.parse(answer) as { Sum?: string };
  if (Sum === CHECKSUM) return;
  throw new CannotStart(
    `The download of btcd ${VERSION} has the checksum ${Sum}, not ${CHECKSUM}, so it was not built.`,
  );
}

async function goRun(
  go: string,
  args: string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const fixed = { GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOFLAGS: '' };
  try {
    const options = { cwd: '/', env: { ...environment, ...fixed }, timeout: BUILDS_WITHIN_MS };
    return (await run(go, args, options)).stdout;
  } catch (error) {
    const {
      stderr = '',
      stdout = '',
      message,
    } = error as { stderr?: string; stdout?: string; message: string };
    const reason = lastLine(stderr) ?? lastLine(errorIn(stdout)) ?? message;
    throw new CannotStart(`btcd ${VERSION} could not be built: ${reason}. ${WAYS}`);
  }
}

/** Reads the failure that `go mod download -json` writes to standard output. */
function errorIn(stdout: string): string {
  try {
    return (JSON.parse(stdout) as { Error?: string }).Error ?? '';
  } catch {
    return '';
  }
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1)?.trim().replace(/\.$/, '') || undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
