import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another site, which shows the page of `?url=` in a frame. */
export class FramingSite {
  private constructor(private readonly server: Server) {}

  static async listen(): Promise<FramingSite> {
    const server = createServer((request, response) => {
      const url = new URL(request.url!, 'http://site').searchParams.get('url');
      const body = `<!doctype html><link rel="icon" href="data:,"><iframe src="${url}"></iframe>`;
      response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new FramingSite(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
