import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';

const execute = promisify(execFile);

const TOOLS = join(process.cwd(), 'clients/python/development.txt');
const NAMES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
/** Fails in an older Python, and where Debian's package of `venv` is missing. */
const IS_USABLE =
  'import sys, venv, ensurepip; print(sys.base_prefix, sys.version); sys.exit(sys.version_info < (3, 10))';
const SILENT = { PYTHONDONTWRITEBYTECODE: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' };

const python = findPython();

/** Tests of the package for Python, where there is a Python for it; elsewhere they are skipped, aloud. */
export const describeWithPython: typeof describe | typeof describe.skip =
  python === undefined ? describe.skip : describe;
if (python === undefined) {
  process.stderr.write(
    'Tests of the client for Python are SKIPPED. There is no Python 3.10 or later here with its module venv ' +
      '(python3-venv in Debian): install it, and pip loads the rest.\n',
  );
}

function findPython(): { name: string; version: string } | undefined {
  for (const name of NAMES) {
    try {
      const version = execFileSync(name, ['-c', IS_USABLE], { stdio: ['ignore', 'pipe', 'ignore'] });
      return { name, version: version.toString() };
    } catch {
      // There is none of this name, or an older one.
    }
  }
  return undefined;
}

export async function makeEnvironment(folder: string): Promise<void> {
  await execute(python!.name, ['-m', 'venv', '--without-pip', folder]);
}

/** @returns the interpreter of an environment with the pinned tools, which is made once for all runs of this user */
export async function pythonTools(): Promise<string> {
  const kept = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'payment-collection');
  const digest = createHash('sha256').update(python!.version).update(readFileSync(TOOLS)).digest('hex');
  const made = join(kept, `python-tools-${digest.slice(0, 16)}`);
  if (!existsSync(made)) {
    mkdirSync(kept, { recursive: true });
    const folder = mkdtempSync(join(kept, 'making-'));
    try {
      await execute(python!.name, ['-m', 'venv', folder]);
      await runPython(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '-r', TOOLS], folder);
      renameSync(folder, made);
    } catch (error) {
      // Whole or not at all, also where several make it at once: the first one's stays.
      if (!existsSync(made)) throw error;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return join(made, 'bin/python');
}

export async function runPython(
  interpreter: string,
  args: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const env = { ...process.env, ...SILENT, ...environment };
  return execute(interpreter, args, { cwd, env }).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: { stdout: string; stderr: string; message: string }) => {
      throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
    },
  );
}
