/** Names a test as its source spells it: the words of its `it`, with `%s` where a table fills them in. */
export interface NamedTest {
  readonly project: 'unit' | 'database';
  readonly file: string;
  readonly name: string;
}

/** One change of one file after which the service would say, or do, something untrue to the chain. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Stands once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Fails by one of its expectations while the bug is there. */
  readonly caughtBy: NamedTest;
}

const PAYMENTS = 'src/contexts/payments';

export const APPLICATION = `${PAYMENTS}/application`;
export const DOMAIN = `${PAYMENTS}/domain`;
export const INFRASTRUCTURE = `${PAYMENTS}/infrastructure`;
export const NETWORKS = 'src/contexts/networks/infrastructure';
export const EVM = `${NETWORKS}/evm`;

export function unit(file: string, name: string): NamedTest {
  return { project: 'unit', file, name };
}

export function database(file: string, name: string): NamedTest {
  return { project: 'database', file, name };
}
