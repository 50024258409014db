import type { NextFunction, Request, Response } from 'express';
import { newId } from '../../kernel/ids.js';
import { runWithRequestId } from '../logging/request-context.js';

const VALID = /^[A-Za-z0-9._-]{1,128}$/;

interface Identified extends Request {
  requestId?: string;
}

/** Gives the request its id, a valid one from the caller kept, and answers with it whatever happens later. */
export function identifyRequest(request: Identified, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && VALID.test(given) ? given : newId<string>();
  request.requestId = requestId;
  response.setHeader('X-Request-Id', requestId);
  runWithRequestId(requestId, next);
}

export function requestIdOf(request: Request): string {
  return ((request as Identified).requestId ??= newId<string>());
}
