/**
 * `wrong`: money would be lost, missed or miscounted, or the network is unusable. `warning`: the network works, or
 * the check could not run.
 */
export type CheckVerdict = 'ok' | 'warning' | 'wrong';

export interface Finding {
  /** An endpoint's name, `network`, or an asset's symbol. */
  readonly about: string;
  readonly check: string;
  readonly verdict: CheckVerdict;
  readonly says: string;
  /** Absent if the verdict is `ok`. */
  readonly todo?: string;
}

export type EndpointAnswer<T> = { readonly answer: T } | { readonly refused: string };

export type CheckResult = Omit<Finding, 'about'>;

export function ok(check: string, says: string): CheckResult {
  return { check, verdict: 'ok', says };
}

export function warning(check: string, says: string, todo: string): CheckResult {
  return { check, verdict: 'warning', says, todo };
}

export function wrong(check: string, says: string, todo: string): CheckResult {
  return { check, verdict: 'wrong', says, todo };
}

export function isWrong({ verdict }: Finding): boolean {
  return verdict === 'wrong';
}
