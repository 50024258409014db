import type { AnswerFact, CredentialFact, ExchangeFact } from '../../facts/fact.js';
import type { Known } from '../known/known.js';
import type { Json } from '../known/values.js';

/** An exchange of a path that the model knows, while it is judged. */
export interface Heard {
  readonly exchange: ExchangeFact;
  readonly params: Readonly<Record<string, string>>;
  /** The body without its nulls; empty where none was sent. */
  readonly body: Json;
  /** Every state of the credential while the exchange lasted; empty for public paths. */
  readonly credentials: readonly CredentialFact[];
}

/** Answers that a request may get, as far as the documents say. */
export interface Verdict {
  /** Codes of which one must be answered; empty where nothing forbids the request. */
  readonly must: readonly string[];
  /** Codes that may be answered as well. */
  readonly may: readonly string[];
  readonly why?: string;
}

export const VALID: Verdict = { must: [], may: [] };

export function refused(why: string, ...must: readonly string[]): Verdict {
  return { must, may: [], why };
}

export function open(...may: readonly string[]): Verdict {
  return { must: [], may };
}

/** One verdict of several: what one of them forbids is forbidden. */
export function together(...verdicts: readonly Verdict[]): Verdict {
  const why = verdicts.find(({ must }) => must.length > 0)?.why;
  return {
    must: verdicts.flatMap(({ must }) => must),
    may: verdicts.flatMap(({ may }) => may),
    ...(why === undefined ? {} : { why }),
  };
}

/** The rules of one path and method. */
export interface Rule {
  verdict(heard: Heard, known: Known): Verdict;
  /** The request was answered with success. */
  done(heard: Heard, data: unknown, known: Known, answer: AnswerFact): void;
  /** The request was not answered, or in a way that says nothing: it may have been carried out. */
  unanswered?(heard: Heard, known: Known): void;
  /** The request was refused. */
  refused?(heard: Heard, code: string, known: Known): void;
}

/** The organization for which a request speaks; null on public paths. */
export function organizationOf(heard: Heard): string | null {
  return heard.credentials[0]?.organizationId ?? null;
}

/** The one account to which the credential is limited. */
export function accountOf(heard: Heard): string | undefined {
  return heard.credentials[0]?.accountId;
}
