import type { AnswerFact, CredentialFact, ExchangeFact } from '../../facts/fact.js';
import type { Known } from '../known/known.js';
import { objectOf, withoutNulls, type Json } from '../known/values.js';

export interface Heard {
  readonly exchange: ExchangeFact;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Json;
  /** Every state of the credential while the exchange lasted; empty for public paths. */
  readonly credentials: readonly CredentialFact[];
  readonly organization: string | null;
  readonly account: string | undefined;
}

export function heardOf(
  exchange: ExchangeFact,
  params: Heard['params'] = {},
  credentials: readonly CredentialFact[] = [],
): Heard {
  const [credential] = credentials;
  const body = withoutNulls(objectOf(exchange.body));
  const { organizationId: organization = null, accountId: account } = credential ?? {};
  return { exchange, params, body, credentials, organization, account };
}

export interface Verdict {
  /** Codes of which one must be answered; empty where nothing forbids the request. */
  readonly must: readonly string[];
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

export interface Rule {
  verdict(heard: Heard, known: Known): Verdict;
  done(heard: Heard, data: unknown, known: Known, answer: AnswerFact): void;
  /** The request was not answered, or in a way that says nothing: it may have been carried out. */
  unanswered?(heard: Heard, known: Known): void;
  refused?(heard: Heard, code: string, known: Known): void;
}

export type Rules = Readonly<Record<string, Rule>>;
