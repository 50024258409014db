import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField, unknownField } from '#shared/kernel/domain-error.js';
import { refusal } from '../errors/error-codes.js';

export const FILE_ROUTE = 'route:file';

/** More than this of a file that is too large is not read on: the sender is cut off. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
/** A browser writes so much around the one file of a form, at most. */
const FRAME_BYTES = 2_048;
const MULTIPART = /^multipart\/form-data[ \t]*;/i;

export interface FileRule {
  /** The form's one field. */
  readonly field: string;
  readonly maxBytes: number;
}

/** A form's one file. `too_large`: it was read to its end, so that its sender reads the refusal, and not kept. */
export type UploadedFile = Uint8Array | 'too_large' | 'missing';

interface UploadRequest extends Request {
  upload?: UploadedFile;
}

/** The route takes a browser's form with one file (RFC 7578), which is bounded before any of it is read, and nothing else. */
export const TakesFile = (rule: FileRule) => SetMetadata(FILE_ROUTE, rule);

/** The file of a route that `@TakesFile` marks. */
export const TheFile = createParamDecorator(
  (_: unknown, context: ExecutionContext): UploadedFile =>
    context.switchToHttp().getRequest<UploadRequest>().upload ?? 'missing',
);

/** Reads the form's file into the request. @param receive the body, undefined where it is longer than its first argument */
export async function readFile(
  request: UploadRequest,
  { field, maxBytes }: FileRule,
  receive: (kept: number, read: number) => Promise<Buffer<ArrayBuffer> | undefined>,
): Promise<void> {
  const { 'content-type': type = '', 'content-length': length = '0' } = request.headers;
  if (!MULTIPART.test(type)) throw refusal('unsupported_media_type');
  if (Number(length) > MAX_READ_BYTES) throw refusal('payload_too_large');
  const bytes = await receive(maxBytes + FRAME_BYTES, MAX_READ_BYTES);
  request.upload = bytes === undefined ? 'too_large' : await fileIn(bytes, type, field);
  if (request.upload instanceof Uint8Array && request.upload.length > maxBytes) request.upload = 'too_large';
}

async function fileIn(bytes: Buffer<ArrayBuffer>, type: string, field: string): Promise<UploadedFile> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw invalidField('body', 'multipart', 'must be a form with one file.');
  });
  for (const name of form.keys())
    if (name !== field) throw unknownField(name, 'is not a field of this form. Remove it.');
  const [file, ...more] = form.getAll(field);
  if (more.length > 0) throw invalidField(field, 'one_file', 'must be one file.');
  // A browser sends an empty file where none is chosen.
  if (file === undefined || typeof file === 'string' || file.size === 0) return 'missing';
  return new Uint8Array(await file.arrayBuffer());
}
