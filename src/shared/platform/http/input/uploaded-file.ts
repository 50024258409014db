import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField, unknownField } from '#shared/kernel/domain-error.js';
import { refusal } from '../errors/error-codes.js';

export const FILE_ROUTE = 'route:file';

/** Maximum number of bytes of an uploaded file to read. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
/** Maximum number of bytes that the multipart format adds to a file. */
const MAX_MULTIPART_FRAME_BYTES = 2_048;
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

/** Marks a route that accepts only a browser form with one file (RFC 7578). */
export const TakesFile = (rule: FileRule) => SetMetadata(FILE_ROUTE, rule);

export const InjectedFile = createParamDecorator(
  (_: unknown, context: ExecutionContext): UploadedFile =>
    context.switchToHttp().getRequest<UploadRequest>().upload ?? 'missing',
);

/** @param receive returns the body; undefined if it is longer than the first argument */
export async function readUploadedFile(
  request: UploadRequest,
  { field, maxBytes }: FileRule,
  receive: (kept: number, read: number) => Promise<Buffer<ArrayBuffer> | undefined>,
): Promise<void> {
  const { 'content-type': type = '', 'content-length': length = '0' } = request.headers;
  if (!MULTIPART.test(type)) throw refusal('unsupported_media_type');
  if (Number(length) > MAX_READ_BYTES) throw refusal('payload_too_large');
  const bytes = await receive(maxBytes + MAX_MULTIPART_FRAME_BYTES, MAX_READ_BYTES);
  request.upload = bytes === undefined ? 'too_large' : await extractFile(bytes, type, field);
  if (request.upload instanceof Uint8Array && request.upload.length > maxBytes) request.upload = 'too_large';
}

async function extractFile(bytes: Buffer<ArrayBuffer>, type: string, field: string): Promise<UploadedFile> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw invalidField('body', 'multipart', 'must be a form with one file.');
  });
  for (const name of form.keys())
    if (name !== field) throw unknownField(name, 'is not a field of this form. Remove it.');
  const [file, ...more] = form.getAll(field);
  if (more.length > 0) throw invalidField(field, 'one_file', 'must be one file.');
  // Browsers send an empty file if the person chose none.
  if (file === undefined || typeof file === 'string' || file.size === 0) return 'missing';
  return new Uint8Array(await file.arrayBuffer());
}
