import type { Socket } from 'node:net';

export class AnswerTooLong extends Error {}

/**
 * Closes the connection when one response exceeds `maxBytes`. The limit covers all bytes, because HTTP allows unlimited data
 * outside the body: informational responses, and extensions and padding of chunks.
 * @param maxBytes counted on the network, including TLS
 */
export function limitAnswers(socket: Socket, maxBytes: number): void {
  // All bytes read belong to the request that was written last.
  let written = socket.bytesWritten;
  let read = socket.bytesRead;
  let readBefore = read;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) readBefore = read;
    written = socket.bytesWritten;
    read = socket.bytesRead;
    if (read - readBefore > maxBytes) socket.destroy(new AnswerTooLong());
  });
}

/**
 * Makes a connection reset fail the response. undici treats ECONNRESET as the end of a response without a length, although the
 * rest may be lost (RFC 9112, section 8). Other error codes fail it.
 */
export function failOnReset(socket: Socket): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'RESET';
  });
}
