import { invalidField, type DomainError } from '#shared/kernel/domain-error.js';
import { cleanJpeg } from './images/jpeg.js';
import { cleanPng } from './images/png.js';
import { cleanWebp } from './images/webp.js';
import { InvalidImage, type CleanImage } from './images/image-bytes.js';

export const MAX_LOGO_BYTES = 200_000;
/** A logo then uses at most 16 MB of a browser's memory. */
export const MAX_LOGO_PIXELS = 2_048;

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp';

export interface LogoFile extends CleanImage {
  readonly type: LogoType;
}

const LOGO_CLEANERS: readonly [LogoType, (bytes: Uint8Array) => CleanImage | undefined][] = [
  ['image/png', cleanPng],
  ['image/jpeg', cleanJpeg],
  ['image/webp', cleanWebp],
];

/** Detects the format from the content. @throws validation_failed on `logo` */
export function cleanUploadedLogo(bytes: Uint8Array): LogoFile {
  if (bytes.length > MAX_LOGO_BYTES) throw logoTooLargeError();
  for (const [type, clean] of LOGO_CLEANERS) {
    const image = cleanOrReject(clean, bytes);
    if (image === undefined) continue;
    if (image.width > MAX_LOGO_PIXELS || image.height > MAX_LOGO_PIXELS)
      throw invalidLogo(
        'pixels',
        `must be at most ${MAX_LOGO_PIXELS} pixels wide and high; it is ${image.width} × ${image.height}.`,
      );
    return { type, ...image };
  }
  throw invalidLogo(
    'image',
    'must be a PNG, JPEG or WebP image. SVG is not accepted because it can contain scripts.',
  );
}

export function logoTooLargeError(): DomainError {
  return invalidLogo('bytes', `must be at most ${MAX_LOGO_BYTES / 1000} kB.`);
}

function invalidLogo(rule: string, message: string): DomainError {
  return invalidField('logo', rule, message);
}

function cleanOrReject(clean: (bytes: Uint8Array) => CleanImage | undefined, bytes: Uint8Array) {
  try {
    return clean(bytes);
  } catch (error) {
    if (error instanceof InvalidImage) throw invalidLogo('image', `is not a valid image: ${error.message}`);
    throw error;
  }
}
