/** Contracts by the name of their artifact, compiled now from the sources. */
export function compile(
  files?: string[],
): Record<string, { abi: object[]; bytecode: `0x${string}`; deployedBytecode: `0x${string}` }>;
/** The text of `test/contracts/compiled.json`. */
export function compiledForTests(): string;
/** What off-chain derivation needs (README.md). */
export function deployment(artifacts: object): Record<string, unknown>;
/** JSON with sorted keys: the same value gives the same bytes. */
export function stable(value: unknown): string;
