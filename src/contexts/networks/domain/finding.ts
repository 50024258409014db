/**
 * `wrong`: money would be lost, missed or miscounted, or the network is unusable. `warning`: the network works, or
 * the check could not run.
 */
export type CheckVerdict = 'ok' | 'warning' | 'wrong';

export interface NetworkCheckFinding {
  /** An endpoint's name, `network`, or an asset's symbol. */
  readonly about: string;
  readonly check: string;
  readonly verdict: CheckVerdict;
  readonly says: string;
  /** Absent if the verdict is `ok`. */
  readonly todo?: string;
}

export type EndpointAnswer<T> = { readonly answer: T } | { readonly refused: string };

export type CheckResult = Omit<NetworkCheckFinding, 'about'>;

export function okResult(check: string, says: string): CheckResult {
  return { check, verdict: 'ok', says };
}

export function warningResult(check: string, says: string, todo: string): CheckResult {
  return { check, verdict: 'warning', says, todo };
}

export function wrongResult(check: string, says: string, todo: string): CheckResult {
  return { check, verdict: 'wrong', says, todo };
}

export function isWrongFinding({ verdict }: NetworkCheckFinding): boolean {
  return verdict === 'wrong';
}
