import { realpathSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoggerService } from '@nestjs/common';
import { currentProcess, type Mortal } from './current-process.js';

type Environment = Readonly<Record<string, string>>;

/** A background loop of a process, whose turns the simulation takes. */
export interface Loop {
  readonly process: Mortal;
  readonly name: string;
  /** It looks so seldom, in milliseconds, where it found nothing. */
  readonly idleMs: number;
  /** @returns true when there may be more to do at once */
  turn(): Promise<boolean>;
}

interface LoopClass {
  readonly prototype: { start(): void; stop(): Promise<void> };
}

interface LoopParts {
  readonly options: { readonly name: string; readonly idleMs: number };
  turn(): Promise<boolean>;
}

interface OperatorCommandRunner {
  run(...words: readonly string[]): Promise<unknown>;
}

/** The service from the sources in a folder. Several releases may be loaded side by side. */
export interface ServiceBuild {
  start(role: 'api' | 'worker', environment: Environment): Promise<void>;
  operator(environment: Environment): OperatorCommandRunner;
  readonly invariants: readonly BuiltInvariant[];
}

/**
 * @param root the folder
 * @param logger gets the lines of all its processes
 * @param begun called with each loop that a process begins, in place of its first turn
 */
export async function loadBuild(
  root: string,
  logger: LoggerService,
  begun: (loop: Loop) => void,
): Promise<ServiceBuild> {
  // The seams are in the libraries that this folder loads.
  const [own, its] = [join(import.meta.dirname, '../../..'), root].map((each) =>
    realpathSync(join(each, 'node_modules')),
  );
  if (own !== its) throw new Error(`${root}: its node_modules must lead to those of ${own}.`);
  const load = async <Parts>(path: string) =>
    (await import(pathToFileURL(join(root, 'src', path)).href)) as Parts;
  const { BackgroundLoop } = await load<{ BackgroundLoop: LoopClass }>(
    'shared/platform/background/background-loop.ts',
  );
  BackgroundLoop.prototype.start = function (this: unknown) {
    const { options, turn } = this as LoopParts;
    begun({ process: currentProcess()!, ...options, turn: turn.bind(this) });
  };
  BackgroundLoop.prototype.stop = () => Promise.resolve();
  type Start = (settings: object, logger: LoggerService) => Promise<void>;
  const { readSettings } = await load<{ readSettings: (values: Environment) => object }>(
    'app/settings/settings.ts',
  );
  const { startApi } = await load<{ startApi: Start }>('app/api.ts');
  const { startWorker } = await load<{ startWorker: Start }>('app/worker.ts');
  type SessionClass = new (options: { environment: Environment; actor: string }) => OperatorCommandRunner;
  const { OperatorCommandRunner: Session } = await load<{ OperatorCommandRunner: SessionClass }>(
    'app/operator/operator-command-runner.ts',
  );
  return {
    start: (role, environment) =>
      (role === 'api' ? startApi : startWorker)(readSettings(environment), logger),
    operator: (environment) => new Session({ environment, actor: 'simulation' }),
    invariants: await invariantsOf(root),
  };
}

export interface BuiltInvariant {
  readonly name: string;
  readonly breaches: string;
}

export async function invariantsOf(root: string): Promise<readonly BuiltInvariant[]> {
  const files = globSync(join(root, 'src/**/*-invariants.ts')).sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(file).href) as Promise<Readonly<Record<string, unknown>>>),
  );
  const lists = modules.flatMap((each) => Object.values(each).filter(Array.isArray) as BuiltInvariant[][]);
  return [...new Map(lists.flat().map((invariant) => [invariant.name, invariant])).values()];
}
