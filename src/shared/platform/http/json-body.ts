import { RequestTimeoutException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { DomainError, invalidField } from '../../kernel/domain-error.js';
import { ERROR_CODES } from './error-codes.js';
import type { ErrorCode } from './error-codes.js';
import type { ErrorKind } from '../../kernel/domain-error.js';
import { refuseTreacherousJson } from './json-scan.js';

/** Longest body read, in bytes (decisions.md section 1). */
export const MAX_BODY_BYTES = 64 * 1024;

/** How much of a refused body is still taken in, so that its sender can read the refusal, before the line is cut. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** `application/json`, with no parameter but `charset=utf-8`. */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)*$/i;

/** Reads the body into `request.body`, undefined where there is none. @param timeoutMs until its last byte */
export function readJsonBody(timeoutMs: number) {
  return async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    const { headers } = request;
    const length = Number(headers['content-length'] ?? 0);
    if (headers['transfer-encoding'] === undefined && length === 0) return next();
    try {
      if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
        throw refusal('unsupported_media_type');
      if (!JSON_IN_UTF8.test(headers['content-type'] ?? '')) throw refusal('unsupported_media_type');
      if (length > MAX_BODY_BYTES) throw refusal('payload_too_large');
      const bytes = await receive(request, timeoutMs);
      if (bytes === undefined) return;
      if (bytes.length > 0) request.body = parseJsonObject(bytes);
    } catch (error) {
      discardRest(request);
      return next(error);
    }
    next();
  };
}

/** @throws DomainError saying what is wrong with it */
export function parseJsonObject(bytes: Uint8Array): object {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw refusal('malformed_json');
  }
  refuseTreacherousJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('body', 'object', 'must be a JSON object.');
  }
  return value;
}

/** @returns undefined when the caller went away: nobody is left to answer */
function receive(request: Request, timeoutMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => settle(() => reject(new RequestTimeoutException())), timeoutMs);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      finish();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) settle(() => reject(refusal('payload_too_large')));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onGone = () => settle(() => resolve(undefined));
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

function discardRest(request: Request): void {
  let size = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) request.destroy();
  });
}

function refusal(
  code: Extract<ErrorCode, 'malformed_json' | 'payload_too_large' | 'unsupported_media_type'>,
): DomainError {
  const kind: ErrorKind = ERROR_CODES[code].kind;
  return new DomainError(kind, code, ERROR_CODES[code].sentence);
}
