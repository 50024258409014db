import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../chart/helm.js';

const PACKAGES = ['buildah', 'debootstrap', 'podman', 'runc'];
/** runc takes cgroups of both versions side by side, which crun refuses. */
const RUNTIME = ['--runtime', 'runc'];
/** The build downloads with the authorities that this machine trusts. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** Debian's buildah and podman, on a store of their own. */
export class ContainerTools {
  private readonly folder = cacheFolder('containers');
  private readonly store = [
    ...['--root', join(this.folder, 'root'), '--runroot', join(this.folder, 'run')],
    ...['--storage-driver', 'overlay'],
  ];

  /** @throws Error that names what is missing */
  constructor() {
    const missing = PACKAGES.filter((name) => spawnSync(name, ['--version']).error !== undefined);
    if (missing.length > 0)
      throw new Error(
        `Missing: ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends ${PACKAGES.join(' ')}`,
      );
    if (process.getuid?.() !== 0)
      throw new Error('Only root can build and run the image here: start this rehearsal as root.');
  }

  /** The words that begin a call of podman. */
  get podmanWords(): readonly string[] {
    return [...this.store, ...RUNTIME];
  }

  podman(...words: string[]): string {
    return execFileSync('podman', [...this.podmanWords, ...words], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  }

  /** The output of a container that ends. */
  async output(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
    const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    return (await promisify(execFile)('podman', [...this.podmanWords, ...words], options)).stdout;
  }

  has(image: string): boolean {
    return spawnSync('podman', [...this.podmanWords, 'image', 'exists', image]).status === 0;
  }

  /** @param archive as `docker save` writes it */
  load(archive: string): void {
    this.podman('load', '--input', resolve(archive));
  }

  /** The image of the Dockerfile, from what git would commit and what is new. */
  build(image: string): void {
    const words = ['build', '--isolation', 'chroot', '--network', 'host', '--pull-never'];
    const format = ['--format', 'docker', '--tag', image, '.'];
    execFileSync('buildah', [...this.store, ...words, ...format], { stdio: 'pipe', maxBuffer: 2 ** 28 });
  }

  /**
   * A stand-in for the base image: Debian bookworm by debootstrap, the Node and the npm of this repository, the user `node`.
   * It is neither the published image nor proven equal to it.
   */
  makeStandIn(name: string): void {
    const root = join(this.folder, 'stand-in');
    rmSync(root, { recursive: true, force: true });
    run('debootstrap', '--variant=minbase', 'bookworm', root, debianMirror());
    run('cp', 'node_modules/node/bin/node', join(root, 'usr/local/bin/node'));
    mkdirSync(join(root, 'usr/local/lib/node_modules'), { recursive: true });
    const npm = run('npm', 'root', '--global').trim();
    run('cp', '--recursive', '--dereference', join(npm, 'npm'), join(root, 'usr/local/lib/node_modules/npm'));
    run('ln', '--symbolic', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
    run('chroot', root, 'groupadd', '--gid', '1000', 'node');
    run('chroot', root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node');
    const changes = existsSync(AUTHORITIES) ? ['--change', `ENV=NODE_EXTRA_CA_CERTS=${AUTHORITIES}`] : [];
    if (changes.length > 0) run('install', '-D', '--mode=644', AUTHORITIES, join(root, AUTHORITIES));
    const archive = `${root}.tar`;
    run('tar', '--create', '--file', archive, '--directory', root, '.');
    this.podman('import', ...changes, archive, name);
    rmSync(archive);
    rmSync(root, { recursive: true });
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 });
}

/** The mirror that apt uses on this machine. */
function debianMirror(): string {
  const ofBookworm = ['Codename: bookworm', 'Created-By: Packages'];
  const [mirror] = run('apt-get', 'indextargets', '--format', '$(REPO_URI)', ...ofBookworm).split('\n');
  if (!mirror) throw new Error('apt knows no mirror of Debian bookworm, which the stand-in is made of.');
  return mirror;
}
