import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { HelmetOptions } from 'helmet';
import helmet from 'helmet';

/** An API's answers are not documents: nothing in them may load or be framed. */
const API_POLICY: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
};

/** Swagger UI brings its own scripts, styles in attributes and icons as data. */
const DOCS_POLICY: HelmetOptions = {
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

/** Every answer of the API carries these names and values: the same for all, so they are worked out once. */
export const API_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ...headersOf(API_POLICY),
];

/** @param docsPath where Swagger UI is served */
export function securityHeaders(docsPath: string): RequestHandler {
  const forDocs = helmet(DOCS_POLICY);
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.path === docsPath || request.path.startsWith(`${docsPath}/`))
      return forDocs(request, response, next);
    for (const [name, value] of API_HEADERS) response.setHeader(name, value);
    next();
  };
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
