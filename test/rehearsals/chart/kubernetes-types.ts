import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { cacheFolder } from './helm.js';

/** Types of Kubernetes 1.27, the oldest that the chart takes, and of two operators. */
const PACKAGES = [
  'kubernetes-models@5.1.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
  '@kubernetes-models/cloudnative-pg@2.0.0',
];
const OPERATORS: Readonly<Record<string, string>> = {
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/',
  'postgresql.cnpg.io/v1': '@kubernetes-models/cloudnative-pg/',
};

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

export function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** Finds fields of manifests that their type lacks, requires or has with another type. */
export class KubernetesTypes {
  private constructor(private readonly folder: string) {}

  static install(): KubernetesTypes {
    const folder = cacheFolder('kubernetes-types');
    if (!existsSync(join(folder, 'node_modules', 'kubernetes-models'))) {
      writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
      execFileSync('npm', ['install', ...options, ...PACKAGES], { cwd: folder, stdio: 'pipe' });
    }
    return new KubernetesTypes(folder);
  }

  /** TypeScript refuses a literal that has more fields than its type. */
  faultsOf(manifests: readonly Manifest[]): string[] {
    const lines = manifests.map(
      (manifest, index) =>
        `import type { I${manifest.kind} as I${index} } from '${packageOf(manifest)}';\n` +
        `export const m${index}: I${index} = ${JSON.stringify(manifest)};`,
    );
    const file = join(this.folder, `manifests-${process.pid}.ts`);
    writeFileSync(file, lines.join('\n'));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck'];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    try {
      execFileSync(process.execPath, [compiler, ...options, file], { cwd: this.folder, encoding: 'utf8' });
      return [];
    } catch (error) {
      const { stdout = '' } = error as { stdout?: string };
      return stdout.split('\n').filter((line) => line.includes('error TS'));
    } finally {
      rmSync(file);
    }
  }
}

function packageOf({ apiVersion }: Manifest): string {
  return `${OPERATORS[apiVersion] ?? 'kubernetes-models/'}${apiVersion}`;
}
