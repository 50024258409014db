import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
/** A helm that Go builds assumes an old cluster unless it is named one. */
const CLUSTER = ['--kube-version', '1.35.0'];
export const CHART = 'deploy/helm';
export const NAMESPACE = 'payments';

/** A folder for programs that a rehearsal builds once. */
export function cacheFolder(name: string): string {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'payment-collection', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The `helm` of this release, which Go builds at its first use. */
export class Helm {
  private constructor(private readonly binary: string) {}

  /** @throws Error where Go is missing */
  static install(): Helm {
    const folder = cacheFolder(HELM.replaceAll(/[/@]/g, '-'));
    const binary = join(folder, 'helm');
    if (!existsSync(binary)) {
      const go = ['/usr/local/go/bin/go', '/usr/bin/go'].find((path) => existsSync(path)) ?? 'go';
      try {
        execFileSync(go, ['install', HELM], { env: { ...process.env, GOBIN: folder }, stdio: 'pipe' });
      } catch (error) {
        throw new Error(`Go, which builds helm, is missing or failed: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    return new Helm(binary);
  }

  lint(values: readonly string[]): string {
    return this.run(['lint', '--strict', CHART, ...CLUSTER, ...named(values)]);
  }

  /** @param settings as `path=value` @returns manifests as one text */
  template(values: readonly string[], settings: readonly string[] = []): string {
    const sets = settings.flatMap((setting) => ['--set', setting]);
    const release = ['template', 'payments', CHART, '--namespace', NAMESPACE];
    return this.run([...release, ...CLUSTER, ...named(values), ...sets]);
  }

  private run(words: readonly string[]): string {
    return execFileSync(this.binary, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

function named(values: readonly string[]): string[] {
  return values.flatMap((file) => ['--values', file]);
}
