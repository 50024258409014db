import { createHash } from 'node:crypto';
import type { Response } from 'express';

export interface PreparedAnswer {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

export function prepareAnswer(type: string, content: string | Buffer): PreparedAnswer {
  const body = Buffer.from(content);
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

/** Sends the body, or status 304 (RFC 9110 section 13.1.2). All other headers must be set before. */
export function sendPrepared(response: Response, { type, body, etag }: PreparedAnswer): void {
  response.setHeader('ETag', etag);
  if (matchesEntityTag(response.req.headers['if-none-match'], etag)) response.status(304).end();
  else response.type(type).send(body);
}

export function matchesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
