/**
 * `wrong`: money would be lost, missed or miscounted, or the network cannot be used so. `warning`: it works, or could not
 * be looked at, and somebody ought to know.
 */
export type CheckVerdict = 'ok' | 'warning' | 'wrong';

/** One thing that a network was checked for. */
export interface Finding {
  /** An endpoint's name, `network`, or an asset's symbol. */
  readonly about: string;
  readonly check: string;
  readonly verdict: CheckVerdict;
  /** The finding in a sentence. */
  readonly says: string;
  /** The remedy; absent where all is well. */
  readonly todo?: string;
}

/** An answer, or the reason in words why there is none. */
export type EndpointAnswer<T> = { readonly answer: T } | { readonly refused: string };

/** A finding before its subject is named. */
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
