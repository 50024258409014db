import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrokenConnection, type MemoryNode, NoAnswer } from '../node/memory-node.js';

export async function serveNode(node: MemoryNode) {
  const server = createServer((request, response) => void serve(node, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(node: MemoryNode, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const { status, headers, text } = await node.answer(Buffer.concat(chunks).toString());
    response.writeHead(status, headers).end(text);
  } catch (error) {
    if (error instanceof BrokenConnection) response.destroy();
    else if (!(error instanceof NoAnswer)) response.writeHead(500).end(String(error));
  }
}
