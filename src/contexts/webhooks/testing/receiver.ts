import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Number of connections accepted so far, and the open sockets. */
  readonly connections: { accepted: number; open: Set<Socket> };
  answer: RequestListener;
  close(): Promise<void>;
}

export async function startReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const connections = { accepted: 0, open: new Set<Socket>() };
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      receiver.answer(request, response);
    });
  };
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connection', (socket: Socket) => {
    connections.accepted += 1;
    connections.open.add(socket.once('close', () => connections.open.delete(socket)));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hooks`,
    requests,
    connections,
    answer: (_request, response) => response.end(),
    async close() {
      for (const socket of connections.open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
