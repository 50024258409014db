import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { discardRest } from './receive-body.js';

/** @param admit what it throws is answered, and the body is neither read nor parsed */
export function admitBeforeBody(
  admit: (request: IncomingMessage) => Promise<void> = () => Promise.resolve(),
) {
  return async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    try {
      await admit(request);
    } catch (error) {
      discardRest(request);
      return next(error);
    }
    next();
  };
}
