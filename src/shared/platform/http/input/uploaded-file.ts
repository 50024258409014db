import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField, unknownField } from '#shared/kernel/domain-error.js';
import { refusalOfCode } from '../errors/error-codes.js';

export const FILE_ROUTE = 'route:file';

/** Maximum number of bytes of an uploaded file to read. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
/** Maximum number of bytes that the multipart format and the other fields add to a file. */
const MAX_OTHER_BYTES = 16 * 1024;
const MULTIPART = /^multipart\/form-data[ \t]*;/i;

export interface FileRule {
  readonly field: string;
  readonly maxBytes: number;
}

/** `too_large`: read to its end and discarded, so that the sender receives the error. */
export type UploadedFile = Uint8Array | 'too_large' | 'missing';

interface UploadRequest extends Request {
  upload?: UploadedFile;
}

/** Marks a route whose browser form may contain one file, after its other fields (RFC 7578). */
export const TakesFile = (rule: FileRule) => SetMetadata(FILE_ROUTE, rule);

export const UploadedFileParam = createParamDecorator(
  (_: unknown, context: ExecutionContext): UploadedFile =>
    context.switchToHttp().getRequest<UploadRequest>().upload ?? 'missing',
);

export function isMultipart({ headers }: Request): boolean {
  return MULTIPART.test(headers['content-type'] ?? '');
}

/**
 * Stores the file in the request.
 * @param receive returns the body, or only its start if it is longer than the first argument: that contains the other
 * fields, with which the form is shown again
 * @returns the other fields
 */
export async function readUploadedFile(
  request: UploadRequest,
  { field, maxBytes }: FileRule,
  receive: (kept: number, read: number) => Promise<Buffer<ArrayBuffer> | undefined>,
): Promise<object> {
  const { 'content-type': type = '', 'content-length': length = '0' } = request.headers;
  if (Number(length) > MAX_READ_BYTES) throw refusalOfCode('payload_too_large');
  const kept = maxBytes + MAX_OTHER_BYTES;
  const bytes = (await receive(kept, MAX_READ_BYTES))!;
  const isCut = bytes.length > kept;
  const { file, fields } = await readForm(isCut ? endForm(bytes, type) : bytes, type, field);
  const isTooLarge = isCut || (file instanceof Uint8Array && file.length > maxBytes);
  request.upload = isTooLarge ? 'too_large' : file;
  return fields;
}

function endForm(cut: Buffer, type: string): Buffer<ArrayBuffer> {
  const [, boundary = ''] = /boundary="?([^";]+)/i.exec(type) ?? [];
  return Buffer.concat([cut, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

async function readForm(bytes: Buffer<ArrayBuffer>, type: string, fileField: string) {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw invalidField('body', 'multipart', 'must be a form with one file.');
  });
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let file: UploadedFile = 'missing';
  for (const [name, value] of form.entries()) {
    if (form.getAll(name).length > 1) throw invalidField(name, 'once', 'must be sent once.');
    if ((name === fileField) === (typeof value === 'string'))
      throw unknownField(name, 'is not a field of this form. Remove it.');
    if (typeof value === 'string') fields[name] = value;
    // Browsers send an empty file if the person chose none.
    else if (value.size > 0) file = new Uint8Array(await value.arrayBuffer());
  }
  return { file, fields };
}
