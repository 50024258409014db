import type { IncomingMessage } from 'node:http';
import { refusals } from '#contexts/identity/domain/credentials/access-refusals.js';

export const API_KEY_HEADER = 'x-service-api-key';

/** Token characters of a bearer credential (RFC 6750, section 2.1). */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

export interface PresentedProofs {
  /** Null if the header cannot contain a token. */
  readonly token: string | null;
  /** Null if the header cannot contain a key id, for example if there are two. */
  readonly apiKey: string | null;
}

/** Caches the headers read from a request, because they are needed more than once. */
export type PresentingRequest = IncomingMessage & { presentedProofs?: PresentedProofs };

/** @throws DomainError token_missing, api_key_missing */
export function presentedProofs(request: PresentingRequest): PresentedProofs {
  return (request.presentedProofs ??= readProofs(request));
}

/**
 * Reads both headers from the raw header list. Node keeps only the first of two Authorization headers and joins other repeated headers,
 * while a proxy in front may have used another one.
 */
function readProofs({ rawHeaders }: IncomingMessage): PresentedProofs {
  const authorizations = valuesOf(rawHeaders, 'authorization');
  const apiKeys = valuesOf(rawHeaders, API_KEY_HEADER);
  if (!authorizations.some((value) => /^Bearer(?: |$)/i.test(value))) throw refusals.tokenMissing();
  if (!apiKeys.some((value) => value !== '')) throw refusals.apiKeyMissing();
  const [authorization = ''] = authorizations;
  const [apiKey = ''] = apiKeys;
  return {
    token: authorizations.length === 1 ? (BEARER.exec(authorization)?.[1] ?? null) : null,
    apiKey: apiKeys.length === 1 && /^[\w.-]{1,64}$/.test(apiKey) ? apiKey : null,
  };
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index]!;
    // Most names differ in length, so `toLowerCase` is rarely needed.
    if (field.length === name.length && field.toLowerCase() === name)
      values.push((rawHeaders[index + 1] ?? '').trim());
  }
  return values;
}
