import type { IncomingMessage } from 'node:http';
import { RequestTimeoutException } from '@nestjs/common';
import { refusal } from '../errors/error-codes.js';

/** Longest body read, in bytes (docs/reference/limits.md). */
export const MAX_BODY_BYTES = 64 * 1024;

/** How much of a refused body is still taken in, so that its sender can read the refusal, before the line is cut. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/**
 * The whole body.
 * @param timeoutMs until its last byte
 * @param kept a longer body is read on, and none of it kept
 * @param read a longer body is refused
 * @returns undefined for a body that was not kept
 * @throws RequestTimeoutException also when the caller went away: nobody reads that answer
 */
export function receive(
  request: IncomingMessage,
  timeoutMs: number,
  kept: number,
  read: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => settle(() => reject(new RequestTimeoutException())), timeoutMs);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      finish();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > read) settle(() => reject(refusal('payload_too_large')));
      else if (size > kept) chunks = [];
      else chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(size > kept ? undefined : Buffer.concat(chunks)));
    const onGone = () => settle(() => reject(new RequestTimeoutException()));
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** Reads some of the rest of a refused body. */
export function discardRest(request: IncomingMessage): void {
  let size = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) request.destroy();
  });
}
