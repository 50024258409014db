import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

interface Found {
  readonly path: string;
  readonly env?: Record<string, string>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const QUIET = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

/**
 * A Chromium without a window: that of `CHROMIUM_PATH`, else one installed on this machine, else the one out of npm
 * (which `CHROMIUM_PATH=npm` asks for). @throws Error that says what to install
 */
export async function startBrowser(): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH'];
  const installed = given === 'npm' ? undefined : (given ?? installedPath());
  if (installed !== undefined) return launch({ path: installed }).catch(explained(installed));
  const unpacked = await unpack().catch(explained('the one of @sparticuz/chromium'));
  const alone = { path: join(unpacked, 'chromium'), env: fontSettings(unpacked) };
  return launch(alone)
    .catch(() =>
      launch({ ...alone, env: { ...alone.env, LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib') } }),
    )
    .catch(explained(alone.path));
}

function launch({ path, env }: Found): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    // Its sandbox refuses to run as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: QUIET,
    env: { ...process.env, ...env } as Record<string, string>,
    timeout: 100_000,
  });
}

function installedPath(): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The package unpacks to the temporary folder, and takes what lies there for whole. So it is given a folder of its
 * own, which gets its name once it is whole: of two test files that unpack at once, one throws its own away.
 */
async function unpack(): Promise<string> {
  const entry = createRequire(join(process.cwd(), 'package.json')).resolve('@sparticuz/chromium');
  const { version } = createRequire(entry)('../package.json') as { version: string };
  const folder = join(tmpdir(), `chromium-${version}-${userInfo().uid}`);
  if (existsSync(folder)) return folder;
  const begun = mkdtempSync(`${folder}-`);
  try {
    const program = `const { default: chromium, inflate } = await import(process.argv[1]);
      await chromium.executablePath();
      await inflate(process.argv[2]);`;
    const libraries = join(dirname(entry), '..', 'bin', 'al2023.tar.br');
    const args = ['--input-type=module', '-e', program, `file://${entry}`, libraries];
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, TMPDIR: begun } });
    const fonts = `<fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`;
    writeFileSync(join(begun, 'fonts.conf'), fonts);
    renameSync(begun, folder);
  } catch (error) {
    rmSync(begun, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function fontSettings(folder: string): Record<string, string> {
  return { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
}

function explained(what: string) {
  return (error: unknown): never => {
    const message = error instanceof Error ? error.message : String(error);
    const library = /(\S+\.so\S*): cannot open shared object/.exec(message)?.[1];
    throw new Error(
      `No Chromium could be started for the browser tests; tried ${what}` +
        `${library === undefined ? '' : `, which lacks the library ${library}`}. ` +
        'Install Debian’s "chromium", or name one with CHROMIUM_PATH.',
      { cause: error },
    );
  };
}
