import type { Request } from 'express';
import { JSON_CONTENT_TYPE_PATTERN, parseJsonObject } from './json-body.js';
import { hasPrefix } from '../browsers/cors-policy.js';
import { refusalOfCode } from '../errors/error-codes.js';
import { MAX_BODY_BYTES, receiveBody } from './receive-body.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { parseQueryPairs } from './strict-query.js';
import { isMultipart, readUploadedFile, type FileRule } from './uploaded-file.js';

export const FORM_CONTENT_TYPE_PATTERN =
  /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")[ \t]*)?)*$/i;

/**
 * Parses a form into a flat record of strings, as strictly as a query string. @throws DomainError naming the field
 */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidField('body', 'percent_encoding', 'must be percent-encoded UTF-8.');
  }
  return parseQueryPairs(text, 'is not a field of this form. Remove it.');
}

/** Only our form paths accept browser forms, because a page of any site can make a visitor's browser post one. */
export class RequestBodyReader {
  /** @param formPaths path prefixes that accept browser forms @param unreadPaths paths whose bodies are ignored */
  constructor(
    private readonly timeoutMs: number,
    private readonly formPaths: readonly string[],
    private readonly unreadPaths?: RegExp,
  ) {}

  /**
   * @param file for routes that accept a file, which is stored in the request @returns undefined immediately without
   * a body
   */
  read(request: Request, file?: FileRule): Promise<object | undefined> | undefined {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && Number(length) === 0) return undefined;
    rejectContentEncoding(request);
    if (file === undefined || !isMultipart(request)) return this.receive(request, Number(length));
    return readUploadedFile(request, file, (kept, read) =>
      receiveBody(request, this.timeoutMs, kept, read, true),
    );
  }

  private async receive(request: Request, length: number): Promise<object | undefined> {
    const parse = this.parserFor(request);
    if (length > MAX_BODY_BYTES) throw refusalOfCode('payload_too_large');
    const bytes = await receiveBody(request, this.timeoutMs, MAX_BODY_BYTES, MAX_BODY_BYTES);
    return bytes === undefined || bytes.length === 0 ? undefined : parse(bytes);
  }

  private parserFor(request: Request): (bytes: Uint8Array) => object | undefined {
    if (request.method === 'POST' && this.unreadPaths?.test(request.path) === true) return () => undefined;
    const type = request.headers['content-type'] ?? '';
    if (JSON_CONTENT_TYPE_PATTERN.test(type)) return parseJsonObject;
    const takesForm = request.method === 'POST' && hasPrefix(request.path, this.formPaths);
    if (takesForm && FORM_CONTENT_TYPE_PATTERN.test(type)) return parseForm;
    throw refusalOfCode('unsupported_media_type');
  }
}

function rejectContentEncoding({ headers }: Request): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw refusalOfCode('unsupported_media_type');
}
