import type { Socket } from 'node:net';

/** One answer took more bytes than it may. */
export class AnswerTooLong extends Error {}

/**
 * Breaks a connection off when one answer takes more bytes than that, whatever they are. HTTP lets a receiver send
 * without end beside the body: hints ahead of the answer, and what chunks carry beside data; who limits the body alone
 * reads as much of these as the network brings.
 * @param maxBytes as they come from the network, TLS included
 */
export function limitAnswers(socket: Socket, maxBytes: number): void {
  // Whatever is read belongs to the request that was written last.
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
 * Lets a reset break an answer off. undici takes ECONNRESET for the end of one that ends with its connection, which may
 * have lost its rest (RFC 9112, section 8); under another code it does not.
 */
export function failOnReset(socket: Socket): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'RESET';
  });
}
