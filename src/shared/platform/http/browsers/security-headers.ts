import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { HelmetOptions } from 'helmet';
import helmet from 'helmet';

const HSTS_SECONDS = 365 * 86_400;

/** API answers are not documents, so the policy forbids loading resources and framing. */
const API_POLICY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
};

/** Swagger UI requires its own scripts, inline style attributes and icons as data URLs. */
const DOCS_POLICY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      frameAncestors: ["'none'"],
    },
  },
};

export function apiHeaders(includesSubdomains: boolean): readonly (readonly [name: string, value: string])[] {
  return [['Cache-Control', 'no-store'], ...headersOf({ ...API_POLICY, ...hsts(includesSubdomains) })];
}

export function securityHeaders(docsPath: string, includesSubdomains = false): RequestHandler {
  const forDocs = helmet({ ...DOCS_POLICY, ...hsts(includesSubdomains) });
  const headers = apiHeaders(includesSubdomains);
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.path === docsPath || request.path.startsWith(`${docsPath}/`))
      return forDocs(request, response, next);
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** HSTS options (RFC 6797). Subdomains only on request, because one of them may not support TLS. */
function hsts(includeSubDomains: boolean) {
  return { strictTransportSecurity: { maxAge: HSTS_SECONDS, includeSubDomains } };
}

function headersOf(policy: HelmetOptions): [string, string][] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  helmet(policy)({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return headers;
}
