import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '#shared/kernel/ids.js';
import { ERROR_CODES, type ErrorCode } from '../errors/error-codes.js';
import type { ErrorBody } from '../errors/error-envelope.filter.js';
import { httpStatusOf } from '../errors/error-kinds.js';

const CODE_OF_PROBLEM: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** If the connection were closed sooner, the client could not read the error. */
const LINGER_MS = 500;

const rejectedSockets = new WeakSet<Duplex>();

/** Unlike Node's own answer, it has our error body. @param responses at least the unfinished responses */
export function rejectMalformedRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  responses: readonly ServerResponse[],
): void {
  if (rejectedSockets.has(socket)) return;
  rejectedSockets.add(socket);
  // An earlier request on this connection is still being answered. The error must not be sent in place of its answer.
  const serving = responses.some(
    ({ req, headersSent, writableFinished }) => !writableFinished && (req.complete || headersSent),
  );
  if (error.code === 'ECONNRESET' || !socket.writable || serving) {
    socket.destroy();
    return;
  }
  socket.end(rawAnswerFor(CODE_OF_PROBLEM[error.code ?? ''] ?? 'validation_failed'));
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function rawAnswerFor(code: ErrorCode): string {
  const { kind, sentence } = ERROR_CODES[code];
  const requestId = newId<string>();
  const body = JSON.stringify({
    status: 'error',
    code,
    message: sentence,
    request_id: requestId,
  } satisfies ErrorBody);
  const status = httpStatusOf(kind);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
