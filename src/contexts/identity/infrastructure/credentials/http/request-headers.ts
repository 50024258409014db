import type { IncomingMessage } from 'node:http';
import { accessRefusals } from '#contexts/identity/domain/credentials/access-refusals.js';

export const API_KEY_HEADER = 'x-service-api-key';

/** The bearer token format of RFC 6750, section 2.1. */
const BEARER_HEADER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

export interface AuthenticationHeaders {
  /** Null if the header is repeated or malformed. */
  readonly token: string | null;
  readonly apiKey: string | null;
}

export type RequestWithCachedHeaders = IncomingMessage & { presentedProofs?: AuthenticationHeaders };

/** @param alias a second name of the api key header, in lower case */
export function authenticationHeadersOf(
  request: RequestWithCachedHeaders,
  alias?: string,
): AuthenticationHeaders {
  return (request.presentedProofs ??= readAuthenticationHeaders(request, alias));
}

/** Node hides repeated headers, of which a proxy in front may have used another. */
function readAuthenticationHeaders({ rawHeaders }: IncomingMessage, alias?: string): AuthenticationHeaders {
  const authorizations = headerValuesOf(rawHeaders, 'authorization');
  const names = alias === undefined ? [API_KEY_HEADER] : [API_KEY_HEADER, alias];
  const apiKeys = names.flatMap((name) => headerValuesOf(rawHeaders, name));
  if (!authorizations.some((value) => /^Bearer(?: |$)/i.test(value))) throw accessRefusals.tokenMissing();
  if (!apiKeys.some((value) => value !== '')) throw accessRefusals.apiKeyMissing();
  const [authorization = ''] = authorizations;
  const [apiKey = ''] = apiKeys;
  return {
    token: authorizations.length === 1 ? (BEARER_HEADER.exec(authorization)?.[1] ?? null) : null,
    apiKey: apiKeys.length === 1 && /^[\w.-]{1,64}$/.test(apiKey) ? apiKey : null,
  };
}

function headerValuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index]!;
    if (field.length === name.length && field.toLowerCase() === name)
      values.push((rawHeaders[index + 1] ?? '').trim());
  }
  return values;
}
