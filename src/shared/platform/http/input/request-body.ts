import type { NextFunction, Request, Response } from 'express';
import { FORM_IN_UTF8, parseForm } from './form-body.js';
import { JSON_IN_UTF8, parseJsonObject } from './json-body.js';
import { hasPrefix } from '../server/path-prefix.js';
import { refusal } from '../errors/error-codes.js';
import { MAX_BODY_BYTES, discardRest, receive } from './receive-body.js';

/**
 * Reads the body into `request.body`, undefined where there is none. It is JSON; on a path of a form it may be what
 * browsers post without JavaScript. Nowhere else: any site may post such a form in a visitor's name.
 * @param timeoutMs until its last byte
 * @param formPaths what the paths of forms begin with
 */
export function readBody(timeoutMs: number, formPaths: readonly string[]) {
  return async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    const { headers } = request;
    const length = Number(headers['content-length'] ?? 0);
    if (headers['transfer-encoding'] === undefined && length === 0) return next();
    try {
      if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
        throw refusal('unsupported_media_type');
      const parse = parserFor(request, formPaths);
      if (length > MAX_BODY_BYTES) throw refusal('payload_too_large');
      const bytes = await receive(request, timeoutMs);
      if (bytes === undefined) return;
      if (bytes.length > 0) request.body = parse(bytes);
    } catch (error) {
      discardRest(request);
      return next(error);
    }
    next();
  };
}

function parserFor(request: Request, formPaths: readonly string[]): (bytes: Uint8Array) => object {
  const type = request.headers['content-type'] ?? '';
  if (JSON_IN_UTF8.test(type)) return parseJsonObject;
  const takesForm = request.method === 'POST' && hasPrefix(request.path, formPaths);
  if (takesForm && FORM_IN_UTF8.test(type)) return parseForm;
  throw refusal('unsupported_media_type');
}
