import type { IncomingMessage } from 'node:http';
import { RequestTimeoutException } from '@nestjs/common';
import { refusalOfCode } from '../errors/error-codes.js';

export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Maximum bytes of a rejected body to read; the client could not read the error if the connection were closed sooner.
 */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/**
 * @param kept maximum bytes of a body to return
 * @param read maximum bytes to read; a longer body is rejected
 * @param keepsStart returns the start of a body longer than `kept`, slightly more than `kept` bytes, instead of
 * discarding it
 * @returns undefined for a discarded body
 * @throws RequestTimeoutException, also if the caller disconnects
 */
export function receiveBody(
  request: IncomingMessage,
  timeoutMs: number,
  kept: number,
  read: number,
  keepsStart = false,
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
      if (size > read) settle(() => reject(refusalOfCode('payload_too_large')));
      else if (size > kept && !keepsStart) chunks = [];
      else if (size - chunk.length <= kept) chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(size > kept && !keepsStart ? undefined : Buffer.concat(chunks)));
    const onGone = () => settle(() => reject(new RequestTimeoutException()));
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

export function discardRest(request: IncomingMessage): void {
  let size = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) request.destroy();
  });
}
